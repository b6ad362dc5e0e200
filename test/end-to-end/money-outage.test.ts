import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type DatabaseProxy,
  isWriteCommand,
  silent,
  type TreatCommand,
} from '../support/database-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { createOpenableGate } from '../support/gate.ts';
import { type RunningGateway, startGateway } from '../support/gateway.ts';
import type { FundedKey } from '../support/ledger.ts';
import {
  amountOf,
  answer,
  ask,
  type Books,
  settled,
  streamAnswer,
  sweepAndVerify,
} from '../support/money.ts';
import { openProxiedWorld, type ProxiedWorld } from '../support/proxied-world.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';

const CREDIT = 1_000_000_000n;
/** 15 × 5,000 + 5 × 500 + 50 × 30,000 nano-dollars. */
const COST = 1_577_500n;
/** Two seconds of waiting for the database, and what a busy machine takes to say so. */
const REFUSED_WITHIN_MS = 2_700;
const SPOOLED_WITHIN_MS = 20_000;

let world: ProxiedWorld;
let upstream: ScriptedUpstream;
let proxy: DatabaseProxy;
let books: Books;
let gateway: RunningGateway;
const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-outage-'));

const start = () => startGateway({ dataFolder, environment: world.environment });

beforeAll(async () => {
  world = await openProxiedWorld();
  ({ upstream, proxy, books } = world);
  gateway = await start();
});
beforeEach(() => proxy.treat());

afterAll(async () => {
  await gateway?.stop();
  await world?.close();
  rmSync(dataFolder, { recursive: true, force: true });
});

async function warmKey(): Promise<FundedKey> {
  const funded = await books.newKey(CREDIT);
  upstream.enqueue(answer());
  expect((await ask({ url: gateway.url, apiKey: funded.apiKey })).status).toBe(200);
  await settled(books, funded.accountId);
  return funded;
}

/** The books once everything is back and swept: so many charges beside the warming one. */
async function expectCleanBooks({ accountId }: FundedKey, charges: number) {
  const { swept, verified, holds } = await sweepAndVerify(books, dataFolder);
  expect({ verified, holds, left: swept.left }).toMatchObject({
    verified: { ok: true, differences: [] },
    holds: [],
    left: 0,
  });
  const rows = await books.charges(accountId);
  expect(amountOf(rows)).toBe(COST * BigInt(1 + charges));
  expect((await books.balance(accountId)).available).toBe(CREDIT - COST * BigInt(1 + charges));
  return { swept, rows };
}

async function timed(apiKey: string) {
  const sent = upstream.requests.length;
  const startedMs = performance.now();
  const response = await ask({ url: gateway.url, apiKey });
  const tookMs = performance.now() - startedMs;
  const body = await response.json();
  return { status: response.status, body, tookMs, calls: upstream.requests.length - sent };
}

const UNAVAILABLE = {
  status: 503,
  body: { error: { type: 'gateway_error' } },
  calls: 0,
} as const;

const onlyThe =
  (isMeant: (sk: string) => boolean): TreatCommand =>
  (command) =>
    isWriteCommand(command) && isMeant(command.sk) ? silent(command) : undefined;

describe('a database that does not answer while a hold is placed', () => {
  test.each([
    ['at all', silent],
    ['for the balance', onlyThe((sk) => sk.startsWith('balance#'))],
    ['for the key', onlyThe((sk) => sk === 'state')],
    ['for the hold record', onlyThe((sk) => sk.length === 36)],
  ] as const)('%s: 503 within two seconds, no call', async (_, treat) => {
    const funded = await warmKey();
    proxy.treat(treat);
    const seen = await timed(funded.apiKey);
    proxy.treat();
    expect(seen).toMatchObject(UNAVAILABLE);
    expect(seen.tookMs).toBeLessThan(REFUSED_WITHIN_MS);
    await expectCleanBooks(funded, 0);
  });

  test('to a key that the gateway has never seen: 503 within two seconds, no call', async () => {
    const { apiKey } = await books.newKey(CREDIT);
    proxy.treat(silent);
    const seen = await timed(apiKey);
    expect(seen).toMatchObject(UNAVAILABLE);
    expect(seen.tookMs).toBeLessThan(REFUSED_WITHIN_MS);
  });

  test('and refuses connections: 503 within two seconds, no call, and the next one passes', async () => {
    const funded = await warmKey();
    await proxy.refuse();
    const seen = await timed(funded.apiKey).finally(() => proxy.restore());
    expect(seen).toMatchObject(UNAVAILABLE);
    expect(seen.tookMs).toBeLessThan(REFUSED_WITHIN_MS);
    upstream.enqueue(answer());
    expect((await ask({ url: gateway.url, apiKey: funded.apiKey })).status).toBe(200);
    await settled(books, funded.accountId);
    await expectCleanBooks(funded, 1);
  });

  test('and loses the answers to its writes: 503, no call, and no hold that stays', async () => {
    const funded = await warmKey();
    proxy.treat((command) => (isWriteCommand(command) ? { lose: 'answer' } : undefined));
    const seen = await timed(funded.apiKey);
    proxy.treat();
    expect(seen).toMatchObject(UNAVAILABLE);
    await expectCleanBooks(funded, 0);
  });
});

function spooledFiles(): string[] {
  try {
    return readdirSync(join(dataFolder, 'spool')).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

describe('a database that is gone at settlement', () => {
  test.each([
    ['refuses connections', () => proxy.refuse(), () => proxy.restore()],
    ['is silent', async () => proxy.treat(silent), async () => proxy.treat()],
  ] as const)(
    '%s: the answer stands, the charge is spooled and lands once',
    async (_, lose, find) => {
      const funded = await warmKey();
      const gate = createOpenableGate();
      upstream.enqueue({ ...answer(), when: gate.opened });
      const sent = upstream.requests.length;
      const asked = ask({ url: gateway.url, apiKey: funded.apiKey });
      await eventually(async () => expect(upstream.requests).toHaveLength(sent + 1));
      await lose();
      gate.open();
      const response = await asked;
      expect(await response.json()).toMatchObject({
        choices: [{ message: { content: 'Hello there.' } }],
      });
      expect(response.status).toBe(200);
      await eventually(async () => expect(spooledFiles()).toHaveLength(1), SPOOLED_WITHIN_MS);
      await find();
      const { swept, rows } = await expectCleanBooks(funded, 1);
      expect([swept.drained, swept.expired, rows.length]).toEqual([1, 0, 2]);
      expect(spooledFiles()).toEqual([]);
      // Drained once: another sweep has nothing of it left.
      expect((await expectCleanBooks(funded, 1)).swept.drained).toBe(0);
    },
  );
});

test('what a report exceeds its hold by is charged to nobody, recorded and logged as a fault', async () => {
  const { apiKey, accountId } = await books.newKey(CREDIT);
  upstream.enqueue(answer({ counted: { input: 20, cached: 0, output: 400 } }));
  expect((await ask({ url: gateway.url, apiKey })).status).toBe(200);
  const { available } = await settled(books, accountId);
  const [row] = await books.charges(accountId);
  // 20 × 5,000 + 400 × 30,000 nano-dollars are more than the hundred output tokens that were asked.
  expect(row).toMatchObject({ uncollected_nano: 12_100_000n - (CREDIT - available) });
  expect(row?.amount_nano).toBe(row?.hold_nano);
  await eventually(async () => {
    const lines = gateway.output().split('\n');
    const fault = lines.find((line) => line.includes('"charge_uncollected"')) ?? '{}';
    expect(JSON.parse(fault)).toMatchObject({ level: 'error', requestId: row?.request_id });
  });
});

test('SIGTERM in mid-stream: the stream is served to its end and settled before the exit', async () => {
  const funded = await warmKey();
  upstream.enqueue({ ...streamAnswer(), delayMs: 200 });
  const response = await ask({ url: gateway.url, apiKey: funded.apiKey, stream: true });
  const reader = response.body?.getReader() ?? expect.fail('no body');
  const decoder = new TextDecoder();
  let text = decoder.decode((await reader.read()).value, { stream: true });
  expect(text).not.toContain('[DONE]');
  const exited = once(gateway.process, 'exit');
  gateway.process.kill('SIGTERM');
  await sleep(300);
  await expect(ask({ url: gateway.url, apiKey: funded.apiKey })).rejects.toThrow();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
  }
  expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true);
  expect(await exited).toEqual([0, null]);
  // The sweep has nothing to do: everything was settled when the process went.
  const charged = amountOf(await books.charges(funded.accountId));
  expect(charged).toBe(COST * 2n);
  expect((await books.balance(funded.accountId)).available).toBe(CREDIT - charged);
  await expectCleanBooks(funded, 1);
});
