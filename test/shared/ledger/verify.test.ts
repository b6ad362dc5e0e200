import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeKeyLimits, showKey } from '../../../shared/ledger/key-admin.ts';
import type { Ledger } from '../../../shared/ledger/ledger.ts';
import { keyStateKey } from '../../../shared/ledger/tables.ts';
import { startTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  createTestClock,
  DETAILS,
  type FundedKey,
  fundedKey,
  openLedger,
} from '../../support/ledger.ts';

const CREDIT = 100_000n;
const LIMIT = 10_000n;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let database: TestDatabase;
let ledger: Ledger;
const clock = createTestClock();

beforeAll(async () => {
  database = await startTestDatabase();
  ledger = openLedger(database, clock);
});
afterAll(() => database.stop());

const LIMITS = {
  lifetimeLimit: LIMIT,
  recurringLimit: { amount: LIMIT, period: 'day' },
} as const;

async function place({ apiKey }: FundedKey, amount: bigint) {
  const key = await ledger.authenticateKey(apiKey);
  return ledger.placeHold({ key, amount, fingerprint: 'f' });
}

async function spend(funded: FundedKey, amount: bigint): Promise<void> {
  const hold = await place(funded, amount * 2n);
  await ledger.settle(hold, { amount, details: DETAILS });
}

/** Adds to one of a key's rooms, as no request would. */
function tamper(keyId: string, room: 'life_room' | 'period_room', amount: bigint) {
  return database.send(
    {
      operation: 'update',
      table: database.tables.gateway,
      key: keyStateKey(keyId),
      changes: { add: { [room]: amount } },
      conditions: [{ path: 'version', is: 'present' }],
    },
    1_000,
  );
}

const differencesOf = async ({ accountId }: FundedKey) =>
  (await ledger.verifyLedger(accountId)).differences;

describe('what remains of a key', () => {
  test.each([
    ['life_room', 'key-lifetime'],
    ['period_room', 'key-recurring'],
  ] as const)(
    'in %s is verified to the last nano-dollar, in both directions',
    async (room, problem) => {
      const funded = await fundedKey(ledger, CREDIT, LIMITS);
      clock.advance(MINUTE_MS);
      await spend(funded, 300n);
      await place(funded, 500n);
      expect(await differencesOf(funded)).toEqual([]);
      const { keyId, accountId } = funded;
      const expected = LIMIT - 300n - 500n;
      for (const amount of [1n, -1n]) {
        await tamper(keyId, room, amount);
        expect(await differencesOf(funded)).toEqual([
          { accountId, keyId, problem, expected, found: expected + amount },
        ]);
        await tamper(keyId, room, -amount);
      }
    },
  );

  test('agrees over boundaries, changed limits, refunds of another period and late charges', async () => {
    const funded = await fundedKey(ledger, CREDIT, LIMITS);
    const { context } = ledger;
    const { keyId } = funded;
    await spend(funded, 100n);
    const early = await place(funded, 700n);
    clock.advance(DAY_MS - 20 * MINUTE_MS);
    const late = await place(funded, 900n);
    clock.advance(DAY_MS);
    await spend(funded, 250n);
    await ledger.sweepHolds();
    await ledger.settle(early, { amount: 600n, details: DETAILS });
    await ledger.settle(late, { amount: 50n, details: DETAILS });
    expect(await differencesOf(funded)).toEqual([]);
    await place(funded, 40n);
    await changeKeyLimits(context, keyId, { lifetimeLimit: 5_000n });
    await changeKeyLimits(context, keyId, { recurringLimit: { amount: 9_000n, period: 'day' } });
    await spend(funded, 60n);
    expect(await differencesOf(funded)).toEqual([]);
    await changeKeyLimits(context, keyId, { lifetimeLimit: null });
    await changeKeyLimits(context, keyId, { recurringLimit: { amount: 8_000n, period: 'week' } });
    await spend(funded, 70n);
    await changeKeyLimits(context, keyId, { lifetimeLimit: 4_000n });
    await spend(funded, 80n);
    expect((await showKey(context, keyId)).holds.size).toBe(1);
    expect(await differencesOf(funded)).toEqual([]);
  });

  test('is not reported while requests run', async () => {
    const funded = await fundedKey(ledger, CREDIT, LIMITS);
    clock.advance(MINUTE_MS);
    const running = Promise.all(Array.from({ length: 12 }, () => spend(funded, 10n)));
    expect(await differencesOf(funded)).toEqual([]);
    await running;
    expect(await differencesOf(funded)).toEqual([]);
  });
});
