import { createOpenAI } from '@ai-sdk/openai';
import { APICallError, generateText, isStepCount, jsonSchema, Output, streamText, tool } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Turn } from '../support/provider-answers.ts';
import { withoutStore } from '../support/recording-clients.ts';
import { type ScriptedGateway, startScriptedGateway } from '../support/recording-gateway.ts';
import {
  COUNTED,
  goodAnswer,
  goodStream,
  TARGETS,
  type Target,
  TEXT,
} from '../support/recording-targets.ts';

let scripted: ScriptedGateway;

beforeAll(async () => {
  scripted = await startScriptedGateway();
});

afterAll(() => scripted?.stop());

const ARGUMENTS = '{"city":"Zürich","days":[1,2]}';
const CALL: Turn = { call: { id: 'call_Wx1', name: 'get_weather', arguments: ARGUMENTS } };
const CITY = jsonSchema<{ city: string }>({
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
});

/** The SDK's model for a target, as a key of our own sees it. */
async function modelFor({ path, model }: Target, send: typeof fetch = withoutStore) {
  const key = await scripted.newKey();
  const baseURL = `${scripted.gateway.url}/v1`;
  const provider = createOpenAI({ baseURL, apiKey: key.apiKey, fetch: send });
  return {
    key,
    model: path === '/v1/responses' ? provider.responses(model) : provider.chat(model),
  };
}

const OPTIONS = { prompt: 'Go on.', maxRetries: 0, providerOptions: { openai: { store: false } } };

describe.each(TARGETS)('$name', (target) => {
  test.each([{ stream: false }, { stream: true }])(
    'the SDK runs the client’s tool and goes on (streamed: $stream)',
    async ({ stream }) => {
      const { model, key } = await modelFor(target);
      const said = { counted: COUNTED, stream };
      scripted.upstream.enqueue(
        target.answer({ turn: CALL, ...said }),
        target.answer({ turn: { text: TEXT }, ...said }),
      );
      const inputs: unknown[] = [];
      const get_weather = tool({
        inputSchema: CITY,
        execute: (input) => {
          inputs.push(input);
          return '21 °C';
        },
      });
      const options = { ...OPTIONS, model, tools: { get_weather }, stopWhen: isStepCount(3) };
      const { text, usage } = stream ? await streamed(options) : await whole(options);
      expect(inputs).toEqual([JSON.parse(ARGUMENTS)]);
      expect(text).toBe(TEXT);
      expect(usage).toMatchObject({ inputTokens: 2_000, outputTokens: 100, totalTokens: 2_100 });
      const rows = await scripted.settled(key.accountId, 2);
      expect(rows.map((row) => row.amount_nano)).toEqual([target.charge, target.charge]);
    },
  );

  test('structured output is asked of the provider itself', async () => {
    const { model } = await modelFor(target);
    const turn = { text: '{"city":"Zürich"}' };
    scripted.upstream.enqueue(target.answer({ turn, counted: COUNTED, stream: false }));
    const output = Output.object({ schema: CITY });
    expect((await generateText({ ...OPTIONS, model, output })).output).toEqual({ city: 'Zürich' });
    const { body } = scripted.upstream.requests.at(-1) ?? {};
    const format = body.output_config?.format ?? body.response_format?.json_schema;
    const { schema } = format ?? body.text.format;
    expect(schema).toMatchObject({ type: 'object', required: ['city'] });
    expect(body).not.toHaveProperty('tools');
  });

  test('an error in mid-stream reaches the SDK after the text that came', async () => {
    const { model } = await modelFor(target);
    const good = goodStream(target);
    scripted.upstream.enqueue({
      ...good,
      events: [...good.events.slice(0, 8), target.overloaded],
    });
    const errors: unknown[] = [];
    const result = streamText({
      ...OPTIONS,
      model,
      onError: ({ error }) => void errors.push(error),
    });
    let text = '';
    for await (const part of result.stream) if (part.type === 'text-delta') text += part.text;
    expect(text.length).toBeGreaterThan(4);
    expect(TEXT.startsWith(text)).toBe(true);
    expect(errors).toHaveLength(1);
    expect(String(errors[0])).toMatch(/try again/);
  });

  test('a failure is a call error that the SDK may retry, a refusal is one that it may not', async () => {
    const { model } = await modelFor(target);
    scripted.upstream.enqueue({ status: 500, json: target.overloaded });
    const failed = await generateText({ ...OPTIONS, model }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(APICallError);
    expect(failed).toMatchObject({ statusCode: 500, isRetryable: true });
    scripted.upstream.enqueue({ status: 400, json: target.refused });
    const refused = await generateText({ ...OPTIONS, model }).catch((error: unknown) => error);
    const message = expect.stringContaining('prompt is too long');
    expect(refused).toMatchObject({ statusCode: 400, isRetryable: false, message });
  });

  test('the SDK’s own retry succeeds after a failure', async () => {
    const { model } = await modelFor(target);
    const failure = { status: 500, headers: { 'retry-after-ms': '20' }, json: target.overloaded };
    scripted.upstream.enqueue(failure, goodAnswer(target));
    expect((await generateText({ ...OPTIONS, model, maxRetries: 1 })).text).toBe(TEXT);
  });
});

type Options = Parameters<typeof generateText>[0];

async function whole(options: Options) {
  const { text, totalUsage } = await generateText(options);
  return { text, usage: totalUsage };
}

async function streamed(options: Options) {
  const result = streamText(options as Parameters<typeof streamText>[0]);
  return { text: await result.text, usage: await result.totalUsage };
}

test('references to stored items are refused with a word on what to do', async () => {
  const target = TARGETS.find(({ path }) => path === '/v1/responses');
  if (!target) throw new TypeError('the responses route is among the targets');
  const { model } = await modelFor(target, fetch);
  scripted.upstream.enqueue(goodAnswer(target));
  const { response } = await generateText({ model, prompt: 'Go on.', maxRetries: 0 });
  const messages = [...response.messages, { role: 'user' as const, content: 'And then?' }];
  // Without `store: false` the SDK believes that its turns are kept for it.
  await expect(generateText({ model, messages, maxRetries: 0 })).rejects.toMatchObject({
    statusCode: 400,
    message: expect.stringMatching(/item_reference.*send the item itself/),
  });
});
