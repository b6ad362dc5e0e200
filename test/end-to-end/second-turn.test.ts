import { readFileSync } from 'node:fs';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, type ModelMessage, streamText, type ToolSet, tool } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatAnswer, messagesAnswer, responsesAnswer } from '../support/provider-answers.ts';
import { withoutStore } from '../support/recording-clients.ts';
import { foldCompletion } from '../support/recording-facts.ts';
import { type ScriptedGateway, startScriptedGateway } from '../support/recording-gateway.ts';
import { COUNTED } from '../support/recording-targets.ts';
import { FIXTURES } from '../support/recordings.ts';
import type { ScriptedAnswer } from '../support/scripted-upstream.ts';

// biome-ignore lint/suspicious/noExplicitAny: turns of many shapes are read into here
type Loose = any;

let scripted: ScriptedGateway;
let apiKey: string;

beforeAll(async () => {
  scripted = await startScriptedGateway();
  ({ apiKey } = await scripted.newKey());
});

afterAll(() => scripted?.stop());

const QUESTION = 'How is the weather, and what time is it?';
const GPT = 'gpt-5.6-sol';
const CLAUDE = 'claude-sonnet-5';
const TOOL_NAMES = ['weather', 'clock', 'time'];
const PARAMETERS = { type: 'object' as const, properties: {} };

/** The first turn: what the provider said, whole or as its stream. */
function firstTurn(fixture: string, stream: boolean): ScriptedAnswer {
  const path = `${FIXTURES}${fixture}`;
  if (!stream) return { json: readFileSync(`${path}.json`, 'utf8') };
  // The client's stream helper throws on event types that it does not know, whoever sends them.
  const lines = readFileSync(`${path}.chunks.txt`, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.includes('"response.unheard_of.delta"'));
  const sse = fixture.startsWith('anthropic') ? 'anthropic' : 'openai';
  return { sse, events: lines.map((line) => JSON.parse(line)) };
}

/** What the whole answer of the fixture holds, as the provider wrote it. */
function said(fixture: string): Loose {
  return JSON.parse(readFileSync(`${FIXTURES}${fixture}.json`, 'utf8'));
}

const ANSWERS = { messages: messagesAnswer, chat: chatAnswer, responses: responsesAnswer };

/** Results in another order than the calls came in: each names its call. */
function resultsOf(ids: readonly string[]): { id: string; output: string }[] {
  return ids.map((id) => ({ id, output: `result of ${id} °C` })).reverse();
}

interface Conversation {
  readonly model: string;
  readonly fixture: string;
  readonly api: keyof typeof ANSWERS;
  readonly stream: boolean;
}

/** Plays both turns through one client; returns the second request as the provider got it. */
async function secondRequest(
  { fixture, api, stream, model }: Conversation,
  converse: (model: string, stream: boolean) => Promise<string>,
) {
  const turn = { text: 'It is 12 °C.' };
  scripted.upstream.enqueue(
    firstTurn(fixture, stream),
    ANSWERS[api]({ turn, counted: COUNTED, stream }),
  );
  expect(await converse(model, stream)).toBe(turn.text);
  const second = scripted.upstream.requests.at(-1);
  return { body: second?.body, text: second?.text ?? '' };
}

function openaiClient(): OpenAI {
  return new OpenAI({ baseURL: `${scripted.gateway.url}/v1`, apiKey, maxRetries: 0 });
}

const CHAT_TOOLS = TOOL_NAMES.map((name) => ({
  type: 'function' as const,
  function: { name, parameters: PARAMETERS },
}));

async function openaiChat(model: string, stream: boolean): Promise<string> {
  const client = openaiClient();
  const ask = async (messages: Loose[]): Promise<Loose> => {
    const body = { model, messages, tools: CHAT_TOOLS, reasoning_effort: 'medium' as const };
    if (!stream) return (await client.chat.completions.create(body)).choices[0]?.message;
    const chunks: unknown[] = [];
    const streamed = await client.chat.completions.create({ ...body, stream: true });
    for await (const chunk of streamed) chunks.push(chunk);
    return foldCompletion(chunks).choices[0].message;
  };
  const history: Loose[] = [{ role: 'user', content: QUESTION }];
  const message = await ask(history);
  const results = resultsOf(message.tool_calls.map(({ id }: Loose) => id));
  history.push(message);
  for (const { id, output } of results) {
    history.push({ role: 'tool', tool_call_id: id, content: output });
  }
  return (await ask(history)).content;
}

const RESPONSES_TOOLS = TOOL_NAMES.map((name) => ({
  type: 'function' as const,
  name,
  parameters: PARAMETERS,
  strict: false,
}));

async function openaiResponses(model: string, stream: boolean): Promise<string> {
  const client = openaiClient();
  const ask = (input: Loose[]) => {
    const body = { model, input, tools: RESPONSES_TOOLS, reasoning: { effort: 'medium' as const } };
    return stream ? client.responses.stream(body).finalResponse() : client.responses.create(body);
  };
  const history: Loose[] = [{ role: 'user', content: QUESTION }];
  const { output } = await ask(history);
  const items: OpenAI.Responses.ResponseOutputItem[] = output;
  const ids = items.flatMap((item) => (item.type === 'function_call' ? [item.call_id] : []));
  history.push(...items);
  for (const { id, output: result } of resultsOf(ids)) {
    history.push({ type: 'function_call_output', call_id: id, output: result });
  }
  return (await ask(history)).output_text;
}

async function aiSdk(api: 'chat' | 'responses', name: string, stream: boolean): Promise<string> {
  const baseURL = `${scripted.gateway.url}/v1`;
  const model = createOpenAI({ baseURL, apiKey, fetch: withoutStore })[api](name);
  const declare = (toolName: string) => [toolName, tool({ inputSchema: jsonSchema(PARAMETERS) })];
  const tools: ToolSet = Object.fromEntries(TOOL_NAMES.map(declare));
  const ask = async (messages: ModelMessage[]) => {
    const providerOptions = { openai: { store: false } };
    const options = { model, messages, tools, maxRetries: 0, providerOptions };
    if (!stream) return generateText(options);
    const result = streamText(options);
    await result.consumeStream();
    const [text, toolCalls, response] = await Promise.all([
      result.text,
      result.toolCalls,
      result.response,
    ]);
    return { text, toolCalls, response };
  };
  const history: ModelMessage[] = [{ role: 'user', content: QUESTION }];
  const { toolCalls, response } = await ask(history);
  const called = toolCalls.filter((call) => !call.providerExecuted);
  const content = resultsOf(called.map(({ toolCallId }) => toolCallId)).map(({ id, output }) => ({
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: called.find(({ toolCallId }) => toolCallId === id)?.toolName ?? '',
    output: { type: 'text' as const, value: output },
  }));
  return (await ask([...history, ...response.messages, { role: 'tool', content }])).text;
}

const STREAMED = [{ stream: false }, { stream: true }];

describe.each(STREAMED)('Anthropic, streamed: $stream', ({ stream }) => {
  const fixture = 'anthropic/thinking-tools';
  const blocks: Loose[] = said(fixture).content;
  const calls = blocks.filter(({ type }) => type === 'tool_use');
  const conversation: Conversation = { model: CLAUDE, fixture, api: 'messages', stream };

  /** The turn as the provider said it, and the results in the order of its calls. */
  function expectReplayed({ body, text }: { body: Loose; text: string }, replayed: Loose[]): void {
    const [question, turn, results, ...rest] = body.messages;
    expect(question).toEqual({ role: 'user', content: [{ type: 'text', text: QUESTION }] });
    expect(turn).toEqual({ role: 'assistant', content: replayed });
    expect(results.role).toBe('user');
    expect(results.content).toMatchObject(
      calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id })),
    );
    for (const { id } of calls) expect(text).toContain(`result of ${id} °C`);
    expect(rest).toEqual([]);
    // Arguments in the order of keys that the model wrote: the provider's cache depends on it.
    for (const { input } of calls) expect(text).toContain(`"input":${JSON.stringify(input)}`);
  }

  test('on the chat route by the OpenAI client', async () => {
    expectReplayed(await secondRequest(conversation, openaiChat), blocks);
  });

  test('on the responses route by the OpenAI client', async () => {
    expectReplayed(await secondRequest(conversation, openaiResponses), blocks);
  });

  test('on the responses route by the AI SDK', async () => {
    const converse = (model: string) => aiSdk('responses', model, stream);
    expectReplayed(await secondRequest(conversation, converse), blocks);
  });

  test('on the chat route by the AI SDK, whose chat messages have no room for thinking', async () => {
    const converse = (model: string) => aiSdk('chat', model, stream);
    const visible = blocks.filter(({ type }) => !type.includes('thinking'));
    expectReplayed(await secondRequest(conversation, converse), visible);
  });
});

describe.each(STREAMED)('OpenAI responses, streamed: $stream', ({ stream }) => {
  const fixture = 'openai/responses-full';
  const items: Loose[] = said(fixture).output;
  const conversation: Conversation = { model: GPT, fixture, api: 'responses', stream };
  const [reasoning] = items.filter(({ type }) => type === 'reasoning');
  const [call] = items.filter(({ type }) => type === 'function_call');

  test.each<[string, (model: string, stream: boolean) => Promise<string>]>([
    ['the OpenAI client', openaiResponses],
    ['the AI SDK', (model) => aiSdk('responses', model, stream)],
  ])('by %s', async (_name, converse) => {
    const { body } = await secondRequest(conversation, converse);
    const input: Loose[] = body.input;
    const kinds = input.map(({ type, role }) => type ?? role);
    expect(kinds.filter((kind) => kind !== 'web_search_call')).toEqual([
      expect.stringMatching(/user|message/),
      'reasoning',
      expect.stringMatching(/assistant|message/),
      'function_call',
      'function_call_output',
    ]);
    const [thought] = input.filter(({ type }) => type === 'reasoning');
    expect(thought).toMatchObject({
      encrypted_content: reasoning.encrypted_content,
      summary: reasoning.summary,
    });
    expect(input.at(-2)).toMatchObject({ call_id: call.call_id, arguments: call.arguments });
    expect(input.at(-1)).toMatchObject({
      call_id: call.call_id,
      output: `result of ${call.call_id} °C`,
    });
    // Nothing is stored: an ID would be read as a reference to what is not there.
    expect(thought).not.toHaveProperty('id');
    expect(body).toMatchObject({ store: false });
    expect(body.include).toContain('reasoning.encrypted_content');
  });
});

describe.each(STREAMED)('OpenAI chat completions, streamed: $stream', ({ stream }) => {
  const fixture = 'openai/chat-tools';
  const [choice] = said(fixture).choices;
  const conversation: Conversation = { model: GPT, fixture, api: 'chat', stream };

  test.each<[string, (model: string, stream: boolean) => Promise<string>]>([
    ['the OpenAI client', openaiChat],
    ['the AI SDK', (model) => aiSdk('chat', model, stream)],
  ])('by %s', async (_name, converse) => {
    const { body } = await secondRequest(conversation, converse);
    const [question, turn, ...results] = body.messages;
    expect(question).toMatchObject({ role: 'user' });
    expect(turn).toMatchObject({ role: 'assistant', tool_calls: choice.message.tool_calls });
    const ids = choice.message.tool_calls.map(({ id }: Loose) => id);
    expect(results).toEqual(
      resultsOf(ids).map(({ id, output }) => ({ role: 'tool', tool_call_id: id, content: output })),
    );
  });
});
