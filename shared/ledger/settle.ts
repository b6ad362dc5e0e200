import { applyEntry } from './apply.ts';
import type { LedgerContext } from './context.ts';
import {
  amountsOf,
  type Commit,
  commitEntry,
  detailAttributes,
  type EntryAmounts,
  holdEntry,
} from './entry.ts';
import { forgetShortage } from './foresight.ts';
import { chargeLate } from './late-charge.ts';
import { type Item, StoreFailure, textOf } from './store.ts';
import type { Charge, ChargeDetails, OpenHold, SettleOutcome } from './types.ts';

const COMMIT_TIME_MS = 6_000;
const APPLY_TIME_MS = 4_000;

/**
 * Settles an open hold: the ledger row first (the commit point), then balance and key. Charges once
 * however often it is called, and never above the hold; the excess is recorded as uncollected.
 * A database that will not take the charge leaves it to the spool; without a spool, or when that
 * fails too, throws.
 */
export function settle(
  context: LedgerContext,
  hold: OpenHold,
  charge: Charge,
): Promise<SettleOutcome> {
  return finalizeOrSpool(context, hold, charge, 'charge');
}

/** Gives the whole hold back and records that: the request ID is final. */
export function release(
  context: LedgerContext,
  hold: OpenHold,
  details: ChargeDetails,
): Promise<SettleOutcome> {
  return finalizeOrSpool(context, hold, { amount: 0n, details }, 'release');
}

async function finalizeOrSpool(
  context: LedgerContext,
  hold: OpenHold,
  charge: Charge,
  kind: 'charge' | 'release',
): Promise<SettleOutcome> {
  try {
    return await finalize(context, hold, charge, kind);
  } catch (error) {
    if (!(error instanceof StoreFailure) || !context.spool) throw error;
    await context.spool.add({ hold: openHoldOf(hold), charge, kind });
    return { status: 'spooled', ...cut(hold, charge.amount) };
  }
}

/** Finalizes a hold with a finished charge, now or late. Throws StoreFailure where nothing is decided. */
export async function finalize(
  context: LedgerContext,
  hold: OpenHold,
  charge: Charge,
  kind: 'charge' | 'release',
): Promise<SettleOutcome> {
  if (charge.amount < 0n) throw new RangeError('a charge cannot be negative');
  const amounts = cut(hold, charge.amount);
  const row = holdEntry(
    hold,
    kind,
    { ...amounts, amount: amounts.charged },
    {
      ...detailAttributes(charge.details),
      created_at_ms: BigInt(context.now()),
    },
  );
  const commit = await commitEntry(context, row, COMMIT_TIME_MS);
  await applyEntry(context, commit.row, APPLY_TIME_MS);
  forgetShortage(context, hold.accountId, hold.keyId);
  if (textOf(commit.row, 'kind') === 'expiry') {
    return chargeLate(context, hold, amountsOfCut(amounts), charge.details);
  }
  return {
    status: wasOurs(commit, amounts.charged) ? 'settled' : 'repeated',
    ...settledAmounts(commit.row),
  };
}

/** The charge never exceeds the hold. */
function cut(hold: OpenHold, cost: bigint): { charged: bigint; uncollected: bigint } {
  const charged = cost < hold.amount ? cost : hold.amount;
  return { charged, uncollected: cost - charged };
}

function amountsOfCut(amounts: { charged: bigint; uncollected: bigint }): EntryAmounts {
  return { amount: amounts.charged, uncollected: amounts.uncollected };
}

function settledAmounts(row: Item): { charged: bigint; uncollected: bigint } {
  const { amount, uncollected } = amountsOf(row);
  return { charged: amount, uncollected };
}

/** A put whose answer was lost and that was sent again finds its own row. */
function wasOurs(commit: Commit, charged: bigint): boolean {
  return commit.won || (commit.repeated && amountsOf(commit.row).amount === charged);
}

function openHoldOf(hold: OpenHold): OpenHold {
  const { requestId, accountId, keyId, stripe, amount, period, heldByKey } = hold;
  return { requestId, accountId, keyId, stripe, amount, period, heldByKey };
}
