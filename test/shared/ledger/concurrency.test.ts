import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GatewayError } from '../../../shared/api/error.ts';
import { readAccountBalance } from '../../../shared/ledger/accounts.ts';
import type { KeySettings } from '../../../shared/ledger/key-admin.ts';
import { showKey } from '../../../shared/ledger/key-admin.ts';
import type { Ledger } from '../../../shared/ledger/ledger.ts';
import type { PlacedHold } from '../../../shared/ledger/types.ts';
import { startTestDatabase, type TestDatabase } from '../../support/database.ts';
import { DETAILS, fundedKey, openLedger } from '../../support/ledger.ts';

const REQUESTS = 200;
const PASS = 10;
const AMOUNT = 1_000_000_007n;

let database: TestDatabase;
let ledgers: Ledger[];

beforeAll(async () => {
  database = await startTestDatabase();
  ledgers = [openLedger(database), openLedger(database), openLedger(database)];
});
afterAll(() => database.stop());

async function storm(credit: bigint, settings: Partial<KeySettings>) {
  const [first] = ledgers;
  if (!first) throw new Error('no ledger');
  const funded = await fundedKey(first, credit, settings);
  const settled = await Promise.allSettled(
    Array.from({ length: REQUESTS }, async (_, number) => {
      const ledger = ledgers[number % ledgers.length] ?? first;
      const key = await ledger.authenticateKey(funded.apiKey);
      return ledger.placeHold({ key, amount: AMOUNT, fingerprint: 'storm' });
    }),
  );
  const placed = settled.filter((one) => one.status === 'fulfilled').map((one) => one.value);
  const refusals = settled
    .filter((one) => one.status === 'rejected')
    .map((one) => (one.reason instanceof GatewayError ? one.reason.code : String(one.reason)));
  return { ...funded, first, placed, refusals };
}

async function settleAll(ledger: Ledger, placed: readonly PlacedHold[]): Promise<bigint> {
  const outcomes = await Promise.all(
    placed.map((hold, number) =>
      ledger.settle(hold, { amount: AMOUNT - BigInt(number), details: DETAILS }),
    ),
  );
  return outcomes.reduce((sum, outcome) => sum + outcome.charged, 0n);
}

describe('200 requests at once in three processes', () => {
  test('a balance for exactly ten holds lets exactly ten pass', async () => {
    const credit = AMOUNT * BigInt(PASS) + 5n;
    const { accountId, first, placed, refusals } = await storm(credit, {});
    expect(refusals).toEqual(Array(REQUESTS - PASS).fill('billing'));
    expect(await readAccountBalance(first.context, accountId)).toMatchObject({
      available: 5n,
      held: AMOUNT * BigInt(PASS),
    });
    const charged = await settleAll(first, placed);
    expect((await readAccountBalance(first.context, accountId)).available).toBe(credit - charged);
    expect((await first.verifyLedger()).differences).toEqual([]);
  });

  test.each([
    ['lifetime', { lifetimeLimit: AMOUNT * BigInt(PASS) + 5n }],
    ['recurring', { recurringLimit: { amount: AMOUNT * BigInt(PASS) + 5n, period: 'month' } }],
  ] as const)('a %s limit for exactly ten holds lets exactly ten pass', async (_, limits) => {
    const credit = AMOUNT * 1_000n;
    const { accountId, keyId, first, placed, refusals } = await storm(credit, limits);
    expect(refusals).toEqual(Array(REQUESTS - PASS).fill('billing'));
    expect((await readAccountBalance(first.context, accountId)).held).toBe(AMOUNT * BigInt(PASS));
    const charged = await settleAll(first, placed);
    const state = await showKey(first.context, keyId);
    const room = 'lifetimeLimit' in limits ? state.lifetimeRoom : state.periodRoom;
    expect(room).toBe(AMOUNT * BigInt(PASS) + 5n - charged);
    expect(state.holds.size).toBe(0);
    expect((await readAccountBalance(first.context, accountId)).available).toBe(credit - charged);
  });

  test('a bucket of ten lets exactly ten pass, and nothing else is left of the others', async () => {
    const credit = AMOUNT * 1_000n;
    const bucket = { burst: PASS, rate: '0.001' };
    const { accountId, first, placed, refusals } = await storm(credit, bucket);
    expect(refusals).toEqual(Array(REQUESTS - PASS).fill('rate_limit'));
    expect(placed).toHaveLength(PASS);
    expect((await readAccountBalance(first.context, accountId)).held).toBe(AMOUNT * BigInt(PASS));
  });

  test('a small bucket before a small balance wastes neither', async () => {
    const credit = AMOUNT * BigInt(PASS);
    const { placed } = await storm(credit, { burst: 20, rate: '0.001' });
    expect(placed).toHaveLength(PASS);
  });
});
