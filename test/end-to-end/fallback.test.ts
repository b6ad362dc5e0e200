import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ScriptedGateway, startScriptedGateway } from '../support/recording-gateway.ts';
import { post } from '../support/recording-stream.ts';
import { goodAnswer, goodStream, TARGETS, TEXT } from '../support/recording-targets.ts';
import type { ScriptedAnswer } from '../support/scripted-upstream.ts';

const DEADLINES = { UPSTREAM_FIRST_BYTE_MS: '500', UPSTREAM_STALL_MS: '500' };

let scripted: ScriptedGateway;

beforeAll(async () => {
  scripted = await startScriptedGateway(DEADLINES);
});

afterAll(() => scripted?.stop());

/** The routes to the OpenAI family, whose models two providers offer. */
const ROUTES = TARGETS.filter(({ model }) => model.startsWith('openai/'));
const MODEL = 'gpt-5.6-sol';

interface Asking {
  readonly route: (typeof ROUTES)[number];
  readonly answers: readonly ScriptedAnswer[];
  readonly stream: boolean;
  readonly body?: object;
}

/** Asks once; returns the answer, its `gateway` object, its ledger row, and whom the service asked. */
async function ask({ route, answers, stream, body = {} }: Asking, gateway = scripted) {
  const { apiKey, accountId } = await gateway.newKey();
  const before = gateway.upstream.requests.length;
  gateway.upstream.enqueue(...answers);
  const posted = await post({
    url: gateway.gateway.url + route.path,
    apiKey,
    headers: { 'X-Gateway-Return-Extra-Fields': 'provider, model_deployment' },
    body: { model: MODEL, ...route.content, stream, ...body },
  });
  const [row] = await gateway.settled(accountId, 1);
  const asked = gateway.upstream.requests.slice(before).map(({ path }) => path.split('/')[1]);
  const last = posted.frames.at(-1);
  const told = posted.json?.gateway ?? last?.gateway ?? last?.response?.gateway;
  // What a scenario left over would answer the next one.
  expect(gateway.upstream.pending()).toBe(0);
  return { posted, row, asked, told };
}

const UNKNOWN_MODEL: ScriptedAnswer = {
  status: 404,
  json: {
    error: { message: 'no such model', type: 'invalid_request_error', code: 'model_not_found' },
  },
};
const BY_AZURE = { provider: 'azure', model_deployment: 'azure-gpt-5.6-sol' };
const CHARGED_AZURE = { kind: 'charge', provider: 'azure', deployment: 'azure-gpt-5.6-sol' };

describe.each(ROUTES)('$name', (route) => {
  const good = goodStream(route);
  const failures: [string, ScriptedAnswer][] = [
    ['500', { status: 500, json: route.overloaded }],
    ['429', { status: 429, headers: { 'retry-after': '9' }, json: route.overloaded }],
    ['503 of a proxy', { status: 503, json: '<html>' }],
    ['529', { status: 529, json: route.overloaded }],
    ['a model that our catalog has and the provider has not', UNKNOWN_MODEL],
    ['our credential refused', { status: 401, json: route.overloaded }],
    ['a broken connection', { disconnect: true }],
    ['no answer in time', { json: '', when: new Promise(() => {}) }],
  ];
  const early: [string, ScriptedAnswer][] = [
    ['an error as the first event', { ...good, events: [route.overloaded] }],
    ['a stream without an event', { ...good, events: [] }],
    ['a stream that breaks before its first event', { ...good, cutAfter: 0 }],
    ['silence after its status', { ...good, events: [], stall: true }],
    ['broken JSON as the first event', { ...good, events: ['{"'] }],
  ];

  test.each([...failures, ...early])(
    'streamed, after %s another provider serves',
    async (_name, failure) => {
      const asking = { route, answers: [failure, good], stream: true };
      const { posted, row, asked, told } = await ask(asking);
      expect(posted.status).toBe(200);
      expect(asked).toEqual(['openai', 'azure']);
      expect(route.endOf(posted.frames)).toMatchObject({ text: TEXT, outcome: route.good });
      expect(told).toEqual(BY_AZURE);
      expect(row).toMatchObject({ ...CHARGED_AZURE, amount_nano: route.charge });
    },
  );

  const brokenBody: [string, ScriptedAnswer] = ['an unreadable body', { json: '{"id":' }];
  test.each([...failures, brokenBody])(
    'whole, after %s another provider serves',
    async (_name, failure) => {
      const asking = { route, answers: [failure, goodAnswer(route)], stream: false };
      const { posted, row, asked, told } = await ask(asking);
      expect(posted.status).toBe(200);
      expect(asked).toEqual(['openai', 'azure']);
      expect(JSON.stringify(posted.json)).toContain(TEXT);
      expect(told).toEqual(BY_AZURE);
      expect(row).toMatchObject({ ...CHARGED_AZURE, amount_nano: route.charge });
    },
  );

  test('the other provider gets its own credential, identity and no tier', async () => {
    const failure = { status: 500, json: {} };
    await ask({ route, answers: [failure, goodAnswer(route)], stream: false });
    const [first, second] = scripted.upstream.requests.slice(-2);
    expect(first?.headers).toMatchObject({ authorization: 'Bearer sk-openai-secret' });
    expect(second?.headers).toMatchObject({ 'api-key': 'azure-secret' });
    expect(second?.text).not.toContain('sk-openai-secret');
    expect(second?.headers.authorization).toBeUndefined();
    expect(second?.body).not.toHaveProperty('service_tier');
    expect(second?.body.user).toBe(first?.body.safety_identifier);
  });

  test('no deployment is asked twice: when all fail, the answer is the last failure, and free', async () => {
    const failure = { status: 500, json: route.overloaded };
    const { posted, row, asked } = await ask({ route, answers: [failure, failure], stream: true });
    expect(asked).toEqual(['openai', 'azure']);
    expect(posted.status).toBe(500);
    expect(posted.json.error.type).toBe('gateway_error');
    expect(row).toMatchObject({ kind: 'release' });
  });

  test('after the first event there is no other provider', async () => {
    const answers = [{ ...good, cutAfter: 8 }];
    const { posted, row, asked, told } = await ask({ route, answers, stream: true });
    expect(asked).toEqual(['openai']);
    expect(route.endOf(posted.frames).outcome).toBe(route.broken);
    // An error frame of the chat route has room for the error alone.
    if (told) expect(told).toEqual({ provider: 'openai', model_deployment: 'openai-gpt-5.6-sol' });
    expect(row).toMatchObject({ kind: 'charge', provider: 'openai', status: 'interrupted' });
  });

  test.each<[string, ScriptedAnswer]>([
    ['by status', { status: 400, json: route.refused }],
    ['as the first event', { ...good, events: [route.refused] }],
  ])('a refusal that blames the request ends the search: %s', async (_name, refusal) => {
    const { posted, asked } = await ask({ route, answers: [refusal], stream: true });
    expect(asked).toEqual(['openai']);
    expect(posted.status).toBe(400);
    expect(posted.json.error.message).toContain('prompt is too long');
  });

  test.each<[string, object]>([
    ['a slug with the provider’s prefix', { model: `openai/${MODEL}` }],
    ['a named provider', { provider: 'openai' }],
    ['a list of one that alone is allowed', { provider: { only: ['openai'] } }],
    ['the same under its other name', { rules: { only: ['openai'] } }],
    ['a tier that the other does not have', { service_tier: 'flex' }],
  ])('%s leaves no other provider', async (_name, body) => {
    const failure = { status: 500, json: route.overloaded };
    const { posted, asked, row } = await ask({ route, answers: [failure], stream: true, body });
    expect(asked).toEqual(['openai']);
    expect(posted.status).toBe(500);
    expect(row).toMatchObject({ kind: 'release', provider: 'openai' });
  });

  test('the order that the client prefers is the order of the search', async () => {
    const answers = [{ status: 500, json: route.overloaded }, goodAnswer(route)];
    const body = { provider: { order: ['azure'] } };
    const { asked, told } = await ask({ route, answers, stream: false, body });
    expect(asked).toEqual(['azure', 'openai']);
    expect(told).toEqual({ provider: 'openai', model_deployment: 'openai-gpt-5.6-sol' });
  });
});

test('a request that the other provider could not take stays where it is', async () => {
  const route = ROUTES.find(({ path }) => path === '/v1/responses');
  if (!route) throw new TypeError('the responses route is among them');
  const body = { tools: [{ type: 'web_search' }] };
  const failure = { status: 500, json: route.overloaded };
  const { asked, posted } = await ask({ route, answers: [failure], stream: false, body });
  expect(asked).toEqual(['openai']);
  expect(posted.status).toBe(500);
});

describe('when nobody listens at the first provider’s address', () => {
  let elsewhere: ScriptedGateway;

  beforeAll(async () => {
    elsewhere = await startScriptedGateway({ UPSTREAM_OPENAI_URL: 'http://127.0.0.1:1/openai' });
  });

  afterAll(() => elsewhere?.stop());

  test.each(ROUTES)('the other serves: $name', async (route) => {
    const asking = { route, answers: [goodStream(route)], stream: true };
    const { posted, row, asked, told } = await ask(asking, elsewhere);
    expect(asked).toEqual(['azure']);
    expect(route.endOf(posted.frames).text).toBe(TEXT);
    expect(told).toEqual(BY_AZURE);
    expect(row).toMatchObject({ ...CHARGED_AZURE, amount_nano: route.charge });
  });
});
