import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFunctionUrlServer } from '../../infra/local/function-url-server.ts';
import { installLambdaGlobals, type StreamingHandler } from '../../infra/local/lambda-globals.ts';
import { GatewayError } from '../../shared/api/error.ts';
import { errorResponse } from '../../shared/http/middleware.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts';
import { type RunningGateway, startGateway } from '../support/gateway.ts';
import { expectDocumented } from '../support/openapi.ts';
import type { ScriptedAnswer } from '../support/scripted-upstream.ts';
import {
  A,
  anyAnswer,
  B,
  errorShape,
  PATHS,
  requestOf,
  useSpecGateway,
} from '../support/spec-gateway.ts';

const spec = useSpecGateway();
const ROUTES = ['chat', 'responses'] as const;

const ask = (apiKey: string, fields: object = {}, route: 'chat' | 'responses' = 'chat') =>
  spec.post(PATHS[route], requestOf(route, { ...fields }), { apiKey });

type Answer = Awaited<ReturnType<typeof ask>>;

function expectError({ status, body, headers }: Answer, expected: number, type: string) {
  expect(status).toBe(expected);
  expect(body).toEqual(errorShape(type));
  expect(headers.get('x-request-id')).toMatch(/-7[0-9a-f]{3}-/);
}

/** Refused before anything was sent, and nothing is held. */
async function expectNothingSent(
  key: { apiKey: string; accountId: string },
  expected: number,
  type: string,
  fields: object = {},
) {
  const before = spec.upstream().requests.length;
  const answers: Answer[] = [];
  for (const route of ROUTES) {
    const answer = await ask(key.apiKey, fields, route);
    expectError(answer, expected, type);
    answers.push(answer);
  }
  expect(spec.upstream().requests.length).toBe(before);
  expect(await spec.admin('account', 'show', key.accountId)).toMatchObject({
    held: '0.00',
    openHolds: 0,
  });
  return answers;
}

describe('refusals by the key and the balance', () => {
  test.each([
    ['an empty balance', '0.000001'],
    ['a lifetime limit', '50.00', '--limit-lifetime', '0.000001'],
    ['a recurring limit', '50.00', '--limit-recurring', '0.000001', '--period', 'day'],
  ])('7 402 billing_error: %s', async (_, credit, ...limits) => {
    const key = await spec.newKey(credit, ...limits);
    const answers = await expectNothingSent(key, 402, 'billing_error');
    for (const { headers } of answers) expect(headers.get('x-should-retry')).toBe('false');
  });

  test('7 403 permission_denied: a disabled key', async () => {
    const key = await spec.newKey('50.00');
    await spec.admin('key', 'disable', key.keyId);
    const answers = await expectNothingSent(key, 403, 'permission_denied');
    for (const { headers } of answers) expect(headers.get('x-should-retry')).toBe('false');
  });

  test('7 403 permission_denied: an expired key', async () => {
    await expectNothingSent(
      await spec.newKey('50.00', '--expires', '2026-01-01T00:00:00Z'),
      403,
      'permission_denied',
    );
  });

  test('7 429 rate_limit_error: an empty bucket, and waiting as long as it says works', async () => {
    const key = await spec.newKey('50.00', '--burst', '1', '--rate', '0.5');
    spec.upstream().enqueue(anyAnswer);
    const served = await ask(key.apiKey);
    expect(served.status).toBe(200);
    expect(served.headers.get('x-ratelimit-limit-requests')).toBe('1');
    expect(served.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    const [, refused] = await expectNothingSent(key, 429, 'rate_limit_error');
    const seconds = Number(refused?.headers.get('retry-after'));
    const milliseconds = Number(refused?.headers.get('retry-after-ms'));
    expect(Number.isInteger(seconds) && seconds >= 1).toBe(true);
    expect(Math.ceil(milliseconds / 1000)).toBe(seconds);
    expect(refused?.headers.get('x-should-retry')).not.toBe('false');
    expect(refused?.headers.get('x-ratelimit-limit-requests')).toBe('1');
    expect(refused?.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(refused?.headers.get('x-ratelimit-reset-requests')).toMatch(/^\d/);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    spec.upstream().enqueue(anyAnswer);
    expect((await ask(key.apiKey)).status).toBe(200);
  });

  test('7 429 rate_limit_error: comes before 402, and 400 before both', async () => {
    const key = await spec.newKey('0.000001', '--burst', '1', '--rate', '0.001');
    expectError(await ask(key.apiKey, { surprise: 1 }), 400, 'invalid_request_error');
    expectError(await ask(key.apiKey), 402, 'billing_error');
    expectError(await ask(key.apiKey), 429, 'rate_limit_error');
    expectError(await ask(key.apiKey, { surprise: 1 }), 400, 'invalid_request_error');
    expectError(await ask(key.apiKey, { model: 'gpt-0' }), 400, 'invalid_request_error');
  });

  test('7 402 billing_error: a smaller request that the balance covers is served', async () => {
    const key = await spec.newKey('0.01');
    expectError(await ask(key.apiKey, { max_tokens: 128_000 }), 402, 'billing_error');
    spec.upstream().enqueue(anyAnswer);
    expect((await ask(key.apiKey, { max_tokens: 50 })).status).toBe(200);
  });
});

describe('refusals of the request', () => {
  test.each(ROUTES)(
    '7 400 invalid_request_error: malformed, missing, unavailable, on %s',
    async (route) => {
      for (const fields of [
        { model: undefined },
        { model: 'gpt-0' },
        { model: 7 },
        { surprise: 1 },
      ]) {
        await spec.refuse(route, fields, /model|surprise/);
      }
      expectError(await spec.post(PATHS[route], '{', {}), 400, 'invalid_request_error');
    },
  );

  test('7 400 invalid_request_error: a message repeats nothing at length', async () => {
    const { body } = await spec.refuse(
      'chat',
      { model: `gpt\u0007\u2028${'x'.repeat(10_000)}` },
      /^model/,
    );
    expect(body.error.message.length).toBeLessThan(400);
    for (const character of '\u0007\u2028') expect(body.error.message).not.toContain(character);
  });

  test.each(ROUTES)('7 401 authentication_error: no key and a wrong one, on %s', async (route) => {
    for (const apiKey of [undefined, 'tg_wrong']) {
      expectError(
        await spec.post(PATHS[route], requestOf(route), { apiKey }),
        401,
        'authentication_error',
      );
    }
  });

  test('7 404 invalid_request_error: a route that does not exist', async () => {
    expectError(await spec.post('/v1/embeddings', {}, {}), 404, 'invalid_request_error');
    expectError(
      await spec.post('/v1/embeddings', {}, { apiKey: undefined }),
      404,
      'invalid_request_error',
    );
  });

  test('7 404 invalid_request_error: a long path is not repeated at length', async () => {
    const answer = await spec.post(`/v1/${'x'.repeat(8_000)}`, {});
    expectError(answer, 404, 'invalid_request_error');
    expect(answer.text.length).toBeLessThan(400);
  });

  test('7 413 invalid_request_error: a body larger than the limit', async () => {
    const body = Buffer.alloc(100_000_001, ' ');
    expectError(await spec.post(PATHS.chat, body, {}), 413, 'invalid_request_error');
  });
});

/** What a provider answers, and what the client sees of it. */
const MESSAGE = 'Your prompt is too long (key sk-live-abcdefgh1234, org-abcdefgh99).';
const ofProvider = (model: string, status: number, headers = {}): ScriptedAnswer => ({
  status,
  headers,
  json:
    model === A
      ? { error: { message: MESSAGE, type: 'invalid_request_error', code: null } }
      : { type: 'error', error: { type: 'invalid_request_error', message: MESSAGE } },
});

describe.each([A, B])('refusals of the provider of %s', (model) => {
  /** One provider alone, so that no other takes over. */
  const fields = { model, provider: model === A ? 'openai' : 'anthropic' };
  const served = async (route: 'chat' | 'responses', answer: ScriptedAnswer, stream: boolean) => {
    spec.upstream().enqueue(answer);
    spec.tookToken();
    return spec.post(PATHS[route], requestOf(route, { ...fields, stream }));
  };

  test.each([400, 404, 413, 422])(
    "7 400 invalid_request_error: a provider's %i blames the request",
    async (status) => {
      for (const route of ROUTES) {
        const answer = await served(route, ofProvider(model, status), route === 'chat');
        expectError(answer, 400, 'invalid_request_error');
        expect(answer.body.error.message).toContain('Your prompt is too long');
        expect(answer.body.error.message).not.toMatch(/sk-live|org-abc/);
      }
    },
  );

  test.each([401, 402, 403, 429, 500, 502, 503, 504, 529])(
    "7 500 gateway_error: a provider's %i is not the client's",
    async (status) => {
      for (const route of ROUTES) {
        const answer = await served(
          route,
          ofProvider(model, status, { 'retry-after': '7' }),
          route === 'responses',
        );
        expectError(answer, 500, 'gateway_error');
        expect(answer.text).not.toMatch(/prompt|sk-|org-|openai|anthropic/i);
        expect(answer.headers.get('retry-after')).toBe('7');
        expect(answer.headers.get('x-ratelimit-remaining-requests')).toMatch(/^\d+$/);
      }
    },
  );

  test('7 500 gateway_error: a provider without a time to wait names none', async () => {
    const { headers } = await served('chat', ofProvider(model, 503), false);
    expect(headers.get('retry-after')).toBeNull();
  });

  test.each([
    ['a broken connection', { disconnect: true }],
    ['an answer that is no JSON', { json: '<html>502</html>' }],
    ['an answer that is JSON of another kind', { json: '[1,2]' }],
    ['an error page', { status: 502, json: '<html>nginx 10.0.0.7</html>' }],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, json: {} }],
  ] as [string, ScriptedAnswer][])('7 500 gateway_error: %s', async (_, answer) => {
    for (const route of ROUTES) {
      const seen = await served(route, answer, false);
      expectError(seen, 500, 'gateway_error');
      expect(seen.text).not.toMatch(/html|nginx|127\.0\.0|ECONN|socket/i);
    }
  });

  test('7 500 gateway_error: is charged nothing', async () => {
    const key = await spec.newKey('50.00');
    for (const answer of [
      ofProvider(model, 503),
      ofProvider(model, 400),
      { disconnect: true } as const,
    ]) {
      spec.upstream().enqueue(answer);
      expect((await ask(key.apiKey, fields)).status).toBeGreaterThanOrEqual(400);
    }
    const account = await spec.admin('account', 'show', key.accountId);
    expect(account).toMatchObject({ held: '0.00', available: '50.00' });
  });
});

describe('conflict and catalog', () => {
  test('7 409 invalid_request_error: a request ID that was used up', async () => {
    // The service mints its IDs itself and retries a conflict: no client can provoke one.
    const response = errorResponse(new GatewayError('conflict', 'Try again.'), 'id');
    expect(response).toMatchObject({ statusCode: 409, headers: { 'x-should-retry': 'false' } });
    const body = await new Response(response.body as unknown as ReadableStream).json();
    expect(body).toEqual({ error: { message: 'Try again.', type: 'invalid_request_error' } });
  });

  test('7 500 internal_error: the catalog is unavailable', async () => {
    installLambdaGlobals();
    // Without CATALOG_PATH the functions look for a layer that is not there.
    const handlers = new Map([
      ['/v1/catalog', (await import('../../functions/catalog/handler.ts')).handler],
      ['/v1/models', (await import('../../functions/models/handler.ts')).handler],
    ]);
    const server = await startFunctionUrlServer({
      host: '127.0.0.1',
      port: 0,
      // Under the local globals a middy handler is the streaming function itself.
      handlerFor: (path) => handlers.get(path) as unknown as StreamingHandler,
      onFault: () => undefined,
    });
    for (const path of handlers.keys()) {
      const response = await fetch(`${server.url}${path}`);
      expect(response.status).toBe(500);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      const { status, headers } = response;
      const text = await response.text();
      expectDocumented({ method: 'GET', path }, { status, headers, text });
      const body = JSON.parse(text);
      expect(body).toEqual(errorShape('internal_error'));
      expect(JSON.stringify(body)).not.toMatch(/ENOENT|\/opt/);
    }
    await server.close();
  });
});

describe('the database', () => {
  let second: RunningGateway | undefined;
  let proxy: DatabaseProxy | undefined;

  beforeAll(async () => {
    proxy = await startDatabaseProxy(spec.gateway().databaseEndpoint);
    second = await startGateway({
      environment: {
        DYNAMODB_ENDPOINT: proxy.endpoint,
        UPSTREAM_OPENAI_URL: `${spec.upstream().url}/openai`,
        UPSTREAM_OPENAI_KEY: 'sk-openai-secret',
      },
    });
  });

  afterAll(async () => {
    await second?.stop();
    await proxy?.close();
  });

  test('7 503 gateway_error: unreachable, nothing is sent or logged; reachable again, it serves', async () => {
    const { apiKey } = await spec.newKey('50.00');
    const at = async () => {
      const response = await fetch(`${second?.url}${PATHS.chat}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body: JSON.stringify(requestOf('chat')),
      });
      const { status, headers } = response;
      const text = await response.text();
      expectDocumented({ method: 'POST', path: PATHS.chat }, { status, headers, text });
      const requestId = headers.get('x-request-id') ?? '';
      return { status, body: JSON.parse(text), requestId };
    };
    spec.upstream().enqueue(anyAnswer);
    expect((await at()).status).toBe(200);
    await proxy?.refuse();
    const before = spec.upstream().requests.length;
    const { status, body, requestId } = await at();
    expect(status).toBe(503);
    expect(body).toEqual(errorShape('gateway_error'));
    expect(spec.upstream().requests.length).toBe(before);
    const lines = second?.output().split('\n') ?? [];
    expect(requestId).not.toBe('');
    expect(
      lines.filter((line) => line.includes('request_finished') && line.includes(requestId)),
    ).toEqual([]);
    await proxy?.restore();
    spec.upstream().enqueue(anyAnswer);
    expect((await at()).status).toBe(200);
  });
});
