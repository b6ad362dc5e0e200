import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyAccounts } from '../../../functions/verify-ledger/verify-accounts.ts';
import type { Ledger } from '../../../shared/ledger/ledger.ts';
import type { StoreCommand } from '../../../shared/ledger/store.ts';
import { balanceKey, FIRST_STRIPE } from '../../../shared/ledger/tables.ts';
import { startTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFaultySend, isWrite } from '../../support/faulty-send.ts';
import { DETAILS, type FundedKey, fundedKey, openLedger } from '../../support/ledger.ts';

const CREDIT = 100_000n;
const ACCOUNTS = 12;
const ALL = { part: 0, of: 1, remainingMs: () => 60_000 };

let database: TestDatabase;
let ledger: Ledger;
const funded: FundedKey[] = [];

beforeAll(async () => {
  database = await startTestDatabase();
  ledger = openLedger(database);
  for (let count = 0; count < ACCOUNTS; count += 1) funded.push(await fundedKey(ledger, CREDIT));
});
afterAll(() => database.stop());

function account(index: number): FundedKey {
  const one = funded[index];
  if (!one) throw new Error(`there is no account ${index}`);
  return one;
}

const place = ({ key }: FundedKey, amount: bigint) =>
  ledger.placeHold({ key, amount, fingerprint: 'f' });

/** Adds to a balance, as no request would. */
function tamper({ accountId }: FundedKey, amount: bigint) {
  const { gateway: table } = database.tables;
  const key = balanceKey(accountId, FIRST_STRIPE);
  const changes = { add: { available: amount } };
  const conditions = [{ path: 'available', is: 'present' } as const];
  return database.send({ operation: 'update', table, key, changes, conditions }, 1_000);
}

describe('the daily walk', () => {
  test('verifies every account, counts what is open, and reports what is off', async () => {
    await ledger.settle(await place(account(0), 50n), { amount: 30n, details: DETAILS });
    await place(account(1), 70n);
    await place(account(2), 5n);
    expect(await verifyAccounts(ledger, ALL)).toEqual({
      accounts: ACCOUNTS,
      entries: ACCOUNTS + 1,
      differences: [],
      unverified: 0,
      failures: [],
      holdsOpen: 2,
      holdsOpenAmount: 75n,
    });
    const { accountId } = account(3);
    await tamper(account(3), 1n);
    const { differences } = await verifyAccounts(ledger, ALL);
    expect(differences).toEqual([
      { accountId, problem: 'balance', expected: CREDIT, found: CREDIT + 1n },
    ]);
    await tamper(account(3), -1n);
  });

  test('changes nothing and asks by keys alone, which is what its role may do', async () => {
    const send = createFaultySend(database.send);
    await verifyAccounts(openLedger(database, { send }), ALL);
    expect(send.commands.filter(isWrite)).toEqual([]);
    expect(new Set(send.commands.map(({ operation }) => operation))).toEqual(
      new Set(['get', 'query']),
    );
    const ledgerCommands = send.commands.filter(({ table }) => table === database.tables.ledger);
    expect(new Set(ledgerCommands.map(({ operation }) => operation))).toEqual(new Set(['query']));
  });

  test.each([2, 3, 7])('in %i parts reaches every account exactly once', async (of) => {
    const parts = Array.from({ length: of }, (_, part) =>
      verifyAccounts(ledger, { ...ALL, part, of }),
    );
    const reached = (await Promise.all(parts)).map(({ accounts }) => accounts);
    expect(reached.reduce((sum, count) => sum + count, 0)).toBe(ACCOUNTS);
  });

  test('counts the accounts that no time was left for', async () => {
    let looks = 0;
    const remainingMs = () => (looks++ < 10 ? 1 : 0);
    const { accounts, unverified } = await verifyAccounts(ledger, { ...ALL, remainingMs });
    expect(accounts).toBe(10);
    expect(unverified).toBe(ACCOUNTS - 10);
  });

  test('goes on behind an account that cannot be read, and counts it', async () => {
    const { accountId } = account(4);
    const isItsBalance = (command: StoreCommand) =>
      command.operation === 'get' && command.key.pk === accountId;
    const send = createFaultySend(database.send, (one) => (isItsBalance(one) ? 'lost' : 'pass'));
    const totals = await verifyAccounts(openLedger(database, { send }), ALL);
    expect(totals).toMatchObject({ accounts: ACCOUNTS - 1, unverified: 1, differences: [] });
    expect(totals.failures.map((failure) => failure.accountId)).toEqual([accountId]);
  });

  test.each([
    { part: 1, of: 1 },
    { part: -1, of: 2 },
    { part: 0, of: 0 },
  ])('refuses part $part of $of', async (share) => {
    await expect(verifyAccounts(ledger, { ...ALL, ...share })).rejects.toThrow(RangeError);
  });
});
