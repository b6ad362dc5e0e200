import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listen } from '../../../infra/local/listen.ts';
import {
  adjustAccount,
  creditAccount,
  readAccountBalance,
} from '../../../shared/ledger/accounts.ts';
import { createDynamoDbClient, createDynamoDbSend } from '../../../shared/ledger/dynamodb.ts';
import { showKey } from '../../../shared/ledger/key-admin.ts';
import type { Ledger } from '../../../shared/ledger/ledger.ts';
import { listEntries } from '../../../shared/ledger/list-entries.ts';
import { createFileSpool } from '../../../shared/ledger/spool-file.ts';
import { startTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFaultySend, type Fate } from '../../support/faulty-send.ts';
import {
  createTestClock,
  DETAILS,
  type FundedKey,
  fundedKey,
  openLedger,
} from '../../support/ledger.ts';

const LIFETIME_MS = 31 * 60_000;
const CREDIT = 1_000n;
const LIMIT = 800n;
const HOLD = 300n;
const CHARGE = 120n;

let database: TestDatabase;
let healthy: Ledger;
const clock = createTestClock();

beforeAll(async () => {
  database = await startTestDatabase();
  healthy = openLedger(database, clock);
});
afterAll(() => database.stop());

/** The books of an account after a sweep at a time when every hold's time is up. */
async function booksAfterSweep(funded: FundedKey) {
  const swept = await healthy.sweepHolds({ atMs: clock.now() + LIFETIME_MS });
  const balance = await readAccountBalance(healthy.context, funded.accountId);
  const state = await showKey(healthy.context, funded.keyId);
  const { differences } = await healthy.verifyLedger(funded.accountId);
  const rows = await listEntries(healthy.context, funded.accountId);
  const charged = rows
    .filter(({ kind }) => kind === 'charge' || kind === 'late_charge')
    .reduce((sum, row) => sum + BigInt(String(row.amount_nano)), 0n);
  return { swept, balance, state, differences, rows, charged };
}

async function expectCleanBooks(funded: FundedKey, allowed: readonly bigint[]) {
  const books = await booksAfterSweep(funded);
  expect(books.differences).toEqual([]);
  expect(books.swept.left).toBe(0);
  expect(books.balance.held).toBe(0n);
  expect(books.state.holds.size).toBe(0);
  expect(allowed).toContain(books.charged);
  expect(books.balance.available).toBe(CREDIT - books.charged);
  expect(books.state.lifetimeRoom).toBe(LIMIT - books.charged);
  return books;
}

/** Places and settles on a way where the command with this index meets a fate. */
async function serveWithFault(funded: FundedKey, at: number, fate: Fate) {
  const send = createFaultySend(database.send, (_, index) => (index === at ? fate : 'pass'));
  const ledger = openLedger(database, { ...clock, send });
  const { keyHints } = ledger.context.memory;
  keyHints.set(funded.keyId, await showKey(healthy.context, funded.keyId));
  const outcome = await ledger
    .placeHold({ key: funded.key, amount: HOLD, fingerprint: 'f' })
    .then((hold) => ledger.settle(hold, { amount: CHARGE, details: DETAILS }))
    .catch((error: unknown) => error);
  await ledger.finishPending();
  return { outcome, commands: send.commands.length };
}

describe.each(['crash', 'lost', 'lost-answer', 'throttled'] as const)(
  'a command that meets "%s"',
  (fate) => {
    test.each([0, 1, 2, 3, 4, 5])(
      'as number %i of a request leaves clean books after a sweep',
      async (at) => {
        const funded = await fundedKey(healthy, CREDIT, { lifetimeLimit: LIMIT });
        const { commands } = await serveWithFault(funded, at, fate);
        expect(commands).toBeGreaterThan(at);
        await expectCleanBooks(funded, fate === 'crash' ? [0n, CHARGE] : [CHARGE]);
      },
    );
  },
);

test('a sweep beside settlements takes and gives nothing twice', async () => {
  const funded = await fundedKey(healthy, CREDIT, { lifetimeLimit: LIMIT });
  const hold = await healthy.placeHold({ key: funded.key, amount: HOLD, fingerprint: 'f' });
  const at = { atMs: clock.now() + LIFETIME_MS };
  await Promise.all([
    healthy.sweepHolds(at),
    healthy.settle(hold, { amount: CHARGE, details: DETAILS }),
    openLedger(database, clock).sweepHolds(at),
    openLedger(database, clock).settle(hold, { amount: CHARGE, details: DETAILS }),
  ]);
  await expectCleanBooks(funded, [CHARGE]);
});

describe('a hold that was never settled', () => {
  test('expires at its time and not before; its settlement then still charges once', async () => {
    const funded = await fundedKey(healthy, CREDIT, { lifetimeLimit: LIMIT });
    const hold = await healthy.placeHold({ key: funded.key, amount: HOLD, fingerprint: 'f' });
    await healthy.sweepHolds({ atMs: clock.now() + LIFETIME_MS - 3 * 60_000 });
    expect((await readAccountBalance(healthy.context, funded.accountId)).held).toBe(HOLD);
    const { rows, swept } = await expectCleanBooks(funded, [0n]);
    expect(swept.expired).toContain(hold.requestId);
    expect(rows.map(({ kind }) => kind)).toEqual(['credit', 'expiry']);
    const charge = { amount: HOLD + 5n, details: DETAILS };
    const late = [await healthy.settle(hold, charge), await healthy.settle(hold, charge)];
    expect(late).toEqual(Array(2).fill({ status: 'late', charged: HOLD, uncollected: 5n }));
    await expectCleanBooks(funded, [HOLD]);
  });

  test('takes late at most what is available by then', async () => {
    const funded = await fundedKey(healthy, CREDIT, { lifetimeLimit: LIMIT });
    const hold = await healthy.placeHold({ key: funded.key, amount: HOLD, fingerprint: 'f' });
    await healthy.sweepHolds({ atMs: clock.now() + LIFETIME_MS });
    const { accountId } = funded;
    await adjustAccount(healthy.context, { accountId, amount: 50n - CREDIT, reason: 'moved' });
    const outcome = await healthy.settle(hold, { amount: CHARGE, details: DETAILS });
    expect(outcome).toEqual({ status: 'late', charged: 50n, uncollected: CHARGE - 50n });
    const { balance, differences } = await booksAfterSweep(funded);
    expect([balance.available, differences]).toEqual([0n, []]);
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])(
    'charges once though the late charge crashes at command %i',
    async (at) => {
      const funded = await fundedKey(healthy, CREDIT, { lifetimeLimit: LIMIT });
      const hold = await healthy.placeHold({ key: funded.key, amount: HOLD, fingerprint: 'f' });
      await healthy.sweepHolds({ atMs: clock.now() + LIFETIME_MS });
      const send = createFaultySend(database.send, (_, index) => (index === at ? 'crash' : 'pass'));
      const charge = { amount: CHARGE, details: DETAILS };
      await openLedger(database, { ...clock, send })
        .settle(hold, charge)
        .catch(() => undefined);
      await healthy.settle(hold, charge);
      await expectCleanBooks(funded, [CHARGE]);
    },
  );
});

describe('a credit', () => {
  test('is made once per reference, many at once do not lose each other', async () => {
    const { accountId } = await fundedKey(healthy, 0n);
    const ledgers = [healthy, openLedger(database, clock), openLedger(database, clock)];
    const credits = Array.from({ length: 24 }, (_, number) =>
      creditAccount((ledgers[number % 3] ?? healthy).context, {
        accountId,
        amount: 7n,
        reference: `order-${number % 12}`,
      }),
    );
    const done = await Promise.all(credits);
    expect((await readAccountBalance(healthy.context, accountId)).available).toBe(84n);
    expect(new Set(done.map(({ row }) => row.sequence)).size).toBe(12);
    const other = creditAccount(healthy.context, { accountId, amount: 8n, reference: 'order-1' });
    await expect(other).rejects.toThrow('used for something else');
    expect((await healthy.verifyLedger(accountId)).differences).toEqual([]);
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7])(
    'that crashes at command %i is made once by the sweep',
    async (at) => {
      const { accountId } = await fundedKey(healthy, 0n);
      const send = createFaultySend(database.send, (_, index) => (index === at ? 'crash' : 'pass'));
      const broken = openLedger(database, { ...clock, send });
      const credit = { accountId, amount: 7n, reference: 'order' };
      const done = await creditAccount(broken.context, credit).catch(() => undefined);
      await healthy.sweepHolds({ atMs: clock.now() + LIFETIME_MS });
      const { available } = await readAccountBalance(healthy.context, accountId);
      expect(done ? [7n] : [0n, 7n]).toContain(available);
      await creditAccount(healthy.context, credit);
      expect((await readAccountBalance(healthy.context, accountId)).available).toBe(7n);
      expect((await healthy.verifyLedger(accountId)).differences).toEqual([]);
    },
  );

  test('an adjustment takes and gives exactly, and never below nothing', async () => {
    const { accountId } = await fundedKey(healthy, 100n);
    const adjust = (amount: bigint) =>
      adjustAccount(healthy.context, { accountId, amount, reason: 'r', reference: `${amount}` });
    await adjust(-30n);
    await adjust(-30n);
    await adjust(5n);
    await expect(adjust(-76n)).rejects.toThrow('does not cover');
    expect((await readAccountBalance(healthy.context, accountId)).available).toBe(75n);
    expect((await healthy.verifyLedger(accountId)).differences).toEqual([]);
  });
});

describe('a database that does not answer', () => {
  let silent: Server;
  let unreachable: Ledger;
  let folder: string;

  beforeAll(async () => {
    silent = createServer();
    const port = await listen(silent, 0);
    const client = createDynamoDbClient({ endpoint: `http://127.0.0.1:${port}` });
    unreachable = openLedger(database, { send: createDynamoDbSend(client) });
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollgate-spool-'));
    return () => rm(folder, { recursive: true });
  });
  afterAll(() => void silent.close());

  test('while placing is a 503 within two seconds, for all who wait', async () => {
    const { key, keyId } = await fundedKey(healthy, CREDIT);
    unreachable.context.memory.keyHints.set(keyId, await showKey(healthy.context, keyId));
    const before = performance.now();
    const placing = Array.from({ length: 40 }, () =>
      unreachable.placeHold({ key, amount: HOLD, fingerprint: 'f' }),
    );
    const outcomes = await Promise.allSettled(placing);
    expect(performance.now() - before).toBeLessThan(2_500);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'ledger_unavailable' } });
    }
  });

  test('at settlement leaves the charge to the spool, and the sweep charges it once', async () => {
    const funded = await fundedKey(healthy, CREDIT, { lifetimeLimit: LIMIT });
    const hold = await healthy.placeHold({ key: funded.key, amount: HOLD, fingerprint: 'f' });
    const spool = createFileSpool(folder);
    const lost = createFaultySend(database.send, () => 'lost');
    const cut = openLedger(database, { ...clock, spool, send: lost });
    const outcome = await cut.settle(hold, { amount: CHARGE, details: DETAILS });
    expect(outcome).toEqual({ status: 'spooled', charged: CHARGE, uncollected: 0n });
    expect(await cut.context.spool?.drain(() => Promise.reject(new Error('no')))).toBe(1);
    const recovered = openLedger(database, { ...clock, spool });
    expect(await recovered.sweepHolds()).toMatchObject({ drained: 1, left: 0 });
    expect(await readdir(folder)).toEqual([]);
    const { rows } = await expectCleanBooks(funded, [CHARGE]);
    expect(rows.at(-1)).toMatchObject({ kind: 'charge', model: 'gpt-5.2', input_tokens: 1_200n });
  });
});

test('verify finds a balance that is off, and a hold that nobody ends', async () => {
  const funded = await fundedKey(healthy, CREDIT);
  await healthy.placeHold({ key: funded.key, amount: HOLD, fingerprint: 'f' });
  const key = { pk: funded.accountId, sk: 'balance#0' };
  const tamper = (available: bigint) =>
    database.send(
      {
        operation: 'update',
        table: database.tables.gateway,
        key,
        changes: { add: { available } },
        conditions: [{ path: 'available', is: '>=', value: 0n }],
      },
      1_000,
    );
  await tamper(3n);
  const { accountId } = funded;
  expect((await healthy.verifyLedger()).differences).toEqual([
    { accountId, problem: 'balance', expected: CREDIT, found: CREDIT + 3n },
  ]);
  await tamper(-3n);
  const later = openLedger(database, { ...clock, now: () => clock.now() + 3 * 3_600_000 });
  expect((await later.verifyLedger()).differences).toMatchObject([
    { accountId, problem: 'stale-hold', found: HOLD },
  ]);
});
