import type { LedgerContext } from './context.ts';
import { readItem, sendRepeatedly } from './request.ts';
import { shortId } from './request-id.ts';
import { holdsOpen } from './reserve.ts';
import type { UpdateCommand } from './store.ts';
import { balanceKey, keyStateKey } from './tables.ts';
import type { OpenHold } from './types.ts';

/** `was-closed`: this ID was not open when the last answer came. */
export type Closing = 'closed' | 'was-closed';

/**
 * Ends an open hold on the account's balance and gives `refund` of it back. Conditional on the open
 * hold and never reopened, so it may be repeated by anyone. Throws StoreFailure.
 */
export async function closeOnBalance(
  context: LedgerContext,
  hold: OpenHold,
  refund: bigint,
  timeMs?: number,
): Promise<Closing> {
  const entry = `holds.${shortId(hold.requestId)}`;
  const reply = await sendRepeatedly(
    context,
    {
      operation: 'update',
      table: context.tables.gateway,
      key: balanceKey(hold.accountId, hold.stripe),
      changes: { add: { available: refund }, remove: [entry] },
      conditions: [{ path: entry, is: '=', value: hold.amount }],
    },
    timeMs,
  );
  return reply.outcome === 'done' ? 'closed' : 'was-closed';
}

/**
 * Ends an open hold on its key. The refund goes to a recurring limit only while the period that the
 * hold was placed in lasts. Throws StoreFailure.
 */
export async function closeOnKey(
  context: LedgerContext,
  hold: OpenHold,
  refund: bigint,
  timeMs?: number,
): Promise<Closing> {
  if (!hold.heldByKey) return 'was-closed';
  if (hold.period !== undefined) {
    const samePeriod = await sendRepeatedly(
      context,
      keyClosing(context, hold, refund, true),
      timeMs,
    );
    if (samePeriod.outcome === 'done') return 'closed';
    const key = keyStateKey(hold.keyId);
    const item = samePeriod.item ?? (await readItem(context, context.tables.gateway, key, timeMs));
    if (!item || !holdsOpen(item, hold.requestId)) return 'was-closed';
  }
  const reply = await sendRepeatedly(context, keyClosing(context, hold, refund, false), timeMs);
  return reply.outcome === 'done' ? 'closed' : 'was-closed';
}

function keyClosing(
  context: LedgerContext,
  hold: OpenHold,
  refund: bigint,
  samePeriod: boolean,
): UpdateCommand {
  const entry = `holds.${shortId(hold.requestId)}`;
  const { period } = hold;
  return {
    operation: 'update',
    table: context.tables.gateway,
    key: keyStateKey(hold.keyId),
    changes: {
      add: { life_room: refund, ...(samePeriod ? { period_room: refund } : {}) },
      remove: [entry],
    },
    conditions: [
      { path: entry, is: '=', value: hold.amount },
      ...(period === undefined
        ? []
        : [{ path: 'period', is: samePeriod ? '=' : '<>', value: period } as const]),
    ],
  };
}
