import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type SimulatedProviders,
  startSimulatedProviders,
} from '../../infra/local/simulated-providers/server.ts';
import { estimateTokens } from '../../shared/pricing/tokens.ts';
import { ARGUMENTS, PARAMETERS } from '../support/weather-tool.ts';

const FUNCTION = { name: 'weather', parameters: PARAMETERS };

let providers: SimulatedProviders;
let openai: OpenAI;
let azure: OpenAI;

beforeAll(async () => {
  providers = await startSimulatedProviders({ wordDelayMs: 0 });
  const settings = { apiKey: 'unused', maxRetries: 0 };
  openai = new OpenAI({ ...settings, baseURL: providers.openaiUrl });
  azure = new OpenAI({ ...settings, baseURL: providers.azureUrl });
});

afterAll(() => providers.close());

describe('chat completions', () => {
  const messages = [{ role: 'user' as const, content: 'Tell me about toll gates 🛣️' }];

  test.each(['openai', 'azure'])('%s: a stream says what a whole answer says', async (name) => {
    const client = name === 'azure' ? azure : openai;
    const whole = await client.chat.completions.create({ model: 'gpt-5.6-sol', messages });
    const stream = client.chat.completions.stream({
      model: 'gpt-5.6-sol',
      messages,
      stream_options: { include_usage: true },
    });
    let words = 0;
    for await (const chunk of stream) words += chunk.choices[0]?.delta.content ? 1 : 0;
    const streamed = await stream.finalChatCompletion();

    expect(whole.choices[0]?.message.content).toContain('toll gates 🛣️');
    expect(streamed.choices[0]?.message.content).toBe(whole.choices[0]?.message.content);
    expect(streamed.choices[0]?.finish_reason).toBe('stop');
    expect(streamed.usage).toEqual(whole.usage);
    expect(words).toBe(whole.usage?.completion_tokens);
  });

  test('a tool is called by its schema, and its result is answered', async () => {
    const tools = [{ type: 'function' as const, function: FUNCTION }];
    const request = { model: 'm', messages, tools };
    const first = await openai.chat.completions.stream(request).finalChatCompletion();
    const turn = first.choices[0]?.message;
    const [call] = turn?.tool_calls ?? [];

    expect(first.choices[0]?.finish_reason).toBe('tool_calls');
    expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toEqual(ARGUMENTS);

    const second = await openai.chat.completions.create({
      model: 'm',
      tools,
      messages: [
        ...messages,
        { role: 'assistant', content: null, tool_calls: turn?.tool_calls ?? [] },
        { role: 'tool', tool_call_id: call?.id ?? '', content: '7 degrees' },
      ],
    });
    expect(second.choices[0]?.message.content).toContain('7 degrees');
  });

  test('stops at the cap, at a stop sequence, and answers in JSON where asked', async () => {
    const ask = (fields: object) =>
      openai.chat.completions.create({ model: 'm', messages, ...fields });
    const schema = { name: 'n', schema: PARAMETERS };
    const format = { type: 'json_schema', json_schema: schema };

    const cut = await ask({ max_completion_tokens: 3 });
    expect(cut).toMatchObject({
      choices: [{ finish_reason: 'length' }],
      usage: { completion_tokens: 3 },
    });
    const stopped = await ask({ stop: ['answer'] });
    expect(stopped.choices[0]?.message.content).toBe('This is a simulated ');
    const structured = await ask({ response_format: format });
    expect(JSON.parse(structured.choices[0]?.message.content ?? '')).toEqual(ARGUMENTS);
  });

  test('reasoning counts as output', async () => {
    const { usage } = await openai.chat.completions.create({
      model: 'm',
      messages,
      reasoning_effort: 'low',
    });
    expect(usage?.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(0);
  });

  test.each([
    [{ max_tokens: 9 }, /max_tokens/],
    [{ stream_options: { include_usage: true } }, /stream_options/],
    [{ messages: [] }, /messages/],
    [{ messages: [{ role: 'assistant', content: 'x', reasoning: 'y' }] }, /reasoning/],
    [{ messages: [{ role: 'tool', tool_call_id: 'c', content: 'x' }] }, /preceeding/],
    [
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'x', cache_control: {} }] }] },
      /cache_control/,
    ],
    [
      {
        messages: [
          { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: FUNCTION }] },
          { role: 'user', content: 'x' },
        ],
      },
      /did not have response messages: c/,
    ],
  ])('refuses as the provider does: %j', async (fields, message) => {
    const request = openai.chat.completions.create(
      Object.assign({ model: 'm', messages }, fields) as typeof SMALLEST_CHAT,
    );
    await expect(request).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      message: expect.stringMatching(message),
    });
  });
});

const SMALLEST_CHAT = { model: 'm', messages: [{ role: 'user' as const, content: 'x' }] };

describe('responses', () => {
  test('a stream ends in the object that its events tell, and in what a whole answer says', async () => {
    const request = {
      model: 'm',
      input: 'Tell me about toll gates',
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    } satisfies OpenAI.Responses.ResponseCreateParams;
    const whole = await openai.responses.create(request);
    const stream = openai.responses.stream(request);
    const texts: string[] = [];
    const numbers: number[] = [];
    for await (const event of stream) {
      numbers.push(event.sequence_number);
      if (event.type === 'response.output_text.delta') texts.push(event.delta);
    }
    const final = await stream.finalResponse();

    expect(final.output_text).toBe(whole.output_text);
    expect(texts.join('')).toBe(whole.output_text);
    expect(final.usage).toEqual(whole.usage);
    expect(final.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
    expect(numbers).toEqual(numbers.map((_, index) => index));
  });

  test.each(['function', 'custom'] as const)(
    'a %s tool round trip with its reasoning',
    async (type) => {
      const tool =
        type === 'function'
          ? { type, name: 'weather', parameters: PARAMETERS, strict: null }
          : { type, name: 'shell' };
      const base = {
        model: 'm',
        tools: [tool],
        reasoning: { effort: 'low' },
        include: ['reasoning.encrypted_content'],
      } satisfies Partial<OpenAI.Responses.ResponseCreateParams>;
      const first = await openai.responses.stream({ ...base, input: 'Weather?' }).finalResponse();
      const call = first.output.find((item) => 'call_id' in item);
      const callId = call && 'call_id' in call ? String(call.call_id) : '';
      const kept = first.output.map(({ id: _id, ...item }) => item);
      const output = { type: `${call?.type}_output`, call_id: callId, output: '7 degrees' };
      const second = await openai.responses.create({
        ...base,
        // Items without their IDs, which the client's types ask for.
        input: [
          { role: 'user', content: 'Weather?' },
          ...kept,
          output,
        ] as OpenAI.Responses.ResponseInput,
      });

      if (call?.type === 'function_call') expect(JSON.parse(call.arguments)).toEqual(ARGUMENTS);
      expect(call?.type).toBe(`${type === 'function' ? 'function_call' : 'custom_tool_call'}`);
      expect(second.output_text).toContain('7 degrees');
    },
  );

  test('a cap ends it as incomplete, streamed too', async () => {
    const request = { model: 'm', input: 'Hi', max_output_tokens: 2 };
    const incomplete = {
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      usage: { output_tokens: 2 },
    };

    expect(await openai.responses.create(request)).toMatchObject(incomplete);
    const events = await openai.responses.create({ ...request, stream: true });
    let last: unknown;
    for await (const event of events) last = event;
    expect(last).toMatchObject({ type: 'response.incomplete', response: incomplete });
  });

  test.each([
    [{ input: [{ type: 'reasoning', id: 'rs_1', summary: [] }] }, 404, /rs_1/],
    [{ input: [{ type: 'reasoning', summary: [], encrypted_content: 'forged' }] }, 400, /verified/],
    [{ input: [{ type: 'function_call_output', call_id: 'c', output: '' }] }, 400, /No tool call/],
    [
      { input: [{ type: 'function_call', call_id: 'c', name: 'f', arguments: '' }] },
      400,
      /No tool output/,
    ],
    [{ input: [{ role: 'user', content: [{ type: 'text', text: '' }] }] }, 400, /input_text/],
    [{ provider: 'openai' }, 400, /provider/],
  ])('refuses as the provider does: %j', async (fields, status, message) => {
    const request = openai.responses.create({ model: 'm', input: 'Hi', ...fields } as {
      model: 'm';
    });
    await expect(request).rejects.toMatchObject({
      status,
      message: expect.stringMatching(message),
    });
  });
});

test('reported input never exceeds what a hold is placed for', async () => {
  for (const content of [
    'a b c d e f g',
    'word '.repeat(2000),
    '中文 字 '.repeat(300),
    '{"a":1}',
  ]) {
    const { usage } = await openai.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content }],
    });
    expect(usage?.prompt_tokens).toBeLessThanOrEqual(64 + 12 + estimateTokens(content, 'o200k'));
  }
});

test('an unknown address is a 404 in the provider’s shape', async () => {
  await expect(openai.models.list()).rejects.toMatchObject({ status: 404 });
});

test('a taken port is refused, not waited for', async () => {
  const port = Number(new URL(providers.openaiUrl).port);
  await expect(startSimulatedProviders({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
