import fc from 'fast-check';
import { GatewayError } from '../../shared/api/error.ts';
import type { StreamPart } from '../../shared/api/stream-part.ts';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const count = fc.nat({ max: 10_000 });
const format = 'test-format';

const said: fc.Arbitrary<StreamPart[]> = fc
  .record({
    pieces: fc.array(text, { minLength: 1, maxLength: 4 }),
    sources: fc.array(fc.webUrl()),
  })
  .map(({ pieces, sources }) => {
    const { length } = pieces.join('');
    return [
      ...pieces.map((piece): StreamPart => ({ type: 'text-delta', text: piece })),
      ...sources.map((url): StreamPart => ({ type: 'citation', url, title: url, length })),
    ];
  });
const thought: fc.Arbitrary<StreamPart[]> = fc
  .record({ pieces: fc.array(text, { maxLength: 4 }), signature: fc.option(text) })
  .map(({ pieces, signature }) => [
    { type: 'reasoning-start', format },
    ...pieces.map((piece): StreamPart => ({ type: 'reasoning-delta', text: piece })),
    {
      type: 'reasoning-end',
      seal: signature ? { signature, encryptedContent: signature } : { encryptedContent: null },
    },
  ]);
const sealed: fc.Arbitrary<StreamPart[]> = text.map((redacted) => [
  { type: 'reasoning-start', format },
  { type: 'reasoning-end', seal: { redacted, encryptedContent: redacted } },
]);
const called: fc.Arbitrary<StreamPart[]> = fc
  .record({ name: text, pieces: fc.array(text, { minLength: 1, maxLength: 4 }), callId: text })
  .map(({ name, pieces, callId }) => [
    { type: 'tool-call-start', callId, name },
    ...pieces.map((piece): StreamPart => ({ type: 'tool-call-delta', arguments: piece })),
  ]);
const key = fc.constantFrom('a', 'b', 'c');
/** Hosted calls and their results, which may come in any order, never, or for no call. */
const hosted: fc.Arbitrary<StreamPart[]> = fc
  .oneof<fc.Arbitrary<StreamPart>[]>(
    text.chain((query) =>
      key.map((id) => ({ type: 'search-call', key: `s${id}`, action: { type: 'search', query } })),
    ),
    fc.record({
      type: fc.constant('search-result'),
      key: key.map((id) => `s${id}`),
      failed: fc.boolean(),
      sources: fc.array(fc.webUrl(), { maxLength: 2 }),
    }),
    fc.record({
      type: fc.constant('mcp-call'),
      key: key.map((id) => `m${id}`),
      name: text,
      serverLabel: text,
      arguments: text,
    }),
    fc.record({
      type: fc.constant('mcp-result'),
      key: fc.oneof(
        key.map((id) => `m${id}`),
        key.map((id) => `s${id}`),
      ),
      failed: fc.boolean(),
      output: text,
    }),
  )
  .map((part) => [part]);
const refused: fc.Arbitrary<StreamPart[]> = text.map((why) => [{ type: 'refusal', text: why }]);

const finish: fc.Arbitrary<StreamPart> = fc
  .record({
    ending: fc.constantFrom(
      { reason: 'stop' } as const,
      { reason: 'tool_calls' } as const,
      { reason: 'length', incompleteReason: 'max_output_tokens' } as const,
      { reason: 'content_filter', incompleteReason: 'content_filter' } as const,
    ),
    input: count,
    output: count,
  })
  .map(({ ending, input, output }) => ({
    type: 'finish',
    ...ending,
    usage: {
      inputTokens: input,
      cachedTokens: Math.floor(input / 2),
      cacheWriteTokens: Math.floor(input / 4),
      outputTokens: output,
      reasoningTokens: Math.floor(output / 2),
    },
  }));

const body = fc
  .array(fc.oneof(said, thought, sealed, called, hosted, hosted, refused), { maxLength: 8 })
  .map((groups): StreamPart[] => [{ type: 'start', model: 'model' }, ...groups.flat()]);

/** Parts of an answer that came to its end. */
export const finishedParts: fc.Arbitrary<StreamPart[]> = fc
  .tuple(body, finish)
  .map(([parts, last]) => [...parts, last]);

/** Parts of an answer that broke off anywhere, also before its start. */
export const failedParts: fc.Arbitrary<StreamPart[]> = fc
  .record({ parts: body, kept: fc.nat(), blames: fc.boolean() })
  .map(({ parts, kept, blames }) => [
    ...parts.slice(0, kept % (parts.length + 1)),
    {
      type: 'failure',
      error: new GatewayError(blames ? 'invalid_request' : 'gateway', 'broke off'),
    },
  ]);
