import { closeOnBalance, closeOnKey } from './close.ts';
import type { LedgerContext } from './context.ts';
import { deleteHoldRecord } from './hold-record.ts';
import type { WriteOutcome } from './reserve.ts';
import type { OpenHold } from './types.ts';

/** What an attempt's three writes came to; undefined: the write was never sent. */
export interface PlaceOutcomes {
  readonly record: WriteOutcome;
  readonly key: WriteOutcome | undefined;
  readonly balance: WriteOutcome | undefined;
}

export interface UndoOptions {
  readonly timeoutMs: number;
  /** An ID that came from outside keeps its record, so that it is never used again. */
  readonly keepRecord: boolean;
}

/**
 * Takes an attempt back that was never dispatched. The hold record goes last, and only when nothing
 * of the attempt is open or can still arrive; otherwise the sweep needs it.
 * Never throws for a database that does not answer.
 */
export async function undoPlace(
  context: LedgerContext,
  hold: OpenHold,
  outcomes: PlaceOutcomes,
  options: UndoOptions,
): Promise<void> {
  const { timeoutMs } = options;
  const [key, balance] = await Promise.all([
    undoOne(outcomes.key, () => closeOnKey(context, hold, hold.amount, timeoutMs)),
    undoOne(outcomes.balance, () => closeOnBalance(context, hold, hold.amount, timeoutMs)),
  ]);
  if (!key || !balance || options.keepRecord) return;
  await deleteHoldRecord(context, hold.requestId, timeoutMs).catch(() => undefined); // TTL does it
}

/** Whether the write is over: it is closed now, or it never happened and never will. */
async function undoOne(
  outcome: WriteOutcome | undefined,
  close: () => Promise<'closed' | 'was-closed'>,
): Promise<boolean> {
  if (!outcome || outcome.kind === 'refused' || outcome.kind === 'not-applied') return true;
  try {
    const closing = await close();
    // An unknown write that is not there may still be on its way.
    return closing === 'closed' || outcome.kind === 'applied';
  } catch {
    return false;
  }
}
