import { describe, expect, test } from 'vitest';
import {
  anyAnswer,
  errorShape,
  PATHS,
  requestOf,
  useSpecGateway,
} from '../support/spec-gateway.ts';

const spec = useSpecGateway();
const ROUTES = ['chat', 'responses'] as const;

/** Sends a good request with these headers and no others that could carry a key. */
async function ask(
  headers: Record<string, string>,
  route: 'chat' | 'responses' = 'chat',
  body?: unknown,
) {
  return spec.post(PATHS[route], body ?? requestOf(route), { apiKey: undefined, headers });
}

async function expectServed(headers: Record<string, string>, route: 'chat' | 'responses') {
  spec.upstream().enqueue(anyAnswer);
  spec.tookToken();
  const { status, text } = await ask(headers, route);
  expect(status, text).toBe(200);
}

async function expectRefused(
  answer: Promise<Awaited<ReturnType<typeof ask>>>,
  status: number,
  type: string,
) {
  const before = spec.upstream().requests.length;
  const { status: got, body, headers } = await answer;
  expect(got).toBe(status);
  expect(body).toEqual(errorShape(type));
  expect(headers.get('x-request-id')).toMatch(/-7[0-9a-f]{3}-/);
  expect(spec.upstream().requests.length).toBe(before);
  return body.error.message as string;
}

describe.each(ROUTES)('%s', (route) => {
  test('5 Authorization: Bearer, in any case and with several spaces', async () => {
    const { apiKey } = spec.key();
    for (const value of [`Bearer ${apiKey}`, `bearer ${apiKey}`, `BEARER   ${apiKey}`]) {
      await expectServed({ authorization: value }, route);
    }
  });

  test('5 Authorization: the key without a scheme word', async () => {
    await expectServed({ authorization: spec.key().apiKey }, route);
  });

  test.each(['api-key', 'x-api-key', 'x-alt-api-key'])('5 %s: the key', async (header) => {
    await expectServed({ [header]: spec.key().apiKey }, route);
    await expectServed({ [header.toUpperCase()]: ` ${spec.key().apiKey} ` }, route);
  });

  test('5 Authorization, api-key, x-api-key, x-alt-api-key: the same key in several', async () => {
    const { apiKey } = spec.key();
    await expectServed(
      {
        authorization: `Bearer ${apiKey}`,
        'api-key': apiKey,
        'x-api-key': apiKey,
        'x-alt-api-key': apiKey,
      },
      route,
    );
  });

  test('5 Authorization, x-api-key: two different keys', async () => {
    const { apiKey } = spec.key();
    const message = await expectRefused(
      ask({ authorization: `Bearer ${apiKey}`, 'x-api-key': 'tg_other' }, route),
      400,
      'invalid_request_error',
    );
    expect(message).not.toContain(apiKey);
  });

  test('5 Authorization: a missing key', async () => {
    await expectRefused(ask({}, route), 401, 'authentication_error');
    await expectRefused(ask({ authorization: '' }, route), 401, 'authentication_error');
    await expectRefused(ask({ authorization: 'Bearer ' }, route), 401, 'authentication_error');
  });

  test.each(['authorization', 'api-key', 'x-api-key', 'x-alt-api-key'])(
    '5 %s: an invalid key',
    async (header) => {
      const { apiKey } = spec.key();
      const mistyped = `${apiKey.slice(0, -1)}${apiKey.endsWith('a') ? 'b' : 'a'}`;
      for (const key of [
        mistyped,
        'sk-not-ours',
        `${apiKey}x`,
        apiKey.toUpperCase(),
        'Basic dXNlcjpwYXNz',
        'a'.repeat(5_000),
      ]) {
        const message = await expectRefused(
          ask({ [header]: key }, route),
          401,
          'authentication_error',
        );
        expect(message).not.toContain(key);
      }
    },
  );

  test('5 Authorization: the credential comes before anything of the body', async () => {
    const bad = [
      ask({ 'content-encoding': 'compress' }, route),
      ask({ 'content-type': 'text/plain' }, route),
      ask({}, route, '{'),
      ask({}, route, { model: 'gpt-0' }),
    ];
    for (const answer of bad) await expectRefused(answer, 401, 'authentication_error');
  });

  test('5 Authorization: a key in the body or the query is none', async () => {
    const { apiKey } = spec.key();
    const answer = spec.post(
      `${PATHS[route]}?api_key=${apiKey}`,
      { ...requestOf(route), api_key: apiKey },
      { apiKey: undefined },
    );
    await expectRefused(answer, 401, 'authentication_error');
  });
});

describe('key state', () => {
  test('5 Authorization: a disabled key, enabled again', async () => {
    const { apiKey, keyId } = await spec.newKey('5.00');
    const { admin } = spec;
    await admin('key', 'disable', keyId);
    for (const route of ROUTES) {
      await expectRefused(ask({ 'x-api-key': apiKey }, route), 403, 'permission_denied');
    }
    await admin('key', 'enable', keyId);
    spec.upstream().enqueue(anyAnswer);
    expect((await ask({ 'x-api-key': apiKey })).status).toBe(200);
  });

  test('5 Authorization: an expired key is disabled', async () => {
    const { apiKey, keyId } = await spec.newKey('5.00', '--expires', '2026-01-01T00:00:00Z');
    await expectRefused(ask({ 'x-api-key': apiKey }), 403, 'permission_denied');
    expect(JSON.stringify(await spec.admin('key', 'show', keyId))).toMatch(
      /disabled|"enabled":false|expired/,
    );
  });

  test("5 Authorization: the identity that providers see is the key's, stable, and tells nothing", async () => {
    const { keyId, accountId, apiKey } = spec.key();
    const first = await spec.accept('chat', {});
    const second = await spec.accept('responses', {});
    const toB = await spec.accept('chat', { model: 'claude-sonnet-5' });
    const toAzure = await spec.accept('chat', { provider: 'azure' });
    const identity = first.sent.body.safety_identifier;
    expect(identity).toMatch(/^[0-9a-f]{64}$/);
    expect(second.sent.body.safety_identifier).toBe(identity);
    expect(toB.sent.body.metadata).toEqual({ user_id: identity });
    expect(toAzure.sent.body.user).toBe(identity);
    for (const { sent } of [first, second, toB, toAzure]) {
      const everything = JSON.stringify([sent.text, sent.headers]);
      for (const own of [keyId, accountId, apiKey]) expect(everything).not.toContain(own);
    }
  });
});
