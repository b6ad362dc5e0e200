import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EDGE_SECRET_HEADER } from '../../../shared/http/edge-lock.ts';
import { openEdgeLock, parseEdgeSecrets } from '../../../shared/settings/edge-lock.ts';
import { type RunningGateway, startGateway } from '../../support/gateway.ts';
import { type SecretsServer, secretArn, startSecretsServer } from '../../support/secrets-server.ts';

const ARN = secretArn('edge-secret');
const FIRST = 'first-value-of-the-edge-0123456789ab';
const SECOND = 'second-value-of-the-edge-0123456789a';

const ROUTES: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/v1/chat/completions'],
  ['POST', '/v1/responses'],
  ['GET', '/v1/models'],
  ['GET', '/v1/catalog'],
  ['GET', '/nowhere'],
  ['OPTIONS', '/v1/chat/completions'],
  ['OPTIONS', '/v1/models'],
];

describe('functions that are locked to the edge', () => {
  let secrets: SecretsServer;
  let gateway: RunningGateway;

  beforeAll(async () => {
    secrets = await startSecretsServer();
    secrets.put(ARN, JSON.stringify({ first: FIRST, second: '' }));
    const environment = { ...secrets.environment, EDGE_SECRET_ARN: ARN };
    gateway = await startGateway({ environment });
  });
  afterAll(async () => {
    await gateway?.stop();
    await secrets?.close();
  });

  /** A request that would be served, but for what `headers` say. */
  const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
    fetch(`${gateway.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${gateway.apiKey}`,
        'content-type': 'application/json',
        ...headers,
      },
      ...(method === 'POST' && {
        body: JSON.stringify({
          model: 'gpt-5.6-sol',
          ...(path.endsWith('responses')
            ? { input: 'Hello.' }
            : { messages: [{ role: 'user', content: 'Hello.' }] }),
        }),
      }),
    });

  test.each(ROUTES)(
    'refuse %s %s that came another way, before anything else',
    async (...route) => {
      const tries = [{}, { [EDGE_SECRET_HEADER]: '' }, { [EDGE_SECRET_HEADER]: `${FIRST}0` }];
      for (const headers of tries) {
        const answer = await ask(...route, { ...headers, authorization: 'Bearer nobody' });
        expect(answer.status).toBe(404);
        expect(answer.headers.get('access-control-allow-origin')).toBe('*');
        expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f]{8}-[\da-f]{4}-7/);
        const { error } = (await answer.json()) as { error: Record<string, string> };
        expect(error.type).toBe('invalid_request_error');
        expect(error.message).toMatch(/base address of the service/);
      }
    },
  );

  test.each(ROUTES)('serve %s %s that came through the edge', async (...route) => {
    const answer = await ask(...route, { [EDGE_SECRET_HEADER]: FIRST });
    const text = await answer.text();
    const [method, path] = route;
    expect(answer.status, text).toBe(path === '/nowhere' ? 404 : method === 'OPTIONS' ? 204 : 200);
    if (path === '/nowhere') expect(text).toMatch(/GET \/nowhere is not a route/);
  });

  test('do not ask for the secret at every wrong value', async () => {
    const before = secrets.reads.length;
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        ask('GET', '/v1/models', { [EDGE_SECRET_HEADER]: `${'guess'.repeat(8)}${at}` }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(404));
    expect(secrets.reads.length - before).toBeLessThanOrEqual(1);
  });
});

test('a new value opens without a restart, beside the one that it replaces', async () => {
  const secrets = await startSecretsServer();
  secrets.put(ARN, JSON.stringify({ first: FIRST, second: '' }));
  const environment = { ...secrets.environment, EDGE_SECRET_ARN: ARN };
  const gateway = await startGateway({ environment });
  const statusWith = async (value: string) => {
    const headers = { [EDGE_SECRET_HEADER]: value };
    return (await fetch(`${gateway.url}/v1/models`, { headers })).status;
  };
  try {
    expect(await statusWith(FIRST)).toBe(200);
    secrets.put(ARN, JSON.stringify({ first: FIRST, second: SECOND }));
    expect(await statusWith(SECOND)).toBe(200);
    expect(await statusWith(FIRST)).toBe(200);
  } finally {
    await gateway.stop();
    await secrets.close();
  }
});

test('a lock whose secret cannot be read opens to nobody, and says so in the log alone', async () => {
  const secrets = await startSecretsServer();
  const environment = { ...secrets.environment, EDGE_SECRET_ARN: ARN };
  const gateway = await startGateway({ environment });
  try {
    for (const path of ['/v1/models', '/nowhere']) {
      const headers = { [EDGE_SECRET_HEADER]: FIRST };
      const answer = await fetch(`${gateway.url}${path}`, { headers });
      expect(answer.status).toBe(500);
      expect(await answer.text()).not.toMatch(/secret/i);
    }
    expect(gateway.output()).toMatch(/EDGE_SECRET_ARN cannot be read: ResourceNotFoundException/);
    expect(gateway.output()).not.toContain(FIRST);
  } finally {
    await gateway.stop();
    await secrets.close();
  }
});

test('without the setting there is no lock', () => {
  const telemetry = { fault: () => undefined };
  expect(openEdgeLock({}, telemetry)).toEqual([]);
  expect(openEdgeLock({ EDGE_SECRET_ARN: '' }, telemetry)).toEqual([]);
});

describe('the text of the secret', () => {
  test.each([
    [{ first: FIRST, second: '' }, [FIRST]],
    [{ first: FIRST, second: SECOND }, [FIRST, SECOND]],
    [{ first: 'short', second: SECOND, third: 7 }, [SECOND]],
  ])('%j opens with %j', (value, expected) => {
    expect(parseEdgeSecrets(JSON.stringify(value))).toEqual(expected);
  });

  test.each(['', 'not JSON but secret', 'null', '[]', '{}', '{"first":"","second":"short"}'])(
    'an unusable one (%s) opens nothing, and is not repeated',
    (text) => {
      expect(() => parseEdgeSecrets(text)).toThrow(/EDGE_SECRET_ARN/);
      expect(() => parseEdgeSecrets(text)).not.toThrow(/not JSON but/);
    },
  );
});
