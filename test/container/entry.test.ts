import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readAccountBalance } from '../../shared/ledger/accounts.ts';
import type { Ledger } from '../../shared/ledger/ledger.ts';
import { listEntries } from '../../shared/ledger/list-entries.ts';
import { buildContainerImage, type ContainerImage } from '../support/container-image.ts';
import { startTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type FundedKey, fundedKey, openLedger } from '../support/ledger.ts';
import { post } from '../support/recording-stream.ts';
import { goodAnswer, goodStream, TARGETS, type Target } from '../support/recording-targets.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { type SecretsServer, secretArn, startSecretsServer } from '../support/secrets-server.ts';

const target = TARGETS.find(({ name }) => name === 'OpenAI chat completions') as Target;
const CREDIT = 100_000_000_000n;
const CREDENTIALS = secretArn('provider-credentials');
const IDENTITY = secretArn('identity-key');

let image: ContainerImage;
let database: TestDatabase;
let upstream: ScriptedUpstream;
let secrets: SecretsServer;
let ledger: Ledger;
let funded: FundedKey;
let folder: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  image = buildContainerImage();
  folder = mkdtempSync(join(tmpdir(), 'tollgate-container-'));
  writeFileSync(join(folder, 'identity.key'), 'an identity key');
  database = await startTestDatabase();
  upstream = await startScriptedUpstream();
  secrets = await startSecretsServer();
  ledger = openLedger(database);
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

afterAll(async () => {
  await database?.stop();
  await upstream?.close();
  await secrets?.close();
  image?.remove();
  rmSync(folder, { recursive: true, force: true });
});

type Settings = Readonly<Record<string, string | undefined>>;

/** Everything that a container needs, as plain settings. */
function plainSettings(): Settings {
  return {
    DYNAMODB_ENDPOINT: database.endpoint,
    GATEWAY_TABLE: database.tables.gateway,
    LEDGER_TABLE: database.tables.ledger,
    SPOOL_FOLDER: join(folder, 'spool'),
    IDENTITY_KEY_FILE: join(folder, 'identity.key'),
    UPSTREAM_OPENAI_URL: `${upstream.url}/openai`,
    UPSTREAM_OPENAI_KEY: 'sk-openai-secret',
    PORT: '0',
  };
}

/** The same with the secrets in their store. */
function secretSettings(): Settings {
  return {
    ...plainSettings(),
    ...secrets.environment,
    IDENTITY_KEY_FILE: undefined,
    UPSTREAM_OPENAI_KEY: undefined,
    PROVIDER_CREDENTIALS_SECRET_ARN: CREDENTIALS,
    IDENTITY_KEY_SECRET_ARN: IDENTITY,
  };
}

/** Runs the image's own entry point. */
function run(settings: Settings) {
  const [program, ...args] = image.command;
  const child = spawn(program, args, {
    cwd: image.folder,
    env: { PATH: '/usr/bin:/bin', ...image.environment, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return { child, output: () => output, exited };
}

async function start(settings: Settings) {
  const running = run(settings);
  const url = await eventually(async () => {
    const port = /"event":"listening","url":"http:\/\/0\.0\.0\.0:(\d+)"/.exec(
      running.output(),
    )?.[1];
    if (port === undefined) throw new Error(`it does not listen:\n${running.output()}`);
    return `http://127.0.0.1:${port}`;
  }, 20_000);
  funded = await fundedKey(ledger, CREDIT);
  return { ...running, url };
}

function ask(url: string, stream = false) {
  const body = { model: target.model, ...target.content, stream };
  return post({ url: url + target.path, apiKey: funded.apiKey, body });
}

/** The one ledger row of the account's requests; nothing is held any more, and the sum is right. */
async function settledRow() {
  const rows = (await listEntries(ledger.context, funded.accountId)).filter(
    ({ kind }) => kind !== 'credit',
  );
  expect(rows).toHaveLength(1);
  const amount = BigInt(String(rows[0]?.amount_nano ?? 0));
  const balance = await readAccountBalance(ledger.context, funded.accountId);
  expect(balance).toMatchObject({ held: 0n, available: CREDIT - amount });
  return rows[0];
}

/** Reads a stream until its first text is there; the rest follows on demand. */
async function openStream(url: string) {
  const response = await fetch(url + target.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${funded.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: target.model, ...target.content, stream: true }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw new Error('no stream');
  let text = (await reader.read()).value ?? '';
  const rest = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
    return text;
  };
  return { rest };
}

test('the first request is answered, and every path is the API’s', async () => {
  const { url, child, exited, output } = await start(plainSettings());
  upstream.enqueue(goodAnswer(target));
  expect((await ask(url)).status).toBe(200);
  await eventually(settledRow);
  expect((await fetch(`${url}/v1/models`)).status).toBe(200);
  expect((await fetch(`${url}/v1/catalog`)).status).toBe(200);
  for (const path of ['/', '/health']) {
    const answer = await fetch(url + path);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  }
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
  expect(output()).not.toContain('sk-openai-secret');
});

describe('a signal to stop', () => {
  test('refuses what is new, lets a stream end and settle, and exits 0', async () => {
    const { url, child, exited } = await start(plainSettings());
    upstream.enqueue(
      { ...goodStream(target), delayMs: 60 },
      { ...goodAnswer(target), when: later(800) },
    );
    const stream = await openStream(url);
    const whole = ask(url);
    await eventually(async () => expect(upstream.pending()).toBe(0));
    child.kill('SIGTERM');
    await eventually(async () => {
      await expect(fetch(url)).rejects.toThrow();
    });
    expect(child.exitCode).toBeNull();
    expect((await whole).status).toBe(200);
    expect((await whole).headers.get('connection')).toBe('close');
    expect(await stream.rest()).toMatch(/"finish_reason":"stop".*data: \[DONE\]\n\n$/s);
    expect(await exited).toBe(0);
    const rows = await listEntries(ledger.context, funded.accountId);
    expect(rows.map(({ kind }) => kind).sort()).toEqual(['charge', 'charge', 'credit']);
    const balance = await readAccountBalance(ledger.context, funded.accountId);
    expect(balance).toMatchObject({ held: 0n, available: CREDIT - 2n * target.charge });
  });

  test('cuts what is not done in time, which ends and is settled as broken off', async () => {
    const { url, child, exited } = await start({ ...plainSettings(), STOP_GRACE_MS: '300' });
    const { events } = goodStream(target);
    upstream.enqueue({ ...goodStream(target), events: events.slice(0, 8), stall: true });
    const stream = await openStream(url);
    child.kill('SIGTERM');
    expect(await stream.rest()).toMatch(/"error":\{"message".*data: \[DONE\]\n\n$/s);
    expect(await exited).toBe(0);
    expect(await settledRow()).toMatchObject({ kind: 'charge', status: 'interrupted' });
  });

  test('drops a client that takes nothing, so that its request is settled as well', async () => {
    const { url, child, exited } = await start({ ...plainSettings(), STOP_GRACE_MS: '0' });
    const { events } = goodStream(target);
    const text = { choices: [{ index: 0, delta: { content: 'x'.repeat(100_000) } }] };
    upstream.enqueue({
      ...goodStream(target),
      events: [...events.slice(0, 3), ...Array(200).fill(text)],
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(rawRequest());
    // The first bytes come, and nobody reads on.
    await once(socket, 'readable');
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    socket.destroy();
    expect(await settledRow()).toMatchObject({ kind: 'charge', status: 'interrupted' });
  });

  test('given twice ends at once', async () => {
    const { url, child, exited } = await start(plainSettings());
    upstream.enqueue({ ...goodStream(target), stall: true });
    const stream = await openStream(url);
    const broken = expect(stream.rest()).rejects.toThrow();
    child.kill('SIGTERM');
    await eventually(async () => {
      await expect(fetch(url)).rejects.toThrow();
    });
    child.kill('SIGTERM');
    expect(await exited).toBe(1);
    await broken;
  });
});

function rawRequest(): string {
  const body = JSON.stringify({ model: target.model, ...target.content, stream: true });
  const head = [
    `POST ${target.path} HTTP/1.1`,
    'host: test',
    `authorization: Bearer ${funded.apiKey}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** A promise of its own for each use: what waits for it begins to wait now. */
function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

test('with its secrets in Secrets Manager it starts, and serves', async () => {
  secrets.put(CREDENTIALS, JSON.stringify({ openai: 'sk-from-the-store' }));
  secrets.put(IDENTITY, 'an identity key');
  const { url, output } = await start(secretSettings());
  upstream.enqueue(goodAnswer(target));
  expect((await ask(url)).status).toBe(200);
  expect(upstream.requests.at(-1)?.headers.authorization).toBe('Bearer sk-from-the-store');
  expect(output()).not.toContain('sk-from-the-store');
});

describe('a start that cannot succeed is one clear line and exit 1', () => {
  async function failingStart(settings: Settings) {
    const { exited, output } = run(settings);
    const code = await exited;
    return { code, lines: output().trim().split('\n') };
  }
  const oneLine = (text: string) => ({ code: 1, lines: [expect.stringContaining(text)] });

  test.each([
    ['UPSTREAM_OPENAI_KEY', undefined],
    ['CATALOG_PATH', '/nowhere'],
    ['IDENTITY_KEY_FILE', '/nowhere'],
    ['GATEWAY_TABLE', 'no-such-table'],
  ])('with %s = %s', async (name, value) => {
    expect(await failingStart({ ...plainSettings(), [name]: value })).toEqual(oneLine(name));
  });

  test.each([
    ['a secret that is not there', undefined],
    ['a secret that nobody has filled in', '{"unset":"generated"}'],
    ['a secret that is no JSON', 'sk-from-the-store'],
  ])('with %s', async (_name, text) => {
    secrets.put(CREDENTIALS, text);
    secrets.put(IDENTITY, 'an identity key');
    const result = await failingStart(secretSettings());
    expect(result).toEqual(oneLine('PROVIDER_CREDENTIALS_SECRET_ARN'));
    expect(result.lines.join()).not.toContain('sk-from-the-store');
  });

  test('with a lock to the edge that has no secret', async () => {
    const locked = {
      ...plainSettings(),
      ...secrets.environment,
      EDGE_SECRET_ARN: secretArn('edge'),
    };
    expect(await failingStart(locked)).toEqual(oneLine('EDGE_SECRET_ARN'));
  });
});
