import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAccountBalance } from '../../../shared/ledger/accounts.ts';
import { createDynamoDbSend } from '../../../shared/ledger/dynamodb.ts';
import type { Ledger } from '../../../shared/ledger/ledger.ts';
import { listEntries } from '../../../shared/ledger/list-entries.ts';
import { mintRequestId } from '../../../shared/ledger/request-id.ts';
import { startTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFaultySend, isWrite } from '../../support/faulty-send.ts';
import { DETAILS, fundedKey, openLedger } from '../../support/ledger.ts';

const USD = 1_000_000_000n;

let database: TestDatabase;
let ledger: Ledger;

beforeAll(async () => {
  database = await startTestDatabase();
  ledger = openLedger(database);
});
afterAll(() => database.stop());

describe('a hold', () => {
  test('is settled once for what was used, and leaves exact books', async () => {
    const { key, accountId } = await fundedKey(ledger, 1_000n);
    const hold = await ledger.placeHold({ key, amount: 300n, fingerprint: 'a' });
    expect(await readAccountBalance(ledger.context, accountId)).toMatchObject({
      available: 700n,
      held: 300n,
    });
    const charge = { amount: 120n, details: DETAILS };
    const settled = await ledger.settle(hold, charge);
    const again = await Promise.all([ledger.settle(hold, charge), ledger.release(hold, DETAILS)]);
    expect(settled).toEqual({ status: 'settled', charged: 120n, uncollected: 0n });
    expect(again.map(({ status, charged }) => [status, charged])).toEqual([
      ['repeated', 120n],
      ['repeated', 120n],
    ]);
    expect(await readAccountBalance(ledger.context, accountId)).toMatchObject({
      available: 880n,
      held: 0n,
    });
    expect((await ledger.verifyLedger()).differences).toEqual([]);
  });

  test('is never charged above itself: the excess is recorded as uncollected', async () => {
    const { key, accountId } = await fundedKey(ledger, 1_000n);
    const hold = await ledger.placeHold({ key, amount: 300n, fingerprint: 'a' });
    const outcome = await ledger.settle(hold, { amount: 301n, details: DETAILS });
    expect(outcome).toEqual({ status: 'settled', charged: 300n, uncollected: 1n });
    const [, row] = await listEntries(ledger.context, accountId);
    expect(row).toMatchObject({ kind: 'charge', amount_nano: 300n, uncollected_nano: 1n });
  });

  test('that is released comes back whole and is final', async () => {
    const { key, accountId } = await fundedKey(ledger, 1_000n, { lifetimeLimit: 500n });
    const hold = await ledger.placeHold({ key, amount: 300n, fingerprint: 'a' });
    await ledger.release(hold, { ...DETAILS, status: 'refused' });
    const late = await ledger.settle(hold, { amount: 300n, details: DETAILS });
    expect(late).toMatchObject({ status: 'repeated', charged: 0n });
    expect((await readAccountBalance(ledger.context, accountId)).available).toBe(1_000n);
    await ledger.placeHold({ key, amount: 500n, fingerprint: 'b' });
  });

  test('writes a row that answers who, what, how much and when, without a prompt', async () => {
    const { key, accountId, keyId } = await fundedKey(ledger, USD);
    const hold = await ledger.placeHold({ key, amount: 300n, fingerprint: 'a' });
    await ledger.settle(hold, { amount: 120n, details: DETAILS });
    const rows = await listEntries(ledger.context, accountId);
    expect(rows.map((row) => row.kind)).toEqual(['credit', 'charge']);
    expect(rows[1]).toMatchObject({
      request_id: hold.requestId,
      account_id: accountId,
      key_id: keyId,
      amount_nano: 120n,
      hold_nano: 300n,
      model: 'gpt-5.2',
      provider: 'openai',
      input_tokens: 1_200n,
      price_output_tokens: '14.00',
      metadata: '{"tenant":"acme","feature":"search"}',
      status: 'completed',
    });
    const [first] = rows;
    const onlyCredit = { fromMs: 0, toMs: Number(first?.created_at_ms) };
    expect(await listEntries(ledger.context, accountId, onlyCredit)).toHaveLength(1);
  });
});

describe('on the wire, on an account and a limited key with 20 open holds', () => {
  test('a request takes one round trip before dispatch, six writes and six write units', async () => {
    const recurringLimit = { amount: 500n * USD, period: 'month' } as const;
    const limits = { lifetimeLimit: 1_000n * USD, recurringLimit };
    const { key } = await fundedKey(ledger, 1_000n * USD, limits);
    for (let open = 0; open < 19; open += 1) {
      await ledger.placeHold({ key, amount: 2n * USD + 7n, fingerprint: 'open' });
    }
    const { send, units } = meteredSend(database);
    const faulty = createFaultySend(send);
    let inFlight = 0;
    let mostInFlight = 0;
    const measured = openLedger(database, {
      send: async (command, timeoutMs) => {
        inFlight += 1;
        mostInFlight = Math.max(mostInFlight, inFlight);
        return faulty(command, timeoutMs).finally(() => {
          inFlight -= 1;
        });
      },
    });
    measured.context.memory.keyHints.set(
      key.keyId,
      ledger.context.memory.keyHints.get(key.keyId) ?? expect.fail('the key was never seen'),
    );
    const hold = await measured.placeHold({
      key,
      amount: 2n * USD + 7n,
      fingerprint: 'f'.repeat(43),
    });
    expect(faulty.commands.map(({ operation }) => operation)).toEqual(['put', 'update', 'update']);
    expect(mostInFlight).toBe(3);
    await measured.settle(hold, { amount: 1_234_567n, details: DETAILS });
    expect(faulty.commands.every(isWrite)).toBe(true);
    expect(faulty.commands).toHaveLength(6);
    expect(units()).toBe(6);
  });
});

/** Sends with the consumed capacity asked for, and sums it. */
function meteredSend(from: TestDatabase) {
  const client = new DynamoDBClient({
    endpoint: from.endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  let consumed = 0;
  client.middlewareStack.add(
    (next) => async (args) => {
      const input = { ...args.input, ReturnConsumedCapacity: 'TOTAL' };
      // The middleware's types know no single command's input.
      const result = await next({ ...args, input: input as typeof args.input });
      const output = result.output as { ConsumedCapacity?: { CapacityUnits?: number } };
      consumed += output.ConsumedCapacity?.CapacityUnits ?? Number.NaN;
      return result;
    },
    { step: 'initialize' },
  );
  return { send: createDynamoDbSend(client), units: () => consumed };
}

describe('a hold under a request ID that came from outside', () => {
  const newId = () => mintRequestId(Date.now(), crypto.getRandomValues(new Uint8Array(10)));

  test('is one hold while it is open, also when placed at once', async () => {
    const { key, accountId } = await fundedKey(ledger, 1_000n, { burst: 1, rate: '0.001' });
    const request = { key, amount: 300n, fingerprint: 'a', requestId: newId() };
    const [one, other] = await Promise.all([ledger.placeHold(request), ledger.placeHold(request)]);
    const third = await openLedger(database).placeHold(request);
    expect([one.requestId, other.requestId, third.requestId]).toEqual(
      Array(3).fill(request.requestId),
    );
    expect((await readAccountBalance(ledger.context, accountId)).held).toBe(300n);
  });

  test.each([
    ['other parameters', { fingerprint: 'b' }],
    ['another amount', { amount: 301n }],
  ])('is a conflict with %s', async (_, change) => {
    const { key } = await fundedKey(ledger, 1_000n);
    const request = { key, amount: 300n, fingerprint: 'a', requestId: newId() };
    await ledger.placeHold(request);
    await expect(ledger.placeHold({ ...request, ...change })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  test('is a conflict once it was finalized, refused, or is too old', async () => {
    const { key } = await fundedKey(ledger, 1_000n);
    const request = { key, amount: 300n, fingerprint: 'a', requestId: newId() };
    const hold = await ledger.placeHold(request);
    await ledger.settle(hold, { amount: 1n, details: DETAILS });
    await expect(ledger.placeHold(request)).rejects.toMatchObject({ code: 'conflict' });

    const refused = { ...request, amount: 5_000n, requestId: newId() };
    await expect(ledger.placeHold(refused)).rejects.toMatchObject({ code: 'billing' });
    await expect(ledger.placeHold(refused)).rejects.toMatchObject({ code: 'conflict' });

    const old = mintRequestId(Date.now() - 31 * 60_000, new Uint8Array(10));
    const expired = ledger.placeHold({ ...request, requestId: old });
    await expect(expired).rejects.toMatchObject({ code: 'conflict' });
    const nonsense = ledger.placeHold({ ...request, requestId: 'mine' });
    await expect(nonsense).rejects.toMatchObject({ code: 'conflict' });
  });
});
