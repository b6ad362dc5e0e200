import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, describe, expect, test } from 'vitest';
import { listen } from '../../infra/local/listen.ts';
import { eventually } from '../support/eventually.ts';
import { type RunningGateway, startGateway } from '../support/gateway.ts';

const START = join(import.meta.dirname, '../../infra/local/start.ts');
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-start-'));
  folders.push(folder);
  return folder;
}

/** Runs a start that is to fail: its exit code and everything it said. */
async function failingStart(environment: Record<string, string>) {
  const child = spawn(process.execPath, [START], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: newFolder(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = await once(child, 'exit');
  return { code, lines: output.trim().split('\n') };
}

async function listenSomewhere() {
  const server = createServer();
  const port = await listen(server, 0);
  return { port, close: () => server.close() };
}

describe('a start that cannot succeed is one clear line and exit 1', () => {
  test('a taken port', async () => {
    const taken = await listenSomewhere();
    const result = await failingStart({ PORT: String(taken.port), DYNAMODB_PORT: '0' });
    taken.close();
    expect(result).toEqual({ code: 1, lines: [expect.stringContaining(`${taken.port}`)] });
  });

  test('a taken port of the database', async () => {
    const taken = await listenSomewhere();
    const result = await failingStart({ PORT: '0', DYNAMODB_PORT: String(taken.port) });
    taken.close();
    expect(result).toEqual({ code: 1, lines: [expect.stringContaining('DYNAMODB_PORT')] });
  });

  test.each([
    ['PORT', 'eighty'],
    ['DYNAMODB_ENDPOINT', 'localhost'],
    ['UPSTREAM_OPENAI_URL', 'ftp://x'],
    ['UPSTREAM_AZURE_KEY', 'a key without an address'],
  ])('a broken %s', async (name, value) => {
    const result = await failingStart({ PORT: '0', DYNAMODB_PORT: '0', [name]: value });
    expect(result).toEqual({ code: 1, lines: [expect.stringContaining(name)] });
  });
});

/** One answered question, by a client with the address and the key that the start has told. */
async function ask(gateway: RunningGateway, model: string): Promise<string> {
  const client = new OpenAI({ apiKey: gateway.apiKey, baseURL: `${gateway.url}/v1` });
  const stream = client.responses.stream({ model, input: 'Say hello.' });
  return (await stream.finalResponse()).output_text;
}

test('every provider is simulated, data survives a restart, and Ctrl-C leaves nothing behind', async () => {
  const dataFolder = newFolder();
  const first = await startGateway({ dataFolder });
  for (const model of ['gpt-5.6-luna', 'azure/gpt-5.6-luna', 'claude-sonnet-5']) {
    expect(await ask(first, model)).toMatch(/\w/);
  }
  const [account] = await first.admin('account', 'list');
  await eventually(async () => {
    expect((await first.admin('account', 'show', account.accountId)).held).toBe('0.00');
  });
  const entries = await first.admin('ledger', 'list', '--account', account.accountId);
  expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual([
    'credit',
    'charge',
    'charge',
    'charge',
  ]);
  expect(await first.admin('ledger', 'verify')).toMatchObject({ differences: [] });
  await first.stop();
  await expect(fetch(first.databaseEndpoint)).rejects.toThrow();
  await expect(fetch(first.url)).rejects.toThrow();

  const second = await startGateway({ dataFolder });
  expect(second.apiKey).toBe(first.apiKey);
  expect(await second.admin('ledger', 'list', '--account', account.accountId)).toEqual(entries);
  for (const name of ['demo-key.json', 'demo.seed', 'identity.key']) {
    expect(statSync(join(dataFolder, name)).mode & 0o777).toBe(0o600);
  }

  // Another process on the same database, with another folder, makes its own account.
  const other = await startGateway({
    environment: { DYNAMODB_ENDPOINT: second.databaseEndpoint },
  });
  expect(other.apiKey).not.toBe(second.apiKey);
  expect(await second.admin('account', 'list')).toHaveLength(2);
  await other.stop();
  await second.stop();
});
