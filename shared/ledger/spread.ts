/** Which money moves between the stripes of a balance: together where it is short, apart where not. */
import type { LedgerContext } from './context.ts';
import { mintedAtMs } from './request-id.ts';
import { type Deadline, timeLeftMs } from './reserve.ts';
import { StoreFailure } from './store.ts';
import { mostAvailable, readStripes, type Stripe, totalAvailable } from './stripes.ts';
import { FIRST_STRIPE } from './tables.ts';
import { finishTransfers, type Transfer, transferMoney } from './transfer.ts';

/** A transfer this young is somebody's who is at it. */
const AT_IT_MS = 2_000;
const AT_ONCE = 16;
const GATHERINGS = 6;
const PAUSE_MS = 50;

type Move = Omit<Transfer, 'accountId'>;

/**
 * Brings to the first stripe what it lacks of an amount: all that the richest others have, until it
 * is enough. Always to the first: two who gathered to different stripes would take it from each
 * other for ever. And all they have: what stays behind would have to be gathered for the next one.
 */
export function planGathering(stripes: readonly Stripe[], amount: bigint): Move[] {
  const [first, ...others] = stripes;
  let gathered = first?.available ?? 0n;
  const moves: Move[] = [];
  for (const { number: from, available } of byWealth(others)) {
    if (gathered >= amount || available <= 0n) break;
    moves.push({ from, to: FIRST_STRIPE, amount: available });
    gathered += available;
  }
  return moves;
}

/** Evens out: who has less than half of a fair share gets a whole one from those who have more. */
export function planSpreading(stripes: readonly Stripe[]): Move[] {
  const fair = totalAvailable(stripes) / BigInt(stripes.length);
  const rich = byWealth(stripes).map(({ number, available }) => {
    return { number, surplus: available - fair };
  });
  const moves: Move[] = [];
  for (const poor of stripes.filter(({ available }) => available * 2n < fair)) {
    let lacking = fair - poor.available;
    for (const giver of rich) {
      const moved = giver.surplus < lacking ? giver.surplus : lacking;
      if (moved <= 0n) continue;
      moves.push({ from: giver.number, to: poor.number, amount: moved });
      giver.surplus -= moved;
      lacking -= moved;
    }
  }
  return moves;
}

function byWealth(stripes: readonly Stripe[]): Stripe[] {
  return stripes.toSorted((one, other) => (one.available < other.available ? 1 : -1));
}

/** Moves these between an account's stripes, as far as they still have it and time goes. */
export async function moveAll(
  context: LedgerContext,
  accountId: string,
  moves: readonly Move[],
  deadline?: Deadline,
): Promise<void> {
  for (let from = 0; from < moves.length; from += AT_ONCE) {
    if (deadline && timeLeftMs(context, deadline) === 0) return;
    const group = moves.slice(from, from + AT_ONCE);
    await Promise.all(
      group.map((move) => transferMoney(context, { accountId, ...move }, deadline)),
    );
  }
}

/**
 * What the first stripe has available, once the others have given it what it lacks of `wanted`: less
 * than that only where all of them together have less. Throws Refusal, StoreFailure.
 */
export async function gather(
  context: LedgerContext,
  accountId: string,
  wanted: bigint,
): Promise<bigint> {
  for (let tries = 0; tries < GATHERINGS; tries += 1) {
    const stripes = await readStripes(context, accountId);
    if (stripes.length === 1 || stripes[0].available >= wanted) return stripes[0].available;
    await finishOld(context, accountId, stripes);
    await moveAll(context, accountId, planGathering(stripes, wanted));
    const after = await readStripes(context, accountId, { expected: stripes.length });
    const isShort = mostAvailable(stripes, after, false) < wanted;
    const isTogether = totalAvailable(after) === after[0].available;
    if (after[0].available >= wanted || (isShort && isTogether)) return after[0].available;
    await context.wait(PAUSE_MS * (tries + 1));
  }
  throw new StoreFailure('no', new Error('the balance moves too fast'));
}

/** Ends transfers that whoever began them has left. Throws StoreFailure. */
export function finishOld(
  context: LedgerContext,
  accountId: string,
  stripes: readonly Stripe[],
  ageMs = AT_IT_MS,
): Promise<void> {
  const beforeMs = context.now() - ageMs;
  const isDue = (transferId: string) => mintedAtMs(transferId) <= beforeMs;
  return finishTransfers(context, accountId, stripes, isDue);
}

/** Spreads a balance evenly, as well as that goes now: the sweep does it again. Throws StoreFailure. */
export async function spreadBalance(context: LedgerContext, accountId: string): Promise<void> {
  const stripes = await readStripes(context, accountId);
  await moveAll(context, accountId, planSpreading(stripes));
}
