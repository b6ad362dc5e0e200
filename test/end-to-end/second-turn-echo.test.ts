import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatAnswer, messagesAnswer, responsesAnswer } from '../support/provider-answers.ts';
import { type RecordedCase, recordedCases } from '../support/recording-cases.ts';
import { chatTools, hostedChatFields, responsesTools } from '../support/recording-clients.ts';
import { foldCompletion } from '../support/recording-facts.ts';
import { type ScriptedGateway, startScriptedGateway } from '../support/recording-gateway.ts';
import { declaredFor, factsOf, play } from '../support/recording-play.ts';
import { COUNTED } from '../support/recording-targets.ts';

// biome-ignore lint/suspicious/noExplicitAny: turns of many shapes are read into here
type Loose = any;

let scripted: ScriptedGateway;
let client: OpenAI;

beforeAll(async () => {
  scripted = await startScriptedGateway();
  const { apiKey } = await scripted.newKey();
  client = new OpenAI({ baseURL: `${scripted.gateway.url}/v1`, apiKey, maxRetries: 0 });
});

afterAll(() => scripted?.stop());

const MODELS = { messages: 'claude-sonnet-5', chat: 'gpt-5.6-sol', responses: 'gpt-5.6-sol' };
const ANSWERS = { messages: messagesAnswer, chat: chatAnswer, responses: responsesAnswer };
const NEXT = { role: 'user' as const, content: 'And then?' };
const ANSWER = { text: 'Then nothing.' };

/** A call that was cut off is nothing that anybody could have run. */
const PLAYS = recordedCases()
  .filter(({ name }) => !name.includes('max-tokens-in-tool'))
  .flatMap((recording) => [
    { recording, name: recording.name, stream: true },
    ...(recording.present && recording.body === undefined
      ? []
      : [{ recording, name: recording.name, stream: false }]),
  ]);

describe('whatever the gateway hands out it takes back in the next turn', () => {
  const onChat = PLAYS.filter(({ recording }) => recording.api !== 'responses');
  const onResponses = PLAYS.filter(({ recording }) => recording.api !== 'chat');

  test.for(onChat)(
    'on the chat route: $name, streamed: $stream',
    async ({ recording, stream }, context) => {
      context.skip(!recording.present);
      const declared = declaredFor(factsOf(recording, stream), recording);
      const tools = chatTools(declared);
      const body = {
        model: MODELS[recording.api],
        ...(tools.length > 0 && { tools }),
        ...hostedChatFields(declared),
      };
      const question = { role: 'user' as const, content: 'Please go on.' };
      enqueueTurns(recording, stream);
      const message = await chatMessage({ ...body, messages: [question] }, stream);
      const results = (message.tool_calls ?? []).map(({ id }: Loose) => ({
        role: 'tool',
        tool_call_id: id,
        content: 'done',
      }));
      const messages = [question, message, ...results, NEXT];
      expect((await chatMessage({ ...body, messages }, stream)).content).toBe(ANSWER.text);
      expectSaid(message.content ?? '');
    },
  );

  test.for(onResponses)(
    'on the responses route: $name, streamed: $stream',
    async ({ recording, stream }, context) => {
      context.skip(!recording.present);
      const tools = responsesTools(declaredFor(factsOf(recording, stream), recording));
      const body = { model: MODELS[recording.api], ...(tools.length > 0 && { tools }) };
      const question = { role: 'user' as const, content: 'Please go on.' };
      enqueueTurns(recording, stream);
      const { output, output_text } = await response({ ...body, input: [question] }, stream);
      const results = output
        .filter(({ type }: Loose) => type === 'function_call' || type === 'custom_tool_call')
        .map(({ type, call_id }: Loose) => ({ type: `${type}_output`, call_id, output: 'done' }));
      const input = [question, ...output, ...results, NEXT];
      expect((await response({ ...body, input }, stream)).output_text).toBe(ANSWER.text);
      expectSaid(output_text);
    },
  );
});

function enqueueTurns(recording: RecordedCase, stream: boolean): void {
  const answer = ANSWERS[recording.api]({ turn: ANSWER, counted: COUNTED, stream });
  scripted.upstream.enqueue(play(recording, stream), answer);
}

/** The provider gets back every word that its model said. */
function expectSaid(text: string): void {
  const { body } = scripted.upstream.requests.at(-1) ?? {};
  const texts = textsIn(body.messages ?? body.input).join('');
  expect(texts).toContain(text);
}

/** Every text below a value, in its order. */
function textsIn(value: Loose): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return ['content', 'text']
    .flatMap((field) => textsIn(value[field]))
    .concat(Array.isArray(value) ? value.flatMap(textsIn) : []);
}

async function chatMessage(body: Loose, stream: boolean): Promise<Loose> {
  if (!stream) return (await client.chat.completions.create(body)).choices[0]?.message;
  const chunks: unknown[] = [];
  const streamed: AsyncIterable<unknown> = (await client.chat.completions.create({
    ...body,
    stream: true,
  })) as Loose;
  for await (const chunk of streamed) chunks.push(chunk);
  return foldCompletion(chunks).choices[0].message;
}

async function response(body: Loose, stream: boolean): Promise<Loose> {
  if (!stream) return client.responses.create(body);
  let final: Loose;
  const streamed: AsyncIterable<Loose> = (await client.responses.create({
    ...body,
    stream: true,
  })) as Loose;
  for await (const event of streamed) final = event.response ?? final;
  return final;
}
