import crypto from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BODY_LIMIT_BYTES } from '../../../shared/http/request-body.ts';
import { synthesizeEdge } from '../../support/edge-template.ts';
import { type RunningGateway, startGateway } from '../../support/gateway.ts';

const plain = synthesizeEdge();
const withLarge = synthesizeEdge({ largeBodies: 'true' });

/** What CloudFront hands to a function, as far as the rule reads it. */
interface EdgeRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Runs the very text that is deployed, on a request; where it was led to, and what was answered. */
function runRule(source: string, { method, headers }: EdgeRequest) {
  let originId = 'of the behavior';
  const cf = {
    selectRequestOriginById: (id: string) => {
      originId = id;
    },
  };
  const request = {
    method,
    uri: '/v1/responses',
    querystring: {},
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }])),
    cookies: {},
  };
  const event = {
    version: '1.0',
    context: { eventType: 'viewer-request', requestId: 'CF-request-id_1==' },
    viewer: { ip: '192.0.2.1' },
    request,
  };
  const script = source.replace(/^import \w+ from '\w+';$/gm, '');
  const result = runInNewContext(`${script}\nhandler(event)`, { cf, crypto, event });
  return result === request ? { originId } : { refused: result };
}

describe('the size rule', () => {
  const EVENT_BYTES = 6_291_456;
  const SURE_BYTES = 2_000_000;
  const post = (bytes: number | undefined, headers: Record<string, string> = {}) => ({
    method: 'POST',
    headers: { ...headers, ...(bytes !== undefined && { 'content-length': String(bytes) }) },
  });

  test.each([
    ['no body', post(0)],
    ['the longest body', post(EVENT_BYTES)],
    ['the longest compressed body', post(4_718_592, { 'content-encoding': 'gzip' })],
    ['a body of unknown length', post(undefined)],
    ['a plain body that says so', post(EVENT_BYTES, { 'content-encoding': 'Identity' })],
    ...['GET', 'HEAD', 'OPTIONS'].map((method) => [method, { method, headers: {} }] as const),
  ] as const)('lets %s through to its function', (_, request) => {
    expect(runRule(plain.ruleSource, request)).toEqual({ originId: 'of the behavior' });
  });

  test.each([
    ['one byte more', post(EVENT_BYTES + 1), EVENT_BYTES],
    ['one compressed byte more', post(4_718_593, { 'content-encoding': 'br' }), 4_718_592],
    ['far more', post(10_000_000_000), EVENT_BYTES],
    ['a PUT', { ...post(EVENT_BYTES + 1), method: 'PUT' }, EVENT_BYTES],
  ])('refuses %s without a large origin', (_, request, limit) => {
    const { refused } = runRule(plain.ruleSource, request);
    expect(refused.statusCode).toBe(413);
    expect(JSON.parse(refused.body.data).error.message).toContain(`larger than ${limit} bytes`);
  });

  test.each([
    ['a small body', post(SURE_BYTES), 'of the behavior'],
    ['one byte more', post(SURE_BYTES + 1), 'large-bodies'],
    ['the longest body', post(BODY_LIMIT_BYTES), 'large-bodies'],
    ['a compressed one', post(SURE_BYTES + 1, { 'content-encoding': 'gzip' }), 'large-bodies'],
    ['a body of unknown length', post(undefined), 'large-bodies'],
    [
      'a length that is none',
      { method: 'POST', headers: { 'content-length': 'x' } },
      'large-bodies',
    ],
    ['a request without a body', { method: 'GET', headers: {} }, 'of the behavior'],
    ['a preflight', { method: 'OPTIONS', headers: {} }, 'of the behavior'],
  ])('with a large origin leads %s where it is taken', (_, request, originId) => {
    expect(runRule(withLarge.ruleSource, request)).toEqual({ originId });
  });

  test('knows the large origin by its ID in the distribution', () => {
    const origin = withLarge.origins.find(({ Id }) => Id === 'large-bodies');
    expect(origin?.VpcOriginConfig).toMatchObject({ OriginReadTimeout: 120 });
  });

  test('fits into CloudFront, which takes 10 KB, and imports in its first line', () => {
    for (const { ruleSource } of [plain, withLarge]) {
      expect(Buffer.byteLength(ruleSource)).toBeLessThan(10_000);
      expect(ruleSource).toMatch(/^import cf from 'cloudfront';\n/);
      expect(ruleSource).not.toContain('__SETTINGS__');
    }
    plain.template.hasResourceProperties('AWS::CloudFront::Function', {
      FunctionConfig: { Runtime: 'cloudfront-js-2.0' },
    });
  });

  describe('beside the gateway itself', () => {
    let gateway: RunningGateway;
    beforeAll(async () => {
      gateway = await startGateway();
    });
    afterAll(() => gateway?.stop());

    test('answers exactly as the gateway does', async () => {
      const body = Buffer.alloc(BODY_LIMIT_BYTES + 1, ' ');
      const answer = await fetch(`${gateway.url}/v1/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.apiKey}` },
        body,
      });
      const { refused } = runRule(withLarge.ruleSource, post(body.length));
      expect(answer.status).toBe(refused.statusCode);
      expect(await answer.text()).toBe(refused.body.data);
      const theirs = Object.fromEntries(answer.headers);
      const ours = Object.entries<{ value: string }>(refused.headers);
      expect(ours.map(([name]) => name)).toContain('access-control-allow-origin');
      for (const [name, { value }] of ours) {
        if (name === 'x-request-id') {
          expect(value).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
          const mintedAtMs = Number.parseInt(value.replace('-', '').slice(0, 12), 16);
          expect(Math.abs(Date.now() - mintedAtMs)).toBeLessThan(60_000);
        } else {
          expect(theirs[name]).toBe(value);
        }
      }
      // What the gateway adds to it is of the connection, or of the key's bucket.
      const more = Object.keys(theirs).filter((name) => !(name in refused.headers));
      expect(
        more.filter(
          (name) =>
            !/^(date|connection|keep-alive|transfer-encoding|content-length|x-ratelimit-.*)$/.test(
              name,
            ),
        ),
      ).toEqual([]);
    });
  });
});
