import type { LedgerContext } from './context.ts';
import { queryAll } from './request.ts';
import { requestIdBounds } from './request-id.ts';
import { type Item, numberOf } from './store.ts';
import { entryPartition, LEDGER_SHARDS, sequencePartition } from './tables.ts';

export interface TimeRange {
  /** Epoch milliseconds, both inclusive. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** How long before its row a request may have been placed. */
const LONGEST_LIFE_MS = 8 * 24 * 60 * 60_000;

/** Every ledger row of an account, oldest first; with a range, those booked within it. */
export async function listEntries(
  context: LedgerContext,
  accountId: string,
  range?: TimeRange,
): Promise<Item[]> {
  const { ledger: table } = context.tables;
  // The sort key tells when a request was placed; its row came later.
  const ids = range && requestIdBounds(range.fromMs - LONGEST_LIFE_MS, range.toMs + 60_000);
  const shards = Array.from({ length: LEDGER_SHARDS }, (_, shard) =>
    queryAll(context, { table, pk: entryPartition(accountId, shard), ...ids }),
  );
  const sequenced = queryAll(context, { table, pk: sequencePartition(accountId) });
  const rows = (await Promise.all([...shards, sequenced])).flat();
  return rows
    .filter((row) => !range || isWithin(createdAtMs(row), range))
    .sort((one, other) => createdAtMs(one) - createdAtMs(other));
}

function isWithin(timeMs: number, range: TimeRange): boolean {
  return timeMs >= range.fromMs && timeMs <= range.toMs;
}

function createdAtMs(row: Item): number {
  return Number(numberOf(row, 'created_at_ms'));
}
