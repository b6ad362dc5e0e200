/**
 * What is given to a balance has no open hold to be conditional on. It goes by the balance's
 * sequence: the row under the next number, then applied where the number still is the one before.
 * Only gifts go this way: they can always be applied, so no number ever blocks the next one.
 */
import type { LedgerContext } from './context.ts';
import { commitEntry } from './entry.ts';
import {
  moveClaim,
  putClaim,
  Refusal,
  readBalance,
  readClaim,
  type Work,
  type WorkDone,
} from './once.ts';
import { sendRepeatedly } from './request.ts';
import { type Item, type ItemKey, numberOf, StoreFailure, textOf } from './store.ts';
import { balanceKey, FIRST_STRIPE, sequenceKey } from './tables.ts';

const TRIES = 50;

/** Gives once per reference. Throws Refusal, StoreFailure. */
export async function giveOnce(context: LedgerContext, work: Work): Promise<WorkDone> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const claimed = await claimedNumber(context, work);
    if (claimed === undefined) continue;
    const commit = await commitEntry(context, sequencedRow(work, claimed));
    // Whoever's it is, it is applied before the next number may be used.
    const applied = await applySequenced(context, commit.row);
    if (isOurs(commit.row, work)) return { row: commit.row, repeated: !applied };
    await claimNext(context, work, claimed);
  }
  throw new StoreFailure('no', new Error('too many credits to one account at once'));
}

async function claimedNumber(context: LedgerContext, work: Work): Promise<bigint | undefined> {
  const claim = await readClaim(context, work);
  if (claim) return numberOf(claim, 'number');
  const next = numberOf(await readBalance(context, work.accountId), 'seq') + 1n;
  return (await putClaim(context, work, { number: next })) ? next : undefined;
}

/** The number went to another reference for ever: only then may this one move on. */
async function claimNext(context: LedgerContext, work: Work, taken: bigint): Promise<void> {
  const next = numberOf(await readBalance(context, work.accountId), 'seq') + 1n;
  if (next <= taken) throw new Refusal('a number was taken that was never applied');
  await moveClaim(context, work, { path: 'number', value: taken }, { number: next });
}

function isOurs(row: Item, work: Work): boolean {
  return textOf(row, 'reference') === work.reference;
}

function sequencedRow(work: Work, number: bigint): Item & ItemKey {
  return {
    ...sequenceKey(work.accountId, number),
    kind: work.kind,
    account_id: work.accountId,
    sequence: number,
    stripe: BigInt(FIRST_STRIPE),
    amount_nano: work.amount,
    reference: work.reference,
    ...work.row,
    created_at_ms: BigInt(work.createdAtMs),
  };
}

/** Applies a row where the balance's number is the one before; false where it was applied already. */
async function applySequenced(context: LedgerContext, row: Item): Promise<boolean> {
  const number = numberOf(row, 'sequence');
  const amount = numberOf(row, 'amount_nano');
  if (amount < 0n) throw new RangeError('a sequenced row only gives');
  const reply = await sendRepeatedly(context, {
    operation: 'update',
    table: context.tables.gateway,
    key: balanceKey(textOf(row, 'account_id'), FIRST_STRIPE),
    changes: { add: { available: amount }, set: { seq: number } },
    conditions: [{ path: 'seq', is: '=', value: number - 1n }],
  });
  return reply.outcome === 'done' || reply.repeated;
}
