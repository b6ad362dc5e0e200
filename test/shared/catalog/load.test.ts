import { expect, test } from 'vitest';
import { buildCatalog } from '../../../catalog/write.ts';
import { checkCatalogText, loadCatalog } from '../../../shared/catalog/load.ts';

const TEXT = JSON.stringify(buildCatalog());

test('the compiled text is handed on as it stands, and parsed', () => {
  expect(checkCatalogText(TEXT)).toBe(TEXT);
  expect(loadCatalog(TEXT).graph.models).not.toEqual({});
});

test.each([
  ['empty', ''],
  ['cut short', TEXT.slice(0, TEXT.lastIndexOf(']'))],
  ['of another format', TEXT.replace('.v1', '.v2')],
])('a text that is %s is unavailable', (_name, text) => {
  for (const read of [checkCatalogText, loadCatalog]) {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'catalog_unavailable' }));
  }
});
