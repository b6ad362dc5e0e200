import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { responsesEcho } from '../../../../shared/api/responses-echo.ts';
import {
  readChatAnswer,
  readResponsesAnswer,
} from '../../../../shared/providers/anthropic/answer.ts';
import {
  createChatStream,
  createResponsesStream,
} from '../../../../shared/providers/anthropic/stream.ts';
import type { StreamTranslator } from '../../../../shared/providers/contract.ts';
import { answerContext } from '../../../support/anthropic-stream.ts';
import { FIXTURES, recordingsIn } from '../../../support/recordings.ts';

const ECHO = responsesEcho({ model: 'claude', input: 'hi' });
const fixtures = recordingsIn(`${FIXTURES}anthropic`).filter(({ body }) => body !== undefined);

/** The real client, handed the frames of a translated stream without any network. */
function clientOf(translator: StreamTranslator, events: readonly string[]): OpenAI {
  const frames = [...events.flatMap((data) => translator.event(data)), ...translator.end()];
  const body = [...frames, '[DONE]'].map((frame) => `data: ${frame}\n\n`).join('');
  const headers = { 'content-type': 'text/event-stream' };
  return new OpenAI({ apiKey: 'test', fetch: async () => new Response(body, { headers }) });
}

describe('the OpenAI client', () => {
  it.each(fixtures)('adds up the chat chunks to the whole answer: $name', async (fixture) => {
    const client = clientOf(createChatStream(answerContext()), fixture.events);
    const stream = client.chat.completions.stream({
      model: 'claude',
      messages: [{ role: 'user', content: 'hi' }],
    });
    const whole = readChatAnswer(JSON.parse(fixture.body ?? ''), answerContext()).body;
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const final = await stream.finalChatCompletion().catch(() => undefined);
    // The client throws where an answer was cut off or filtered; then its chunks must say so.
    if (!final) {
      expect(['length', 'content_filter']).toContain(chunks.at(-2)?.choices[0]?.finish_reason);
      return;
    }
    const { choices, ...rest } = final;
    const { choices: wholeChoices, ...wholeRest } = whole;
    expect(rest).toMatchObject(wholeRest);
    // What the client does not know (reasoning, annotations) it does not add up.
    const [wholeChoice] = wholeChoices as unknown as OpenAI.ChatCompletion['choices'];
    const message = choices[0]?.message;
    expect(message?.content).toEqual(wholeChoice?.message.content);
    expect(message?.tool_calls ?? []).toMatchObject(wholeChoice?.message.tool_calls ?? []);
  });

  it.each(fixtures)('builds the whole response from the events: $name', async (fixture) => {
    const client = clientOf(createResponsesStream(answerContext(), ECHO), fixture.events);
    const stream = client.responses.stream({ model: 'claude', input: 'hi' });
    const final = await stream.finalResponse();
    const body = JSON.parse(fixture.body ?? '');
    const whole = readResponsesAnswer(body, answerContext(), ECHO).body;
    expect(final).toMatchObject(withoutItems(whole));
    expect(final.output).toMatchObject(whole.output as object[]);
  });
});

function withoutItems<T extends { output?: unknown }>({ output: _output, ...rest }: T) {
  return rest;
}
