import type { LedgerContext } from './context.ts';
import { Refusal, type Work, type WorkDone } from './once.ts';
import { queryAll, sendRepeatedly } from './request.ts';
import { giveOnce } from './sequenced.ts';
import { type Item, numberOf, textOf } from './store.ts';
import { WORK_PARTITION, workKey } from './tables.ts';
import { takeOnce } from './take.ts';

/**
 * Does what must be done once per account and reference, whatever fails in between: the work record
 * first, so that the sweep ends what a crash left.
 * Throws Refusal, StoreFailure.
 */
export async function doOnce(context: LedgerContext, work: Work): Promise<WorkDone> {
  const table = context.tables.gateway;
  const item = { ...workKey(work.accountId, work.reference), ...writeWork(work) };
  await sendRepeatedly(context, { operation: 'put', table, item, ifAbsent: true });
  return performWork(context, work);
}

/** Goes on with work that was recorded. Repeatable; the record goes once nothing is left to do. */
async function performWork(context: LedgerContext, work: Work): Promise<WorkDone> {
  const forget = () => {
    const key = workKey(work.accountId, work.reference);
    return sendRepeatedly(context, { operation: 'delete', table: context.tables.gateway, key });
  };
  try {
    const done = await (work.amount < 0n ? takeOnce(context, work) : giveOnce(context, work));
    await forget();
    return done;
  } catch (error) {
    if (error instanceof Refusal) await forget();
    throw error;
  }
}

/** Ends every work that was begun before that time; returns how many were done and how many are left. */
export async function finishWork(
  context: LedgerContext,
  beforeMs: number,
): Promise<{ done: number; left: number }> {
  const items = await queryAll(context, { table: context.tables.gateway, pk: WORK_PARTITION });
  const due = items.map(readWork).filter((work) => work.createdAtMs <= beforeMs);
  let left = 0;
  for (const work of due) {
    await performWork(context, work).catch((error: unknown) => {
      if (!(error instanceof Refusal)) left += 1;
    });
  }
  return { done: due.length - left, left };
}

function writeWork(work: Work): Item {
  return {
    kind: work.kind,
    account: work.accountId,
    reference: work.reference,
    amount: work.amount,
    key: work.keyId,
    uncollected: work.uncollected,
    row: work.row,
    created: BigInt(work.createdAtMs),
  };
}

function readWork(item: Item): Work {
  const kind = textOf(item, 'kind');
  const row = item.row;
  return {
    kind: kind === 'credit' || kind === 'adjustment' ? kind : 'late_charge',
    accountId: textOf(item, 'account'),
    reference: textOf(item, 'reference'),
    amount: numberOf(item, 'amount'),
    keyId: textOf(item, 'key'),
    uncollected: numberOf(item, 'uncollected'),
    row: typeof row === 'object' ? row : {},
    createdAtMs: Number(numberOf(item, 'created')),
  };
}
