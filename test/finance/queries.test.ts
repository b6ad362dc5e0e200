import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { athenaQuery, EXPORT_CHECK } from '../../infra/finance/athena.ts';
import { COLUMNS } from '../../infra/finance/columns.ts';
import { QUERY_NAMES, readQuery } from '../../infra/finance/queries.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'infra/finance/queries');
const DOCUMENT = readFileSync(join(ROOT, 'docs/finance.md'), 'utf8');

test('every file is a query, and every query a file', () => {
  const files = readdirSync(FOLDER).map((file) => file.replace(/\.sql$/, ''));
  expect(files.sort()).toEqual([...QUERY_NAMES].sort());
});

test('docs/finance.md explains every column', () => {
  const explained = COLUMNS.filter(({ kind }) => kind !== 'price');
  const missing = explained.filter(({ name }) => !DOCUMENT.includes(`\`${name}\``));
  expect(missing).toEqual([]);
});

describe.each(QUERY_NAMES)('%s', (name) => {
  const query = readQuery(name);

  test('says what it is, and its order', () => {
    expect(query.title).not.toBe(name);
    expect(query.description).toMatch(/\.$/);
    if (name !== 'totals') expect(query.sql).toContain('ORDER BY');
  });

  test('is SQL that both engines take, and never counts money in floating point', () => {
    // Each is known to one engine alone, or means something else to the other.
    const unshared =
      /::|\/\/|\bQUALIFY\b|\bFILTER\b|\bILIKE\b|\bGROUP BY ALL\b|\bstrftime\b|\bdate_format\b|\bapprox_|\bLIMIT\b|"/i;
    expect(query.sql).not.toMatch(unshared);
    // A share in percent is no money.
    const withoutShares = query.sql.replace(/CAST\(round\(100 \*[\s\S]*?_percent/, '');
    expect(withoutShares).not.toMatch(/\b(DOUBLE|REAL|FLOAT)\b/i);
  });

  test('is whole in Athena: its tables are made before it, none is left to chance', () => {
    const text = athenaQuery(query);
    for (const table of ['reported_days', 'entries', 'every_entry', 'ledger', 'usage_lines']) {
      expect(text.match(new RegExp(`^(WITH )?${table} AS \\(`, 'gm'))).toHaveLength(1);
    }
    const read = [...text.matchAll(/\b(?:FROM|JOIN) (\w+)/g)].map(([, table]) => table);
    expect(new Set(read)).toEqual(
      new Set([
        ...[
          'incremental_exports',
          'full_exports',
          'entries',
          'reported_days',
          'every_entry',
          'ledger',
        ],
        ...(/FROM usage_lines/.test(text) ? ['usage_lines'] : []),
      ]),
    );
    expect(text.split('(').length).toBe(text.split(')').length);
    expect(text).not.toContain('?');
  });
});

test('the check of the exports names one full export, by its one parameter', () => {
  expect(EXPORT_CHECK.sql.match(/\?/g)).toHaveLength(1);
  expect(DOCUMENT).toContain(EXPORT_CHECK.title);
});
