import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createChatStream } from '../../../../shared/providers/openai/stream-chat.ts';
import {
  AZURE,
  choicesOf,
  context,
  deployment,
  fixtureEvents,
  play,
  playBytes,
  playTexts,
  recordedEvents,
  type SeenChoice,
} from './support.ts';

const TEXT = fixtureEvents('chat-text.chunks.txt');
const TOOLS = fixtureEvents('chat-tools.chunks.txt');
const FIXTURES = { text: TEXT, tools: TOOLS, azure: fixtureEvents('chat-azure.chunks.txt') };
const RECORDED = recordedEvents('chat-text.chunks.txt');

/** Part 6.3, whatever the provider sent. */
function expectChatStream(frames: ReturnType<typeof play>): void {
  const heads = new Set(
    frames.map(({ id, object, created, model }) => `${id}|${object}|${created}|${model}`),
  );
  expect(heads.size).toBe(1);
  const choices = frames.slice(0, -1).flatMap(choicesOf);
  expect(choices.filter(({ delta }) => 'role' in delta)).toHaveLength(1);
  expect(choices[0]?.delta.role).toBe('assistant');
  expect(choices.slice(0, -1).every(({ finish_reason }) => finish_reason === null)).toBe(true);
  expect(choices.at(-1)?.finish_reason).toBeTypeOf('string');
  expect(frames.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
  expect(JSON.stringify(frames)).not.toMatch(/obfuscation|filter_/);
}

describe('a stream that the provider wrote well', () => {
  test('passes byte for byte but for its last chunk', () => {
    const frames = playTexts(createChatStream(context()), TEXT);

    expect(frames.slice(0, -1)).toEqual(TEXT.slice(0, -1));
    expect(JSON.parse(frames.at(-1) ?? '')).toEqual(JSON.parse(TEXT.at(-1) ?? ''));
  });

  test.each(Object.entries(FIXTURES))('keeps the rules of the chat route: %s', (_name, events) => {
    expectChatStream(play(createChatStream(context()), events));
  });

  test.skipIf(RECORDED === undefined)('keeps the rules of the chat route: recording', () => {
    const translator = createChatStream(context());
    const frames = play(translator, RECORDED ?? []);

    expectChatStream(frames);
    expect(translator.report()).toMatchObject({
      usage: { input_tokens: 16, output_tokens: 300 },
      complete: true,
      producedOutput: true,
      executed: { serviceTier: 'default' },
    });
    expect(translator.report().relayedOutputTokens).toBeGreaterThanOrEqual(300);
  });

  test('is counted: cache reads and writes apart, reasoning, tier', () => {
    const translator = createChatStream(context());
    play(translator, TEXT);

    expect(translator.report()).toMatchObject({
      usage: {
        input_tokens: 26,
        cached_input_tokens: 64,
        cache_write_input_tokens: 30,
        output_tokens: 40,
      },
      reasoningTokens: 12,
      executed: { serviceTier: 'default' },
    });
  });

  test('is billed for its one search where the model searches', () => {
    const plan = {
      callCaps: { openai_chat_completion_search_model_calls: 1 },
      feedsInput: true,
      searchContextSize: 'medium',
    } as const;
    const translator = createChatStream(context({ plan }));
    play(translator, TEXT);

    expect(translator.report()).toMatchObject({
      usage: { openai_chat_completion_search_model_calls: 1 },
      searchContextSize: 'medium',
    });
  });
});

describe('Azure', () => {
  test('its filter chunks leave nothing behind, its text all', () => {
    const translator = createChatStream(context({ deployment: AZURE }));
    const frames = play(translator, FIXTURES.azure);

    expect(
      frames
        .flatMap(choicesOf)
        .map(({ delta }) => delta.content ?? '')
        .join(''),
    ).toBe('Hi there');
    expect(frames).toHaveLength(5);
  });
});

describe('a stream with faults', () => {
  const parsed = TEXT.map((text) => JSON.parse(text));

  test('usage with the last choice still comes in a chunk of its own, once', () => {
    const usage = parsed.at(-1).usage;
    const events = parsed
      .slice(0, -1)
      .map((chunk, at, all) => (at === all.length - 1 ? { ...chunk, usage } : chunk));

    expectChatStream(play(createChatStream(context()), events));
    expectChatStream(play(createChatStream(context()), [...events, parsed.at(-1)]));
  });

  test('roles, IDs and times that change in mid-stream are set right', () => {
    const events = parsed.map((chunk, at) => ({
      ...chunk,
      id: at === 0 ? '' : `other-${at}`,
      created: 1 + at,
      choices: chunk.choices.map((choice: SeenChoice) => ({
        ...choice,
        delta: { ...choice.delta, role: 'assistant' },
      })),
    }));

    const frames = play(createChatStream(context()), events);

    expectChatStream(frames);
    expect(frames[0]?.id).toBe(context().id);
  });

  test.each([
    [
      'an error object',
      { error: { message: 'Overloaded: key sk-abcdefghijk', type: 'server_error' } },
    ],
    ['broken JSON', '{"id":"chatcmpl'],
    ['something that is no object', '[]'],
  ])('before the first frame it is a failure of the call: %s', (_name, event) => {
    const translator = createChatStream(context());

    expect(translator.event(typeof event === 'string' ? event : JSON.stringify(event))).toEqual([]);
    expect(translator.earlyFailure()).toMatchObject({ code: 'gateway' });
    expect(translator.earlyFailure()?.message).not.toContain('sk-');
    expect(translator.report()).toMatchObject({
      complete: false,
      producedOutput: false,
      usage: undefined,
    });
  });

  test('an early error that blames the request is a 400 with its message', () => {
    const translator = createChatStream(context());
    translator.event('{"error":{"type":"invalid_request_error","message":"Too long: 9 tokens"}}');

    expect(translator.earlyFailure()).toMatchObject({
      code: 'invalid_request',
      message: 'Too long: 9 tokens',
    });
  });

  test('an error in mid-stream is one error frame, and nothing follows it', () => {
    const translator = createChatStream(context());
    const frames = play(translator, [
      ...TEXT.slice(0, 4),
      { error: { message: 'secret detail', type: 'server_error' } },
      ...TEXT.slice(4),
    ]);

    expect(frames).toHaveLength(5);
    expect(frames.at(-1)).toEqual({
      error: { message: expect.not.stringContaining('secret'), type: 'gateway_error' },
    });
    expect(translator.earlyFailure()).toBeUndefined();
    expect(translator.report()).toMatchObject({ complete: false, producedOutput: true });
    expect(translator.report().relayedOutputTokens).toBeGreaterThan(0);
  });

  test('cut off after any event it ends once: in an error frame, or finished', () => {
    for (let cut = 1; cut <= TEXT.length; cut++) {
      const translator = createChatStream(context());
      const frames = play(translator, TEXT.slice(0, cut));
      const finished = cut >= TEXT.length - 1;

      expect(frames.filter((frame) => 'error' in frame)).toHaveLength(finished ? 0 : 1);
      expect(translator.report().complete).toBe(finished);
      expect(translator.end()).toEqual([]);
    }
  });

  test('without usable usage it reports none, rather than a wrong one', () => {
    const usage = { prompt_tokens: 1.5, completion_tokens: -1, total_tokens: 0 };
    const translator = createChatStream(context());
    play(translator, [...TEXT.slice(0, -1), { ...parsed.at(-1), usage }]);

    expect(translator.report()).toMatchObject({ usage: undefined, complete: true });
  });
});

test('bytes cut anywhere, with either kind of line end, give the same frames', async () => {
  const expected = playTexts(createChatStream(context()), TEXT);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 97 }), { minLength: 1, maxLength: 20 }),
      fc.constantFrom('\n', '\r\n'),
      async (sizes, newline) => {
        const frames = [...TEXT, '[DONE]'].map((data) => `data: ${data}${newline}${newline}`);
        const bytes = Buffer.from(`: hello${newline}${newline}${frames.join('')}`);
        const pieces: Buffer[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          pieces.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(await playBytes(createChatStream(context()), pieces)).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});

test('a meter that the deployment has no price for is counted as plain input', () => {
  const { cache_write_input_tokens: _price, ...prices } = deployment().prices;
  const translator = createChatStream(context({ deployment: deployment({ prices }) }));
  play(translator, TEXT);

  expect(translator.report().usage).toEqual({
    input_tokens: 56,
    cached_input_tokens: 64,
    output_tokens: 40,
  });
});
