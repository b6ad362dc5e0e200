import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ScriptedGateway, startScriptedGateway } from '../../support/recording-gateway.ts';
import { post } from '../../support/recording-stream.ts';
import { goodAnswer, TARGETS, type Target } from '../../support/recording-targets.ts';
import type { ReceivedRequest, ScriptedAnswer } from '../../support/scripted-upstream.ts';
import { type SecretsServer, secretArn, startSecretsServer } from '../../support/secrets-server.ts';

const CREDENTIALS = secretArn('provider-credentials');
const IDENTITY = secretArn('identity-key');
const IDENTITY_KEY = 'identity-key-of-sixty-four-characters';
const OLD = 'sk-old-credential';
const NEW = 'sk-new-credential';
/** What must never be seen outside. */
const SECRET_TEXTS = [OLD, NEW, 'sk-ant-kept', IDENTITY_KEY, 'sk-openai-secret'];

let secrets: SecretsServer;
let scripted: ScriptedGateway;

beforeEach(async () => {
  secrets = await startSecretsServer();
  secrets.put(IDENTITY, `${IDENTITY_KEY}\n`);
});

afterEach(async () => {
  const { output } = scripted.gateway;
  await scripted.stop();
  await secrets.close();
  for (const text of SECRET_TEXTS) expect(output()).not.toContain(text);
});

/** A gateway that has its secrets in the stand-in, beside keys in the environment, which count for nothing. */
async function start(credentials: string | undefined): Promise<void> {
  secrets.put(CREDENTIALS, credentials);
  scripted = await startScriptedGateway({
    ...secrets.environment,
    PROVIDER_CREDENTIALS_SECRET_ARN: CREDENTIALS,
    IDENTITY_KEY_SECRET_ARN: IDENTITY,
  });
}

const target = TARGETS.find(({ name }) => name === 'OpenAI chat completions') as Target;

const bodyOf = (model = target.model) => ({ model, ...target.content });

async function ask(apiKey: string, model?: string) {
  const url = scripted.gateway.url + target.path;
  const posted = await post({ url, apiKey, body: bodyOf(model) });
  for (const text of SECRET_TEXTS) expect(JSON.stringify(posted.json)).not.toContain(text);
  return posted;
}

/** The provider once a credential was revoked: it takes one, and repeats what it refuses. */
const takes =
  (credential: string) =>
  (request: ReceivedRequest): ScriptedAnswer => {
    const sent = String(request.headers.authorization);
    if (sent === `Bearer ${credential}`) return goodAnswer(target);
    return { status: 401, json: { error: { message: `Incorrect API key provided: ${sent}` } } };
  };

const sentCredentials = () =>
  scripted.upstream.requests.map(({ headers }) => headers.authorization ?? headers['api-key']);
const readsOf = (arn: string) => secrets.reads.filter((read) => read === arn).length;

test('a credential is replaced behind everybody’s back, and no request notices', async () => {
  await start(JSON.stringify({ openai: OLD, anthropic: 'sk-ant-kept', unset: 'x' }));
  const { apiKey, accountId } = await scripted.newKey();
  scripted.upstream.enqueue(takes(OLD));
  expect((await ask(apiKey)).status).toBe(200);
  const readsBefore = readsOf(CREDENTIALS);

  // In use from the next refusal on, which is tried again within the same request.
  secrets.put(CREDENTIALS, JSON.stringify({ openai: ` ${NEW}\n`, anthropic: 'sk-ant-kept' }));
  scripted.upstream.enqueue(takes(NEW), takes(NEW), takes(NEW));
  expect((await ask(apiKey)).status).toBe(200);
  expect((await ask(apiKey)).status).toBe(200);
  expect(sentCredentials()).toEqual([
    `Bearer ${OLD}`,
    `Bearer ${OLD}`,
    `Bearer ${NEW}`,
    `Bearer ${NEW}`,
  ]);
  expect(readsOf(CREDENTIALS)).toBe(readsBefore + 1);

  // Refused while nothing was replaced: one attempt, no more reads for a while, a neutral answer.
  scripted.upstream.enqueue(takes('another'), takes('another'));
  for (const posted of [await ask(apiKey), await ask(apiKey)]) {
    expect(posted.status).toBe(500);
    expect(posted.json.error.type).toBe('gateway_error');
  }
  expect(sentCredentials()).toHaveLength(6);
  expect(readsOf(CREDENTIALS)).toBe(readsBefore + 1);
  expect(await scripted.settled(accountId, 5)).toMatchObject(
    ['charge', 'charge', 'charge', 'release', 'release'].map((kind) => ({ kind })),
  );
});

test('while the store is out the answer is ours, takes no hold, and the next request recovers', async () => {
  secrets.fail('error');
  await start(JSON.stringify({ openai: OLD }));
  const { apiKey, accountId } = await scripted.newKey();
  for (const posted of [await ask(apiKey), await ask(apiKey)]) {
    expect(posted.status).toBe(500);
    expect(posted.json).toEqual({ error: { message: expect.any(String), type: 'gateway_error' } });
    expect(posted.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
  expect(scripted.upstream.requests).toEqual([]);
  expect(scripted.gateway.output()).toContain('PROVIDER_CREDENTIALS_SECRET_ARN');

  secrets.fail(false);
  scripted.upstream.enqueue(takes(OLD));
  expect((await ask(apiKey)).status).toBe(200);
  const [sent] = scripted.upstream.requests;
  expect(sent?.body.safety_identifier).toMatch(/^[0-9a-f]{64}$/);
  expect(await scripted.settled(accountId, 1)).toMatchObject([{ kind: 'charge' }]);
});

test('a provider without a credential is no candidate: nothing is sent, held, or told wrongly', async () => {
  await start(JSON.stringify({ openai: OLD, azure: '' }));
  const { apiKey, accountId } = await scripted.newKey();
  const alone = await ask(apiKey, 'azure/gpt-5.6-sol');
  expect(alone.status).toBe(500);
  expect(alone.json.error.message).toMatch(/azure.*another model/);

  // Azure offers this model too; its place in line does not hide what OpenAI said.
  scripted.upstream.enqueue({ status: 429, headers: { 'retry-after': '7' }, json: {} });
  const limited = await ask(apiKey, 'gpt-5.6-sol');
  expect(limited.headers.get('retry-after')).toBe('7');
  expect(sentCredentials()).toEqual([`Bearer ${OLD}`]);
  expect(await scripted.settled(accountId, 1)).toMatchObject([{ kind: 'release' }]);
});

test('a secret that cannot be used is named in the log, and quoted nowhere', async () => {
  await start(`{"openai": "${OLD}"`);
  const { apiKey } = await scripted.newKey();
  expect((await ask(apiKey)).status).toBe(500);
  expect(scripted.upstream.requests).toEqual([]);
  expect(scripted.gateway.output()).toContain('PROVIDER_CREDENTIALS_SECRET_ARN');
});
