import type { LedgerContext } from './context.ts';
import { type Deadline, sendOnce, timeLeftMs, type WriteOutcome } from './reserve.ts';
import { NO_PERIOD } from './spend-limits.ts';
import { type Item, type ItemKey, numberOf, type StoreCommand } from './store.ts';
import { holdExpiryMs, holdKey, ttlSeconds } from './tables.ts';
import type { OpenHold } from './types.ts';

const REPEAT_PAUSE_MS = 20;

/** The hold's record: the sweep's index. It is only an index, so it may be written repeatedly. */
export interface HoldRecord {
  readonly hold: OpenHold;
  readonly fingerprint: string;
}

/** Puts the record of an ID that was minted in this very call: one that is there is our own. */
export async function putMintedHoldRecord(
  context: LedgerContext,
  record: HoldRecord,
  deadline: Deadline,
): Promise<WriteOutcome> {
  const outcome = await putHoldRecord(context, record, deadline);
  return outcome.kind === 'refused' ? { kind: 'applied', item: outcome.item } : outcome;
}

/**
 * Puts the hold record, again and again until that is confirmed: without it there is no dispatch.
 * `refused`: a record is there. It may be our own, of a sending whose answer was lost, or another
 * caller's under the same ID: whoever did not mint the ID must not take it for its own.
 */
export async function putHoldRecord(
  context: LedgerContext,
  record: HoldRecord,
  deadline: Deadline,
): Promise<WriteOutcome> {
  const command = putRecordCommand(context, record);
  for (;;) {
    const outcome = await sendOnce(context, command, deadline);
    const answered = outcome.kind === 'applied' || outcome.kind === 'refused';
    if (answered || timeLeftMs(context, deadline) <= REPEAT_PAUSE_MS) return outcome;
    await context.wait(REPEAT_PAUSE_MS);
  }
}

function putRecordCommand(context: LedgerContext, record: HoldRecord): StoreCommand {
  const { hold, fingerprint } = record;
  const expiresMs = holdExpiryMs(hold.requestId);
  return {
    operation: 'put',
    table: context.tables.gateway,
    ifAbsent: true,
    item: {
      ...holdKey(hold.requestId),
      account: hold.accountId,
      key: hold.keyId,
      stripe: BigInt(hold.stripe),
      amount: hold.amount,
      period: hold.period ?? NO_PERIOD,
      on_key: hold.heldByKey,
      fingerprint,
      expires: BigInt(expiresMs),
      ttl: ttlSeconds(expiresMs),
    },
  };
}

/** Reads a hold record back. */
export function readHoldRecord(item: Item & Partial<ItemKey>): HoldRecord {
  const period = String(item.period);
  return {
    hold: {
      requestId: String(item.sk),
      accountId: String(item.account),
      keyId: String(item.key),
      stripe: Number(numberOf(item, 'stripe')),
      amount: numberOf(item, 'amount'),
      period: period === NO_PERIOD ? undefined : period,
      heldByKey: item.on_key === true,
    },
    fingerprint: String(item.fingerprint),
  };
}

/** Removes the record of an attempt of which nothing is open and nothing can come any more. */
export async function deleteHoldRecord(
  context: LedgerContext,
  requestId: string,
  timeoutMs: number,
): Promise<void> {
  const table = context.tables.gateway;
  await context.send({ operation: 'delete', table, key: holdKey(requestId) }, timeoutMs);
}
