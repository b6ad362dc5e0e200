import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type EmbeddedDatabase,
  startEmbeddedDatabase,
} from '../../infra/local/embedded-database.ts';
import {
  type DatabaseProxy,
  isWriteCommand,
  startDatabaseProxy,
} from '../support/database-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { createOpenableGate } from '../support/gate.ts';
import { type Books, openBooks, scriptedProviders, settled } from '../support/money.ts';
import { post } from '../support/recording-stream.ts';
import {
  goodAnswer,
  goodStream,
  TARGETS,
  type Target,
  TEXT,
} from '../support/recording-targets.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { type DeployedGateway, startDeployedGateway } from './deployed-gateway.ts';

/** What only the runtime has: one environment a function, frozen between its invocations. */

const CREDIT = 100_000_000_000n;
const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-runtime-'));
let upstream: ScriptedUpstream;
let database: EmbeddedDatabase;
let proxy: DatabaseProxy;
let books: Books;
let gateway: DeployedGateway;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  database = await startEmbeddedDatabase({ port: 0 });
  proxy = await startDatabaseProxy(database.endpoint);
  books = openBooks(database.endpoint);
  gateway = await startDeployedGateway({
    environment: {
      ...scriptedProviders(upstream),
      DATA_DIR: dataFolder,
      DYNAMODB_ENDPOINT: proxy.endpoint,
    },
    environments: 1,
    frozenWhenIdle: true,
  });
});
beforeEach(() => proxy.treat());

afterAll(async () => {
  await gateway?.stop();
  books?.close();
  await proxy?.close();
  await database?.stop();
  await upstream?.close();
  rmSync(dataFolder, { recursive: true, force: true });
});

const newKey = () => books.newKey(CREDIT);

function ask(target: Target, apiKey: string, stream = false) {
  const body = { model: target.model, ...target.content, stream };
  return post({ url: gateway.url + target.path, apiKey, body });
}

/** Asks for a good answer, which must come. */
async function askWell(target: Target, apiKey: string, stream = false): Promise<void> {
  upstream.enqueue(stream ? goodStream(target) : goodAnswer(target));
  const posted = await ask(target, apiKey, stream);
  expect(posted.status, JSON.stringify(posted.json)).toBe(200);
  if (stream) expect(target.endOf(posted.frames)).toMatchObject({ text: TEXT });
}

/** The text that an event of a provider's stream brings. */
// biome-ignore lint/suspicious/noExplicitAny: events have many shapes
function textOf(event: any): string {
  if (typeof event !== 'object') return '';
  const delta = event.choices?.[0]?.delta?.content ?? event.delta;
  return (typeof delta === 'string' ? delta : delta?.text) ?? '';
}

const functionOf = ({ path }: Target) =>
  path === '/v1/responses' ? 'responses' : 'chat-completions';

describe.each(TARGETS)('$name', (target) => {
  test('each event reaches the client before the provider says the next', async () => {
    const { apiKey } = await newKey();
    const good = goodStream(target);
    const steps = good.events.map((event) => ({ event, gate: createOpenableGate() }));
    const events = steps.map(({ event, gate }) => gate.opened.then(() => event));
    upstream.enqueue({ ...good, events });
    const asking = fetch(gateway.url + target.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: target.model, ...target.content, stream: true }),
    });
    let reader: ReadableStreamDefaultReader<string> | undefined;
    let seen = '';
    for (const { event, gate } of steps) {
      gate.open();
      const text = JSON.stringify(textOf(event)).slice(1, -1);
      // An event that brings no text need not show at once.
      while (text !== '' && !seen.includes(text)) {
        const body = (await asking).body ?? expect.fail('no body');
        reader ??= body.pipeThrough(new TextDecoderStream()).getReader();
        seen += (await reader.read()).value ?? expect.fail(`the stream ended before ${text}`);
      }
      seen = seen.slice(seen.indexOf(text) + text.length);
    }
    expect((await asking).status).toBe(200);
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      seen += part.value;
    }
    expect(seen).toMatch(/data: \[DONE\]\n\n$/);
  });

  test('the answer has ended before it is settled; the next request waits for that', async () => {
    const { apiKey, accountId } = await newKey();
    const settling = createOpenableGate();
    const isEntry = ({ table }: { table: string }) => table.endsWith('-ledger');
    proxy.treat((command) =>
      isWriteCommand(command) && isEntry(command) ? { before: settling.opened } : undefined,
    );
    await askWell(target, apiKey, true);
    await eventually(async () => expect(proxy.commands.some(isEntry)).toBe(true));
    expect(await books.charges(accountId)).toEqual([]);

    const sent = upstream.requests.length;
    const next = askWell(target, apiKey);
    await sleep(150);
    expect(upstream.requests.length, 'requests while the first one settles').toBe(sent);
    settling.open();
    await next;
    await settled(books, accountId);
    const charges = await books.charges(accountId);
    expect(charges.map(({ amount_nano: amount }) => amount)).toEqual([
      target.charge,
      target.charge,
    ]);
  });

  test('errors before and after the first event leave an environment as good as new', async () => {
    const { apiKey, accountId } = await newKey();
    await askWell(target, apiKey);
    const before = gateway.environmentsOf(functionOf(target));
    const good = goodStream(target);
    for (const script of [{ disconnect: true } as const, { ...good, cutAfter: 0 }]) {
      upstream.enqueue(script);
      expect(await ask(target, apiKey, true)).toMatchObject({
        status: 500,
        json: { error: { type: 'gateway_error' } },
      });
      await askWell(target, apiKey, true);
    }
    upstream.enqueue({ ...good, cutAfter: 8 });
    const { status, frames } = await ask(target, apiKey, true);
    expect(status).toBe(200);
    expect(target.endOf(frames)).toMatchObject({ outcome: target.broken });
    await askWell(target, apiKey, true);
    await settled(books, accountId);
    // Four good answers and what came of the broken one.
    expect(await books.charges(accountId)).toHaveLength(5);
    expect(gateway.environmentsOf(functionOf(target))).toEqual(before);
  });
});

const [target] = TARGETS;
if (!target) throw new Error('there is no target');

test('connections that were closed while the environment was frozen are no failure', async () => {
  const { apiKey, accountId } = await newKey();
  for (let round = 0; round < 3; round += 1) {
    await askWell(target, apiKey, round % 2 === 0);
    await settled(books, accountId);
    await proxy.refuse();
    upstream.hangUp();
    await proxy.restore();
  }
  await askWell(target, apiKey);
  await settled(books, accountId);
  expect(await books.charges(accountId)).toHaveLength(4);
});

test('an environment that is killed in mid-stream is replaced, and its hold stays', async () => {
  const { apiKey, accountId } = await newKey();
  const rest = createOpenableGate();
  const good = goodStream(target);
  const events = good.events.map((event, index) =>
    index < 6 ? event : rest.opened.then(() => event),
  );
  upstream.enqueue({ ...good, events });
  const response = await fetch(gateway.url + target.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: target.model, ...target.content, stream: true }),
  });
  await response.body?.getReader().read();
  const [environment] = gateway.environmentsOf(functionOf(target));
  environment?.process.kill('SIGKILL');
  rest.open();
  await askWell(target, apiKey);
  await eventually(async () => expect(await books.charges(accountId)).toHaveLength(1));
  expect((await books.balance(accountId)).held).toBeGreaterThan(0n);
});

test('a request that the database refuses to settle is charged by way of the queue', async () => {
  const { apiKey, accountId } = await newKey();
  await askWell(target, apiKey);
  await settled(books, accountId);
  const answered = createOpenableGate();
  upstream.enqueue({ ...goodAnswer(target), when: answered.opened });
  const sent = upstream.requests.length;
  const asking = ask(target, apiKey);
  await eventually(async () => expect(upstream.requests.length).toBe(sent + 1));
  await proxy.refuse();
  answered.open();
  expect((await asking).status).toBe(200);
  await eventually(async () => expect(gateway.queue.bodies).toHaveLength(1), 20_000);
  await proxy.restore();
  expect(await books.charges(accountId)).toHaveLength(1);

  expect(await gateway.run('sweep-holds', {})).toBeUndefined();
  await settled(books, accountId);
  expect(await books.charges(accountId)).toHaveLength(2);
  expect(gateway.queue.bodies).toEqual([]);
});

test('no function is told a credential, and none is logged', async () => {
  const { apiKey } = await newKey();
  await askWell(target, apiKey);
  for (const secret of ['sk-openai-secret', 'sk-ant-secret', 'azure-secret', apiKey]) {
    expect(gateway.output()).not.toContain(secret);
  }
});
