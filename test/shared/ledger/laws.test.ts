import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createGate } from '../../../shared/ledger/gate.ts';
import { formatApiKey, parseApiKey } from '../../../shared/ledger/keys.ts';
import {
  isRequestId,
  longId,
  mintedAtMs,
  mintRequestId,
  requestIdBounds,
  shortId,
} from '../../../shared/ledger/request-id.ts';
import { currentPeriod, periodAt } from '../../../shared/ledger/spend-limits.ts';
import { readSpooledCharge, writeSpooledCharge } from '../../../shared/ledger/spool.ts';
import type { Condition } from '../../../shared/ledger/store.ts';
import {
  type Bucket,
  branchAt,
  bucketOf,
  takeToken,
  tokenDueMs,
} from '../../../shared/ledger/token-bucket.ts';
import { DETAILS } from '../../support/ledger.ts';

const NOW_MS = Date.UTC(2026, 10, 18, 12);

function holdsAt(conditions: readonly Condition[], tat: bigint): boolean {
  return conditions.every((condition) => {
    if (!('value' in condition) || typeof condition.value !== 'bigint') return false;
    const { is, value } = condition;
    if (is === '<=') return tat <= value;
    return is === '>' ? tat > value : expect.fail(is);
  });
}

/** What a database with this `tat` does with a request: the new `tat`, or undefined for a refusal. */
function take(tat: bigint, bucket: Bucket, nowMs: number): bigint | undefined {
  const branches = (['idle', 'busy', 'ahead'] as const).filter((branch) =>
    holdsAt(takeToken(branch, bucket, nowMs).conditions, tat),
  );
  expect(branches.length).toBeLessThanOrEqual(1);
  expect(branches[0]).toBe(branchAt(tat, bucket, nowMs));
  const [branch] = branches;
  if (!branch) return undefined;
  const { set, add } = takeToken(branch, bucket, nowMs).changes;
  const next = set?.tat ?? tat + (add?.tat ?? 0n);
  return typeof next === 'bigint' ? next : expect.fail('tat is a number');
}

const limits = fc.record({
  burst: fc.integer({ min: 1, max: 100 }),
  ratePerSecond: fc.constantFrom(0.01, 0.5, 3, 10, 1_000),
});

describe('the token bucket', () => {
  test('passes no more than burst and refill allow, and passes again when it says so', () => {
    fc.assert(
      fc.property(limits, fc.array(fc.nat(2_000), { maxLength: 300 }), (limit, gaps) => {
        const bucket = bucketOf(limit);
        let tat = 0n;
        let nowMs = NOW_MS;
        let passed = 0;
        for (const gap of gaps) {
          nowMs += gap;
          const next = take(tat, bucket, nowMs);
          if (next === undefined) {
            const dueMs = tokenDueMs(tat, bucket, nowMs);
            expect(take(tat, bucket, nowMs + dueMs)).toBeDefined();
            if (dueMs > 1) expect(take(tat, bucket, nowMs + dueMs - 1)).toBeUndefined();
            continue;
          }
          tat = next;
          passed += 1;
        }
        const allowed = limit.burst + ((nowMs - NOW_MS) * limit.ratePerSecond) / 1_000;
        expect(passed).toBeLessThanOrEqual(Math.ceil(allowed));
      }),
    );
  });

  test('passes exactly its burst at once, whatever its rate', () => {
    fc.assert(
      fc.property(limits, (limit) => {
        const bucket = bucketOf(limit);
        let tat: bigint | undefined = 0n;
        for (let passed = 0; passed < limit.burst; passed += 1) {
          tat = take(tat, bucket, NOW_MS) ?? expect.fail('refused too early');
        }
        expect(take(tat, bucket, NOW_MS)).toBeUndefined();
      }),
    );
  });

  test('is nobody’s prison: a tat of a clock that ran ahead lets one pass and leaves it empty', () => {
    const bucket = bucketOf({ burst: 5, ratePerSecond: 1 });
    const ahead = BigInt(NOW_MS + 86_400_000) * 1_000n;
    const next = take(ahead, bucket, NOW_MS) ?? expect.fail('locked out');
    expect(take(next, bucket, NOW_MS)).toBeUndefined();
    expect(tokenDueMs(next, bucket, NOW_MS)).toBe(1_000);
  });
});

describe('periods', () => {
  const limit = (period: 'day' | 'week' | 'month') => ({ period, amount: 1n, generation: 1n });

  test.each([
    ['day', Date.UTC(2026, 10, 18), Date.UTC(2026, 10, 19)],
    ['week', Date.UTC(2026, 10, 16), Date.UTC(2026, 10, 23)],
    ['month', Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 1)],
    ['month', Date.UTC(2028, 1, 1), Date.UTC(2028, 2, 1)],
    ['week', Date.UTC(2026, 11, 28), Date.UTC(2027, 0, 4)],
  ] as const)('a %s lasts from its first to its last millisecond in UTC', (period, from, to) => {
    const name = periodAt(limit(period), from);
    expect(periodAt(limit(period), to - 1)).toBe(name);
    expect(periodAt(limit(period), from - 1) < name).toBe(true);
    expect(periodAt(limit(period), to) > name).toBe(true);
  });

  test('never go back with a clock that does, but a new kind of period starts where it is', () => {
    const rooms = { lifetimeRoom: 0n, periodRoom: 0n, period: periodAt(limit('day'), NOW_MS) };
    expect(currentPeriod(limit('day'), rooms, NOW_MS - 86_400_000)).toBe(rooms.period);
    const month = periodAt(limit('month'), NOW_MS);
    expect(currentPeriod(limit('month'), rooms, NOW_MS)).toBe(month);
  });
});

describe('IDs and secrets', () => {
  const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size });
  const time = fc.integer({ min: 0, max: 2 ** 47 });

  test('a request ID tells its time, sorts by it, and survives being shortened', () => {
    fc.assert(
      fc.property(time, bytes(10), time, bytes(10), (oneMs, one, otherMs, other) => {
        const id = mintRequestId(oneMs, one);
        const later = mintRequestId(otherMs, other);
        expect(isRequestId(id)).toBe(true);
        expect(mintedAtMs(id)).toBe(oneMs);
        expect(longId(shortId(id))).toBe(id);
        if (oneMs < otherMs) expect(id < later).toBe(true);
        const { from, to } = requestIdBounds(oneMs, oneMs);
        expect(from <= id && id <= to).toBe(true);
      }),
    );
  });

  test('a secret is taken as it is, and never with two characters swapped', () => {
    fc.assert(
      fc.property(bytes(32), fc.nat(50), (random, at) => {
        const secret = formatApiKey(random);
        expect(parseApiKey(secret)).toBeDefined();
        const swapped = [...secret];
        [swapped[at], swapped[at + 1]] = [secret.charAt(at + 1), secret.charAt(at)];
        if (swapped.join('') !== secret) expect(parseApiKey(swapped.join(''))).toBeUndefined();
      }),
    );
  });
});

test('a spooled charge reads back as it was written', () => {
  const hold = {
    requestId: mintRequestId(NOW_MS, new Uint8Array(10)),
    accountId: 'acc_1',
    keyId: 'key_1',
    stripe: 0,
    amount: 2n ** 70n,
    period: undefined,
    heldByKey: true,
  };
  const spooled = { hold, charge: { amount: 12n, details: DETAILS }, kind: 'charge' } as const;
  expect(readSpooledCharge(writeSpooledCharge(spooled))).toEqual(spooled);
});

test('a gate keeps its width, its order, and turns away who waits', async () => {
  const gate = createGate(2);
  const finish: (() => void)[] = [];
  const started: number[] = [];
  const task = (number: number) =>
    gate.run(async () => {
      started.push(number);
      await new Promise<void>((resolve) => finish.push(resolve));
    });
  const tasks = [task(0), task(1), task(2), task(3)];
  await expect.poll(() => started).toEqual([0, 1]);
  finish[0]?.();
  await tasks[0];
  await expect.poll(() => started).toEqual([0, 1, 2]);
  gate.turnAway(new Error('silent'));
  await expect(tasks[3]).rejects.toThrow('silent');
  finish[1]?.();
  finish[2]?.();
  await Promise.all([tasks[1], tasks[2]]);
  const next = task(4);
  await expect.poll(() => started).toEqual([0, 1, 2, 4]);
  finish[3]?.();
  await next;
});
