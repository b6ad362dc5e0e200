import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';
import { expect, test } from 'vitest';

/** More ranks make the bound tighter and every function's bundle larger. */
const TABLE_RANKS = 8192;

function encodeMerges(tokens: readonly (string | readonly number[])[]): string {
  const parts = tokens.map((token) => {
    const bytes = typeof token === 'string' ? Buffer.from(token) : Buffer.from([...token]);
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  });
  return Buffer.concat(parts).toString('base64');
}

// `vitest -u` writes the table anew from the vocabulary.
test('the merge table holds the first ranks of the published o200k vocabulary', async () => {
  const table = encodeMerges(ranks.slice(0, TABLE_RANKS));
  const source = [
    '/**',
    ` * The first ${TABLE_RANKS} tokens of OpenAI's o200k vocabulary (tiktoken, MIT licence) in rank order:`,
    ' * base64 of a length byte and the bytes of each. Generated: `vitest run -u test/shared/pricing`.',
    ' */',
    'export const O200K_MERGES =',
    `  '${table}';`,
    '',
  ].join('\n');
  await expect(source).toMatchFileSnapshot('../../../shared/pricing/o200k-merges.ts');
});
