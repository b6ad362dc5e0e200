import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GatewayError } from '../../../shared/api/error.ts';
import { creditAccount, readAccountBalance } from '../../../shared/ledger/accounts.ts';
import {
  changeKeyLimits,
  rotateKey,
  setKeyEnabled,
  showKey,
} from '../../../shared/ledger/key-admin.ts';
import { formatApiKey, parseApiKey } from '../../../shared/ledger/keys.ts';
import type { Ledger } from '../../../shared/ledger/ledger.ts';
import { startTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFaultySend } from '../../support/faulty-send.ts';
import { createTestClock, DETAILS, fundedKey, openLedger } from '../../support/ledger.ts';

let database: TestDatabase;
let ledger: Ledger;
let other: Ledger;

beforeAll(async () => {
  database = await startTestDatabase();
  ledger = openLedger(database);
  other = openLedger(database);
});
afterAll(() => database.stop());

async function refusal(promise: Promise<unknown>): Promise<GatewayError> {
  const error = await promise.then(
    () => expect.fail('it was not refused'),
    (reason: unknown) => reason,
  );
  return error instanceof GatewayError ? error : expect.fail(String(error));
}

const place = (from: Ledger, key: Parameters<Ledger['placeHold']>[0]['key'], amount = 10n) =>
  from.placeHold({ key, amount, fingerprint: 'f' });

describe('a secret', () => {
  test('that is mistyped anywhere, or unknown and asked before, costs no read', async () => {
    const { apiKey } = await fundedKey(ledger, 0n);
    const counting = createFaultySend(database.send);
    const fresh = openLedger(database, { send: counting });
    for (let at = 0; at < apiKey.length; at += 1) {
      const wrong = apiKey[at] === 'x' ? 'y' : 'x';
      const mistyped = apiKey.slice(0, at) + wrong + apiKey.slice(at + 1);
      const error = await refusal(fresh.authenticateKey(mistyped));
      expect(error.code).toBe('authentication');
    }
    expect(counting.commands).toHaveLength(0);
    const unknown = formatApiKey(crypto.getRandomValues(new Uint8Array(32)));
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await refusal(fresh.authenticateKey(unknown))).code).toBe('authentication');
    }
    expect(counting.commands).toHaveLength(1);
    await fresh.authenticateKey(apiKey);
    await fresh.authenticateKey(apiKey);
    expect(counting.commands).toHaveLength(3);
  });

  test('is stored as a hash alone', async () => {
    const { apiKey, keyId } = await fundedKey(ledger, 0n);
    const stored = JSON.stringify([...(await showKey(ledger.context, keyId)).hashes.keys()]);
    expect(stored).not.toContain(apiKey.slice(3, 20));
    expect(stored).toContain(parseApiKey(apiKey));
  });

  test('rotated out works until its overlap ends, the new one at once', async () => {
    const clock = createTestClock();
    const timed = openLedger(database, clock);
    const { apiKey, keyId, key } = await fundedKey(timed, 1_000n);
    const rotated = await rotateKey(timed.context, keyId, 60_000);
    await place(timed, await timed.authenticateKey(apiKey));
    await place(timed, await timed.authenticateKey(rotated.apiKey));
    clock.advance(61_000);
    expect((await refusal(timed.authenticateKey(apiKey))).code).toBe('authentication');
    const now = await rotateKey(timed.context, keyId, 0);
    expect((await refusal(place(other, key))).code).toBe('authentication');
    await place(timed, await timed.authenticateKey(now.apiKey));
  });
});

describe('a key', () => {
  test('disabled, enabled or limited anywhere is so from the next request of every process', async () => {
    const { apiKey, keyId, key, accountId } = await fundedKey(ledger, 1_000n);
    const cached = await other.authenticateKey(apiKey);
    await setKeyEnabled(ledger.context, keyId, false);
    expect((await refusal(place(other, cached))).code).toBe('permission');
    expect((await refusal(other.authenticateKey(apiKey))).code).toBe('permission');
    await setKeyEnabled(ledger.context, keyId, true);
    await place(other, await other.authenticateKey(apiKey));
    await changeKeyLimits(ledger.context, keyId, { lifetimeLimit: 5n });
    expect((await refusal(place(other, cached))).code).toBe('billing');
    await place(other, key, 5n);
    expect((await readAccountBalance(ledger.context, accountId)).held).toBe(15n);
  });

  test('that has expired is disabled by the first request after it, and answered 403', async () => {
    const clock = createTestClock();
    const timed = openLedger(database, clock);
    const expiresAtMs = clock.now() + 10_000;
    const { apiKey, keyId, key } = await fundedKey(timed, 1_000n, { expiresAtMs });
    await place(timed, key);
    clock.advance(10_001);
    expect((await refusal(timed.authenticateKey(apiKey))).code).toBe('permission');
    expect((await showKey(ledger.context, keyId)).record.enabled).toBe(false);
    expect((await refusal(place(timed, key))).code).toBe('permission');
  });

  test('keeps what it spent when a limit changes, and a new kind of period begins anew', async () => {
    const { key, keyId } = await fundedKey(ledger, 1_000n, {
      recurringLimit: { amount: 100n, period: 'day' },
    });
    const inDay = await place(ledger, key, 60n);
    const raised = { amount: 110n, period: 'day' } as const;
    expect(
      (await changeKeyLimits(ledger.context, keyId, { recurringLimit: raised })).periodRoom,
    ).toBe(50n);
    const month = { amount: 100n, period: 'month' } as const;
    await changeKeyLimits(ledger.context, keyId, { recurringLimit: month, lifetimeLimit: 100n });
    await ledger.settle(inDay, { amount: 20n, details: DETAILS });
    const state = await showKey(ledger.context, keyId);
    expect([state.periodRoom, state.lifetimeRoom]).toEqual([100n, 80n]);
  });
});

describe('refusals', () => {
  test('follow the precedence 403, 429, 402 and leave nothing held', async () => {
    const { key, keyId, accountId } = await fundedKey(ledger, 5n, { burst: 1, rate: '0.01' });
    expect((await refusal(place(ledger, key))).code).toBe('billing');
    expect((await refusal(place(ledger, key))).code).toBe('rate_limit');
    expect((await refusal(place(other, key))).code).toBe('rate_limit');
    await setKeyEnabled(ledger.context, keyId, false);
    expect((await refusal(place(openLedger(database), key))).code).toBe('permission');
    expect(await readAccountBalance(ledger.context, accountId)).toMatchObject({
      available: 5n,
      held: 0n,
    });
  });

  test('a 402 names what is exhausted, and ends once there is money again', async () => {
    const { key, accountId } = await fundedKey(ledger, 5n, { lifetimeLimit: 20n });
    expect((await refusal(place(ledger, key))).message).toContain('balance');
    expect((await refusal(place(ledger, key, 21n))).code).toBe('billing');
    await creditAccount(ledger.context, { accountId, amount: 100n });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await place(ledger, key);
    expect((await refusal(place(ledger, key, 11n))).message).toContain('lifetime');
  });

  test('a 429 says how long to wait, and waiting that long works', async () => {
    const clock = createTestClock();
    const timed = openLedger(database, clock);
    const { key } = await fundedKey(timed, 1_000n, { burst: 2, rate: '0.5' });
    const first = await place(timed, key);
    expect(first.rateLimit).toMatchObject({ limit: 2, remaining: 1 });
    await place(timed, key);
    const { code, retryAfterMs = 0 } = await refusal(place(timed, key));
    expect(code).toBe('rate_limit');
    expect(retryAfterMs).toBeGreaterThan(1_500);
    expect(retryAfterMs).toBeLessThanOrEqual(2_000);
    clock.advance(retryAfterMs);
    await place(timed, key);
    expect((await refusal(place(timed, key))).code).toBe('rate_limit');
  });

  test('a clock that steps back neither refills the bucket nor locks the key out', async () => {
    const clock = createTestClock();
    const timed = openLedger(database, clock);
    const { key } = await fundedKey(timed, 1_000n, { burst: 5, rate: '0.1' });
    for (let spent = 0; spent < 5; spent += 1) await place(timed, key);
    clock.step(-3_600_000);
    await place(timed, key);
    const { code, retryAfterMs = 0 } = await refusal(place(timed, key));
    expect(code).toBe('rate_limit');
    expect(retryAfterMs).toBeLessThanOrEqual(10_000);
  });
});

describe('a recurring limit', () => {
  test('resets once at its boundary; a hold of the old period refunds nothing to the new', async () => {
    const clock = createTestClock(Date.UTC(2026, 10, 18, 23, 59, 50));
    const timed = openLedger(database, clock);
    const recurringLimit = { amount: 100n, period: 'day' } as const;
    const { key, keyId } = await fundedKey(timed, 1_000n, { recurringLimit });
    const before = await place(timed, key, 90n);
    expect((await refusal(place(timed, key, 20n))).code).toBe('billing');
    clock.advance(20_000);
    const after = await place(timed, key, 30n);
    await timed.settle(before, { amount: 0n, details: DETAILS });
    expect((await showKey(timed.context, keyId)).periodRoom).toBe(70n);
    clock.step(-20_000);
    await place(timed, key, 50n);
    await timed.settle(after, { amount: 10n, details: DETAILS });
    const state = await showKey(timed.context, keyId);
    expect(state.periodRoom).toBe(40n);
    expect((await refusal(place(timed, key, 41n))).code).toBe('billing');
  });
});
