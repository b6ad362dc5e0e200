import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GatewayError } from '../../../shared/api/error.ts';
import { openStream, writeFrames } from '../../../shared/gateway/frames.ts';
import type { StreamTranslator } from '../../../shared/providers/contract.ts';

const REPORT = {
  usage: undefined,
  reasoningTokens: 0,
  complete: true,
  producedOutput: true,
  relayedOutputTokens: 0,
  executed: {},
};

/** Relays each event as a frame, `skip` as none; `error` is a failure that came first. */
function translator(): StreamTranslator {
  let early: GatewayError | undefined;
  return {
    event: (data) => {
      if (data === 'error') early = new GatewayError('gateway', 'overloaded');
      return data === 'skip' || data === 'error' ? [] : [data];
    },
    end: (failure) => [failure ? `failed: ${failure.message}` : 'end'],
    earlyFailure: () => early,
    report: () => REPORT,
  };
}

async function* batches(...given: (string[] | Error)[]): AsyncGenerator<string[]> {
  for (const batch of given) {
    if (batch instanceof Error) throw batch;
    yield batch;
  }
}

async function written(events: AsyncIterator<string[]>): Promise<string> {
  const reader = translator();
  const stream = await openStream(events, reader);
  let text = '';
  for await (const piece of writeFrames(stream, reader)) text += piece;
  return text;
}

test('every frame is one data line and a blank one, [DONE] is last and never doubled', async () => {
  expect(await written(batches(['skip', 'a'], ['b', 'c'], ['[DONE]']))).toBe(
    'data: a\n\ndata: b\n\ndata: c\n\ndata: end\n\ndata: [DONE]\n\n',
  );
});

describe('before the first frame a failure is a status', () => {
  test.each([
    ['an error event', batches(['skip'], ['error']), /overloaded/],
    ['an empty stream', batches(), /broke off/],
    ['a broken connection', batches(new Error('reset')), /broke off/],
  ])('%s', async (_name, events, message) => {
    await expect(openStream(events, translator())).rejects.toMatchObject({
      code: 'gateway',
      message: expect.stringMatching(message),
    });
  });
});

test('after it, what was generated stays and the stream ends with its failure and [DONE]', async () => {
  const text = await written(batches(['a'], new Error('sk-secret reset')));
  expect(text).toMatch(/^data: a\n\ndata: failed: .*broke off.*\n\ndata: \[DONE\]\n\n$/);
  expect(text).not.toContain('sk-secret');
});

describe('silence', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('a comment line every 15 seconds keeps proxies from cutting the stream', async () => {
    let speak: () => void = () => undefined;
    const silence = new Promise<void>((resolve) => {
      speak = resolve;
    });
    async function* events() {
      yield ['a'];
      await silence;
      yield ['b'];
    }
    const reader = translator();
    const frames = writeFrames(await openStream(events(), reader), reader);
    expect((await frames.next()).value).toBe('data: a\n\n');
    for (const _ of [1, 2]) {
      const next = frames.next();
      await vi.advanceTimersByTimeAsync(15_000);
      expect((await next).value).toBe(': keep-alive\n\n');
    }
    speak();
    expect((await frames.next()).value).toBe('data: b\n\n');
    expect(vi.getTimerCount()).toBe(0);
  });
});
