import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { expectDocumented } from '../support/openapi.ts';
import {
  A,
  anyAnswer,
  B,
  errorShape,
  PATHS,
  type Route,
  requestOf,
  useSpecGateway,
} from '../support/spec-gateway.ts';

const spec = useSpecGateway();
const ROUTES = ['chat', 'responses'] as const;
const LIMIT = 100_000_000;
const MARKED: Record<Route, object> = {
  chat: {
    messages: [
      {
        role: 'user',
        content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }],
      },
    ],
  },
  responses: {
    input: [
      {
        role: 'user',
        content: [{ type: 'input_text', text: 'x', cache_control: { type: 'ephemeral' } }],
      },
    ],
  },
};

/** A good request, padded with white space to so many bytes. */
function padded(bytes: number): Buffer {
  const body = Buffer.alloc(bytes, ' ');
  body.write(JSON.stringify(requestOf('chat')));
  return body;
}

describe('Maximum request body size', () => {
  test('8 Maximum request body size: 100 MB, and not a byte more', async () => {
    spec.upstream().enqueue(anyAnswer);
    spec.tookToken();
    expect((await spec.post(PATHS.chat, padded(LIMIT), {})).status).toBe(200);
    const { status, body } = await spec.post(PATHS.chat, padded(LIMIT + 1), {});
    expect(status).toBe(413);
    expect(body).toEqual(errorShape('invalid_request_error'));
  });

  test.each([
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ] as const)('8 Maximum request body size: counted after %s', async (encoding, compress) => {
    const headers = { 'content-encoding': encoding };
    const small = compress(padded(LIMIT + 1));
    expect(small.length).toBeLessThan(1_000_000);
    for (const route of ROUTES) {
      const { status, body } = await spec.post(PATHS[route], small, { headers });
      expect(status).toBe(413);
      expect(body).toEqual(errorShape('invalid_request_error'));
    }
  });

  test('8 Maximum request body size: a body that says so is refused before it comes', async () => {
    const { status, received } = await sendSlowly({ 'content-length': String(LIMIT + 1) }, 1);
    expect([status, received]).toEqual([413, errorShape('invalid_request_error')]);
  });

  test('8 Maximum request body size: refused while it is still arriving', async () => {
    const { status, received, sentAll } = await sendSlowly({}, 110);
    expect([status, received]).toEqual([413, errorShape('invalid_request_error')]);
    expect(sentAll).toBe(false);
  });

  test('8 Maximum request body size: comes after the credential, before everything else', async () => {
    const body = gzipSync(padded(LIMIT + 1));
    const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain' };
    expect((await spec.post(PATHS.chat, body, { headers, apiKey: 'tg_wrong' })).status).toBe(401);
    expect((await spec.post(PATHS.chat, body, { headers })).status).toBe(413);
  });
});

/** Sends so many megabytes and never ends the request; gives the answer that comes meanwhile. */
async function sendSlowly(headers: Record<string, string>, megabytes: number) {
  const { url } = spec.gateway();
  const outgoing = request(`${url}${PATHS.chat}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': spec.key().apiKey, ...headers },
  });
  outgoing.on('error', () => undefined);
  const answered = once(outgoing, 'response');
  const over = Promise.race([answered, once(outgoing, 'close')]);
  const drained = () => new Promise((resolve) => outgoing.once('drain', resolve));
  const piece = Buffer.alloc(1_000_000, ' ');
  for (let sent = 0; sent < megabytes; sent += 1) {
    if (!outgoing.write(piece)) await Promise.race([drained(), over]);
  }
  const [response] = await answered;
  const body = await text(response);
  expectDocumented(
    { method: 'POST', path: PATHS.chat },
    { status: response.statusCode, headers: new Headers(response.headers), text: body },
  );
  const received = JSON.parse(body);
  const sentAll = outgoing.writableEnded;
  outgoing.destroy();
  return { status: response.statusCode, received, sentAll };
}

describe.each(ROUTES)('%s', (route) => {
  const properties = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

  test.each([
    ['16 properties', properties(16)],
    ['a key of 64 characters', { ['ü'.repeat(64)]: 'v' }],
    ['a value of 512 characters', { k: '🎉'.repeat(512) }],
    ['an empty value', { k: '' }],
    ['no property', {}],
  ])('8 metadata: takes %s', async (_, metadata) => {
    await spec.accept(route, { metadata });
  });

  test.each([
    ['17 properties', properties(17)],
    ['an empty key', { '': 'v' }],
    ['a key of 65 characters', { ['k'.repeat(65)]: 'v' }],
    ['a value of 513 characters', { k: 'v'.repeat(513) }],
    ['a number', { k: 1 }],
    ['null', { k: null }],
    ['an object', { k: {} }],
    ['a list', ['v']],
    ['a lone surrogate', { k: '\ud800' }],
  ])('8 metadata: refuses %s', async (_, metadata) => {
    for (const model of [A, B]) await spec.refuse(route, { model, metadata }, /^metadata/);
  });

  test('8 prompt_cache_key: 1 to 256 bytes without NUL, CR or LF', async () => {
    for (const key of ['k', 'ü'.repeat(128)]) {
      const { sent } = await spec.accept(route, { prompt_cache_key: key });
      expect(sent.body.prompt_cache_key).toBe(key);
    }
    for (const key of ['', 'k'.repeat(257), `${'ü'.repeat(128)}k`, 'a\0', 'a\r', 'a\n']) {
      await spec.refuse(route, { prompt_cache_key: key }, /^prompt_cache_key/);
    }
  });

  const caps = route === 'chat' ? ['max_tokens', 'max_completion_tokens'] : ['max_output_tokens'];
  test.each(caps)('8 %s: at least 0, and zero only for a prewarm on family B', async (cap) => {
    await spec.refuse(route, { [cap]: -1 }, new RegExp(`^${cap}`));
    await spec.refuse(route, { [cap]: 0 }, new RegExp(`^${cap}`));
    await spec.refuse(route, { model: B, [cap]: 0 }, new RegExp(`^${cap}`));
    const { sent } = await spec.accept(route, { model: B, ...MARKED[route], [cap]: 0 });
    expect(sent.body.max_tokens).toBe(0);
    for (const model of [A, B]) await spec.accept(route, { model, [cap]: 1 });
  });

  test('8 only, order arrays: at least 1 element', async () => {
    for (const name of ['only', 'order']) {
      for (const field of ['provider', 'rules']) {
        await spec.refuse(route, { [field]: { [name]: [] } }, new RegExp(`^${field}\\.${name}`));
        await spec.accept(route, { [field]: { [name]: ['openai'] } });
      }
    }
  });

  test('8 reasoning.max_tokens: at least 1', async () => {
    await spec.refuse(
      route,
      { model: 'claude-sonnet-4-6', reasoning: { max_tokens: 0 } },
      /^reasoning\.max_tokens/,
    );
    await spec.accept(route, { model: 'claude-sonnet-4-6', reasoning: { max_tokens: 1_024 } });
  });
});

test('8 reasoning_max_tokens: at least 1', async () => {
  await spec.refuse(
    'chat',
    { model: 'claude-sonnet-4-6', reasoning_max_tokens: 0 },
    /^reasoning_max_tokens/,
  );
  await spec.accept('chat', { model: 'claude-sonnet-4-6', reasoning_max_tokens: 1_024 });
});

test('8 n: exactly 1, or omitted', async () => {
  for (const n of [0, 2, -1, 1.5, '1']) await spec.refuse('chat', { n }, /^n /);
  for (const n of [1, undefined]) await spec.accept('chat', { n });
});

test('8 max_tool_calls, max_tool_calls default: at least 1, and 50 for priced hosted tools', async () => {
  const tools = [{ type: 'web_search' }];
  await spec.refuse('responses', { tools, max_tool_calls: 0 }, /^max_tool_calls/);
  expect(
    (await spec.accept('responses', { tools, max_tool_calls: 1 })).sent.body.max_tool_calls,
  ).toBe(1);
  expect((await spec.accept('responses', { tools })).sent.body.max_tool_calls).toBe(50);
  expect((await spec.accept('responses', { model: B, tools })).sent.body.tools[0].max_uses).toBe(
    50,
  );
});

test('8 Rate limit: each key has its own bucket', async () => {
  const ask = (apiKey: string) => {
    spec.upstream().enqueue(anyAnswer);
    return spec.post(PATHS.chat, requestOf('chat'), { apiKey });
  };
  const [first, second] = await Promise.all(
    [0, 1].map(() => spec.newKey('5.00', '--burst', '2', '--rate', '0.001')),
  );
  if (!first || !second) throw new Error('two keys');
  const seen: [number, string | null][] = [];
  for (const { apiKey } of [first, first, first, second]) {
    const { status, headers } = await ask(apiKey);
    seen.push([status, headers.get('x-ratelimit-remaining-requests')]);
  }
  expect(seen.map(([status]) => status)).toEqual([200, 200, 429, 200]);
  expect([seen[0]?.[1], seen[1]?.[1], seen[3]?.[1]]).toEqual(['1', '0', '1']);
});

test.each([
  ['lifetime', ['--limit-lifetime', '0.002']],
  ['recurring', ['--limit-recurring', '0.002', '--period', 'month']],
])('8 Spend limits: a %s limit is spent, and no more', async (_, limits) => {
  const { apiKey } = await spec.newKey('5.00', ...limits);
  const ask = () => {
    spec.upstream().enqueue(anyAnswer);
    return spec.post(PATHS.chat, requestOf('chat', { max_tokens: 50 }), { apiKey });
  };
  // 50 tokens of output alone are 0.0015: the limit has room for one such request.
  const statuses = [(await ask()).status, (await ask()).status];
  expect(statuses).toEqual([200, 402]);
});
