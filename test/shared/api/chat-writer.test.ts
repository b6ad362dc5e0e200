import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChatWriter, writeChatCompletion } from '../../../shared/api/chat-writer.ts';
import type { StreamPart } from '../../../shared/api/stream-part.ts';
import { checkChatChunks } from '../../support/chat-automaton.ts';
import { failedParts, finishedParts } from '../../support/stream-parts.ts';

const HEAD = { id: 'chatcmpl-test', createdAt: 1_790_000_000 };

function write(parts: readonly StreamPart[]) {
  const writer = createChatWriter(HEAD);
  return parts.flatMap(writer).map((frame) => JSON.parse(frame));
}

describe('chat completion chunks', () => {
  it('keep to the protocol and add up to the whole completion, for any parts', () => {
    fc.assert(
      fc.property(finishedParts, (parts) => {
        expect(checkChatChunks(write(parts)).completion).toEqual(writeChatCompletion(HEAD, parts));
      }),
    );
  });

  it('end by one error frame where the answer breaks off', () => {
    fc.assert(
      fc.property(failedParts, (parts) => {
        expect(checkChatChunks(write(parts)).error.message).toBe('broke off');
        expect(() => writeChatCompletion(HEAD, parts)).toThrow('broke off');
      }),
    );
  });

  it('say nothing of hosted calls, and count tool calls only', () => {
    const call = (callId: string): StreamPart[] => [
      { type: 'tool-call-start', callId, name: callId },
      { type: 'tool-call-delta', arguments: '{}' },
    ];
    const parts: StreamPart[] = [
      { type: 'start', model: 'm' },
      { type: 'text-delta', text: 'first' },
      { type: 'search-call', key: 's', action: { type: 'search', query: 'q' } },
      ...call('one'),
      { type: 'mcp-call', key: 'm', name: 'n', serverLabel: 'l', arguments: '{}' },
      ...call('two'),
    ];
    const indexes = write(parts).flatMap(({ choices }) =>
      (choices[0].delta.tool_calls ?? []).map(({ index }: { index: number }) => index),
    );
    expect(indexes).toEqual([0, 0, 1, 1]);
  });
});
