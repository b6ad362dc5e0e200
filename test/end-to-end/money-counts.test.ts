import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WRITE_UNITS } from '../../infra/aws/cost/per-request.ts';
import { type KeySettings, rotateKey } from '../../shared/ledger/key-admin.ts';
import {
  type DatabaseCommand,
  type DatabaseProxy,
  isWriteCommand,
} from '../support/database-proxy.ts';
import { createOpenableGate } from '../support/gate.ts';
import { type RunningGateway, startGateway } from '../support/gateway.ts';
import type { FundedKey } from '../support/ledger.ts';
import { answer, ask, type Books, settled } from '../support/money.ts';
import { openProxiedWorld, type ProxiedWorld } from '../support/proxied-world.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';

const CREDIT = 900_000_000_000_000n;
const LIMIT = 800_000_000_000_000n;
/** Amounts as long as any that real requests hold: their digits take room in the items. */
const NEIGHBOUR = 1_234_567_890n;
const OVERLAP_MS = 3_600_000;

let world: ProxiedWorld;
let upstream: ScriptedUpstream;
let proxy: DatabaseProxy;
let books: Books;
let gateway: RunningGateway;

beforeAll(async () => {
  world = await openProxiedWorld();
  ({ upstream, proxy, books } = world);
  gateway = await startGateway({ environment: world.environment });
});

afterAll(async () => {
  await gateway?.stop();
  await world?.close();
});

/** A key that the gateway knows, on an account (and key) with so many holds open. */
async function warmKey(settings: Partial<KeySettings>, openHolds: number): Promise<FundedKey> {
  const funded = await books.newKey(CREDIT, settings);
  // A rotation whose overlap lasts: two secrets' hashes are on the key.
  await rotateKey(books.ledger.context, funded.keyId, OVERLAP_MS);
  upstream.enqueue(answer());
  await (await ask({ url: gateway.url, apiKey: funded.apiKey })).text();
  await settled(books, funded.accountId);
  const key = await books.ledger.authenticateKey(funded.apiKey);
  const neighbour = { key, amount: NEIGHBOUR, fingerprint: 'neighbour' };
  for (let count = 0; count < openHolds; count += 1) await books.ledger.placeHold(neighbour);
  return funded;
}

/** Sends one request and gives its commands: those before its dispatch, and all of them. */
async function commandsOf({ apiKey, accountId }: FundedKey, before: number) {
  const from = proxy.commands.length;
  const together = createOpenableGate();
  // Answers come only once three commands are on their way: one after the other would wait for ever.
  proxy.treat(() => {
    if (proxy.commands.length - from >= 3) together.open();
    return { before: together.opened };
  });
  let beforeDispatch: DatabaseCommand[] = [];
  upstream.enqueue(() => {
    beforeDispatch = proxy.commands.slice(from);
    return answer();
  });
  const response = await ask({ url: gateway.url, apiKey });
  await response.text();
  const held = NEIGHBOUR * BigInt(before);
  await expect
    .poll(async () => (await books.balance(accountId)).held, { timeout: 10_000 })
    .toBe(held);
  await expect.poll(() => proxy.commands.slice(from).every(({ answered }) => answered)).toBe(true);
  proxy.treat();
  return { status: response.status, beforeDispatch, all: proxy.commands.slice(from) };
}

const BOTH_LIMITS = {
  expiresAtMs: Date.UTC(2099, 0),
  lifetimeLimit: LIMIT,
  recurringLimit: { amount: LIMIT, period: 'month' },
} as const;

describe('a request with a warm key', () => {
  test.each([
    ['without limits, on a quiet account', {}, 0, WRITE_UNITS.withoutLimits],
    ['without limits, among 19 others', {}, 19, WRITE_UNITS.withoutLimits],
    ['with both spend limits, on a quiet account', BOTH_LIMITS, 0, WRITE_UNITS.withBothLimits],
    ['with both spend limits, among 19 others', BOTH_LIMITS, 19, WRITE_UNITS.withBothLimits],
  ] as const)(
    '%s: one round trip of three writes before dispatch, at most six writes in all',
    async (_, settings, neighbours, writes) => {
      const funded = await warmKey(settings, neighbours);
      const { status, beforeDispatch, all } = await commandsOf(funded, neighbours);
      expect(status).toBe(200);
      expect(beforeDispatch.map(({ operation }) => operation).sort()).toEqual([
        'PutItem',
        'UpdateItem',
        'UpdateItem',
      ]);
      expect(all.filter((command) => !isWriteCommand(command))).toEqual([]);
      expect(all).toHaveLength(writes);
      expect(all.map(({ answered }) => answered?.status)).toEqual(Array(writes).fill(200));
      const units = all.reduce((sum, { answered }) => sum + (answered?.units ?? 0), 0);
      expect(units).toBeGreaterThan(0);
      expect(units).toBeLessThanOrEqual(6);
    },
  );
});

test('no request of any kind sends a transaction or a scan', async () => {
  const refused = await books.newKey(0n);
  expect((await ask({ url: gateway.url, apiKey: refused.apiKey })).status).toBe(402);
  const operations = new Set(proxy.commands.map(({ operation }) => operation));
  expect([...operations].filter((name) => /Transact|Scan|Batch/.test(name))).toEqual([]);
});
