import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type RunningGateway, startGateway } from '../support/gateway.ts';
import { scriptedProviders } from '../support/money.ts';
import {
  type AnswerOptions,
  chatAnswer,
  messagesAnswer,
  responsesAnswer,
  type Turn,
} from '../support/provider-answers.ts';
import {
  type ScriptedAnswer,
  type ScriptedUpstream,
  startScriptedUpstream,
} from '../support/scripted-upstream.ts';

let upstream: ScriptedUpstream;
let gateway: RunningGateway;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  gateway = await startGateway({ environment: scriptedProviders(upstream) });
});

afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
});

const TEXT = 'Grüße aus Zürich 🎉, 你好!';
const ARGUMENTS = '{"city":"Zürich","days":[1,2],"unit":"°C"}';
const CALL: Turn = { call: { id: 'call_Wx1', name: 'get_weather', arguments: ARGUMENTS } };
const COUNTED = { input: 1_000, cached: 200, output: 50 };

/*
 * By hand, from the catalog's prices in US dollars per million tokens, in nano-dollars a token:
 * gpt-5.6-sol   800 × 5,000 + 200 × 500 + 50 × 30,000 = 5,600,000
 * claude-sonnet-5   800 × 2,000 + 200 × 200 + 50 × 10,000 = 2,140,000
 */
const FAMILIES = [
  { family: 'OpenAI', model: 'gpt-5.6-sol', provider: 'openai', charge: '0.0056' },
  { family: 'Anthropic', model: 'claude-sonnet-5', provider: 'anthropic', charge: '0.00214' },
] as const;

const PARAMETERS = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'array', items: { type: 'number' } } },
  required: ['city'],
};

/** An account and key of its own for one test: 25 dollars, and a client that never retries. */
async function newClient() {
  const account = await gateway.admin('account', 'create', '--name', 'test', '--credit', '25.00');
  const key = await gateway.admin('key', 'create', '--account', account.accountId);
  const client = new OpenAI({
    apiKey: key.apiKey,
    baseURL: `${gateway.url}/v1`,
    maxRetries: 0,
  });
  return { client, accountId: account.accountId as string, keyId: key.keyId as string };
}

/** One turn as the client saw it, whatever the route and whether it was streamed. */
interface Seen {
  readonly text: string;
  readonly call: { id: string; name: string; arguments: string } | undefined;
  readonly totalTokens: number | undefined;
  /** What the next turn's history repeats of this one. */
  readonly echo: unknown[];
}

interface Ask {
  readonly client: OpenAI;
  readonly model: string;
  readonly stream: boolean;
  readonly history: unknown[];
}

const chat = {
  route: 'chat',
  answer: (provider: string, options: AnswerOptions): ScriptedAnswer =>
    provider === 'anthropic' ? messagesAnswer(options) : chatAnswer(options),
  question: { role: 'user', content: 'What is the weather?' },
  result: (id: string) => ({ role: 'tool', tool_call_id: id, content: '21 °C' }),
  ask: async ({ client, model, stream, history }: Ask): Promise<Seen> => {
    const body = {
      model,
      messages: history as OpenAI.ChatCompletionMessageParam[],
      tools: [
        { type: 'function' as const, function: { name: 'get_weather', parameters: PARAMETERS } },
      ],
    };
    const completion = stream
      ? await client.chat.completions.stream(body).finalChatCompletion()
      : await client.chat.completions.create(body);
    const message = completion.choices[0]?.message;
    const call = message?.tool_calls?.[0];
    return {
      text: message?.content ?? '',
      call: call?.type === 'function' ? { id: call.id, ...call.function } : undefined,
      totalTokens: completion.usage?.total_tokens,
      echo: [message],
    };
  },
};

const responses: typeof chat = {
  route: 'responses',
  answer: (provider, options) =>
    provider === 'anthropic' ? messagesAnswer(options) : responsesAnswer(options),
  question: { role: 'user', content: 'What is the weather?' },
  result: (id) => ({ type: 'function_call_output', call_id: id, output: '21 °C' }) as never,
  ask: async ({ client, model, stream, history }) => {
    const body = {
      model,
      input: history as OpenAI.Responses.ResponseInput,
      tools: [
        { type: 'function' as const, name: 'get_weather', parameters: PARAMETERS, strict: false },
      ],
    };
    const response = stream
      ? await client.responses.stream(body).finalResponse()
      : await client.responses.create(body);
    const output: OpenAI.Responses.ResponseOutputItem[] = response.output;
    const call = output.find((item) => item.type === 'function_call');
    return {
      text: response.output_text,
      call: call && { id: call.call_id, name: call.name, arguments: call.arguments },
      totalTokens: response.usage?.total_tokens,
      echo: response.output,
    };
  },
};

describe.each([chat, responses])('$route', (route) => {
  describe.each(FAMILIES)('$family', ({ model, provider, charge }) => {
    test.each([{ stream: false }, { stream: true }])(
      'text, streamed: $stream',
      async ({ stream }) => {
        const { client, accountId, keyId } = await newClient();
        upstream.enqueue(
          route.answer(provider, { turn: { text: TEXT }, counted: COUNTED, stream }),
        );

        const seen = await route.ask({ client, model, stream, history: [route.question] });

        expect(seen).toMatchObject({ text: TEXT, call: undefined, totalTokens: 1_050 });
        const [entry] = await settled(accountId, [charge]);
        expect(entry).toMatchObject({
          kind: 'charge',
          keyId,
          model,
          provider,
          inputTokens: 800,
          cachedInputTokens: 200,
          outputTokens: 50,
        });
      },
    );

    test.each([{ stream: false }, { stream: true }])(
      'a function tool round trip, streamed: $stream',
      async ({ stream }) => {
        const { client, accountId } = await newClient();
        upstream.enqueue(
          route.answer(provider, { turn: CALL, counted: COUNTED, stream }),
          route.answer(provider, { turn: { text: TEXT }, counted: COUNTED, stream }),
        );

        const first = await route.ask({ client, model, stream, history: [route.question] });
        expect(first.call).toEqual({ id: 'call_Wx1', name: 'get_weather', arguments: ARGUMENTS });
        const history = [route.question, ...first.echo, route.result('call_Wx1')];
        const second = await route.ask({ client, model, stream, history });

        expect(second.text).toBe(TEXT);
        const sent = JSON.stringify(upstream.requests.at(-1)?.body);
        expect(sent).toContain('call_Wx1');
        expect(sent).toContain('21 °C');
        await settled(accountId, [charge, charge]);
      },
    );
  });
});

/** The ledger holds exactly these charges, and `available` is the credit less them, to the nano-dollar. */
async function settled(accountId: string, charges: readonly string[]) {
  return eventually(async () => {
    const account = await gateway.admin('account', 'show', accountId);
    const entries = await gateway.admin('ledger', 'list', '--account', accountId);
    const charged = entries.filter(({ kind }: { kind: string }) => kind === 'charge');
    expect(charged.map(({ amountUsd }: { amountUsd: string }) => amountUsd)).toEqual(charges);
    const nano = (usd: string) => Math.round(Number(usd) * 1e9);
    const spent = charges.reduce((sum, amount) => sum + nano(amount), 0);
    expect(nano(account.available)).toBe(25e9 - spent);
    expect(account.held).toBe('0.00');
    return charged;
  });
}

test('what reaches the provider is the gateway’s own identity, credential and retention', async () => {
  const { client, keyId } = await newClient();
  upstream.enqueue(chatAnswer({ turn: { text: TEXT }, counted: COUNTED, stream: false }));
  await client.chat.completions.create({
    model: 'openai/gpt-5.6-sol',
    messages: [{ role: 'user', content: 'Hello' }],
  });
  const sent = upstream.requests.at(-1);
  expect(sent?.path).toBe('/openai/chat/completions');
  expect(sent?.headers.authorization).toBe('Bearer sk-openai-secret');
  expect(sent?.body).toMatchObject({ model: 'gpt-5.6-sol', store: false, service_tier: 'default' });
  expect(sent?.body.safety_identifier).toMatch(/^[0-9a-f]{64}$/);
  expect(sent?.text).not.toContain(keyId);

  upstream.enqueue(messagesAnswer({ turn: { text: TEXT }, counted: COUNTED, stream: false }));
  await client.responses.create({ model: 'claude-sonnet-5', input: 'Hello' });
  const toAnthropic = upstream.requests.at(-1);
  expect(toAnthropic?.path).toBe('/anthropic/messages');
  expect(toAnthropic?.headers).toMatchObject({
    'x-api-key': 'sk-ant-secret',
    'anthropic-version': '2023-06-01',
  });
  expect(toAnthropic?.body).toMatchObject({ model: 'claude-sonnet-5', max_tokens: 128_000 });
});

describe('refusals', () => {
  const path = '/v1/chat/completions';
  const valid = { model: 'gpt-5.6-sol', messages: [{ role: 'user', content: 'Hi' }] };

  async function post(apiKey: string | undefined, body: unknown = valid, at = path) {
    const response = await fetch(`${gateway.url}${at}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  async function newKey(credit: string, ...limits: string[]) {
    const account = await gateway.admin('account', 'create', '--name', 'poor', '--credit', credit);
    const key = await gateway.admin('key', 'create', '--account', account.accountId, ...limits);
    return { ...key, accountId: account.accountId };
  }

  /** The exact shape of part 7, nothing sent upstream, and no hold left behind. */
  async function expectRefused(
    request: () => ReturnType<typeof post>,
    expected: { status: number; type: string; accountId?: string },
  ) {
    const before = upstream.requests.length;
    const answer = await request();
    expect(answer.status).toBe(expected.status);
    expect(answer.body).toEqual({
      error: { message: expect.stringMatching(/\w/), type: expected.type },
    });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(upstream.requests.length).toBe(before);
    const { accountId } = expected;
    if (accountId !== undefined) {
      await eventually(async () => {
        expect(await gateway.admin('account', 'show', accountId)).toMatchObject({ held: '0.00' });
      });
    }
    return answer;
  }

  test('401 without a key, and with a mistyped one', async () => {
    const expected = { status: 401, type: 'authentication_error' };
    await expectRefused(() => post(undefined), expected);
    await expectRefused(() => post(`${gateway.apiKey.slice(0, -1)}_`), expected);
    await expectRefused(() => post('sk-not-ours'), expected);
  });

  test('403 with a disabled key, from the next request on', async () => {
    const key = await newKey('5.00');
    upstream.enqueue(chatAnswer({ turn: { text: 'ok' }, counted: COUNTED, stream: false }));
    expect((await post(key.apiKey)).status).toBe(200);
    await gateway.admin('key', 'disable', key.keyId);
    await expectRefused(() => post(key.apiKey), {
      status: 403,
      type: 'permission_denied',
      accountId: key.accountId,
    });
  });

  test('402 with an empty balance', async () => {
    const key = await newKey('0.000001');
    const answer = await expectRefused(() => post(key.apiKey), {
      status: 402,
      type: 'billing_error',
      accountId: key.accountId,
    });
    expect(answer.headers.get('x-should-retry')).toBe('false');
    expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('59');
  });

  test('429 with an empty bucket, and waiting as long as it says works', async () => {
    const key = await newKey('5.00', '--burst', '1', '--rate', '1');
    const answer = () => chatAnswer({ turn: { text: 'ok' }, counted: COUNTED, stream: false });
    upstream.enqueue(answer());
    expect((await post(key.apiKey)).status).toBe(200);
    const refused = await expectRefused(() => post(key.apiKey), {
      status: 429,
      type: 'rate_limit_error',
      accountId: key.accountId,
    });
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(refused.headers.get('x-ratelimit-limit-requests')).toBe('1');
    expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    const waitMs = Number(refused.headers.get('retry-after-ms'));
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    upstream.enqueue(answer());
    expect((await post(key.apiKey)).status).toBe(200);
  });

  test('400 for an unknown model, 404 for an unknown path or method', async () => {
    const key = await newKey('5.00');
    const { accountId } = key;
    const unknown = await expectRefused(() => post(key.apiKey, { ...valid, model: 'gpt-0' }), {
      status: 400,
      type: 'invalid_request_error',
      accountId,
    });
    expect(unknown.headers.get('x-ratelimit-remaining-requests')).toBe('60');
    const notFound = { status: 404, type: 'invalid_request_error', accountId };
    await expectRefused(() => post(key.apiKey, valid, '/v1/completions'), notFound);
    await expectRefused(() => post(key.apiKey, valid, '/v1/models'), notFound);
  });
});
