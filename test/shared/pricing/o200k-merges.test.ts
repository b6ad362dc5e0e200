import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';
import { expect, test } from 'vitest';

/** More ranks make the bound tighter and every function's bundle larger. */
const TABLE_RANKS = 8192;

const SINGLE_BYTES = 256;

/** Any two tokens whose bytes joined are a token merge to it, however it was learned. */
function encodeMerges(vocabulary: readonly (string | readonly number[])[]): string {
  const tokens = vocabulary.map((token) => Buffer.from(token).toString('latin1'));
  const idOf = new Map(tokens.map((token, id) => [token, id]));
  const parts = tokens.map((token, id) => {
    if (id < SINGLE_BYTES) return Buffer.from(token, 'latin1');
    const pairs: number[] = [];
    for (let cut = 1; cut < token.length; cut += 1) {
      const left = idOf.get(token.slice(0, cut));
      const right = idOf.get(token.slice(cut));
      if (left !== undefined && right !== undefined) pairs.push(left, right);
    }
    return Buffer.concat([
      Buffer.of(pairs.length / 2),
      Buffer.from(Uint16Array.from(pairs).buffer),
    ]);
  });
  return Buffer.concat(parts).toString('base64');
}

// `vitest -u` writes the table anew from the vocabulary.
test('the merge table holds the first ranks of the published o200k vocabulary', async () => {
  const table = encodeMerges(ranks.slice(0, TABLE_RANKS));
  const source = [
    '/**',
    ` * How the first ${TABLE_RANKS} tokens of OpenAI's o200k vocabulary (tiktoken, MIT licence) merge, in`,
    ' * base64; `byte-pairs.ts` reads it. Generated: `vitest run test/shared/pricing -u`.',
    ' */',
    'export const O200K_MERGES =',
    `  '${table}';`,
    '',
  ].join('\n');
  await expect(source).toMatchFileSnapshot('../../../shared/pricing/o200k-merges.ts');
});
