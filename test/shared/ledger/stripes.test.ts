import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  adjustAccount,
  creditAccount,
  readAccountBalance,
} from '../../../shared/ledger/accounts.ts';
import { createKey } from '../../../shared/ledger/key-admin.ts';
import type { Ledger } from '../../../shared/ledger/ledger.ts';
import { listEntries } from '../../../shared/ledger/list-entries.ts';
import { Refusal } from '../../../shared/ledger/once.ts';
import { mintRequestId, shortId } from '../../../shared/ledger/request-id.ts';
import type { Changes } from '../../../shared/ledger/store.ts';
import { stripeAccount, sweepStripes } from '../../../shared/ledger/stripe-account.ts';
import { balanceKey, MOST_STRIPES } from '../../../shared/ledger/tables.ts';
import { transferMoney } from '../../../shared/ledger/transfer.ts';
import { startTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFaultySend, isWrite } from '../../support/faulty-send.ts';
import {
  createTestClock,
  DETAILS,
  type FundedKey,
  fundedKey,
  openLedger,
} from '../../support/ledger.ts';

const MINUTE_MS = 60_000;
const CREDIT = 1_000n;

let database: TestDatabase;
let ledger: Ledger;
const clock = createTestClock();

beforeAll(async () => {
  database = await startTestDatabase();
  ledger = openLedger(database, clock);
});
afterAll(() => database.stop());

/** An account on so many stripes, its credit spread over them, and a key that knows of them. */
async function stripedKey(stripes: number, credit = CREDIT): Promise<FundedKey> {
  const funded = await fundedKey(ledger, credit);
  await stripeAccount(ledger.context, funded.accountId, stripes);
  return { ...funded, key: await openLedger(database, clock).authenticateKey(funded.apiKey) };
}

const balanceOf = ({ accountId }: FundedKey) => readAccountBalance(ledger.context, accountId);

async function availableByStripe(funded: FundedKey) {
  return (await balanceOf(funded)).stripes.map(({ available }) => available);
}

async function expectVerified({ accountId }: FundedKey) {
  expect((await ledger.verifyLedger(accountId)).differences).toEqual([]);
}

const place = (from: Ledger, { key }: FundedKey, amount: bigint) =>
  from.placeHold({ key, amount, fingerprint: 'f' });

/** Changes a stripe as no request would. */
function tamper(accountId: string, stripe: number, changes: Changes) {
  const conditions = [{ path: 'pk', is: 'present' } as const];
  const key = balanceKey(accountId, stripe);
  const { gateway: table } = database.tables;
  return database.send({ operation: 'update', table, key, changes, conditions }, 1_000);
}

describe('a raise of the stripes', () => {
  test('spreads the balance evenly, is repeatable, and only goes up', async () => {
    const funded = await fundedKey(ledger, CREDIT);
    const { accountId, apiKey } = funded;
    expect(await availableByStripe(funded)).toEqual([CREDIT]);
    for (const stripes of [4, 4, 8]) {
      await stripeAccount(ledger.context, accountId, stripes);
      const spread = await availableByStripe(funded);
      expect(spread).toHaveLength(stripes);
      for (const part of spread) expect(part).toBeGreaterThanOrEqual(CREDIT / 16n);
    }
    for (const stripes of [7, MOST_STRIPES + 1, 8.5]) {
      const raise = stripeAccount(ledger.context, accountId, stripes);
      await expect(raise).rejects.toThrow(Refusal);
    }
    expect((await balanceOf(funded)).available).toBe(CREDIT);
    expect((await openLedger(database, clock).authenticateKey(apiKey)).stripes).toBe(8);
    const later = { accountId, name: 'later', burst: 1, rate: '1' };
    const issued = await createKey(ledger.context, later);
    expect((await ledger.authenticateKey(issued.apiKey)).stripes).toBe(8);
    await expectVerified(funded);
  });

  test('stands though copies of an earlier one arrive late', async () => {
    const funded = await fundedKey(ledger, CREDIT);
    const { accountId, apiKey } = funded;
    const send = createFaultySend(database.send);
    await stripeAccount(openLedger(database, { ...clock, send }).context, accountId, 3);
    const earlier = send.commands.filter(isWrite);
    await stripeAccount(ledger.context, accountId, 6);
    for (const command of earlier) {
      // A marker is sent once, and nothing copies it.
      const opens = command.operation === 'update' && command.conditions.length > 1;
      if (!opens || 'stripes' in (command.changes.set ?? {})) await database.send(command, 1_000);
    }
    expect(await availableByStripe(funded)).toHaveLength(6);
    expect((await openLedger(database, clock).authenticateKey(apiKey)).stripes).toBe(6);
    expect((await balanceOf(funded)).available).toBe(CREDIT);
    await expectVerified(funded);
  });

  test('is found out by a process that still knows of one stripe', async () => {
    const funded = await fundedKey(ledger, CREDIT);
    const other = openLedger(database, clock);
    await other.authenticateKey(funded.apiKey);
    await stripeAccount(openLedger(database, clock).context, funded.accountId, 5);
    // The key's version has moved on, so that its new number is read.
    const hold = await place(other, funded, 900n);
    expect(hold.amount).toBe(900n);
    await expectVerified(funded);
  });

  test('goes on beside requests, and none of them is refused or lost', async () => {
    const funded = await fundedKey(ledger, 100_000n);
    const ledgers = [ledger, openLedger(database, clock), openLedger(database, clock)];
    const serve = async (number: number) => {
      const from = ledgers[number % ledgers.length] ?? ledger;
      const hold = await place(from, funded, 50n);
      await from.settle(hold, { amount: 20n, details: DETAILS });
    };
    const requests = Array.from({ length: 24 }, (_, number) => serve(number));
    const raises = [3, 6].map((stripes) =>
      stripeAccount(openLedger(database, clock).context, funded.accountId, stripes).catch(
        (error: unknown) => expect(error).toBeInstanceOf(Refusal),
      ),
    );
    await Promise.all([...requests, ...raises]);
    expect((await balanceOf(funded)).available).toBe(100_000n - 24n * 20n);
    await expectVerified(funded);
  });
});

describe('a hold on a striped balance', () => {
  test('is one round trip of three writes on any stripe, and is settled where it lies', async () => {
    const funded = await stripedKey(4);
    const send = createFaultySend(database.send);
    const warm = openLedger(database, { ...clock, send });
    await warm.authenticateKey(funded.apiKey);
    const used = new Set<number>();
    for (let requests = 0; requests < 24; requests += 1) {
      send.commands.length = 0;
      const hold = await place(warm, funded, 10n);
      expect(send.commands.map(isWrite)).toEqual([true, true, true]);
      used.add(hold.stripe);
      await warm.settle(hold, { amount: 3n, details: DETAILS });
      expect(send.commands).toHaveLength(5);
    }
    expect(used.size).toBeGreaterThan(1);
    expect((await balanceOf(funded)).available).toBe(CREDIT - 24n * 3n);
    await expectVerified(funded);
  });

  test('takes what all stripes have together, to the last nano-dollar, and no more', async () => {
    const funded = await stripedKey(8);
    const hold = await place(ledger, funded, CREDIT - 1n);
    await expect(place(ledger, funded, 2n)).rejects.toMatchObject({ code: 'billing' });
    await place(ledger, funded, 1n);
    expect(await balanceOf(funded)).toMatchObject({ available: 0n, held: CREDIT });
    await ledger.settle(hold, { amount: 500n, details: DETAILS });
    await expectVerified(funded);
  });

  test('under an ID of the caller’s finds the stripe that has it, or gathers it', async () => {
    const funded = await stripedKey(4);
    const ids = [240n, 700n, 100n].map((amount) => {
      const random = crypto.getRandomValues(new Uint8Array(10));
      return { amount, requestId: mintRequestId(clock.now(), random) };
    });
    const { key } = funded;
    const [first, second, third] = ids.map((call) => ({ key, fingerprint: 'f', ...call }));
    if (!first || !second || !third) throw new Error('three calls');
    expect((await ledger.placeHold(first)).amount).toBe(240n);
    expect((await ledger.placeHold(second)).amount).toBe(700n);
    expect(await ledger.placeHold(second)).toMatchObject({ requestId: second.requestId });
    await expect(ledger.placeHold(third)).rejects.toMatchObject({ code: 'billing' });
    expect((await balanceOf(funded)).available).toBe(CREDIT - 940n);
    await expectVerified(funded);
  });

  test('of many at once is granted exactly as often as there is money', async () => {
    const funded = await stripedKey(8);
    const ledgers = Array.from({ length: 3 }, () => openLedger(database, clock));
    const attempts = Array.from({ length: 48 }, (_, number) =>
      place(ledgers[number % 3] ?? ledger, funded, 30n).then(
        () => 'granted',
        (error: { code: string }) => error.code,
      ),
    );
    const outcomes = await Promise.all(attempts);
    const granted = outcomes.filter((outcome) => outcome === 'granted').length;
    // Who loses the race for the last of it too often is asked to try again, never told a lie.
    expect(new Set(outcomes)).toContain('billing');
    expect(granted).toBeLessThanOrEqual(33);
    expect(granted).toBeGreaterThanOrEqual(33 - outcomes.filter(isUnavailable).length);
    await Promise.all(ledgers.map((each) => each.finishPending()));
    const { available } = await balanceOf(funded);
    expect(available).toBe(CREDIT - 30n * BigInt(granted));
    await expectVerified(funded);
  });
});

function isUnavailable(outcome: string): boolean {
  return outcome === 'ledger_unavailable';
}

describe.each(['crash', 'lost', 'lost-answer', 'throttled'] as const)(
  'a transfer of which a command meets "%s"',
  (fate) => {
    test.each([0, 1, 2, 3, 4])('as number %i loses and doubles nothing', async (at) => {
      const funded = await stripedKey(2);
      const { accountId } = funded;
      const send = createFaultySend(database.send, (_, index) => (index === at ? fate : 'pass'));
      const { context } = openLedger(database, { ...clock, send });
      const transfer = { accountId, from: 0, to: 1, amount: 300n };
      const deadline = { atMs: context.monotonicNow() + 300 };
      await transferMoney(context, transfer, deadline).catch(() => undefined);
      expect(send.commands.length).toBeGreaterThan(at);
      const { available, inTransfer } = await balanceOf(funded);
      expect(available + inTransfer).toBe(CREDIT);
      await expectVerified(funded);
      clock.advance(2 * MINUTE_MS);
      expect(await sweepStripes(ledger.context)).toBe(0);
      expect(await balanceOf(funded)).toMatchObject({ available: CREDIT, inTransfer: 0n });
      for (const { transfers } of (await balanceOf(funded)).stripes) expect(transfers.size).toBe(0);
      await expectVerified(funded);
    });
  },
);

test('a request finishes a transfer that somebody has left, for the money that it needs', async () => {
  const funded = await stripedKey(2);
  const { accountId } = funded;
  // Both markers and the row are there; whoever put them is gone.
  const send = createFaultySend(database.send, (_, index) => (index === 3 ? 'crash' : 'pass'));
  const { context } = openLedger(database, { ...clock, send });
  await transferMoney(context, { accountId, from: 0, to: 1, amount: 300n }).catch(() => undefined);
  expect(await balanceOf(funded)).toMatchObject({ inTransfer: 300n });
  clock.advance(3_000);
  const hold = await place(openLedger(database, clock), funded, CREDIT);
  expect(hold.amount).toBe(CREDIT);
  await expectVerified(funded);
});

describe('what is booked on a striped balance', () => {
  test('is spread when it is given, and gathered when it is taken', async () => {
    const funded = await stripedKey(4, 4n);
    const { accountId } = funded;
    const { context } = ledger;
    await creditAccount(context, { accountId, amount: 996n, reference: 'payment' });
    for (const part of await availableByStripe(funded)) expect(part).toBeGreaterThan(200n);
    const fix = { accountId, reason: 'correction' };
    await expect(adjustAccount(context, { ...fix, amount: -1_001n })).rejects.toThrow(Refusal);
    await adjustAccount(context, { ...fix, amount: -900n });
    expect(await balanceOf(funded)).toMatchObject({ available: 100n, held: 0n });
    await expectVerified(funded);
  });

  test('late is taken from all stripes together', async () => {
    const funded = await stripedKey(4);
    const hold = await place(ledger, funded, 200n);
    await ledger.sweepHolds({ atMs: clock.now() + 31 * MINUTE_MS });
    const { accountId } = funded;
    await adjustAccount(ledger.context, { accountId, amount: -880n, reason: 'moved' });
    await stripeAccount(ledger.context, accountId, 12);
    const outcome = await ledger.settle(hold, { amount: 150n, details: DETAILS });
    expect(outcome).toEqual({ status: 'late', charged: 120n, uncollected: 30n });
    expect(await balanceOf(funded)).toMatchObject({ available: 0n, held: 0n });
    await expectVerified(funded);
  });

  test('as a transfer is a row that is worth nothing and tells what moved', async () => {
    const { accountId } = await stripedKey(2);
    const rows = await listEntries(ledger.context, accountId);
    expect(rows.filter(({ kind }) => kind === 'transfer')).toMatchObject([
      { account_id: accountId, amount_nano: 0n, moved_nano: 500n, stripe: 0n, to_stripe: 1n },
    ]);
  });
});

describe('beyond the first stripe', () => {
  test('an orphan is given back', async () => {
    const funded = await stripedKey(3, 999n);
    const requestId = mintRequestId(clock.now(), crypto.getRandomValues(new Uint8Array(10)));
    const set = { [`holds.${shortId(requestId)}`]: 100n };
    await tamper(funded.accountId, 2, { add: { available: -100n }, set });
    clock.advance(36 * MINUTE_MS);
    const expired: string[] = [];
    // The walk over all accounts takes several sweeps.
    for (let sweeps = 0; sweeps < 5; sweeps += 1) {
      expired.push(...(await ledger.sweepHolds()).expired);
    }
    expect(expired).toContain(requestId);
    expect(await balanceOf(funded)).toMatchObject({ available: 999n, held: 0n });
    await expectVerified(funded);
  });

  test('verify names the stripe that is off, and a transfer that nobody ends', async () => {
    const funded = await stripedKey(3, 999n);
    const { accountId } = funded;
    const requestId = mintRequestId(clock.now(), crypto.getRandomValues(new Uint8Array(10)));
    await tamper(accountId, 1, { add: { available: 5n } });
    const set = { [`transfers.${shortId(requestId)}`]: 40n };
    await tamper(accountId, 2, { add: { available: -40n }, set });
    clock.advance(92 * MINUTE_MS);
    expect((await ledger.verifyLedger(accountId)).differences).toEqual([
      { accountId, problem: 'balance', expected: 333n, found: 338n, stripe: 1 },
      { accountId, problem: 'stale-hold', expected: 0n, found: 40n, requestId, stripe: 2 },
    ]);
  });
});
