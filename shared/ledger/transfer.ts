/**
 * Money between two stripes of one balance moves like a hold: a marker is opened where it leaves,
 * then one where it comes, each sent once; one ledger row commits it; then both markers are closed,
 * each conditional on being open, by anyone and as often as need be. A marker that stays open leads
 * the sweep to the transfer: without a row it is abandoned.
 */
import type { LedgerContext } from './context.ts';
import { commitEntry } from './entry.ts';
import { PATIENT_TIMEOUT_MS, readItem, sendRepeatedly } from './request.ts';
import { longId, mintRequestId, shortId } from './request-id.ts';
import { type Deadline, sendReservation, timeLeftMs } from './reserve.ts';
import { type Item, type ItemKey, numberOf, StoreFailure, type UpdateCommand } from './store.ts';
import type { Stripe } from './stripes.ts';
import { balanceKey, entryKey } from './tables.ts';

export interface Transfer {
  readonly accountId: string;
  readonly from: number;
  readonly to: number;
  /** More than nothing. */
  readonly amount: bigint;
}

/** One side of a transfer: its marker as it stands on a stripe. */
interface Side {
  readonly accountId: string;
  readonly stripe: number;
  readonly transferId: string;
  /** Positive where the money leaves, negative where it comes. */
  readonly marker: bigint;
}

/**
 * Moves an amount, where it is available. False: it was not, or the database did not take it all
 * before the deadline; then the sweep ends what is open. Throws only what is no StoreFailure.
 */
export async function transferMoney(
  context: LedgerContext,
  transfer: Transfer,
  deadline: Deadline = { atMs: context.monotonicNow() + PATIENT_TIMEOUT_MS },
): Promise<boolean> {
  const { accountId, from, to, amount } = transfer;
  const transferId = mintRequestId(context.now(), context.randomBytes(10));
  const outgoing: Side = { accountId, transferId, stripe: from, marker: amount };
  const incoming: Side = { accountId, transferId, stripe: to, marker: -amount };
  const left = () => timeLeftMs(context, deadline);
  const taken = await sendReservation(context, openMarker(context, outgoing), deadline);
  // What is not there is nothing to announce: who gathers at once would crowd one stripe with it.
  if (taken.kind === 'refused' || taken.kind === 'not-applied') return false;
  const announced =
    taken.kind === 'applied' &&
    (await sendReservation(context, openMarker(context, incoming), deadline)).kind === 'applied';
  try {
    const row = transferRow(context, accountId, transferId, {
      stripe: BigInt(from),
      to_stripe: BigInt(to),
      moved_nano: amount,
    });
    const moved = announced && hasMoved((await commitEntry(context, row, left())).row);
    const close = (side: Side) => closeMarker(context, side, { moved, timeMs: left() });
    await Promise.all([close(outgoing), close(incoming)]);
    return moved;
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    return false;
  }
}

/** Sent once, like every reservation: a delayed copy could reopen the marker after it was closed. */
function openMarker(context: LedgerContext, side: Side): UpdateCommand {
  const { stripe, marker } = side;
  const entry = `transfers.${shortId(side.transferId)}`;
  const reserved = marker > 0n ? marker : 0n;
  return {
    operation: 'update',
    table: context.tables.gateway,
    key: balanceKey(side.accountId, stripe),
    changes: { add: { available: -reserved }, set: { [entry]: marker } },
    conditions: [
      { path: 'available', is: '>=', value: reserved },
      { path: entry, is: 'absent' },
    ],
  };
}

function transferRow(
  context: LedgerContext,
  accountId: string,
  transferId: string,
  move: Item,
): Item & ItemKey {
  return {
    ...entryKey(accountId, transferId),
    kind: 'transfer',
    transfer_id: transferId,
    account_id: accountId,
    // The account's own balance stays what it is.
    amount_nano: 0n,
    ...move,
    created_at_ms: BigInt(context.now()),
  };
}

/** Whether the money moves: the first row says so, whoever put it. */
function hasMoved(row: Item): boolean {
  return numberOf(row, 'moved_nano') > 0n;
}

/** Repeatable by anyone: a marker is never opened again. */
async function closeMarker(
  context: LedgerContext,
  side: Side,
  { moved, timeMs }: { readonly moved: boolean; readonly timeMs?: number },
): Promise<void> {
  const entry = `transfers.${shortId(side.transferId)}`;
  const close: UpdateCommand = {
    operation: 'update',
    table: context.tables.gateway,
    key: balanceKey(side.accountId, side.stripe),
    changes: { add: { available: gainOf(side.marker, moved) }, remove: [entry] },
    conditions: [{ path: entry, is: '=', value: side.marker }],
  };
  await sendRepeatedly(context, close, timeMs);
}

/** What a stripe is given when a marker of it is closed. */
function gainOf(marker: bigint, moved: boolean): bigint {
  if (moved) return marker < 0n ? -marker : 0n;
  return marker > 0n ? marker : 0n;
}

/**
 * Ends the transfers whose markers stand open on these stripes and were made before that time: as
 * their rows say, and where there is no row an abandoned transfer is its row. Throws StoreFailure.
 */
export async function finishTransfers(
  context: LedgerContext,
  accountId: string,
  stripes: readonly Stripe[],
  isDue: (transferId: string) => boolean,
): Promise<void> {
  const due = markersOf(accountId, stripes).filter(({ transferId }) => isDue(transferId));
  for (const side of due) {
    const row = (await readTransfer(context, side)) ?? (await abandon(context, side));
    await closeMarker(context, side, { moved: hasMoved(row) });
  }
}

function markersOf(accountId: string, stripes: readonly Stripe[]): Side[] {
  return stripes.flatMap(({ number: stripe, transfers }) =>
    [...transfers].map(([short, marker]) => {
      return { accountId, stripe, transferId: longId(short), marker };
    }),
  );
}

function readTransfer(context: LedgerContext, side: Side): Promise<Item | undefined> {
  return readItem(context, context.tables.ledger, entryKey(side.accountId, side.transferId));
}

async function abandon(context: LedgerContext, side: Side): Promise<Item> {
  const move = { stripe: BigInt(side.stripe), moved_nano: 0n };
  const row = transferRow(context, side.accountId, side.transferId, move);
  return (await commitEntry(context, row)).row;
}

/** What is on its way between stripes, and so in none of them available. Throws StoreFailure. */
export async function amountInTransfer(
  context: LedgerContext,
  accountId: string,
  stripes: readonly Stripe[],
): Promise<bigint> {
  const gains = markersOf(accountId, stripes).map(async (side) => {
    const row = await readTransfer(context, side);
    return gainOf(side.marker, row !== undefined && hasMoved(row));
  });
  return (await Promise.all(gains)).reduce((sum, gain) => sum + gain, 0n);
}
