import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type FunctionUrl, startFunctionUrl } from './function-url.ts';

/*
 * What the runtime client and a function URL make of handlers that know nothing of ours: the ground
 * on which the bundles stand. The traps here are those that their adapter must keep clear of.
 */

const folder = mkdtempSync(join(tmpdir(), 'tollgate-handlers-'));
let functionUrl: FunctionUrl | undefined;

afterEach(async () => {
  await functionUrl?.stop();
  functionUrl = undefined;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Serves a streaming handler, told by the text of its body, in one environment. */
async function serve(body: string, timeoutMs = 10_000): Promise<FunctionUrl> {
  const bundleFolder = mkdtempSync(join(folder, 'bundle-'));
  mkdirSync(bundleFolder, { recursive: true });
  const source = `
    const head = (stream) => awslambda.HttpResponseStream.from(stream, { statusCode: 201, headers: { 'x-own': 'yes' } });
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    export const handler = awslambda.streamifyResponse(async (event, stream) => { ${body} });`;
  writeFileSync(join(bundleFolder, 'index.mjs'), source);
  functionUrl = await startFunctionUrl({
    functions: { own: { bundleFolder, timeoutMs } },
    functionFor: () => 'own',
    environments: 1,
  });
  return functionUrl;
}

const echo = 'stream = head(stream); stream.write(JSON.stringify(event)); stream.end();';

describe('an event', () => {
  test('is of payload format 2.0: text as text, everything else as base64', async () => {
    const { url } = await serve(echo);
    const post = async (headers: Record<string, string>, body: string) => {
      const response = await fetch(`${url}/a/b?q=1&q=2`, { method: 'POST', headers, body });
      expect(response.status).toBe(201);
      expect(response.headers.get('x-own')).toBe('yes');
      return response.json();
    };
    const type = (value: string) => ({ 'content-type': value });
    expect(await post(type('application/json'), '{"ä":1}')).toMatchObject({
      version: '2.0',
      rawPath: '/a/b',
      rawQueryString: 'q=1&q=2',
      requestContext: { http: { method: 'POST', path: '/a/b' } },
      body: '{"ä":1}',
      isBase64Encoded: false,
    });
    const base64 = { body: Buffer.from('{"ä":1}').toString('base64'), isBase64Encoded: true };
    expect(await post(type('application/octet-stream'), '{"ä":1}')).toMatchObject(base64);
    const gzip = { ...type('application/json'), 'content-encoding': 'gzip' };
    expect(await post(gzip, '{"ä":1}')).toMatchObject(base64);
  });

  test('has duplicate headers joined', async () => {
    const { url } = await serve(echo);
    const { hostname, port } = new URL(url);
    const headers = ['Accept', 'a/b', 'X-Twice', '1', 'X-Twice', '2', 'Host', 'h'];
    const answer = await new Promise<string>((resolve, reject) => {
      const asking = request({ hostname, port, headers }, (response) =>
        text(response).then(resolve, reject),
      );
      asking.on('error', reject).end();
    });
    expect(JSON.parse(answer)).toMatchObject({ headers: { 'x-twice': '1,2', accept: 'a/b' } });
  });

  test('above 6 MB is refused by the platform, which asks no function', async () => {
    const { url, environmentsOf } = await serve(echo);
    const body = JSON.stringify({ text: 'x'.repeat(6_291_456) });
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(response.status).toBe(413);
    expect(environmentsOf('own')).toEqual([]);
  });
});

describe('an answer', () => {
  test('has cookies as headers of their own', async () => {
    const { url } = await serve(
      "stream = awslambda.HttpResponseStream.from(stream, { statusCode: 200, cookies: ['a=1', 'b=2'] }); stream.write('x'); stream.end();",
    );
    expect((await fetch(url)).headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  test('without a head is a plain 200 of bytes', async () => {
    const { url } = await serve("stream.write('x'); stream.end();");
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(await response.text()).toBe('x');
  });

  test.each([
    ['its first write is its end', "head(stream).end('{}');"],
    ['it ends with no write', 'head(stream).end();'],
  ])('loses its head when %s', async (_name, body) => {
    const { url } = await serve(body);
    expect((await fetch(url)).status).toBe(502);
  });

  test('may be empty when nothing is written before its end', async () => {
    const { url } = await serve("stream = head(stream); stream.write(''); stream.end();");
    const response = await fetch(url);
    expect(response.status).toBe(201);
    expect(await response.text()).toBe('');
  });

  test('goes on after the handler has returned', async () => {
    const { url } = await serve(
      "stream = head(stream); stream.write('1'); setTimeout(() => { stream.write('2'); stream.end(); }, 50);",
    );
    expect(await (await fetch(url)).text()).toBe('12');
  });

  test('is complete at its end; the next invocation waits for the handler', async () => {
    const { url } = await serve(`
      globalThis.order ??= [];
      order.push('begun');
      stream = head(stream); stream.write(order.join()); stream.end();
      await sleep(300);
      order.push('worked');`);
    expect(await (await fetch(url)).text()).toBe('begun');
    expect(await (await fetch(url)).text()).toBe('begun,worked,begun');
  });
});

describe('a handler that', () => {
  test('throws before its first write is a 502 that tells nothing', async () => {
    const { url, output } = await serve("throw new RangeError('own words');");
    const response = await fetch(url);
    expect(response.status).toBe(502);
    expect(await response.text()).not.toContain('own words');
    await eventually(async () => expect(output()).toContain('own words'));
  });

  test('throws after it leaves what was written, and the environment goes on', async () => {
    const { url, environmentsOf } = await serve(
      "stream = head(stream); stream.write('1'); throw new RangeError('own words');",
    );
    for (const _ of [1, 2]) {
      const response = await fetch(url);
      expect(response.status).toBe(201);
      expect(await response.text()).toBe('1');
    }
    expect(environmentsOf('own')).toHaveLength(1);
  });

  test('writes after the end ends its environment; the next request gets another', async () => {
    const { url, output } = await serve(
      "stream = head(stream); stream.write(String(process.pid)); stream.end(); stream.write('2');",
    );
    const first = await (await fetch(url)).text();
    const second = await (await fetch(url)).text();
    expect(Number(first)).toBeGreaterThan(0);
    expect(second).not.toBe(first);
    expect(output()).toContain('ERR_STREAM_WRITE_AFTER_END');
  });

  test('never ends is ended by the timeout', async () => {
    const { url } = await serve("stream = head(stream); stream.write('1');", 500);
    const response = await fetch(url);
    expect(response.status).toBe(201);
    await expect(response.text()).rejects.toThrow();
  });

  test('never answers is a 502 by the timeout', async () => {
    const { url } = await serve('await new Promise(() => {});', 500);
    expect((await fetch(url)).status).toBe(502);
  });

  test('does not load is a 502', async () => {
    const { url, output } = await serve('} syntax error {');
    expect((await fetch(url)).status).toBe(502);
    expect(output()).toContain('SyntaxError');
  });
});
