import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readAccountBalance } from '../../../shared/ledger/accounts.ts';
import { listEntries } from '../../../shared/ledger/list-entries.ts';
import { readSpooledCharge, type SpooledCharge } from '../../../shared/ledger/spool.ts';
import { createQueueSpool } from '../../../shared/ledger/spool-queue.ts';
import { connectLedger } from '../../../shared/settings/services.ts';
import { startTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFaultySend } from '../../support/faulty-send.ts';
import { createTestClock, DETAILS, fundedKey, openLedger } from '../../support/ledger.ts';
import { type QueueServer, startQueueServer } from '../../support/queue-server.ts';

const CREDIT = 1_000n;
const HOLD = 300n;
const CHARGE = 120n;

const SPOOLED: SpooledCharge = {
  hold: {
    requestId: '019a9613-0000-7000-8000-000000000001',
    accountId: 'acct_1',
    keyId: 'key_1',
    stripe: 0,
    amount: 9_007_199_254_740_993n,
    period: '2026-11',
    heldByKey: true,
  },
  charge: { amount: 9_007_199_254_740_995n, details: DETAILS },
  kind: 'charge',
};

const clock = createTestClock();
let database: TestDatabase;
let server: QueueServer;
let client: SQSClient;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());
beforeEach(async () => {
  server = await startQueueServer();
  client = new SQSClient({
    endpoint: new URL(server.queueUrl).origin,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  return async () => {
    client.destroy();
    await server.close();
  };
});
afterEach(() => vi.unstubAllEnvs());

function openSpool(drainMs?: number) {
  const { queueUrl } = server;
  return createQueueSpool({ queueUrl, client, ...(drainMs === undefined ? {} : { drainMs }) });
}

/** A charge that the database would not take, and its account. */
async function spoolOneCharge() {
  const healthy = openLedger(database, { ...clock, spool: openSpool() });
  const { key, accountId } = await fundedKey(healthy, CREDIT);
  const hold = await healthy.placeHold({ key, amount: HOLD, fingerprint: 'f' });
  const lost = createFaultySend(database.send, () => 'lost');
  const cut = openLedger(database, { ...clock, spool: openSpool(), send: lost });
  const outcome = await cut.settle(hold, { amount: CHARGE, details: DETAILS });
  expect(outcome).toEqual({ status: 'spooled', charged: CHARGE, uncollected: 0n });
  return { healthy, cut, accountId };
}

test('what was added is handed over whole, and once', async () => {
  const spool = openSpool();
  await spool.add(SPOOLED);
  const taken: SpooledCharge[] = [];
  const take = async (charge: SpooledCharge) => void taken.push(charge);
  expect(await spool.drain(take)).toBe(0);
  server.makeVisible();
  expect(await spool.drain(take)).toBe(0);
  expect(taken).toEqual([SPOOLED]);
});

test('a charge that the database still refuses stays, and a later sweep charges it', async () => {
  const { healthy, cut, accountId } = await spoolOneCharge();
  const refusing = cut.context.spool?.drain(async () => {
    expect(server.bodies).toHaveLength(1);
    throw new Error('not now');
  });
  expect(await refusing).toBe(1);
  expect(server.bodies).toHaveLength(1);
  expect(await healthy.sweepHolds()).toMatchObject({ drained: 0 });
  server.makeVisible();
  expect(await healthy.sweepHolds()).toMatchObject({ drained: 1, left: 0 });
  expect(server.bodies).toEqual([]);
  expect(await readAccountBalance(healthy.context, accountId)).toMatchObject({
    available: CREDIT - CHARGE,
  });
});

test('a charge that the queue delivers more than once is charged once', async () => {
  const { healthy, accountId } = await spoolOneCharge();
  const [body = ''] = server.bodies;
  server.put(body);
  expect(await healthy.sweepHolds()).toMatchObject({ drained: 2, left: 0 });
  server.put(body);
  expect(await healthy.sweepHolds()).toMatchObject({ drained: 1, left: 0, uncollected: 0n });
  const rows = await listEntries(healthy.context, accountId);
  expect(rows.filter(({ kind }) => kind === 'charge')).toHaveLength(1);
  expect(await readAccountBalance(healthy.context, accountId)).toMatchObject({
    available: CREDIT - CHARGE,
  });
});

test('a message that nobody can read is left, beside others that are taken', async () => {
  const spool = openSpool();
  server.put('{"hold":');
  await spool.add(SPOOLED);
  expect(await spool.drain(async () => {})).toBe(1);
  expect(server.bodies).toEqual(['{"hold":']);
});

test('a drain ends when its time is up, or when a whole batch is refused', async () => {
  for (let count = 0; count < 25; count += 1) await openSpool().add(SPOOLED);
  expect(await openSpool(0).drain(async () => {})).toBe(0);
  expect(server.bodies).toHaveLength(15);
  const refuse = vi.fn(() => Promise.reject(new Error('not now')));
  expect(await openSpool().drain(refuse)).toBe(10);
  expect(refuse).toHaveBeenCalledTimes(10);
  server.makeVisible();
  expect(await openSpool().drain(async () => {})).toBe(0);
  expect(server.bodies).toEqual([]);
});

test('a queue that takes nothing makes `add` throw', async () => {
  server.fail('SendMessage');
  await expect(openSpool().add(SPOOLED)).rejects.toThrow();
});

test.each(['ReceiveMessage', 'DeleteMessage'])('without %s a charge is left', async (operation) => {
  await openSpool().add(SPOOLED);
  server.fail(operation);
  expect(await openSpool().drain(async () => {})).toBe(1);
  expect(server.bodies).toHaveLength(1);
});

test('`SPOOL_QUEUE_URL` names the queue, with the credentials of the environment', async () => {
  vi.stubEnv('AWS_REGION', 'local');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  const { context } = connectLedger({
    DYNAMODB_ENDPOINT: database.endpoint,
    SPOOL_QUEUE_URL: server.queueUrl,
    SPOOL_FOLDER: '/nowhere',
  });
  await context.spool?.add(SPOOLED);
  expect(server.bodies.map(readSpooledCharge)).toEqual([SPOOLED]);
});
