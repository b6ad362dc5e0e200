import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, expect, test } from 'vitest';
import {
  type FunctionUrlServer,
  startFunctionUrlServer,
} from '../../infra/local/function-url-server.ts';
import { installLambdaGlobals, type StreamingHandler } from '../../infra/local/lambda-globals.ts';
import { GatewayError } from '../../shared/api/error.ts';
import type { FunctionUrlResponse } from '../../shared/http/function-url.ts';
import { jsonResponse } from '../../shared/http/function-url.ts';
import { jsonBody } from '../../shared/http/json-body.ts';
import { type FunctionUrlHandler, functionUrlHandler } from '../../shared/http/middleware.ts';

let server: FunctionUrlServer;
const faults: unknown[] = [];

beforeAll(() => installLambdaGlobals());
afterEach(async () => {
  await server.close();
  faults.length = 0;
});

/** Serves one middy handler, as the deployed functions are, on every path. */
async function serve(handler: FunctionUrlHandler, units = [jsonBody()]): Promise<string> {
  const middyHandler = functionUrlHandler({
    units,
    handler,
    onFault: (error) => faults.push(error),
  });
  server = await startFunctionUrlServer({
    host: '127.0.0.1',
    port: 0,
    handlerFor: () => middyHandler as unknown as StreamingHandler,
    onFault: (error) => faults.push(error),
  });
  return server.url;
}

function stream(body: Readable, afterEnd?: () => Promise<void>): FunctionUrlResponse {
  const headers = { 'content-type': 'text/event-stream' };
  return { statusCode: 200, headers, body, ...(afterEnd ? { afterEnd } : {}) };
}

const post = (url: string, body: RequestInit['body'], headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    body: body ?? null,
    headers: { 'content-type': 'application/json', ...headers },
  });

test('frames reach the client one by one, and settlement comes after the last', async () => {
  const order: string[] = [];
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const url = await serve(async () =>
    stream(
      Readable.from(
        (async function* frames() {
          yield 'data: 1\n\n';
          await gate;
          yield 'data: 2\n\n';
        })(),
      ),
      async () => void order.push('settled'),
    ),
  );
  const response = await post(url, '{}');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe('data: 1\n\n');
  release();
  expect((await reader?.read())?.value).toBe('data: 2\n\n');
  expect((await reader?.read())?.done).toBe(true);
  order.push('read');
  await server.close();
  expect(order).toContain('settled');
});

test('a client that hangs up changes nothing: the stream runs to its end and is settled', async () => {
  let written = 0;
  let settledAfter = -1;
  const url = await serve(async () =>
    stream(
      Readable.from(
        (async function* frames() {
          for (; written < 40; written += 1) {
            await sleep(5);
            yield `data: ${'x'.repeat(10_000)}\n\n`;
          }
        })(),
      ),
      async () => {
        settledAfter = written;
      },
    ),
  );
  const controller = new AbortController();
  const response = await fetch(url, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
    signal: controller.signal,
  });
  await response.body?.getReader().read();
  controller.abort();
  await server.close();
  expect(settledAfter).toBe(40);
  expect(faults).toEqual([]);
});

test('long answers keep every character, also across the cuts that middy makes in strings', async () => {
  const value = `${'x'.repeat(16_382)}🎉`.repeat(20);
  const url = await serve(async () => jsonResponse(200, { value }));
  expect(await (await post(url, '{}')).json()).toEqual({ value });
});

test('every error has the shape of part 7; what is not ours to show is a plain 500', async () => {
  const url = await serve(async ({ body }) => {
    if ((body as { known?: boolean }).known) {
      throw new GatewayError('rate_limit', 'Slow down.', { retryAfterMs: 1_200 });
    }
    throw new Error('secret: sk-123');
  });
  const known = await post(url, '{"known":true}');
  expect(known.status).toBe(429);
  expect(known.headers.get('retry-after')).toBe('2');
  expect(known.headers.get('retry-after-ms')).toBe('1200');
  expect(await known.json()).toEqual({
    error: { message: 'Slow down.', type: 'rate_limit_error' },
  });
  const unknown = await post(url, '{}');
  expect(unknown.status).toBe(500);
  expect(unknown.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await unknown.text()).not.toContain('sk-123');
  expect(faults).toHaveLength(1);
});

test.each([
  ['no body', '', 'application/json', 400],
  ['broken JSON', '{"a":', 'application/json', 400],
  ['another content type', '{}', 'text/plain', 400],
  ['no content type', Buffer.from('{}'), undefined, 400],
  ['a forbidden key', '{"__proto__":{"a":1}}', 'application/json', 400],
  ['a byte order mark alone', '\ufeff', 'application/json', 400],
])('%s is a 400', async (_name, body, contentType, status) => {
  const url = await serve(async () => jsonResponse(200, {}));
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: contentType === undefined ? {} : { 'content-type': contentType },
  });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
});

test('a body past the limit is refused while it is still arriving', async () => {
  const url = await serve(async () => jsonResponse(200, {}));
  const upload = httpRequest(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  upload.on('error', () => undefined);
  const megabyte = Buffer.alloc(1_000_000, 0x20);
  const answered = once(upload, 'response');
  let ended = false;
  (async () => {
    for (let sent = 0; !ended && sent < 400; sent += 1) {
      if (!upload.write(megabyte)) await Promise.race([once(upload, 'drain'), answered]);
    }
  })();
  const [response] = await answered;
  ended = true;
  expect(response.statusCode).toBe(413);
  expect(JSON.parse(await text(response))).toMatchObject({
    error: { type: 'invalid_request_error' },
  });
  upload.destroy();
});

test('a length announced past the limit is refused before a byte of the body', async () => {
  const url = await serve(async () => jsonResponse(200, {}));
  const upload = httpRequest(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': '100000001' },
  });
  upload.on('error', () => undefined);
  upload.flushHeaders();
  const [response] = await once(upload, 'response');
  expect(response.statusCode).toBe(413);
  upload.destroy();
});
