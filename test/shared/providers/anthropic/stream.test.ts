import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../../shared/api/error.ts';
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
import { anthropicMessage } from '../../../support/anthropic-messages.ts';
import { answerContext, cutBy, eventsOf } from '../../../support/anthropic-stream.ts';
import { checkChatChunks } from '../../../support/chat-automaton.ts';
import { checkResponsesEvents } from '../../../support/responses-automaton.ts';

const ECHO = responsesEcho({ model: 'claude', input: 'hi' });
const NOISE = [
  '{"type":"ping"}',
  '',
  '{"type":"an_event_yet_unknown","index":0}',
  '{"type":"content_block_delta","index":99,"delta":{"type":"text_delta","text":"stray"}}',
  '{"type":"content_block_stop","index":99}',
];

interface Run {
  // biome-ignore lint/suspicious/noExplicitAny: frames of both routes
  readonly frames: any[];
  readonly translator: StreamTranslator;
}

function play(
  translator: StreamTranslator,
  events: readonly string[],
  failure?: GatewayError,
): Run {
  const texts = events.flatMap((data) => translator.event(data));
  texts.push(...translator.end(failure));
  return { frames: texts.map((frame) => JSON.parse(frame)), translator };
}

function playChat(events: readonly string[], failure?: GatewayError): Run {
  return play(createChatStream(answerContext()), events, failure);
}

function playResponses(events: readonly string[], failure?: GatewayError): Run {
  return play(createResponsesStream(answerContext(), ECHO), events, failure);
}

function lines(message: unknown, size = 7): string[] {
  return eventsOf(message, cutBy(size)).map((event) => JSON.stringify(event));
}

const streamed = fc.record({ message: anthropicMessage, size: fc.integer({ min: 1, max: 50 }) });

describe('folding the stream equals translating the whole body', () => {
  it('on the chat route, with the same report', () => {
    fc.assert(
      fc.property(streamed, ({ message, size }) => {
        const { frames, translator } = playChat(lines(message, size));
        const whole = readChatAnswer(message, answerContext());
        expect(checkChatChunks(frames).completion).toEqual(whole.body);
        expect({ ...translator.report() }).toEqual({ ...whole.report });
      }),
    );
  });

  it('on the responses route, with the same report', () => {
    fc.assert(
      fc.property(streamed, ({ message, size }) => {
        const { frames, translator } = playResponses(lines(message, size));
        const whole = readResponsesAnswer(message, answerContext(), ECHO);
        expect(checkResponsesEvents(frames)).toEqual(whole.body);
        expect({ ...translator.report() }).toEqual({ ...whole.report });
      }),
    );
  });
});

describe('when things break', () => {
  const broken = fc.record({ message: anthropicMessage, at: fc.nat(), failure: fc.boolean() });

  it('a truncated stream ends by one error and keeps what was generated', () => {
    fc.assert(
      fc.property(broken, ({ message, at, failure }) => {
        const events = lines(message);
        const kept = events.slice(0, 1 + (at % (events.length - 1)));
        const cause = failure ? new GatewayError('gateway', 'stalled') : undefined;
        const chat = checkChatChunks(playChat(kept, cause).frames);
        const response = checkResponsesEvents(playResponses(kept, cause).frames);
        expect(chat.error).toEqual({
          message: cause?.message ?? 'The provider broke off its answer. Please try again.',
          type: 'gateway_error',
        });
        expect(response.status).toBe('failed');
        expect(response.error.message).toBe(chat.error.message);
        expect(response.output_text).toBe(chat.completion.choices[0].message.content ?? '');
      }),
    );
  });

  it('broken JSON ends the answer cleanly, and what the provider charges is still read', () => {
    fc.assert(
      fc.property(broken, ({ message, at }) => {
        const events = lines(message);
        const after = 1 + (at % (events.length - 1));
        const damaged = [...events.slice(0, after), '{"type":"content_bl', ...events.slice(after)];
        const { frames, translator } = playResponses(damaged);
        expect(checkResponsesEvents(frames).status).toBe('failed');
        expect(checkChatChunks(playChat(damaged).frames).error.type).toBe('gateway_error');
        expect(translator.report().complete).toBe(true);
        expect(translator.report().usage?.output_tokens).toBe(message.usage.output_tokens);
      }),
    );
  });

  it('pings, unknown events, stray deltas, repeated starts and what follows the end change nothing', () => {
    const noise = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 8 });
    fc.assert(
      fc.property(anthropicMessage, noise, (message, places) => {
        const events = lines(message);
        const noisy = [...events];
        for (const [place, kind] of places) {
          const candidates = [...NOISE, events[0] ?? ''];
          noisy.splice(1 + (place % noisy.length), 0, candidates[kind % candidates.length] ?? '');
        }
        expect(playChat(noisy).frames).toEqual(playChat(events).frames);
        expect(playResponses(noisy).frames).toEqual(playResponses(events).frames);
      }),
    );
  });

  it('never throws and ends once, whatever the events', () => {
    const event = fc.oneof(fc.json(), fc.string(), fc.constantFrom(...NOISE), wildEvent());
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (events) => {
        checkChatChunks(playChat(events).frames);
        checkResponsesEvents(playResponses(events).frames);
      }),
    );
  });

  it("another message's start inside a stream ends it", () => {
    const first = lines({ ...TEXT_MESSAGE, id: 'msg_first' });
    const second = lines({ ...TEXT_MESSAGE, id: 'msg_second' });
    const spliced = [...first.slice(0, 3), ...second];
    expect(checkResponsesEvents(playResponses(spliced).frames).status).toBe('failed');
    expect(checkChatChunks(playChat(spliced).frames).error.type).toBe('gateway_error');
  });
});

const TEXT_MESSAGE = {
  id: 'msg_text',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [{ type: 'text', text: 'Hello there, all of you.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 5, output_tokens: 7 },
};

/** Events of known types whose fields are anything. */
function wildEvent(): fc.Arbitrary<string> {
  const block = fc.record({
    type: fc.constantFrom('text', 'thinking', 'tool_use', 'mcp_tool_use', 'web_search_tool_result'),
    text: fc.jsonValue({ maxDepth: 1 }),
    input: fc.jsonValue({ maxDepth: 1 }),
    content: fc.jsonValue({ maxDepth: 2 }),
    citations: fc.array(fc.jsonValue({ maxDepth: 1 })),
    id: fc.jsonValue({ maxDepth: 0 }),
  });
  const event = fc.record(
    {
      type: fc.constantFrom(
        'message_start',
        'content_block_start',
        'content_block_delta',
        'content_block_stop',
        'message_delta',
        'message_stop',
      ),
      index: fc.oneof(fc.nat({ max: 3 }), fc.jsonValue({ maxDepth: 0 })),
      message: fc.oneof(fc.constant({ id: 'm', model: 'claude' }), fc.jsonValue({ maxDepth: 1 })),
      content_block: fc.oneof(block, fc.jsonValue({ maxDepth: 1 })),
      delta: fc.oneof(
        fc.record({ type: fc.constant('text_delta'), text: fc.string() }),
        fc.record({ type: fc.constant('input_json_delta'), partial_json: fc.string() }),
        fc.jsonValue({ maxDepth: 1 }),
      ),
      usage: fc.dictionary(fc.constantFrom('input_tokens', 'output_tokens'), fc.jsonValue()),
    },
    { requiredKeys: ['type'] },
  );
  return event.map((value) => JSON.stringify(value));
}

describe('an error event', () => {
  const overloaded = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';
  const invalid =
    '{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: too large"}}';

  it.each([
    ['overload', overloaded, 'gateway', /provider/],
    ['a fault of the request', invalid, 'invalid_request', /^max_tokens: too large$/],
    ['broken JSON', '{"type":', 'gateway', /provider/],
  ])('first in the stream is kept for a status: %s', (_name, data, code, message) => {
    for (const open of [
      () => createChatStream(answerContext()),
      () => createResponsesStream(answerContext(), ECHO),
    ]) {
      const translator = open();
      expect(translator.event('{"type":"ping"}')).toEqual([]);
      expect(translator.event(data)).toEqual([]);
      const failure = translator.earlyFailure();
      expect(failure).toMatchObject({ code, message: expect.stringMatching(message) });
      expect(translator.report()).toMatchObject({ complete: false, producedOutput: false });
      // A host that has sent its status already closes by the same failure.
      const frames = translator.end().map((frame) => JSON.parse(frame));
      expect(JSON.stringify(frames.at(-1))).toContain(failure?.message);
    }
  });

  it('later is an error frame or `response.failed`, and nothing is a status any more', () => {
    const events = [
      ...lines(TEXT_MESSAGE).slice(0, 4),
      overloaded,
      ...lines(TEXT_MESSAGE).slice(4),
    ];
    const chat = playChat(events);
    expect(checkChatChunks(chat.frames).error).toEqual({
      message: 'The provider could not serve the request. Please try again.',
      type: 'gateway_error',
    });
    expect(chat.translator.earlyFailure()).toBeUndefined();
    const response = checkResponsesEvents(playResponses(events).frames);
    expect(response).toMatchObject({
      status: 'failed',
      error: { code: 'server_error' },
      output: [{ type: 'message', status: 'incomplete', content: [{ text: 'Hello there, a' }] }],
    });
  });
});

describe('the report', () => {
  it('counts what was relayed where the stream broke off', () => {
    const { translator } = playChat(lines(TEXT_MESSAGE).slice(0, -2));
    const report = translator.report();
    expect(report).toMatchObject({ complete: false, producedOutput: true });
    expect(report.usage).toEqual({ input_tokens: 5, output_tokens: 1 });
    expect(report.relayedOutputTokens).toBeGreaterThanOrEqual(6);
    expect(report.relayedOutputTokens).toBeLessThan(30);
  });

  it('takes no usage from what follows the terminal event', () => {
    const events = lines(TEXT_MESSAGE);
    const late = lines({ ...TEXT_MESSAGE, usage: { input_tokens: 900, output_tokens: 900 } });
    const { translator } = playChat([...events, ...late]);
    expect(translator.report().usage).toEqual(TEXT_MESSAGE.usage);
  });

  it('counts thinking and arguments as output too', () => {
    const long = 'word '.repeat(200);
    const relayed = (content: unknown[]) =>
      playChat(lines({ ...TEXT_MESSAGE, content })).translator.report().relayedOutputTokens;
    const text = relayed([{ type: 'text', text: long }]);
    expect(relayed([{ type: 'thinking', thinking: long, signature: 's' }])).toBe(text);
    const call = { type: 'tool_use', id: 't', name: 'f', input: { text: long } };
    expect(relayed([call])).toBeGreaterThanOrEqual(text);
  });
});
