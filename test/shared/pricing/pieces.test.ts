import fc from 'fast-check';
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { expect, test } from 'vitest';
import { pieceEnd } from '../../../shared/pricing/pieces.ts';

function split(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = pieceEnd(text, start);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

test('text is split into the very pieces of the published pattern', () => {
  const unit = fc.constantFrom(
    ...'abXY19',
    ..." \t\n\r'",
    ...'/.=#',
    'é',
    '字',
    '½',
    '\u00a0',
    '😀',
    '\u0301',
    "'ll",
    "'S",
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 24 }), (text) => {
      expect(split(text)).toEqual(text.match(O200K_TOKEN_SPLIT_REGEX) ?? []);
    }),
    { numRuns: 5000 },
  );
});
