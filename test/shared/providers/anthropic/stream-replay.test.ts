import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../shared/api/json.ts';
import { responsesEcho } from '../../../../shared/api/responses-echo.ts';
import {
  readChatAnswer,
  readResponsesAnswer,
} from '../../../../shared/providers/anthropic/answer.ts';
import {
  createChatStream,
  createResponsesStream,
} from '../../../../shared/providers/anthropic/stream.ts';
import { answerContext, cutBy, eventsOf } from '../../../support/anthropic-stream.ts';
import { FIXTURES, recordingsIn } from '../../../support/recordings.ts';
import { chat, responses } from './request-fixtures.ts';

const ECHO = responsesEcho({ model: 'claude', input: 'hi' });
const ANSWERS = recordingsIn(`${FIXTURES}anthropic`).filter(({ body }) => body !== undefined);
const fixture = ANSWERS.find(({ name }) => name === 'thinking-tools');
const MESSAGE = JSON.parse(fixture?.body ?? '');
const LINES = eventsOf(MESSAGE, cutBy(5)).map((event) => JSON.stringify(event));
const RESULTS = ['toolu_01Bern', 'toolu_01Oslo', 'toolu_01Now'];

/** A client that appends texts and gathers lists, and knows nothing else of what is in them. */
function gatherChat(): JsonObject {
  const translator = createChatStream(answerContext());
  // biome-ignore lint/suspicious/noExplicitAny: the deltas of any chunk
  const message: any = { role: 'assistant', content: '', reasoning_details: [], tool_calls: [] };
  for (const frame of LINES.flatMap((data) => translator.event(data))) {
    const delta = JSON.parse(frame).choices[0]?.delta ?? {};
    message.content += delta.content ?? '';
    message.reasoning_details.push(...(delta.reasoning_details ?? []));
    for (const { index, ...call } of delta.tool_calls ?? []) {
      message.tool_calls[index] ??= { ...call, function: { ...call.function, arguments: '' } };
      message.tool_calls[index].function.arguments += call.function.arguments;
    }
  }
  return message;
}

function wholeChat(): JsonObject {
  const { body } = readChatAnswer(MESSAGE, answerContext());
  return (body.choices as { message: JsonObject }[])[0]?.message ?? {};
}

function itemsOfEvents(): JsonObject[] {
  const translator = createResponsesStream(answerContext(), ECHO);
  const events = LINES.flatMap((data) => translator.event(data)).map((text) => JSON.parse(text));
  return events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
}

function itemsOfWhole(): JsonObject[] {
  return readResponsesAnswer(MESSAGE, answerContext(), ECHO).body.output as JsonObject[];
}

describe('the next turn hands the answer back to the provider as it was', () => {
  it.each([
    ['streamed', gatherChat],
    ['whole', wholeChat],
  ])('on the chat route, %s', (_name, message) => {
    const results = RESULTS.map((id) => ({ role: 'tool', tool_call_id: id, content: 'sunny' }));
    const messages = [{ role: 'user', content: 'hi' }, message(), ...results];
    const { body } = chat({ messages });
    expect(body.messages).toMatchObject([{ role: 'user' }, assistantTurn(), { role: 'user' }]);
  });

  it.each([
    ['streamed', itemsOfEvents],
    ['whole', itemsOfWhole],
  ])('on the responses route, %s', (_name, items) => {
    const results = RESULTS.map((id) => ({
      type: 'function_call_output',
      call_id: id,
      output: 'sunny',
    }));
    const input = [{ role: 'user', content: 'hi' }, ...items(), ...results];
    const { body } = responses({ input });
    expect(body.messages).toMatchObject([{ role: 'user' }, assistantTurn(), { role: 'user' }]);
  });
});

describe('what the service gave, it takes back', () => {
  const others = ANSWERS.filter(({ name }) => name !== 'thinking-tools');
  const again = { role: 'user', content: 'and then?' };

  it.each(others)('on the chat route: $name', ({ body }) => {
    const answer = readChatAnswer(JSON.parse(body ?? ''), answerContext()).body;
    const [choice] = answer.choices as { message: JsonObject }[];
    const { body: upstream } = chat({ messages: [again, choice?.message, again] as JsonObject[] });
    expect(upstream.messages).toBeDefined();
  });

  it.each(others)('on the responses route: $name', ({ body }) => {
    const answer = readResponsesAnswer(JSON.parse(body ?? ''), answerContext(), ECHO).body;
    const output = answer.output as JsonObject[];
    expect(responses({ input: [again, ...output, again] }).body.messages).toBeDefined();
  });
});

function assistantTurn() {
  return { role: 'assistant', content: MESSAGE.content };
}
