import { COLUMNS, storedType } from './columns.ts';
import { type Dialect, type Period, prelude, typedEntries } from './prelude.ts';
import type { Query } from './queries.ts';

/** Tables of the Glue database over the exports. */
export const INCREMENTAL_TABLE = 'incremental_exports';
export const FULL_TABLE = 'full_exports';
/** Partition columns: the day of an incremental export's window, and the ID of a full export. */
export const INCREMENTAL_PARTITION = 'export_day';
export const FULL_PARTITION = 'export_id';

/** Hive type of one ledger row in DynamoDB's JSON; the SerDe reads keys in lower case. */
export function rowType(): string {
  const fields = COLUMNS.map((column) => {
    const letter = storedType(column);
    return `${column.name}:struct<${letter.toLowerCase()}:${letter === 'BOOL' ? 'boolean' : 'string'}>`;
  });
  return `struct<${fields.join(',')}>`;
}

/** Last month and this one. */
const FIRST_DAY = `date_trunc('month', current_date - INTERVAL '1' MONTH)`;
const RECENT_MONTHS: Period = {
  first: `CAST(${FIRST_DAY} AS VARCHAR)`,
  last: 'CAST(current_date AS VARCHAR)',
};
/** A day earlier: a host whose clock is ahead may date a row after midnight that was written before. */
const OLDEST_FILES = `CAST(${FIRST_DAY} - INTERVAL '1' DAY AS VARCHAR)`;
/** Before every export that can exist. */
const BEFORE_ALL = `'2000-01-01'`;

/** The text of a saved query for Athena: complete in itself, over last month and this one. */
export function athenaQuery(query: Query): string {
  // Only a query of the whole history needs older files than those of its period.
  const needsHistory = /\bevery_entry\b/.test(query.sql);
  return `-- ${query.title}. ${query.description}
-- Other days: write them as '2026-10-01' in place of the two expressions in reported_days${
    needsHistory
      ? '.'
      : `, and\n-- the day before the first one where ${INCREMENTAL_PARTITION} is compared: older files are not read.`
  }
${prelude(dialect(needsHistory ? BEFORE_ALL : OLDEST_FILES), RECENT_MONTHS)}
${query.sql}
`;
}

/**
 * Entries of a full export that no incremental one has: none, for the two ways must agree. The full
 * export's ID is the query's one parameter.
 */
export const EXPORT_CHECK: Query = {
  name: 'export-check',
  title: 'Check of the exports',
  description:
    'Entries that a full export has and the incremental ones lack: no row means that nothing is missing. Enter the ID of a full export, with quotes, when asked.',
  sql: `SELECT whole.item.pk.s AS pk, whole.item.sk.s AS sk, whole.item.created_at_ms.n AS created_at_ms
FROM ${FULL_TABLE} AS whole
LEFT JOIN ${INCREMENTAL_TABLE} AS piece
  ON piece.newimage.pk.s = whole.item.pk.s AND piece.newimage.sk.s = whole.item.sk.s
WHERE whole.${FULL_PARTITION} = ? AND piece.newimage.pk.s IS NULL`,
};

function dialect(oldestDay: string): Dialect {
  return {
    dayOf: (milliseconds) =>
      `CAST(date_add('day', ${milliseconds} / 86400000, DATE '1970-01-01') AS VARCHAR)`,
    entries: typedEntries(`SELECT newimage AS item FROM ${INCREMENTAL_TABLE}
WHERE newimage IS NOT NULL AND ${INCREMENTAL_PARTITION} >= ${oldestDay}
UNION ALL
-- Where an incremental export is lost for good: the ID of a full export made after it.
SELECT item FROM ${FULL_TABLE} WHERE ${FULL_PARTITION} = 'none'`),
  };
}
