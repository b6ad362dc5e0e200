import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../shared/api/json.ts';
import { readResponsesAnswer } from '../../../../shared/providers/openai/answer.ts';
import { createResponsesStream } from '../../../../shared/providers/openai/stream-responses.ts';
import { context, fixtureEvents, play, playBytes, playTexts, recordedEvents } from './support.ts';

const EVENTS = fixtureEvents('responses-full.chunks.txt');
const SEARCHING = {
  callCaps: { openai_responses_web_search_calls: 50 },
  feedsInput: true,
} as const;
const ECHO = { metadata: { trace: 'a1' }, presence_penalty: 0, frequency_penalty: 0, store: false };

const open = () => createResponsesStream(context({ plan: SEARCHING }), ECHO);
const responseOf = (frame: JsonObject | undefined) => frame?.response as JsonObject;

/** Part 6.4 of what the client sees: contiguous numbers, one beginning, one end, one ID. */
function expectLifecycle(frames: JsonObject[], end: string): void {
  expect(frames.map((frame) => frame.sequence_number)).toEqual(frames.map((_, index) => index));
  const ends = frames.filter(({ type }) =>
    /^response\.(completed|incomplete|failed)$/.test(String(type)),
  );
  expect(ends).toEqual([frames.at(-1)]);
  expect(frames.at(-1)?.type).toBe(end);
  for (const frame of frames.filter(({ response }) => response !== undefined)) {
    expect(responseOf(frame)).toMatchObject({
      id: context().id,
      store: false,
      safety_identifier: null,
      previous_response_id: null,
      metadata: { trace: 'a1' },
    });
    expect(JSON.stringify(frame)).not.toContain('hash-of-the-key');
  }
}

describe('a stream that the provider wrote well', () => {
  test('passes byte for byte, unknown events too, but for its response objects', () => {
    const frames = playTexts(open(), EVENTS);

    const carriesResponse = (text: string) => 'response' in JSON.parse(text);
    expect(frames.filter((text) => !carriesResponse(text))).toEqual(
      EVENTS.filter((text) => !carriesResponse(text)),
    );
    expectLifecycle(
      frames.map((text) => JSON.parse(text)),
      'response.completed',
    );
  });

  test('changes of a response object only what is the gateway’s', () => {
    const [frame] = play(open(), EVENTS.slice(-1));
    const { response } = JSON.parse(EVENTS.at(-1) ?? '');

    const { user: _user, ...shown } = response;
    expect(responseOf(frame)).toEqual({
      ...shown,
      ...ECHO,
      id: context().id,
      safety_identifier: null,
      conversation: null,
      completed_at: 1_790_000_009,
      output_text: 'Tolls 🛣️ are “old”.',
    });
  });

  test('is counted: tokens by meter, one search though its item came twice', () => {
    const translator = open();
    play(translator, EVENTS);

    expect(translator.report()).toEqual({
      usage: {
        input_tokens: 1400,
        cached_input_tokens: 500,
        cache_write_input_tokens: 100,
        output_tokens: 90,
        openai_responses_web_search_calls: 1,
      },
      reasoningTokens: 30,
      complete: true,
      producedOutput: true,
      relayedOutputTokens: expect.any(Number),
      executed: { serviceTier: 'default' },
    });
  });

  test('is the whole answer, told in events', () => {
    const { response } = JSON.parse(EVENTS.at(-1) ?? '');
    const translator = open();
    const whole = readResponsesAnswer(response, context({ plan: SEARCHING }), ECHO);

    expect(responseOf(play(translator, EVENTS).at(-1))).toEqual(whole.body);
    expect(whole.report).toMatchObject({
      ...translator.report(),
      relayedOutputTokens: expect.any(Number),
    });
  });
});

const RECORDINGS = [
  ['responses-web-search-tool.1.chunks.txt', 6],
  ['responses-mcp-tool.1.chunks.txt', 0],
  ['responses-custom-tool.1.chunks.txt', 0],
  ['responses-reasoning-encrypted-content.1.chunks.txt', 0],
] as const;

describe.each(RECORDINGS)('recording %s', (name, searches) => {
  const events = recordedEvents(name);

  test.skipIf(events === undefined)('keeps every event and counts its searches', () => {
    const translator = open();
    const frames = play(translator, events ?? []);

    expectLifecycle(frames, 'response.completed');
    const first = (events ?? []).findIndex((text) => text.includes('"response.completed"'));
    expect(frames).toHaveLength(first + 1);
    expect(translator.report().usage?.openai_responses_web_search_calls ?? 0).toBe(searches);
    expect(translator.report()).toMatchObject({ complete: true, producedOutput: true });
  });
});

describe('failures', () => {
  const RECORDED_ERROR = recordedEvents('responses-error.1.chunks.txt');

  test.skipIf(RECORDED_ERROR === undefined)('a recorded error ends in one neutral failure', () => {
    const translator = open();
    const frames = play(translator, RECORDED_ERROR ?? []);

    expect(frames.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.failed',
    ]);
    expectLifecycle(frames, 'response.failed');
    expect(responseOf(frames.at(-1)).error).toMatchObject({ code: 'server_error' });
    expect(JSON.stringify(frames)).not.toMatch(/quota|billing/);
    expect(translator.report()).toMatchObject({ complete: false, producedOutput: false });
  });

  test.each([
    { type: 'error', error: { type: 'server_error', message: 'x' } },
    { type: 'error', code: 'server_error', message: 'x', sequence_number: 0 },
    { error: { type: 'server_error', message: 'x' } },
    { type: 'response.failed', response: { error: { code: 'server_error', message: 'x' } } },
    '{"type":"response.cre',
  ])('as the first event it is a failure of the call: %j', (event) => {
    const translator = open();

    expect(translator.event(typeof event === 'string' ? event : JSON.stringify(event))).toEqual([]);
    expect(translator.earlyFailure()).toMatchObject({ code: 'gateway' });
  });

  test('a failure that blames the request says why', () => {
    const frames = play(open(), [
      ...EVENTS.slice(0, 2),
      { type: 'error', code: 'invalid_prompt', message: 'The prompt breaks the usage policy.' },
    ]);

    expect(responseOf(frames.at(-1)).error).toEqual({
      code: 'invalid_prompt',
      message: 'The prompt breaks the usage policy.',
    });
  });

  test('cut off after any event, what was generated stays in the failed response', () => {
    for (let cut = 1; cut < EVENTS.length; cut++) {
      const translator = open();
      const frames = play(translator, EVENTS.slice(0, cut));

      expectLifecycle(frames, 'response.failed');
      const { output, error, status } = responseOf(frames.at(-1));
      expect({ error, status }).toMatchObject({
        error: { code: 'server_error' },
        status: 'failed',
      });
      const seen = frames.slice(0, -1);
      const added = seen.filter(({ type }) => type === 'response.output_item.added');
      expect(output).toHaveLength(added.length);
      expect(JSON.stringify(output)).toContain(textOf(seen, 'response.output_text.delta'));
      expect(JSON.stringify(output)).toContain(
        JSON.stringify(textOf(seen, 'response.function_call_arguments.delta')).slice(1, -1),
      );
      expect(JSON.stringify(output)).not.toContain('in_progress');
      expect(translator.report().complete).toBe(false);
    }
  });

  test('a start spliced in again, gaps and repeats in the numbers are put right', () => {
    const renumbered = EVENTS.map((text, at) => ({ ...JSON.parse(text), sequence_number: at * 7 }));
    const frames = play(open(), [...renumbered.slice(0, 5), renumbered[0], ...renumbered.slice(5)]);

    expectLifecycle(frames, 'response.completed');
    expect(frames).toHaveLength(EVENTS.length);
  });

  test('what comes after the end is not relayed', () => {
    expect(playTexts(open(), [...EVENTS, ...EVENTS])).toHaveLength(EVENTS.length);
  });
});

function textOf(frames: JsonObject[], type: string): string {
  return frames.map((frame) => (frame.type === type ? String(frame.delta) : '')).join('');
}

test('bytes cut anywhere give the same frames', async () => {
  const expected = playTexts(open(), EVENTS);
  const bytes = Buffer.from(
    EVENTS.map((data) => `event: ${JSON.parse(data).type}\ndata: ${data}\n\n`).join(''),
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4096 }), async (size) => {
      const pieces: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
      expect(await playBytes(open(), pieces)).toEqual(expected);
    }),
    { numRuns: 30, examples: [[1]] },
  );
});
