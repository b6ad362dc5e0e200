import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { RENEW_AT_MOST_EVERY_MS } from '../../../shared/settings/kept-value.ts';
import { openUpstreams } from '../../../shared/settings/upstreams.ts';
import { type SecretsServer, secretArn, startSecretsServer } from '../../support/secrets-server.ts';

const ARN = secretArn('provider-credentials');
const CREDENTIAL = 'sk-credential';
const STORED = { PROVIDER_CREDENTIALS_SECRET_ARN: ARN };

let secrets: SecretsServer;

beforeAll(async () => {
  secrets = await startSecretsServer();
  for (const [name, value] of Object.entries(secrets.environment)) vi.stubEnv(name, value);
});
afterEach(() => {
  secrets.fail(false);
  vi.useRealTimers();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await secrets.close();
});

const current = (environment: NodeJS.ProcessEnv) =>
  openUpstreams(environment, () => undefined).current();

test('a provider can be called where it has an address and, in a secret, a credential', async () => {
  secrets.put(ARN, JSON.stringify({ openai: ` ${CREDENTIAL}\n`, azure: 'a', anthropic: null }));
  const openai = { url: 'https://api.openai.com/v1', credential: CREDENTIAL };
  expect(await current(STORED)).toEqual({ openai });
  const azureUrl = { UPSTREAM_AZURE_URL: 'https://azure/openai/v1/' };
  expect(await current({ ...STORED, ...azureUrl, UPSTREAM_ANTHROPIC_KEY: 'unused' })).toEqual({
    openai,
    azure: { url: 'https://azure/openai/v1', credential: 'a' },
  });
});

test('a secret that nobody has filled in is looked at again, not at every request', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  secrets.put(ARN, '{"unset":"generated"}');
  const source = openUpstreams(STORED, () => undefined);
  expect(await source.current()).toEqual({});
  const { length } = secrets.reads;
  secrets.put(ARN, JSON.stringify({ openai: CREDENTIAL }));
  expect(await source.current()).toEqual({});
  expect(secrets.reads).toHaveLength(length);
  vi.advanceTimersByTime(RENEW_AT_MOST_EVERY_MS);
  expect(Object.keys(await source.current())).toEqual(['openai']);
});

test('in the environment an address alone will do, for it may be a simulated provider', async () => {
  expect(
    await current({ UPSTREAM_OPENAI_URL: 'http://simulated/', UPSTREAM_ANTHROPIC_KEY: 'key' }),
  ).toEqual({
    openai: { url: 'http://simulated', credential: undefined },
    anthropic: { url: 'https://api.anthropic.com/v1', credential: 'key' },
  });
  const refused = () => openUpstreams({ UPSTREAM_AZURE_KEY: 'key' }, () => undefined);
  expect(refused).toThrow('UPSTREAM_AZURE_URL');
  const broken = () => openUpstreams({ UPSTREAM_OPENAI_KEY: `${CREDENTIAL}\nx` }, () => undefined);
  expect(broken).toThrow('UPSTREAM_OPENAI_KEY');
  expect(broken).not.toThrow(CREDENTIAL);
});

test.each([
  ['that is no JSON', `{"openai": "${CREDENTIAL}"`],
  ['that is a bare credential', CREDENTIAL],
  ['that is a list', JSON.stringify([CREDENTIAL])],
  ['of a number', '{"openai": 17}'],
  ['of two lines', JSON.stringify({ openai: `${CREDENTIAL}\nx` })],
  ['that is not there', undefined],
])('a secret %s is named and never quoted', async (_name, text) => {
  secrets.put(ARN, text);
  const error = await current(STORED).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain('PROVIDER_CREDENTIALS_SECRET_ARN');
  expect(inspect(error)).not.toContain(CREDENTIAL);
});

test('a store that answers with garbage, or not at all, is an error in time, without a quote', async () => {
  secrets.put(ARN, CREDENTIAL);
  secrets.fail('garbage');
  const garbage = await current(STORED).catch((thrown: unknown) => thrown);
  expect(String(garbage)).toContain('PROVIDER_CREDENTIALS_SECRET_ARN');
  expect(inspect(garbage, { depth: null, showHidden: true })).not.toContain(CREDENTIAL);

  secrets.fail('silence');
  const begun = performance.now();
  await expect(current(STORED)).rejects.toThrow(/PROVIDER_CREDENTIALS_SECRET_ARN.*(Abort|Timeout)/);
  // Two reads of three seconds: the one at the start, and the request's own.
  expect(performance.now() - begun).toBeLessThan(10_000);
});
