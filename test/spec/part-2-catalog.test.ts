import { describe, expect, test } from 'vitest';
import {
  A,
  anyAnswer,
  B,
  PATHS,
  type Route,
  requestOf,
  useSpecGateway,
} from '../support/spec-gateway.ts';

const spec = useSpecGateway();
const RETIRED = 'gpt-4o-search-preview';

const get = (path: string, headers: Record<string, string> = {}) =>
  spec.post(path, undefined, { method: 'GET', apiKey: undefined, headers });

describe('the catalog', () => {
  test('2.1 version, generatedAt, graph, indexes: the resolved graph', async () => {
    const { status, body } = await get('/v1/catalog');
    expect(status).toBe(200);
    expect(body.version).toBe('gateway.catalog.v1');
    expect(new Date(body.generatedAt).toISOString()).toBe(body.generatedAt);
    const { graph, indexes } = body;
    expect(Object.keys(graph).sort()).toEqual([
      'deployments',
      'gatewayEndpoints',
      'models',
      'providerEndpoints',
      'providers',
    ]);
    for (const [id, deployment] of Object.entries<{ model: string; provider: string }>(
      graph.deployments,
    )) {
      expect(deployment).toMatchObject({ id });
      expect(graph.models).toHaveProperty([deployment.model]);
      expect(graph.providers).toHaveProperty([deployment.provider]);
    }
    const slugs = Object.entries<string>(indexes.provider_endpoint_request_slugs);
    expect(slugs.length).toBeGreaterThan(100);
    for (const [key, deployment] of slugs) {
      expect(graph.providerEndpoints).toHaveProperty([key.slice(0, key.indexOf(':'))]);
      expect(graph.deployments).toHaveProperty([deployment]);
    }
  });

  test('2.1 graph: holds no credential and no address of a provider', async () => {
    expect((await get('/v1/catalog')).text).not.toMatch(/secret|https?:\/\/|"sk-/);
  });
});

describe('the model list', () => {
  test('2.2 object, data, id, created, owned_by: every identifier once', async () => {
    const { status, body } = await get('/v1/models');
    expect(status).toBe(200);
    expect(body.object).toBe('list');
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const model of body.data) {
      expect(model).toEqual({
        id: expect.stringMatching(/\w/),
        object: 'model',
        created: expect.any(Number),
        owned_by: expect.stringMatching(/^(?:openai|anthropic)$/),
      });
    }
    expect(ids).toEqual(
      expect.arrayContaining([A, 'gpt-5.6', B, 'claude-opus-latest', 'openai-gpt-5.6-sol-flex']),
    );
    expect(body.data.find(({ id }: { id: string }) => id === A).created).toBe(
      Date.UTC(2026, 6, 9) / 1000,
    );
  });

  test('2.2 id: a request may use every one that is listed', async () => {
    const { body } = await get('/v1/models');
    for (const { id } of body.data) {
      const { status, text } = await spec.post(
        PATHS.chat,
        requestOf('chat', { model: id, surprise: 1 }),
      );
      expect([status, text.includes('surprise')]).toEqual([400, true]);
      const route: Route = /-pro(?:-|$)/.test(id) ? 'responses' : 'chat';
      await spec.accept(route, { model: id });
    }
  }, 60_000);

  test('2.2 id: a retired model is not listed, and refused', async () => {
    const { body } = await get('/v1/models');
    expect(body.data.map(({ id }: { id: string }) => id)).not.toContain(RETIRED);
    await spec.refuse('chat', { model: RETIRED }, /retired on 2026-07-23/);
    const { graph } = (await get('/v1/catalog')).body;
    expect(Object.values<{ model: string; retiredOn: string }>(graph.deployments)).toContainEqual(
      expect.objectContaining({ model: `${RETIRED}-2025-03-11`, retiredOn: '2026-07-23' }),
    );
  });
});

/** What a slug must select: a provider, and what of the deployment shows upstream. */
const SLUGS: readonly (readonly [route: Route, slug: string, path: string, sent: object])[] = [
  ['chat', 'openai/gpt-5.6-sol', '/openai/', { service_tier: 'default' }],
  ['chat', 'azure/gpt-5.6-sol', '/azure/', { model: 'gpt-5.6-sol' }],
  ['chat', 'azure-openai/gpt-5.6', '/azure/', { model: 'gpt-5.6-sol' }],
  ['chat', 'azure/openai/gpt-5.6-sol', '/azure/', { model: 'gpt-5.6-sol' }],
  ['chat', 'anthropic/claude-sonnet-5', '/anthropic/', { model: B }],
  ['chat', 'gpt-5.6-sol-latest', '/openai/', { service_tier: 'default' }],
  ['chat', 'gpt-5.6-sol-flex', '/openai/', { service_tier: 'flex' }],
  ['chat', 'gpt-5.6-sol-flex-latest', '/openai/', { service_tier: 'flex' }],
  ['chat', 'gpt-5.6-sol-latest-flex', '/openai/', { service_tier: 'flex' }],
  ['chat', 'openai/gpt-5.6-latest-priority', '/openai/', { service_tier: 'priority' }],
  ['chat', 'gpt-5.6-sol-fast', '/openai/', { service_tier: 'priority' }],
  ['chat', 'openai-gpt-5.6-sol-flex', '/openai/', { service_tier: 'flex' }],
  ['chat', 'claude-opus-latest', '/anthropic/', { model: 'claude-opus-5' }],
  ['chat', 'claude-opus-5-us-fast', '/anthropic/', { speed: 'fast', inference_geo: 'us' }],
  ['chat', 'claude-opus-5-fast-us', '/anthropic/', { speed: 'fast', inference_geo: 'us' }],
  [
    'responses',
    'claude-opus-us-latest-fast',
    '/anthropic/',
    { model: 'claude-opus-5', speed: 'fast', inference_geo: 'us' },
  ],
  ['chat', 'claude-sonnet-5-auto', '/anthropic/', { service_tier: 'auto' }],
  ['chat', 'claude-sonnet-5-priority', '/anthropic/', { service_tier: 'auto' }],
  ['chat', 'claude-sonnet-5-standard-only', '/anthropic/', { service_tier: 'standard_only' }],
  ['responses', 'gpt-5.6-sol-pro', '/openai/', { reasoning: { mode: 'pro' } }],
  [
    'responses',
    'gpt-5.6-pro-flex',
    '/openai/',
    { reasoning: { mode: 'pro' }, service_tier: 'flex' },
  ],
];

describe('slugs', () => {
  test.each(SLUGS)(
    '2.4 model: on %s, %s selects its deployment',
    async (route, model, path, expected) => {
      const { sent } = await spec.accept(route, { model });
      expect(sent.path.startsWith(path)).toBe(true);
      expect(sent.body).toMatchObject(expected);
    },
  );

  test.each([
    ['chat', { model: 'anthropic/gpt-5.6-sol' }, /^model/],
    ['chat', { model: 'nobody/gpt-5.6-sol' }, /^model/],
    ['chat', { model: 'gpt-5.6-sol-flex-fast' }, /^model/],
    ['chat', { model: 'azure/gpt-5.6-sol-flex' }, /^model/],
    ['chat', { model: 'gpt-5.6-sol-pro' }, /POST \/v1\/responses/],
    ['responses', { model: 'gpt-5-search-api' }, /POST \/v1\/chat\/completions/],
    ['chat', { model: 'gpt-5.6-sol-flex', service_tier: 'priority' }, /^service_tier/],
    ['chat', { model: 'claude-opus-5-us', inference_geo: 'global' }, /^inference_geo/],
    ['chat', { model: 'claude-opus-5-fast', speed: 'standard' }, /^speed/],
    ['chat', { model: 'claude-sonnet-5-auto', service_tier: 'standard_only' }, /^service_tier/],
    ['chat', { model: 'azure/gpt-5.6-sol', provider: 'openai' }, /^provider/],
    ['chat', { model: 'constructor' }, /^model/],
    ['chat', { model: '__proto__' }, /^model/],
  ] as const)('2.4 model: %s refuses %j', async (route, fields, message) => {
    await spec.refuse(route, fields, message);
  });
});

/** By hand from the prices a million tokens: 800 fresh, 200 read from the cache, 50 written. */
const SIBLINGS: readonly (readonly [fields: object, deployment: string, charge: string])[] = [
  [{}, 'openai-gpt-5.6-sol', '0.0056'],
  [{ service_tier: 'flex' }, 'openai-gpt-5.6-sol-flex', '0.0028'],
  [{ service_tier: 'priority' }, 'openai-gpt-5.6-sol-fast', '0.0112'],
  [{ model: B }, 'anthropic-claude-sonnet-5', '0.00214'],
  [{ model: B, service_tier: 'priority' }, 'anthropic-claude-sonnet-5', '0.00214'],
  [{ model: B, inference_geo: 'us' }, 'anthropic-claude-sonnet-5-us', '0.002354'],
  [{ model: 'claude-opus-5' }, 'anthropic-claude-opus-5', '0.00535'],
  [{ model: 'claude-opus-5', speed: 'fast' }, 'anthropic-claude-opus-5-fast', '0.0107'],
  [
    { model: 'claude-opus-5', speed: 'fast', inference_geo: 'us' },
    'anthropic-claude-opus-5-fast-us',
    '0.01177',
  ],
];

describe('siblings', () => {
  test('2.4 service_tier, speed, inference_geo: a sibling with its own prices', async () => {
    const sent: { id: string | null; deployment: string; charge: string }[] = [];
    for (const [fields, deployment, charge] of SIBLINGS) {
      const answer = await spec.accept(
        'chat',
        { ...fields },
        { answer: (request) => executed(request) },
      );
      sent.push({ id: answer.headers.get('x-request-id'), deployment, charge });
    }
    await spec.entryOf(sent.at(-1)?.id ?? null);
    const entries = await spec.admin('ledger', 'list', '--account', spec.key().accountId);
    const found = sent.map(({ id }) =>
      entries.find((entry: { requestId: string }) => entry.requestId === id),
    );
    expect(found.map((entry) => [entry?.deployment, entry?.amountUsd])).toEqual(
      sent.map(({ deployment, charge }) => [deployment, charge]),
    );
  });
});

/** The good answer of a provider that executed what it was asked to. */
function executed(request: Parameters<typeof anyAnswer>[0]) {
  const answer = anyAnswer(request);
  if (!('json' in answer) || typeof answer.json !== 'object' || answer.json === null) return answer;
  const { service_tier, speed, inference_geo } = request.body;
  if (!request.path.endsWith('/messages'))
    return { ...answer, json: { ...answer.json, service_tier } };
  const json = answer.json as { usage: object };
  const usage = {
    ...json.usage,
    service_tier: 'standard',
    ...(speed && { speed }),
    ...(inference_geo && { inference_geo }),
  };
  return { ...answer, json: { ...json, usage } };
}

describe('fallback', () => {
  const broken = { status: 503, json: { error: { message: 'overloaded' } } };
  const script = (...answers: Parameters<ReturnType<typeof spec.upstream>['enqueue']>) =>
    spec.upstream().enqueue(...answers);
  const paths = (from: number) =>
    spec
      .upstream()
      .requests.slice(from)
      .map(({ path }) => path);

  test.each([
    ['chat', false],
    ['chat', true],
    ['responses', false],
    ['responses', true],
  ] as const)(
    '2.3 order: another provider serves %s before the first event, streamed: %s',
    async (route, stream) => {
      const before = spec.upstream().requests.length;
      script(broken, anyAnswer);
      const answer = await spec.post(PATHS[route], requestOf(route, { stream }), {
        headers: { 'X-Gateway-Return-Extra-Fields': 'provider' },
      });
      spec.tookToken();
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('"provider":"azure"');
      const api = route === 'chat' ? 'chat/completions' : 'responses';
      expect(paths(before)).toEqual([`/openai/${api}`, `/azure/${api}`]);
      expect(await spec.entryOf(answer.headers.get('x-request-id'))).toMatchObject({
        provider: 'azure',
      });
    },
  );

  test.each([
    ['a provider that only allows', { provider: 'openai' }],
    ['a tier that the other lacks', { service_tier: 'flex' }],
    ['a model of one provider', { model: B }],
  ])('2.3 only: no fallback for %s', async (_, fields) => {
    const before = spec.upstream().requests.length;
    script(broken);
    const { status, body } = await spec.post(PATHS.chat, requestOf('chat', fields));
    spec.tookToken();
    expect([status, body.error.type]).toEqual([500, 'gateway_error']);
    expect(paths(before).length).toBe(1);
  });

  test('2.3 order: no fallback to a provider that cannot take the request', async () => {
    const before = spec.upstream().requests.length;
    script(broken);
    const fields = { tools: [{ type: 'web_search' }] };
    const { status } = await spec.post(PATHS.responses, requestOf('responses', fields));
    spec.tookToken();
    expect(status).toBe(500);
    expect(paths(before)).toEqual(['/openai/responses']);
  });

  test('2.3 order: a refusal that blames the request ends the search', async () => {
    const before = spec.upstream().requests.length;
    script({
      status: 400,
      json: { error: { type: 'invalid_request_error', message: 'too long' } },
    });
    const { status } = await spec.post(PATHS.chat, requestOf('chat'));
    spec.tookToken();
    expect(status).toBe(400);
    expect(paths(before).length).toBe(1);
  });

  test('2.3 order: nothing is sent again after the first event', async () => {
    const before = spec.upstream().requests.length;
    script((request) => ({ ...anyAnswer(request), cutAfter: 3 }));
    const { status, text } = await spec.post(PATHS.chat, requestOf('chat', { stream: true }));
    spec.tookToken();
    expect(status).toBe(200);
    expect(text).toMatch(
      /data: \{"error":\{"message":"[^"]+","type":"gateway_error"\}\}\n\ndata: \[DONE\]\n\n$/,
    );
    expect(paths(before).length).toBe(1);
  });
});
