import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  A,
  anyAnswer,
  B,
  errorShape,
  PATHS,
  type PostOptions,
  requestOf,
  useSpecGateway,
} from '../support/spec-gateway.ts';

const spec = useSpecGateway();
const ROUTES = ['chat', 'responses'] as const;
const DOCUMENTS = ['/v1/catalog', '/v1/models'] as const;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': expect.stringMatching(/^max-age=\d+/),
  'content-security-policy': expect.stringMatching(/default-src 'none'/),
};
const EXPOSED = [
  'x-request-id',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
];

const get = (path: string, headers: Record<string, string> = {}) =>
  spec.post(path, undefined, { method: 'GET', apiKey: undefined, headers });

function expectCommonHeaders(headers: Headers) {
  expect(Object.fromEntries(headers)).toMatchObject(SECURITY_HEADERS);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-allow-credentials')).toBeNull();
  const exposed = headers.get('access-control-expose-headers')?.split(/, */);
  expect(exposed).toEqual(expect.arrayContaining(EXPOSED));
}

async function expectRefused(path: string, body: unknown, init: PostOptions, status = 400) {
  const before = spec.upstream().requests.length;
  const answer = await spec.post(path, body, init);
  expect(answer.status, answer.text).toBe(status);
  expect(answer.body).toEqual(errorShape('invalid_request_error'));
  expect(answer.headers.get('x-request-id')).toMatch(UUID_V7);
  expectCommonHeaders(answer.headers);
  expect(spec.upstream().requests.length).toBe(before);
  return answer.body.error.message as string;
}

describe.each(DOCUMENTS)('GET %s', (path) => {
  test(`4 GET ${path}: needs no key and answers JSON with an ETag`, async () => {
    const { status, headers, body } = await get(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('cache-control')).toMatch(/max-age=\d+/);
    expect(headers.get('x-request-id')).toMatch(UUID_V7);
    expectCommonHeaders(headers);
    expect(body).toBeTypeOf('object');
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(path, { 'if-none-match': known });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test(`4 GET ${path}: takes a key without looking at it`, async () => {
    expect((await get(path, { authorization: 'Bearer wrong' })).status).toBe(200);
  });

  test(`4 GET ${path}: a preflight is answered`, async () => {
    const { status, headers } = await spec.post(path, undefined, {
      method: 'OPTIONS',
      apiKey: undefined,
    });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-methods')).toContain('GET');
    expectCommonHeaders(headers);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])(`4 GET ${path}: %s is no route`, async (method) => {
    await expectRefused(path, method === 'DELETE' ? undefined : {}, { method }, 404);
  });
});

describe.each(ROUTES)('POST %s', (route) => {
  const path = PATHS[route];

  test(`4 POST ${path}: JSON, or an event stream`, async () => {
    for (const model of [A, B]) {
      const whole = await spec.accept(route, { model });
      expect(whole.headers.get('content-type')).toMatch(/^application\/json/);
      const stream = await spec.accept(route, { model, stream: true });
      expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
      expect(stream.text.endsWith('data: [DONE]\n\n')).toBe(true);
    }
  });

  test(`4 POST ${path}: request ID, rate limit and security headers, whole and streamed`, async () => {
    const ids = new Set<string | null>();
    for (const stream of [false, true]) {
      const { headers } = await spec.accept(route, { stream });
      ids.add(headers.get('x-request-id'));
      expect(headers.get('x-request-id')).toMatch(UUID_V7);
      expect(headers.get('x-ratelimit-limit-requests')).toBe('100000');
      expect(headers.get('x-ratelimit-remaining-requests')).toMatch(/^\d+$/);
      expect(headers.get('x-ratelimit-reset-requests')).toMatch(/^\d+(\.\d+)?m?s$/);
      expectCommonHeaders(headers);
    }
    expect(ids.size).toBe(2);
  });

  test(`4 POST ${path}: a client's own request ID is not taken over`, async () => {
    const { headers } = await spec.accept(route, {}, { headers: { 'x-request-id': 'mine' } });
    expect(headers.get('x-request-id')).toMatch(UUID_V7);
  });

  test(`4 POST ${path}: a preflight needs no key and allows what it asks for`, async () => {
    const asked = 'authorization,content-type,x-stainless-os';
    const { status, headers } = await spec.post(path, undefined, {
      method: 'OPTIONS',
      apiKey: undefined,
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': asked,
      },
    });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-headers')).toBe(asked);
    expect(headers.get('access-control-allow-methods')).toContain('POST');
    expectCommonHeaders(headers);
  });

  test.each(['GET', 'PUT', 'DELETE', 'PATCH'])(`4 POST ${path}: %s is no route`, async (method) => {
    await expectRefused(path, undefined, { method }, 404);
  });

  const encodings: Record<string, (text: string) => Buffer> = {
    gzip: gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
    zstd: zstdCompressSync,
  };
  test.each(Object.entries(encodings))(
    `4 POST ${path}: a body in %s`,
    async (encoding, compress) => {
      spec.upstream().enqueue(anyAnswer);
      spec.tookToken();
      const body = compress(
        JSON.stringify(
          requestOf(route, { instructions: undefined, metadata: { text: 'Grüße 🎉' } }),
        ),
      );
      const { status, text } = await spec.post(path, body, {
        headers: { 'content-encoding': encoding },
      });
      expect(status, text).toBe(200);
    },
  );

  test(`4 POST ${path}: deflate without its header, and an encoding in capitals`, async () => {
    for (const [encoding, compress] of [
      ['deflate', deflateRawSync],
      ['GZIP', gzipSync],
      ['identity', Buffer.from],
    ] as const) {
      spec.upstream().enqueue(anyAnswer);
      spec.tookToken();
      const body = compress(JSON.stringify(requestOf(route)));
      expect(
        (await spec.post(path, body, { headers: { 'content-encoding': encoding } })).status,
      ).toBe(200);
    }
  });

  test.each(Object.keys(encodings))(`4 POST ${path}: a broken body in %s`, async (encoding) => {
    const broken = Buffer.from(JSON.stringify(requestOf(route)));
    expect(
      await expectRefused(path, broken, { headers: { 'content-encoding': encoding } }),
    ).toMatch(new RegExp(encoding));
  });

  test(`4 POST ${path}: an unknown encoding`, async () => {
    for (const encoding of ['compress', 'gzip, br', 'constructor']) {
      expect(
        await expectRefused(path, requestOf(route), { headers: { 'content-encoding': encoding } }),
      ).toMatch(/Content-Encoding/);
    }
  });

  test(`4 POST ${path}: other content types than JSON`, async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
    ]) {
      expect(
        await expectRefused(path, JSON.stringify(requestOf(route)), {
          headers: { 'content-type': type },
        }),
      ).toMatch(/[Cc]ontent.[Tt]ype/);
    }
  });

  test(`4 POST ${path}: JSON with a charset, in capitals`, async () => {
    await spec.accept(
      route,
      {},
      { headers: { 'content-type': 'application/JSON; charset=UTF-8' } },
    );
  });

  test(`4 POST ${path}: an empty body, and what is no JSON object`, async () => {
    expect(await expectRefused(path, undefined, {})).toMatch(/empty/);
    expect(await expectRefused(path, '', {})).toMatch(/empty/);
    for (const text of [
      '{',
      'null',
      '[]',
      '"text"',
      '5',
      'true',
      '\u0000',
      '{"model":}',
      `${'['.repeat(100_000)}`,
    ]) {
      await expectRefused(path, text, {});
    }
  });

  test(`4 POST ${path}: keys that would change an object's kind`, async () => {
    await expectRefused(path, '{"__proto__":{"model":"x"}}', {});
    await expectRefused(path, '{"constructor":{"prototype":{}}}', {});
  });
});

test('4 POST /v1/chat/completions: unknown paths and those without a version are no routes', async () => {
  for (const path of [
    '/',
    '/v1',
    '/v1/completions',
    '/chat/completions',
    '/v2/chat/completions',
    '/v1/chat/completions/',
    '/v1/responses/resp_1',
    '/v1/models/gpt-5.6-sol',
  ]) {
    expect(await expectRefused(path, requestOf('chat'), {}, 404)).toContain(path);
  }
});
