import type { LedgerContext } from './context.ts';
import { Refusal } from './once.ts';
import { readItem } from './request.ts';
import { type Item, numberOf, numbersOf, optionalNumber } from './store.ts';
import { balanceKey, FIRST_STRIPE } from './tables.ts';

/** One balance item of an account, read. */
export interface Stripe {
  readonly number: number;
  readonly available: bigint;
  /** Number of the last sequenced row that was applied. */
  readonly sequence: bigint;
  /** Open holds by short ID. */
  readonly holds: ReadonlyMap<string, bigint>;
  /**
   * Markers of transfers in progress by short ID: positive, what is set aside to leave; negative,
   * what is announced to come.
   */
  readonly transfers: ReadonlyMap<string, bigint>;
}

/** How many stripes an account has, by its first stripe, its directory entry or one of its keys. */
export function stripeCount(item: Item): number {
  return Number(optionalNumber(item, 'stripes') ?? 1n);
}

/** One of so many stripes, at random; where there is one only, nothing is left to chance. */
export function chooseStripe(context: LedgerContext, stripes: number): number {
  if (stripes === 1) return FIRST_STRIPE;
  const [high = 0, low = 0] = context.randomBytes(2);
  return (high * 256 + low) % stripes;
}

/**
 * Reads every stripe of an account, at once as many as are expected: one read where there is one.
 * Throws Refusal where there is no such account, StoreFailure.
 */
export async function readStripes(
  context: LedgerContext,
  accountId: string,
  options: { readonly expected?: number; readonly timeMs?: number } = {},
): Promise<[Stripe, ...Stripe[]]> {
  const { expected = 1, timeMs } = options;
  const read = async (number: number) => {
    const key = balanceKey(accountId, number);
    return readItem(context, context.tables.gateway, key, timeMs);
  };
  const [first, ...others] = await Promise.all([
    read(FIRST_STRIPE),
    ...range(1, expected).map(read),
  ]);
  if (!first) throw new Refusal(`there is no account "${accountId}"`);
  const further = await Promise.all(range(expected, stripeCount(first)).map(read));
  const rest = [...others, ...further].map((item, index) => {
    if (!item) throw new TypeError(`account ${accountId} has no stripe ${index + 1}`);
    return stripeOf(item, index + 1);
  });
  return [stripeOf(first, FIRST_STRIPE), ...rest];
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

function stripeOf(item: Item, number: number): Stripe {
  return {
    number,
    available: numberOf(item, 'available'),
    sequence: numberOf(item, 'seq'),
    holds: numbersOf(item, 'holds'),
    transfers: numbersOf(item, 'transfers'),
  };
}

/**
 * The most that all stripes can have had available together, out of two readings one after the other.
 * Stripes are not read at one instant, so what may have moved meanwhile counts wherever it may have
 * been: what left a stripe unexplained, and what a transfer has under way. Holds that were placed
 * between the readings explain what left; with `countTaken` their amounts count as available as well,
 * and the result bounds what there was at the moment between the readings.
 */
export function mostAvailable(
  before: readonly Stripe[],
  after: readonly Stripe[],
  countTaken: boolean,
): bigint {
  let most = 0n;
  for (const stripe of after) {
    const earlier = before[stripe.number];
    const placed = [...stripe.holds].filter(([id]) => !earlier?.holds.has(id));
    const taken = placed.reduce((sum, [, amount]) => sum + amount, 0n);
    const unexplained = (earlier?.available ?? 0n) - taken - stripe.available;
    most += stripe.available + (unexplained > 0n ? unexplained : 0n) + (countTaken ? taken : 0n);
  }
  return most + underWay([...before, ...after]);
}

/** What transfers have under way: each counts once, whichever of its markers is seen. */
function underWay(stripes: readonly Stripe[]): bigint {
  const amounts = new Map<string, bigint>();
  for (const { transfers } of stripes) {
    for (const [id, marker] of transfers) amounts.set(id, marker < 0n ? -marker : marker);
  }
  return [...amounts.values()].reduce((sum, amount) => sum + amount, 0n);
}

/** What all of them have available together. */
export function totalAvailable(stripes: readonly Stripe[]): bigint {
  return stripes.reduce((sum, { available }) => sum + available, 0n);
}
