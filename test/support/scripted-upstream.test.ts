import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream.ts';

let upstream: ScriptedUpstream;

beforeEach(async () => {
  upstream = await startScriptedUpstream();
});
afterEach(() => upstream.close());

const post = (body: unknown) =>
  fetch(`${upstream.url}/v1/x?y=1`, { method: 'POST', body: JSON.stringify(body) });
const EVENTS = [{ type: 'ping', text: 'Grüße 👋' }, '[DONE]'];
const FRAMES = 'event: ping\ndata: {"type":"ping","text":"Grüße 👋"}\n\ndata: [DONE]\n\n';

test('requests are kept, answers given in turn, and an unscripted request is a 500', async () => {
  upstream.enqueue(
    { status: 429, headers: { 'retry-after': '3' }, json: { a: 1 } },
    ({ body }) => ({
      json: body,
    }),
  );

  const refused = await post({ n: 1 });
  const echoed = await post({ n: 2 });
  const unscripted = await post({ n: 3 });

  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3']);
  expect(await echoed.json()).toEqual({ n: 2 });
  expect([unscripted.status, await unscripted.text()]).toEqual([
    500,
    expect.stringContaining('No answer is scripted'),
  ]);
  expect(upstream.requests.map(({ order, path, body }) => [order, path, body.n])).toEqual([
    [0, '/v1/x?y=1', 1],
    [1, '/v1/x?y=1', 2],
    [2, '/v1/x?y=1', 3],
  ]);
});

test.each([
  {},
  { chunkBytes: 1 },
  { encoding: 'gzip' },
  { encoding: 'deflate', chunkBytes: 3 },
  { encoding: 'br' },
  { encoding: 'zstd', chunkBytes: 5 },
  { delayMs: 1 },
] as const)('events arrive whole under %j', async (how) => {
  upstream.enqueue({ events: EVENTS, sse: 'openai', ...how });

  expect(await (await post({})).text()).toBe(FRAMES);
});

test('lines may end in CRLF', async () => {
  upstream.enqueue({ events: EVENTS, sse: 'anthropic', crlf: true });

  expect(await (await post({})).text()).toBe(FRAMES.replaceAll('\n', '\r\n'));
});

test('a stream breaks off after the events asked for', async () => {
  upstream.enqueue({ events: EVENTS, sse: 'openai', cutAfter: 1 });
  const body = (await post({})).body?.getReader();
  const first = await body?.read();

  expect(new TextDecoder().decode(first?.value)).toBe(FRAMES.slice(0, -14));
  await expect(body?.read()).rejects.toThrow();
});

test('a connection may break without an answer', async () => {
  upstream.enqueue({ disconnect: true });

  await expect(post({})).rejects.toThrow();
});

test('a held answer waits until its test lets it go, others pass', async () => {
  const gate = Promise.withResolvers<void>();
  upstream.enqueue({ when: gate.promise, json: 1 }, { json: 2 });
  const held = post({}).then((answer) => answer.json());
  await expect.poll(() => upstream.requests.length).toBe(1);

  expect(await (await post({})).json()).toBe(2);
  gate.resolve();
  expect(await held).toBe(1);
});
