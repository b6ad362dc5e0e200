import { closeOnBalance, closeOnKey } from './close.ts';
import type { LedgerContext } from './context.ts';
import { amountsOf, holdOfEntry } from './entry.ts';
import { type Item, StoreFailure, textOf } from './store.ts';

/**
 * Applies a request's row to balance and key, each conditional on the open hold: repeatable by
 * anyone. `left`: a part that the database would not take; the row stands and the sweep applies it.
 */
export async function applyEntry(
  context: LedgerContext,
  row: Item,
  timeMs?: number,
): Promise<'applied' | 'nothing-open' | 'left'> {
  const hold = holdOfEntry(row);
  const kind = textOf(row, 'kind');
  const { amount } = amountsOf(row);
  const taken = kind === 'adjustment' ? -amount : amount;
  const refund = hold.amount - taken;
  if (refund < 0n || taken < 0n)
    throw new RangeError(`row ${hold.requestId} charges above its hold`);
  const closings = await Promise.allSettled([
    closeOnBalance(context, hold, refund, timeMs),
    closeOnKey(context, hold, refund, timeMs),
  ]);
  const failed = closings.find((closing) => closing.status === 'rejected');
  if (failed && !(failed.reason instanceof StoreFailure)) throw failed.reason;
  if (failed) return 'left';
  const closed = closings.some(
    (closing) => closing.status === 'fulfilled' && closing.value === 'closed',
  );
  return closed ? 'applied' : 'nothing-open';
}
