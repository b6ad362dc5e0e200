import { describe, expect, test } from 'vitest';
import { ERROR_EXAMPLES } from '../../scripts/openapi/examples/errors.ts';
import {
  DOCUMENT,
  expectFrames,
  expectRequestDocumented,
  expectValid,
  pointerTo,
} from '../support/openapi.ts';
import {
  anyAnswer,
  jsonFrames,
  PATHS,
  type Route,
  requestOf,
  useSpecGateway,
} from '../support/spec-gateway.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is JSON of many shapes
type Loose = any;

const spec = useSpecGateway();
const ROUTES: readonly Route[] = ['chat', 'responses'];
const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';

function examplesOf(content: Loose): [name: string, value: Loose][] {
  return Object.entries<Loose>(content.examples).map(([name, { value }]) => [name, value]);
}

async function expectServed(route: Route, body: Loose): Promise<void> {
  spec.upstream().enqueue(anyAnswer);
  spec.tookToken();
  const { status, text } = await spec.post(PATHS[route], body);
  expect(status, text).toBe(200);
  if (body.stream) jsonFrames(text);
}

describe.each(ROUTES)('%s', (route) => {
  const { post } = DOCUMENT.paths[PATHS[route]];
  const inAnswer = (type: string) =>
    pointerTo('paths', PATHS[route], 'post', 'responses', '200', 'content', type);

  test.each(examplesOf(post.requestBody.content[JSON_TYPE]))(
    'the request %s is documented and served',
    async (_, body) => {
      expectRequestDocumented(PATHS[route], body);
      await expectServed(route, body);
    },
  );

  test('the command of the description is served', async () => {
    const body = / -d '(.+)'\n/.exec(post.description)?.[1];
    expect(post.description).toContain(`"$BASE_URL${PATHS[route]}"`);
    await expectServed(route, JSON.parse(body ?? ''));
  });

  test.each(examplesOf(post.responses['200'].content[JSON_TYPE]))(
    'the answer %s is as its schema says',
    (_, body) => expectValid(body, `${inAnswer(JSON_TYPE)}/schema`, 'closed'),
  );

  test.each(examplesOf(post.responses['200'].content[STREAM_TYPE]))(
    'the frames of the stream %s are as their schema says',
    (_, text) => {
      expect(jsonFrames(text).length).toBeGreaterThan(2);
      expectFrames(text, `${inAnswer(STREAM_TYPE)}/x-itemSchema`, 'closed');
    },
  );

  test('every error is as its schema says', () => {
    for (const [status, response] of Object.entries<Loose>(post.responses)) {
      const part = response.$ref
        ? DOCUMENT.components.responses[response.$ref.split('/').at(-1)]
        : response;
      if (Number(status) < 400) continue;
      for (const [, body] of examplesOf(part.content[JSON_TYPE])) {
        expectValid(body, '/components/schemas/Error');
      }
    }
  });
});

test('the documents and the headers are as their schemas say', () => {
  for (const [path, name] of [
    ['/v1/models', 'ModelList'],
    ['/v1/catalog', 'Catalog'],
  ] as const) {
    const { example } = DOCUMENT.paths[path].get.responses['200'].content[JSON_TYPE];
    expectValid(example, `/components/schemas/${name}`);
  }
  for (const [name, { example }] of Object.entries<Loose>(DOCUMENT.components.headers)) {
    if (example !== undefined)
      expectValid(example, pointerTo('components', 'headers', name, 'schema'));
  }
});

describe('the messages of errors are the ones that the gateway sends', () => {
  const hello = (fields: object = {}) => requestOf('chat', { ...fields });
  const messageOf = async (apiKey: string | undefined, body: unknown = hello()) =>
    (await spec.post(PATHS.chat, body, { apiKey })).body.error.message;

  test('401 and 404', async () => {
    expect(await messageOf(undefined)).toBe(ERROR_EXAMPLES.authentication.missing?.message);
    expect(await messageOf('tg_wrong')).toBe(ERROR_EXAMPLES.authentication.wrong?.message);
    const { body } = await spec.post('/v1/embeddings', {});
    expect(body.error.message).toBe(ERROR_EXAMPLES.not_found.route?.message);
  });

  test('402', async () => {
    const {
      balance,
      'lifetime-limit': lifetime,
      'recurring-limit': recurring,
    } = ERROR_EXAMPLES.billing;
    const poor = await spec.newKey('0.000001');
    expect(await messageOf(poor.apiKey)).toBe(balance?.message);
    const limited = await spec.newKey('50.00', '--limit-lifetime', '0.000001');
    expect(await messageOf(limited.apiKey)).toBe(lifetime?.message);
    const daily = await spec.newKey('50.00', '--limit-recurring', '0.000001', '--period', 'day');
    expect(await messageOf(daily.apiKey)).toBe(recurring?.message);
  });

  test('403 and 429', async () => {
    const disabled = await spec.newKey('50.00');
    await spec.admin('key', 'disable', disabled.keyId);
    expect(await messageOf(disabled.apiKey)).toBe(ERROR_EXAMPLES.permission.disabled?.message);
    const expired = await spec.newKey('50.00', '--expires', '2026-01-01T00:00:00Z');
    expect(await messageOf(expired.apiKey)).toBe(ERROR_EXAMPLES.permission.expired?.message);
    const slow = await spec.newKey('0.000001', '--burst', '1', '--rate', '0.001');
    await messageOf(slow.apiKey);
    expect(await messageOf(slow.apiKey)).toBe(ERROR_EXAMPLES.rate_limit.bucket?.message);
  });

  test('413 and 500', async () => {
    const { apiKey } = spec.key();
    const large = Buffer.alloc(100_000_001, ' ');
    expect(await messageOf(apiKey, large)).toBe(ERROR_EXAMPLES.too_large.body?.message);
    const alone = hello({ provider: 'openai' });
    spec.upstream().enqueue({ status: 503, json: {} }, { sse: 'openai', events: [] });
    spec.tookToken();
    expect(await messageOf(apiKey, alone)).toBe(ERROR_EXAMPLES.gateway.provider?.message);
    spec.tookToken();
    const broken = await messageOf(apiKey, { ...alone, stream: true });
    expect(broken).toBe(ERROR_EXAMPLES.gateway.broken?.message);
  });
});
