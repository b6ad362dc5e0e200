import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeKeyLimits, setKeyEnabled, showKey } from '../../shared/ledger/key-admin.ts';
import { createOpenableGate } from '../support/gate.ts';
import { type RunningGateway, startGateway } from '../support/gateway.ts';
import type { FundedKey } from '../support/ledger.ts';
import {
  amountOf,
  answer,
  ask,
  type Books,
  COUNTED,
  holdAmount,
  openBooks,
  scriptedProviders,
  settled,
} from '../support/money.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';

const REQUESTS = 200;
const PASS = 10;
const SPARE = 7n;
const PLENTY = 1_000_000_000_000n;
const WATCH_EVERY_MS = 20;

let upstream: ScriptedUpstream;
let gateways: RunningGateway[];
let books: Books;
let hold: bigint;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  const environment = scriptedProviders(upstream);
  const first = await startGateway({ environment });
  gateways = [first];
  const shared = { environment: { ...environment, DYNAMODB_ENDPOINT: first.databaseEndpoint } };
  gateways.push(...(await Promise.all([startGateway(shared), startGateway(shared)])));
  books = openBooks(first.databaseEndpoint);
  hold = await holdAmount(books, upstream, first.url);
});

afterAll(async () => {
  books?.close();
  // The first one has the database of the others.
  for (const gateway of gateways?.toReversed() ?? []) await gateway.stop();
  await upstream?.close();
});

/** The lowest `available` that was ever seen while something ran. */
async function lowestWhile(accountId: string, running: Promise<unknown>): Promise<bigint> {
  let lowest = PLENTY;
  let over = false;
  running.finally(() => {
    over = true;
  });
  while (!over) {
    const { available } = await books.balance(accountId);
    if (available < lowest) lowest = available;
    await new Promise((resolve) => setTimeout(resolve, WATCH_EVERY_MS));
  }
  return lowest;
}

/** 200 requests at once over three processes; the provider answers when all of them are decided. */
async function storm({ apiKey, accountId }: FundedKey) {
  const before = upstream.requests.length;
  const decided = createOpenableGate();
  // Whatever passes beyond these finds nothing scripted: a 500 that shows.
  for (let number = 0; number < PASS; number += 1) {
    const counted = { ...COUNTED, output: COUNTED.output + number };
    upstream.enqueue({ ...answer({ counted }), when: decided.opened });
  }
  const refused: number[] = [];
  const ready = setInterval(() => {
    if (upstream.requests.length - before + refused.length >= REQUESTS) decided.open();
  }, WATCH_EVERY_MS);
  const answers = Promise.all(
    Array.from({ length: REQUESTS }, async (_, number) => {
      const { url } = gateways[number % gateways.length] ?? expect.fail('no gateway');
      const response = await ask({ url, apiKey });
      if (response.status !== 200) refused.push(response.status);
      await response.text();
      return response;
    }),
  );
  const lowest = await lowestWhile(accountId, answers);
  clearInterval(ready);
  const all = await answers;
  await settled(books, accountId);
  return { refused, lowest, all, reached: upstream.requests.length - before };
}

/** Each answer costs its own amount: 15 × 5,000 + 5 × 500 + output × 30,000 nano-dollars. */
function costOf(order: number): bigint {
  return 77_500n + BigInt(COUNTED.output + order) * 30_000n;
}

async function expectExactBooks({ accountId, keyId }: FundedKey, credit: bigint) {
  const charges = await books.charges(accountId);
  const charged = amountOf(charges);
  const expected = Array.from({ length: PASS }, (_, order) => costOf(order));
  expect(charged).toBe(expected.reduce((sum, cost) => sum + cost));
  expect((await books.balance(accountId)).available).toBe(credit - charged);
  expect((await books.ledger.verifyLedger(accountId)).differences).toEqual([]);
  const state = await showKey(books.ledger.context, keyId);
  expect(state.holds.size).toBe(0);
  return { charged, state };
}

describe('200 requests at once in three gateways', () => {
  test('a balance for exactly ten holds lets exactly ten reach the provider', async () => {
    const credit = hold * BigInt(PASS) + SPARE;
    const funded = await books.newKey(credit);
    const { refused, reached, lowest, all } = await storm(funded);
    expect({ reached, refused }).toEqual({
      reached: PASS,
      refused: Array(REQUESTS - PASS).fill(402),
    });
    expect(lowest).toBe(SPARE);
    const kind = all.find(({ status }) => status === 402)?.headers.get('x-should-retry');
    expect(kind).toBe('false');
    await expectExactBooks(funded, credit);
  });

  test.each(['lifetime', 'recurring'] as const)(
    'a %s limit for exactly ten holds lets exactly ten reach the provider',
    async (which) => {
      const limit = hold * BigInt(PASS) + SPARE;
      const limits =
        which === 'lifetime'
          ? { lifetimeLimit: limit }
          : { recurringLimit: { amount: limit, period: 'month' as const } };
      const funded = await books.newKey(PLENTY, limits);
      const { refused, reached } = await storm(funded);
      expect({ reached, refused }).toEqual({
        reached: PASS,
        refused: Array(REQUESTS - PASS).fill(402),
      });
      const { charged, state } = await expectExactBooks(funded, PLENTY);
      const room = which === 'lifetime' ? state.lifetimeRoom : state.periodRoom;
      expect(room).toBe(limit - charged);
    },
  );

  test('a bucket of ten lets exactly ten reach the provider', async () => {
    const funded = await books.newKey(PLENTY, { burst: PASS, rate: '0.001' });
    const { refused, reached, all } = await storm(funded);
    expect({ reached, refused }).toEqual({
      reached: PASS,
      refused: Array(REQUESTS - PASS).fill(429),
    });
    const wait = all.find(({ status }) => status === 429)?.headers.get('retry-after');
    expect(Number(wait)).toBeGreaterThan(900);
    await expectExactBooks(funded, PLENTY);
  });
});

test('a key disabled, enabled or limited anywhere is so from the next request of every gateway', async () => {
  const { apiKey, keyId, accountId } = await books.newKey(PLENTY);
  const { context } = books.ledger;
  const statuses = async (served: number) => {
    for (let count = 0; count < served; count += 1) upstream.enqueue(answer());
    const seen: number[] = [];
    for (const { url } of gateways) {
      const response = await ask({ url, apiKey });
      await response.text();
      seen.push(response.status);
    }
    await settled(books, accountId);
    return seen;
  };
  expect(await statuses(3)).toEqual([200, 200, 200]);
  await setKeyEnabled(context, keyId, false);
  expect(await statuses(0)).toEqual([403, 403, 403]);
  await setKeyEnabled(context, keyId, true);
  expect(await statuses(3)).toEqual([200, 200, 200]);
  await changeKeyLimits(context, keyId, { lifetimeLimit: 0n });
  expect(await statuses(0)).toEqual([402, 402, 402]);
});
