import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { showKey } from '../../shared/ledger/key-admin.ts';
import type { DatabaseCommand, DatabaseProxy, Treatment } from '../support/database-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { NEVER } from '../support/gate.ts';
import { type RunningGateway, startGateway } from '../support/gateway.ts';
import type { FundedKey } from '../support/ledger.ts';
import {
  amountOf,
  answer,
  ask,
  type Books,
  openBooks,
  scriptedProviders,
  settled,
  streamAnswer,
  sweepAndVerify,
} from '../support/money.ts';
import { openProxiedWorld, type ProxiedWorld } from '../support/proxied-world.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';

const CREDIT = 1_000_000_000n;
const LIMIT = 500_000_000n;
/** 15 × 5,000 + 5 × 500 + 50 × 30,000 nano-dollars. */
const COST = 1_577_500n;

let world: ProxiedWorld;
let upstream: ScriptedUpstream;
let proxy: DatabaseProxy;
let books: Books;
let gateway: RunningGateway;
const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-crashes-'));

const start = () => startGateway({ dataFolder, environment: world.environment });

beforeAll(async () => {
  world = await openProxiedWorld();
  ({ upstream, proxy, books } = world);
  gateway = await start();
});

afterAll(async () => {
  await gateway?.stop();
  await world?.close();
  rmSync(dataFolder, { recursive: true, force: true });
});

async function kill(victim: RunningGateway): Promise<void> {
  const exited = once(victim.process, 'exit');
  victim.process.kill('SIGKILL');
  await exited;
}

/** A key with both limits, known to the gateway: its requests need no read. */
async function warmKey(): Promise<FundedKey> {
  const funded = await books.newKey(CREDIT, {
    lifetimeLimit: LIMIT,
    recurringLimit: { amount: LIMIT, period: 'month' },
  });
  upstream.enqueue(answer());
  await (await ask({ url: gateway.url, apiKey: funded.apiKey })).text();
  await settled(books, funded.accountId);
  return funded;
}

/** After restart and sweep: exact books, nothing held, and so many charges beside the warming one. */
async function expectCleanBooks(funded: FundedKey, charges: number) {
  proxy.treat();
  gateway = await start();
  const { swept, verified, holds } = await sweepAndVerify(books, dataFolder);
  expect(swept).toMatchObject({ left: 0 });
  expect(verified).toMatchObject({ ok: true, differences: [] });
  expect(holds).toEqual([]);
  const charged = amountOf(await books.charges(funded.accountId));
  expect(charged).toBe(COST * BigInt(1 + charges));
  expect((await books.balance(funded.accountId)).available).toBe(CREDIT - charged);
  const state = await showKey(books.ledger.context, funded.keyId);
  expect(state.holds.size).toBe(0);
  expect(state.lifetimeRoom).toBe(LIMIT - charged);
  return { ...swept, missing: LIMIT - charged - state.periodRoom };
}

type Part = 'record' | 'key' | 'balance' | 'entry';

/** Which of a request's writes a command is; the same item is written to place and to settle. */
function partOf({ operation, table, sk }: DatabaseCommand): Part | undefined {
  if (operation === 'PutItem') return table.endsWith('-ledger') ? 'entry' : 'record';
  if (sk === 'state') return 'key';
  return sk.startsWith('balance#') ? 'balance' : undefined;
}

/** Where a request is when its gateway dies: one write meets the treatment, the others are done. */
interface Point {
  readonly part: Part;
  readonly treatment: Treatment;
  /** How many writes the request has sent by then: three to place, one entry, two to apply it. */
  readonly sent: 3 | 4 | 6;
}

async function killAt(funded: FundedKey, { part, treatment, sent }: Point): Promise<void> {
  const from = proxy.commands.length;
  const passed = sent === 6 ? 4 : 0;
  proxy.treat((command) =>
    partOf(command) === part && command.order >= from + passed ? treatment : undefined,
  );
  const asked = ask({ url: gateway.url, apiKey: funded.apiKey }).catch(() => undefined);
  await eventually(async () => {
    const commands = proxy.commands.slice(from);
    const open = commands.filter(({ answered }) => !answered).length;
    expect({ sent: commands.length, open }).toEqual({ sent, open: treatment.before ? 1 : 0 });
  });
  await kill(gateway);
  await asked;
}

describe('a gateway killed', () => {
  test.each([
    ['before the hold record is written', 'record', { before: NEVER }],
    ['before the key is written', 'key', { before: NEVER }],
    ['before the balance is written', 'balance', { before: NEVER }],
    ['between hold and dispatch', 'balance', { after: NEVER }],
  ] as const)('%s: nothing is charged and the hold is given back', async (_, part, treatment) => {
    const funded = await warmKey();
    const sent = upstream.requests.length;
    await killAt(funded, { part, treatment, sent: 3 });
    const { held } = await books.balance(funded.accountId);
    expect(upstream.requests).toHaveLength(sent);
    // Without its record nobody knows the period that the hold counted in: its refund is forgone.
    const missing = part === 'record' ? held : 0n;
    expect(await expectCleanBooks(funded, 0)).toMatchObject({ missing });
  });

  test('in mid-stream: the hold expires, for nobody knows the charge', async () => {
    const funded = await warmKey();
    const script = streamAnswer();
    upstream.enqueue({ ...script, events: script.events.slice(0, 3), stall: true });
    const response = await ask({ url: gateway.url, apiKey: funded.apiKey, stream: true });
    const first = await response.body?.getReader().read();
    expect(first?.done).toBe(false);
    await kill(gateway);
    expect(await expectCleanBooks(funded, 0)).toMatchObject({ expired: 1, missing: 0n });
  });

  test('between the end of the answer and settlement: the hold expires', async () => {
    const funded = await warmKey();
    upstream.enqueue(answer());
    await killAt(funded, { part: 'entry', treatment: { before: NEVER }, sent: 4 });
    expect(await expectCleanBooks(funded, 0)).toMatchObject({ expired: 1, missing: 0n });
  });

  test.each([
    ['ledger entry and balance', 'balance'],
    ['ledger entry and key', 'key'],
  ] as const)('between %s: the sweep applies the charge, once', async (_, part) => {
    const funded = await warmKey();
    upstream.enqueue(answer());
    await killAt(funded, { part, treatment: { before: NEVER }, sent: 6 });
    expect(await expectCleanBooks(funded, 1)).toMatchObject({ reapplied: 1, missing: 0n });
    // A second sweep finds nothing to do.
    expect((await sweepAndVerify(books, dataFolder)).swept).toMatchObject({ reapplied: 0 });
    expect(amountOf(await books.charges(funded.accountId))).toBe(COST * 2n);
  });

  test('while the answer to its ledger entry is on the way: charged once', async () => {
    const funded = await warmKey();
    upstream.enqueue(answer());
    await killAt(funded, { part: 'entry', treatment: { after: NEVER }, sent: 4 });
    expect(await expectCleanBooks(funded, 1)).toMatchObject({ reapplied: 1, missing: 0n });
  });
});

test('a gateway killed together with its embedded database goes on where it was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-crashes-'));
  const environment = scriptedProviders(upstream);
  const first = await startGateway({ dataFolder: folder, environment });
  const before = openBooks(first.databaseEndpoint);
  const { apiKey, accountId } = await before.newKey(CREDIT);
  upstream.enqueue({ ...answer(), when: NEVER });
  const asked = ask({ url: first.url, apiKey }).catch(() => undefined);
  const { held } = await eventually(async () => {
    const balance = await before.balance(accountId);
    if (balance.held === 0n) throw new Error('nothing is held yet');
    if (upstream.pending() > 0) throw new Error('nothing was sent yet');
    return balance;
  });
  before.close();
  await kill(first);
  await asked;
  // The database sees its parent go and lets go of the folder a moment later.
  const again = await eventually(() => startGateway({ dataFolder: folder, environment }), 20_000);
  const after = openBooks(again.databaseEndpoint);
  try {
    expect(await after.balance(accountId)).toMatchObject({ held, available: CREDIT - held });
    const { verified, holds, swept } = await sweepAndVerify(after, folder);
    expect({ ok: verified.ok, holds, expired: swept.expired }).toEqual({
      ok: true,
      holds: [],
      expired: 1,
    });
    expect((await after.balance(accountId)).available).toBe(CREDIT);
    upstream.enqueue(answer());
    expect((await ask({ url: again.url, apiKey })).status).toBe(200);
  } finally {
    after.close();
    await again.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
