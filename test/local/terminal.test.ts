import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { readableLine } from '../../infra/local/readable-line.ts';

const START = join(import.meta.dirname, '../../infra/local/start.ts');
const folder = mkdtempSync(join(tmpdir(), 'tollgate-terminal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const plain = (_: unknown, text: string) => text;

describe('a line for people', () => {
  test('of a request: method, path, status, model, provider, first byte, tokens, cost', () => {
    const line = readableLine(
      {
        event: 'request_finished',
        route: 'responses',
        status: 200,
        modelRequested: 'claude-sonnet-5',
        provider: 'anthropic',
        firstByteMs: 41.6,
        inputTokens: 12,
        outputTokens: 30,
        amountUsd: '0.000324',
        totalMs: 700,
      },
      plain,
    );
    expect(line).toBe(
      'POST /v1/responses  200  claude-sonnet-5  anthropic  first byte 42 ms  12 in, 30 out  $0.000324  700 ms',
    );
  });

  test('of a refusal: its type, and nothing that it has not', () => {
    const refused = { event: 'request_finished', route: 'chat-completions', status: 402 };
    const line = readableLine({ ...refused, errorType: 'insufficient_quota', totalMs: 3 }, plain);
    expect(line).toBe('POST /v1/chat/completions  402  insufficient_quota  3 ms');
  });

  test('of a sweep only when it did something, or is late', () => {
    const idle = {
      event: 'holds_swept',
      level: 'info',
      expired: 0,
      reapplied: 0,
      drained: 0,
      left: 0,
    };
    expect(readableLine(idle, plain)).toBeUndefined();
    expect(readableLine({ ...idle, expired: 2, drained: 1 }, plain)).toBe(
      'sweep: 2 expired, 1 drained',
    );
    expect(readableLine({ ...idle, level: 'error', lagMinutes: 7 }, plain)).toBe(
      'sweep: 7 minutes late',
    );
  });

  test('of a fault with its causes', () => {
    const fault = {
      event: 'fault',
      what: 'charge_spooled',
      requestId: 'r1',
      causes: ['A: x', 'B: y'],
    };
    expect(readableLine(fault, plain)).toBe('charge_spooled  A: x ← B: y  r1');
  });
});

const KEY = /tg_[\w-]{40,}/;

/** Runs `npm start` until its output matches, then ends it. */
async function outputOf(flags: string[], environment: Record<string, string>, until: RegExp) {
  const child = spawn(process.execPath, [START, ...flags], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      DYNAMODB_PORT: '0',
      DATA_DIR: folder,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  try {
    await expect.poll(() => output, { timeout: 20_000 }).toMatch(KEY);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
    const key = KEY.exec(output)?.[0];
    await (await fetch(`${url}/v1/models`)).text();
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'claude-sonnet-5',
        messages: [{ role: 'user', content: 'Hi' }],
      }),
    });
    await response.text();
    await expect.poll(() => output).toMatch(until);
  } finally {
    child.kill('SIGINT');
    await once(child, 'exit');
  }
  return output;
}

describe('npm start', () => {
  test('shows each request as one readable line, in colours unless NO_COLOR', async () => {
    const output = await outputOf([], { NO_COLOR: '1' }, /POST .*\n/);
    expect(output).toMatch(/^GET \/v1\/models {2}200 {2}\d+ ms$/m);
    expect(output).toMatch(
      /^POST \/v1\/chat\/completions {2}200 {2}claude-sonnet-5 {2}anthropic {2}first byte \d+ ms {2}\d+ in, \d+ out {2}\$0\.\d+ {2}\d+ ms$/m,
    );
    expect(output).not.toContain('\u001b');
    expect(await outputOf([], { FORCE_COLOR: '1' }, /POST .*\n/)).toContain('\u001b[');
  });

  test('writes nothing but JSON documents with --json', async () => {
    const output = await outputOf(['--json'], {}, /request_finished/);
    const events = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).event);
    expect(events).toEqual(['ready', 'document_answered', 'request_finished']);
  });

  test('tells its flags, and refuses others', async () => {
    const run = promisify(execFile);
    expect((await run(process.execPath, [START, '--help'])).stdout).toContain('--json');
    await expect(run(process.execPath, [START, '--jsno'])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--json'),
    });
  });
});
