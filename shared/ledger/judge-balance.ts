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
 * together have it, none by itself. `moving`: transfers have it under way, or somebody gathers it.
 * `short`: it is not there.
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

/**
 * Looks for an amount on all stripes of a balance. It is short where two readings prove that it was
 * not there at the moment between them; or, where others placed holds meanwhile, where a third
 * reading finds as little. Throws StoreFailure.
 */
export async function findMoney(context: LedgerContext, wanted: Wanted): Promise<BalanceVerdict> {
  const { key, amount } = wanted;
  const options = { expected: key.stripes, timeMs: JUDGE_TIMEOUT_MS };
  const read = () => readStripes(context, key.accountId, options);
  let before = await read();
  const found = before.filter(({ available }) => available >= amount);
  if (found.length > 0) return { kind: 'missed', stripe: anyOf(context, found).number };
  if (totalAvailable(before) >= amount) {
    const moving = before.some(({ transfers }) => transfers.size > 0);
    return { kind: moving ? 'moving' : 'thin', stripes: before };
  }
  for (let readings = 2; ; readings += 1) {
    const after = await read();
    if (mostAvailable(before, after, false) >= amount) return { kind: 'moving', stripes: after };
    const proven = mostAvailable(before, after, true) < amount;
    if (proven || readings > 2) return shortOf(context, wanted, after);
    before = after;
  }
}

function shortOf(
  context: LedgerContext,
  { key, amount }: Wanted,
  stripes: readonly Stripe[],
): BalanceVerdict {
  const available = totalAvailable(stripes);
  let young = available;
  for (const { holds } of stripes) {
    noteBalance(context, key.accountId, { available, holds });
    young += youngReservations(context, holds);
  }
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
