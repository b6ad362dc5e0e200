import { METERS, TOKEN_METERS } from '../../shared/pricing/usage.ts';
import { COLUMNS, type Column, queriedName, storedType } from './columns.ts';

const INPUT_METERS = TOKEN_METERS.filter((meter) => meter !== 'output_tokens');

/** Days as YYYY-MM-DD, in UTC, both inclusive; written into SQL as they stand. */
export interface Period {
  /** A SQL expression of the first day. */
  readonly first: string;
  /** A SQL expression of the last day. */
  readonly last: string;
}

/** What differs between the two engines that run the same queries. */
export interface Dialect {
  /** SQL of the day (YYYY-MM-DD, UTC) of an SQL expression in epoch milliseconds. */
  readonly dayOf: (milliseconds: string) => string;
  /** A SELECT of every ledger entry, as `typedEntries` reads them. */
  readonly entries: string;
}

/**
 * A SELECT of ledger entries, one column an attribute, from a SELECT of `item`: a struct of
 * DynamoDB's JSON, the same row perhaps out of several exports.
 */
export function typedEntries(exported: string): string {
  return `SELECT
${COLUMNS.map((column) => `  ${readColumn(column)}`).join(',\n')}
FROM (
  -- A row may stand in several exports; it never changes, so any one of them is it.
  SELECT item, row_number() OVER (PARTITION BY item.pk.s, item.sk.s ORDER BY item.pk.s) AS copy
  FROM (
${indented(exported, 4)}
  ) AS exported
) AS numbered
WHERE copy = 1`;
}

/**
 * The tables that the shared queries read, as one `WITH` clause without its end:
 * `every_entry` has one row for each ledger entry ever written, `ledger` those of the period,
 * `usage_lines` one row for each meter that an entry of the period used.
 */
export function prelude(dialect: Dialect, period: Period): string {
  return `WITH reported_days AS (
  SELECT ${period.first} AS first_day, ${period.last} AS last_day
),
entries AS (
${indented(dialect.entries, 2)}
),
every_entry AS (
  SELECT
    entries.*,
    ${dialect.dayOf('created_at_ms')} AS day,
    -- What the entry does to its account's balance; a transfer only moves money within the account.
    CASE WHEN kind IN ('charge', 'late_charge') THEN -amount_usd
      WHEN kind = 'transfer' THEN CAST(0 AS DECIMAL(30, 9)) ELSE amount_usd END AS effect_usd,
    -- What a request took.
    CASE WHEN kind IN ('charge', 'late_charge') THEN amount_usd
      ELSE CAST(0 AS DECIMAL(30, 9)) END AS charge_usd,
    ${INPUT_METERS.map((meter) => `coalesce(${meter}, 0)`).join(' + ')} AS all_input_tokens,
    -- An entry of kind charge or release is a request that the gateway finished.
    CASE WHEN kind IN ('charge', 'release') THEN 1 ELSE 0 END AS requests
  FROM entries
),
ledger AS (
  SELECT every_entry.*
  FROM every_entry CROSS JOIN reported_days
  WHERE day BETWEEN first_day AND last_day
),
usage_lines AS (
${METERS.map(usageLine).join('\n  UNION ALL\n')}
)`;
}

function usageLine(meter: string): string {
  return `  SELECT day, provider, deployment, model, '${meter}' AS meter, ${meter} AS units,
    price_${meter} AS unit_price_usd
  FROM ledger WHERE ${meter} > 0`;
}

function readColumn(column: Column): string {
  const stored = `item.${column.name}.${storedType(column).toLowerCase()}`;
  return `${typedColumn(column, stored)} AS ${queriedName(column)}`;
}

/** Money is DECIMAL from end to end: a double would lose nano-dollars. */
function typedColumn({ kind }: Column, stored: string): string {
  switch (kind) {
    case 'nano':
      return `CAST(${stored} AS DECIMAL(20, 0)) * CAST('0.000000001' AS DECIMAL(10, 9))`;
    case 'whole':
      return `CAST(${stored} AS BIGINT)`;
    case 'price':
      return `CAST(${stored} AS DECIMAL(20, 15))`;
    default:
      return stored;
  }
}

function indented(sql: string, spaces: number): string {
  return sql.replaceAll(/^/gm, ' '.repeat(spaces));
}
