import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, readAccountBalance } from '../../../shared/ledger/accounts.ts';
import { showKey } from '../../../shared/ledger/key-admin.ts';
import type { Ledger } from '../../../shared/ledger/ledger.ts';
import { mintRequestId, shortId } from '../../../shared/ledger/request-id.ts';
import type { Changes, ItemKey } from '../../../shared/ledger/store.ts';
import { balanceKey, keyStateKey } from '../../../shared/ledger/tables.ts';
import { startTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  createTestClock,
  DETAILS,
  type FundedKey,
  fundedKey,
  openLedger,
} from '../../support/ledger.ts';

const CREDIT = 1_000n;
const LIMIT = 800n;
const AMOUNT = 300n;
const MINUTE_MS = 60_000;
const LIMITS = {
  lifetimeLimit: LIMIT,
  recurringLimit: { amount: LIMIT, period: 'month' },
} as const;

let database: TestDatabase;
let ledger: Ledger;
const clock = createTestClock();

beforeAll(async () => {
  database = await startTestDatabase();
  ledger = openLedger(database, clock);
});
afterAll(() => database.stop());

/** Opens an amount on balance and key as a process does that dies before its record arrives. */
async function leaveOrphan({ accountId, keyId }: FundedKey): Promise<string> {
  const requestId = mintRequestId(clock.now(), crypto.getRandomValues(new Uint8Array(10)));
  const set = { [`holds.${shortId(requestId)}`]: AMOUNT };
  const write = (key: ItemKey, changes: Changes) => {
    const conditions = [{ path: 'pk', is: 'present' } as const];
    const table = database.tables.gateway;
    return database.send({ operation: 'update', table, key, changes, conditions }, 1_000);
  };
  await write(balanceKey(accountId, 0), { add: { available: -AMOUNT }, set });
  const add = { life_room: -AMOUNT, period_room: -AMOUNT };
  await write(keyStateKey(keyId), { add, set });
  return requestId;
}

async function expectGivenBack({ accountId, keyId }: FundedKey, charged: bigint) {
  const balance = await readAccountBalance(ledger.context, accountId);
  expect(balance).toMatchObject({ available: CREDIT - charged, held: 0n });
  const { holds, lifetimeRoom, periodRoom } = await showKey(ledger.context, keyId);
  expect(holds.size).toBe(0);
  expect(lifetimeRoom).toBe(LIMIT - charged);
  // Which period it counted in went with the record: that refund is forgone.
  expect(periodRoom).toBe(LIMIT - charged - AMOUNT);
  expect((await ledger.verifyLedger(accountId)).differences).toEqual([]);
}

describe('an amount that is open and that no hold record leads to', () => {
  test('expires once it is long beyond its lifetime, and not before', async () => {
    const funded = await fundedKey(ledger, CREDIT, LIMITS);
    const requestId = await leaveOrphan(funded);
    clock.advance(34 * MINUTE_MS);
    expect((await ledger.sweepHolds()).expired).toEqual([]);
    clock.advance(2 * MINUTE_MS);
    expect((await ledger.sweepHolds()).expired).toEqual([requestId]);
    await expectGivenBack(funded, 0n);
    expect((await ledger.sweepHolds()).expired).toEqual([]);
  });

  test('that a request sees has its account looked at by the very next sweep', async () => {
    // The last account of all, and so many before it that the walk needs several sweeps to come there.
    const last = { ...clock, randomBytes: (size: number) => new Uint8Array(size).fill(0xff) };
    const funded = await fundedKey(openLedger(database, last), CREDIT, LIMITS);
    for (let count = 0; count < 50; count += 1) await createAccount(ledger.context, 'other');
    const requestId = await leaveOrphan(funded);
    clock.advance(36 * MINUTE_MS);
    expect((await ledger.sweepHolds()).expired).toEqual([]);
    const key = await ledger.authenticateKey(funded.apiKey);
    const hold = await ledger.placeHold({ key, amount: 50n, fingerprint: 'f' });
    await ledger.settle(hold, { amount: 20n, details: DETAILS });
    await ledger.finishPending();
    expect((await ledger.sweepHolds()).expired).toEqual([requestId]);
    await expectGivenBack(funded, 20n);
  });
});
