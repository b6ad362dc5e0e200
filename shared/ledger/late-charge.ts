import type { LedgerContext } from './context.ts';
import { amountsOf, detailAttributes, type EntryAmounts } from './entry.ts';
import type { ChargeDetails, OpenHold, SettleOutcome } from './types.ts';
import { doOnce } from './work.ts';

/**
 * Charges a request whose hold has expired: once per request, and at most what is available now.
 * Throws StoreFailure; once its work is recorded the sweep goes on with it.
 */
export async function chargeLate(
  context: LedgerContext,
  hold: OpenHold,
  amounts: EntryAmounts,
  details: ChargeDetails,
): Promise<SettleOutcome> {
  const nothing = { status: 'late', charged: 0n, uncollected: amounts.uncollected } as const;
  if (amounts.amount === 0n) return nothing;
  const { row } = await doOnce(context, {
    kind: 'late_charge',
    accountId: hold.accountId,
    reference: `late#${hold.requestId}`,
    amount: -amounts.amount,
    keyId: hold.keyId,
    uncollected: amounts.uncollected,
    row: { ...detailAttributes(details), late_for: hold.requestId },
    createdAtMs: context.now(),
  });
  const { amount, uncollected } = amountsOf(row);
  return { status: 'late', charged: amount, uncollected };
}
