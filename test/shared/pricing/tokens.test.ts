import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { createTextTally, estimateTokens, type Tokenizer } from '../../../shared/pricing/tokens.ts';

const CORPUS = new URL('../../fixtures/corpus/', import.meta.url);
const FILES = readdirSync(CORPUS);
const TOKENIZERS: readonly Tokenizer[] = ['o200k', 'anthropic'];
const RUNS = { numRuns: 400 };

/** Special tokens are only text to a provider: nothing that a client writes may become one. */
function realTokens(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set(), allowedSpecial: new Set() });
}

function corpus(file: string): string {
  return readFileSync(new URL(file, CORPUS), 'utf8');
}

const pieces = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...'aeiourstnlxqzABCXYZ', "'", ' ') }),
  fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t', '\u00a0', '\u3000', '/', 'x') }),
  fc.string({ unit: fc.constantFrom(...'{}[]()<>=+-*/.,;:!?#$%&@^~|\\`"_', ' ', '\n') }),
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef') }),
  fc.string({
    unit: fc.constantFrom(...'字的是不了人我在有他這', '，', 'ر', 'ا', '\u0651', '5', ' '),
  }),
  fc.constantFrom("'s", "'LL", "it's", ' the', '\ud83d', '\ude00', '🏽', '\u0000', '\u0085', '½'),
);
const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
const runs = fc
  .tuple(
    fc.constantFrom('a', 'Z', ' ', '\n', '=', '字', 'é', '7', '/'),
    fc.integer({ min: 1, max: 900 }),
  )
  .map(([character, length]) => character.repeat(length));

describe('a token estimate', () => {
  test.each(FILES)('is never below the real count for any part of %s', (file) => {
    const text = corpus(file);
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(text.length), (one, two) => {
        const part = text.slice(Math.min(one, two), Math.max(one, two));
        const real = realTokens(part);
        for (const tokenizer of TOKENIZERS) {
          expect(estimateTokens(part, tokenizer)).toBeGreaterThanOrEqual(real);
        }
      }),
      { numRuns: 60 },
    );
  });

  test.each(['english.txt', 'code.ts.txt', 'code.py.txt'])(
    'is at most twice the real count for %s',
    (file) => {
      const text = corpus(file);
      expect(estimateTokens(text, 'o200k')).toBeLessThanOrEqual(realTokens(text) * 1.7);
    },
  );

  test('is never below the real count for any text', () => {
    fc.assert(
      fc.property(fc.oneof(texts, runs), (text) => {
        expect(estimateTokens(text, 'o200k')).toBeGreaterThanOrEqual(realTokens(text));
      }),
      { numRuns: 3000 },
    );
  });

  test('tells pieces apart that differ by a NUL alone', () => {
    const text = 'ab\u0000ab the\u0000 the';
    expect(estimateTokens(text, 'o200k')).toBeGreaterThanOrEqual(realTokens(text));
  });

  test('counts dense text at 0.85 tokens a byte and more for Anthropic', () => {
    for (const text of [corpus('hex.txt'), corpus('base64.txt'), '{[(<=>)]}#$%&!?'.repeat(40)]) {
      expect(estimateTokens(text, 'anthropic')).toBeGreaterThanOrEqual(text.length * 0.85);
    }
  });

  test('stops soon after its limit', () => {
    const text = corpus('english.txt').repeat(2000);
    const counted = estimateTokens(text, 'o200k', 1000);
    expect(counted).toBeGreaterThan(1000);
    expect(counted).toBeLessThan(1100);
  });
});

describe('a text tally', () => {
  test.each(TOKENIZERS)('counts text in parts as it does the whole (%s)', (tokenizer) => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 8 }), (parts) => {
        const tally = createTextTally(tokenizer);
        for (const part of parts) tally.add(part);
        const whole = estimateTokens(parts.join(''), tokenizer);
        expect(tally.tokens()).toBe(whole);
      }),
      RUNS,
    );
  });
});
