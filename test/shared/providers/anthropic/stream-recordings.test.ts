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
import { checkChatChunks } from '../../../support/chat-automaton.ts';
import { FIXTURES, RECORDINGS, type Recording, recordingsIn } from '../../../support/recordings.ts';
import { checkResponsesEvents } from '../../../support/responses-automaton.ts';

const ECHO = responsesEcho({ model: 'claude', input: 'hi' });
const own = recordingsIn(`${FIXTURES}anthropic`);
const recorded = recordingsIn(`${RECORDINGS}anthropic`);
const ANSWERED = (recording: Recording) => !recording.name.startsWith('error-');

// biome-ignore lint/suspicious/noExplicitAny: frames of both routes
function play(translator: StreamTranslator, events: readonly string[]): any[] {
  const frames = events.flatMap((data) => translator.event(data));
  return [...frames, ...translator.end()].map((frame) => JSON.parse(frame));
}

function chatOf({ events }: Recording) {
  return checkChatChunks(play(createChatStream(answerContext()), events)).completion;
}

function responseOf({ events }: Recording) {
  return checkResponsesEvents(play(createResponsesStream(answerContext(), ECHO), events));
}

function fixture(name: string): Recording {
  const found = own.find((recording) => recording.name === name);
  if (!found) throw new Error(`no fixture ${name}`);
  return found;
}

interface Citation {
  readonly start_index: number;
  readonly end_index: number;
  readonly url: string;
}

/** What the recording holds, read off its events by nothing but their own words. */
function contentOf({ events }: Recording) {
  const content = { text: '', thinking: '', tools: [] as string[], citations: 0 };
  for (const line of events) {
    const { type, delta, content_block: block } = JSON.parse(line);
    if (type === 'content_block_start' && block.type === 'tool_use') content.tools.push(block.id);
    if (type !== 'content_block_delta') continue;
    content.text += delta.text ?? '';
    content.thinking += delta.thinking ?? '';
    if (delta.citation) content.citations += 1;
  }
  return content;
}

describe.each([
  ['own fixtures', own],
  ['recordings of the provider', recorded],
])('%s', (_name, recordings) => {
  // An absent folder shows as one skipped test.
  const answered = recordings.filter(ANSWERED);
  it.skipIf(answered.length === 0)('are there', () => expect(answered.length).toBeGreaterThan(6));

  it.each(answered)('$name: the chat chunks say what the recording says', (recording) => {
    const { message } = chatOf(recording).choices[0];
    const { text, thinking, tools, citations } = contentOf(recording);
    expect(message.content ?? '').toBe(text);
    expect(message.reasoning ?? '').toBe(thinking);
    expect((message.tool_calls ?? []).map((call: { id: string }) => call.id)).toEqual(tools);
    expect(message.annotations ?? []).toHaveLength(citations);
  });

  it.each(answered)('$name: the response events say what the recording says', (recording) => {
    const response = responseOf(recording);
    const { text, tools, citations } = contentOf(recording);
    expect(response.output_text).toBe(text);
    const calls = response.output.filter((item: { type: string }) => item.type === 'function_call');
    expect(calls.map((call: { call_id: string }) => call.call_id)).toEqual(tools);
    const parts = response.output.flatMap((item: { content?: unknown[] }) => item.content ?? []);
    const annotations = parts.flatMap(
      (part: { annotations?: unknown[] }) => part.annotations ?? [],
    );
    expect(annotations).toHaveLength(citations);
  });

  const whole = answered.filter((recording) => recording.body !== undefined);
  it.each(whole)('$name: the whole body is of the form that the stream folds to', (recording) => {
    const body = JSON.parse(recording.body ?? '');
    const chat = readChatAnswer(body, answerContext()).body;
    const response = readResponsesAnswer(body, answerContext(), ECHO).body;
    if (recordings === own) {
      expect(chat).toEqual(chatOf(recording));
      expect(response).toEqual(responseOf(recording));
      return;
    }
    // The provider was asked twice: the same kinds of things, in other words.
    expect(Object.keys(chat)).toEqual(Object.keys(chatOf(recording)).sort(byOrderOf(chat)));
    expect(response.status).toBe(responseOf(recording).status);
  });
});

function byOrderOf(object: object): (left: string, right: string) => number {
  const order = Object.keys(object);
  return (left, right) => order.indexOf(left) - order.indexOf(right);
}

describe('what clients get of the fixtures', () => {
  it('thinking comes with what the next turn needs, tool calls count from 0 and keep their input', () => {
    const { message, finish_reason } = chatOf(fixture('thinking-tools')).choices[0];
    expect(finish_reason).toBe('tool_calls');
    expect(message.reasoning_details).toEqual([
      {
        type: 'reasoning.text',
        text: message.reasoning,
        signature: expect.stringMatching(/^[\w+/=]+$/),
        format: 'anthropic-claude-v1',
        index: 0,
      },
      {
        type: 'reasoning.encrypted',
        data: expect.stringMatching(/^[\w+/=]+$/),
        format: 'anthropic-claude-v1',
        index: 1,
      },
    ]);
    expect(message.tool_calls.map((call: { function: object }) => call.function)).toEqual([
      { name: 'weather', arguments: '{"unit":"celsius","city":"Bern","days":[1,2]}' },
      { name: 'weather', arguments: '{"unit":"celsius","city":"Oslo","days":[1]}' },
      { name: 'clock', arguments: '{}' },
    ]);
    const { output } = responseOf(fixture('thinking-tools'));
    expect(output.map((item: { type: string }) => item.type)).toEqual([
      'reasoning',
      'reasoning',
      'message',
      'function_call',
      'function_call',
      'function_call',
    ]);
    expect(output[1]).toMatchObject({ summary: [], encrypted_content: expect.any(String) });
  });

  it('a hosted search is an item with its sources, never a client tool call', () => {
    const { message } = chatOf(fixture('web-search')).choices[0];
    expect(message.tool_calls).toBeUndefined();
    const { output } = responseOf(fixture('web-search'));
    const calls = output.filter((item: { type: string }) => item.type === 'web_search_call');
    const query = 'first glacier measurement';
    const sources = ['glaciers', 'ice'].map((page) => ({
      type: 'url',
      url: `https://example.org/${page}`,
    }));
    expect(calls).toMatchObject([
      { status: 'completed', action: { type: 'search', query, queries: [query], sources } },
      { status: 'failed', action: { type: 'search', query: 'second' } },
      { status: 'completed', action: { type: 'open_page', url: 'https://example.org/page' } },
    ]);
  });

  it('citations mark the text that they are for, on both routes', () => {
    const marked = (content: string, { start_index, end_index, url }: Citation) => [
      content.slice(start_index, end_index),
      url,
    ];
    const expected = [
      ['The first measurement 🧊 was made in 1874', 'https://example.org/glaciers'],
      ['The first measurement 🧊 was made in 1874', 'https://example.org/ice'],
      ['ice melts', 'https://example.org/page'],
    ];
    const { message } = chatOf(fixture('web-search')).choices[0];
    const cited: { url_citation: Citation }[] = message.annotations;
    expect(cited.map(({ url_citation }) => marked(message.content, url_citation))).toEqual(
      expected,
    );
    const [{ text, annotations }] = responseOf(fixture('web-search')).output.at(-1).content;
    expect(annotations.map((one: Citation) => marked(text, one))).toEqual(expected);
  });

  it('calls of remote servers are `mcp_call` items with their outcome', () => {
    const { output } = responseOf(fixture('mcp'));
    expect(output).toMatchObject([
      {
        type: 'mcp_call',
        status: 'completed',
        arguments: '{"message":"hello"}',
        output: 'echo: hello',
        error: null,
      },
      { type: 'mcp_call', status: 'failed', output: null, error: { content: 'out of order' } },
      { type: 'message' },
    ]);
    expect(chatOf(fixture('mcp')).choices[0].message.tool_calls).toBeUndefined();
  });

  it.each([
    ['text-blocks', 'stop', 'completed', null],
    ['stop-sequence', 'stop', 'completed', null],
    ['thinking-tools', 'tool_calls', 'completed', null],
    ['max-tokens-in-tool', 'length', 'incomplete', 'max_output_tokens'],
    ['context-exceeded', 'length', 'incomplete', 'max_output_tokens'],
    ['pause-turn', 'length', 'incomplete', 'pause_turn'],
    ['refusal', 'content_filter', 'incomplete', 'content_filter'],
    ['refusal-after-text', 'content_filter', 'incomplete', 'content_filter'],
  ])('%s ends by %s and is %s', (name, finishReason, status, reason) => {
    expect(chatOf(fixture(name)).choices[0].finish_reason).toBe(finishReason);
    const response = responseOf(fixture(name));
    expect(response.status).toBe(status);
    expect(response.incomplete_details).toEqual(reason === null ? null : { reason });
    expect(response.completed_at === null).toBe(status !== 'completed');
  });

  it('a refusal is said as one, after what was written before it', () => {
    expect(chatOf(fixture('refusal')).choices[0].message).toMatchObject({
      content: null,
      refusal: 'This request was declined under the usage policy.',
    });
    const { output } = responseOf(fixture('refusal-after-text'));
    expect(output).toMatchObject([
      {
        type: 'message',
        content: [
          { type: 'output_text', text: 'First you take' },
          { type: 'refusal', refusal: expect.stringMatching(/./) },
        ],
      },
    ]);
  });

  it('a call that was cut off is not passed off as whole', () => {
    const call = responseOf(fixture('max-tokens-in-tool')).output.at(-1);
    expect(call).toMatchObject({ status: 'incomplete', arguments: '{"city": "Be' });
    const search = responseOf(fixture('pause-turn')).output.at(-1);
    expect(search).toMatchObject({ type: 'web_search_call', status: 'incomplete' });
  });

  it('usage counts each cumulative field once, cache reads and writes within the input', () => {
    const recording = fixture('cached-usage');
    expect(chatOf(recording).usage).toEqual({
      prompt_tokens: 2_761,
      completion_tokens: 12,
      total_tokens: 2_773,
      prompt_tokens_details: { cached_tokens: 2_000, cache_write_tokens: 700 },
      completion_tokens_details: { reasoning_tokens: 0 },
    });
    const translator = createResponsesStream(answerContext(), ECHO);
    const frames = play(translator, recording.events);
    expect(checkResponsesEvents(frames)).toMatchObject({
      service_tier: 'priority',
      usage: {
        input_tokens: 2_761,
        input_tokens_details: { cached_tokens: 2_000 },
        output_tokens: 12,
      },
    });
    expect(translator.report()).toMatchObject({
      usage: {
        input_tokens: 61,
        cached_input_tokens: 2_000,
        cache_write_5m_input_tokens: 200,
        cache_write_1h_input_tokens: 500,
        output_tokens: 12,
      },
      executed: { serviceTier: 'priority', speed: 'fast', inferenceGeo: 'us' },
    });
  });
});
