import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A question of finance: SQL over the tables of `prelude.ts`, the same for Athena and DuckDB. */
export interface Query {
  /** The file's name, `spend-by-day` for example. */
  readonly name: string;
  readonly title: string;
  /** What it shows, in plain words. */
  readonly description: string;
  readonly sql: string;
}

/** In the order in which the report shows them. */
export const QUERY_NAMES = [
  'totals',
  'spend-by-day',
  'spend-by-model',
  'spend-by-account',
  'spend-by-key',
  'tokens-by-model',
  'holds-and-charges',
  'outcomes',
  'balances',
  'credits',
  'expired-holds',
  'uncollected',
  'provider-spend',
  'provider-invoices',
] as const;
export type QueryName = (typeof QUERY_NAMES)[number];

/** Reads a query of `queries/`: its comment's first line is the title, the others the description. */
export function readQuery(name: QueryName): Query {
  const text = readFileSync(join(import.meta.dirname, 'queries', `${name}.sql`), 'utf8');
  const lines = text.trimEnd().split('\n');
  const comment = lines.filter((line) => line.startsWith('-- ')).map((line) => line.slice(3));
  const [title = name, ...description] = comment;
  const sql = lines.filter((line) => !line.startsWith('-- ')).join('\n');
  return { name, title, description: description.join(' '), sql };
}
