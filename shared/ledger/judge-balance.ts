/** Why a balance has refused a hold: it is short, or the money lies on another of its stripes. */
import type { LedgerContext } from './context.ts';
import { noticeOrphans } from './orphans.ts';
import { readItem } from './request.ts';
import { shortMintedAtMs } from './request-id.ts';
import { type Item, numberOf, numbersOf } from './store.ts';
import { mostAvailable, readStripes, type Stripe, stripeCount, totalAvailable } from './stripes.ts';
import { balanceKey, FIRST_STRIPE } from './tables.ts';
import type { KeyRecord } from './types.ts';

/** For every judgement of a refusal, how long its reads may take. */
export const JUDGE_TIMEOUT_MS = 1_000;
const YOUNG_MS = 2_000;

/**
 * `missed`: the next try may find it, on that stripe where one is named. `thin`: all stripes
 * together have it, none by itself. `moving`: transfers have it under way. `short`: it is not there.
 */
export type BalanceVerdict =
  | { readonly kind: 'missed'; readonly stripe?: number }
  | { readonly kind: 'thin' | 'moving'; readonly stripes: readonly Stripe[] }
  | {
      readonly kind: 'short';
      /** Reservations younger than two seconds would cover what is missing. */
      readonly coveredByYoung: boolean;
    };

interface Wanted {
  readonly key: KeyRecord;
  readonly amount: bigint;
}

/** Tells why a stripe has refused; `item` is what stood there, where known. Throws StoreFailure. */
export async function judgeBalance(
  context: LedgerContext,
  wanted: Wanted,
  refusal: { readonly stripe: number; readonly item: Item | undefined },
): Promise<BalanceVerdict> {
  const { accountId, stripes } = wanted.key;
  if (stripes > 1 || refusal.stripe !== FIRST_STRIPE) return findMoney(context, wanted);
  const { gateway } = context.tables;
  const key = balanceKey(accountId, FIRST_STRIPE);
  const item = refusal.item ?? (await readItem(context, gateway, key, JUDGE_TIMEOUT_MS));
  if (!item) throw new TypeError(`account ${accountId} has no balance`);
  if (stripeCount(item) > 1) return findMoney(context, wanted);
  const available = numberOf(item, 'available');
  const holds = numbersOf(item, 'holds');
  noteBalance(context, accountId, { available, holds });
  if (available >= wanted.amount) return { kind: 'missed' };
  const young = youngReservations(context, holds);
  return { kind: 'short', coveredByYoung: available + young >= wanted.amount };
}

/** Looks for an amount on all stripes of a balance. Only what two readings prove is short. */
export async function findMoney(context: LedgerContext, wanted: Wanted): Promise<BalanceVerdict> {
  const { key, amount } = wanted;
  const options = { expected: key.stripes, timeMs: JUDGE_TIMEOUT_MS };
  const before = await readStripes(context, key.accountId, options);
  const found = before.filter(({ available }) => available >= amount);
  if (found.length > 0) return { kind: 'missed', stripe: anyOf(context, found).number };
  if (totalAvailable(before) >= amount) return { kind: 'thin', stripes: before };
  const after = await readStripes(context, key.accountId, options);
  for (const { holds } of after)
    noteBalance(context, key.accountId, { available: totalAvailable(after), holds });
  const most = mostAvailable(before, after);
  if (most >= amount) return { kind: 'moving', stripes: after };
  const young = after.reduce((sum, { holds }) => sum + youngReservations(context, holds), most);
  return { kind: 'short', coveredByYoung: young >= amount };
}

/** Whoever finds several full stripes takes any of them: those who look at once do not meet. */
function anyOf(context: LedgerContext, stripes: readonly Stripe[]): Stripe {
  const [byte = 0] = context.randomBytes(1);
  const stripe = stripes[byte % stripes.length];
  if (!stripe) throw new RangeError('no stripe to choose');
  return stripe;
}

/** Remembers what a balance, or a stripe of it, has shown of itself. */
export function noteBalance(
  context: LedgerContext,
  accountId: string,
  seen: { readonly available: bigint; readonly holds: ReadonlyMap<string, bigint> },
): void {
  context.memory.balanceHints.set(accountId, seen.available);
  noticeOrphans(context, accountId, seen.holds);
}

/** What neighbours hold in reservations so young that they may be about to be undone. */
export function youngReservations(
  context: LedgerContext,
  holds: ReadonlyMap<string, bigint>,
): bigint {
  const sinceMs = context.now() - YOUNG_MS;
  let sum = 0n;
  for (const [short, amount] of holds) {
    const young = shortMintedAtMs(short) > sinceMs && !context.memory.placed.get(short);
    if (young) sum += amount;
  }
  return sum;
}
