import type { LedgerContext } from './context.ts';
import { sendRepeatedly } from './request.ts';
import {
  type Item,
  type ItemKey,
  numberOf,
  optionalNumber,
  optionalText,
  textOf,
} from './store.ts';
import { entryKey } from './tables.ts';
import type { ChargeDetails, OpenHold } from './types.ts';

/**
 * What a row of the ledger records. `charge`, `release` and `expiry` stand for a request's one
 * finalization; a `transfer` moves `moved_nano` between two stripes and is worth nothing by itself.
 */
export type EntryKind =
  | 'credit'
  | 'adjustment'
  | 'late_charge'
  | 'transfer'
  | 'charge'
  | 'release'
  | 'expiry';

/** The money of a row: what a charge took, a credit gave, an adjustment gave (or took, negative). */
export interface EntryAmounts {
  readonly amount: bigint;
  /** What the provider's report exceeds the charge by. */
  readonly uncollected: bigint;
}

/** Takes away from the balance: charges do, and adjustments that are negative. */
export function effectOnBalance(row: Item): bigint {
  const amount = numberOf(row, 'amount_nano');
  const kind = textOf(row, 'kind');
  return kind === 'charge' || kind === 'late_charge' ? -amount : amount;
}

/** What a row gives to one stripe of the balance; negative: takes. Over all stripes: `effectOnBalance`. */
export function effectOnStripe(row: Item, stripe: number): bigint {
  const isOf = (name: string) => optionalNumber(row, name) === BigInt(stripe);
  if (textOf(row, 'kind') !== 'transfer') return isOf('stripe') ? effectOnBalance(row) : 0n;
  const moved = numberOf(row, 'moved_nano');
  return (isOf('to_stripe') ? moved : 0n) - (isOf('stripe') ? moved : 0n);
}

/** The row of a hold's finalization: flat and in snake_case, made for finance. Never a prompt. */
export function holdEntry(
  hold: OpenHold,
  kind: EntryKind,
  amounts: EntryAmounts,
  rest: Item,
): Item & ItemKey {
  return {
    ...entryKey(hold.accountId, hold.requestId),
    kind,
    request_id: hold.requestId,
    account_id: hold.accountId,
    ...(hold.keyId === '' ? {} : { key_id: hold.keyId }),
    stripe: BigInt(hold.stripe),
    amount_nano: amounts.amount,
    hold_nano: hold.amount,
    ...(amounts.uncollected > 0n ? { uncollected_nano: amounts.uncollected } : {}),
    held_by_key: hold.heldByKey,
    ...(hold.period === undefined ? {} : { period: hold.period }),
    ...rest,
  };
}

/** The hold that a row finalizes. */
export function holdOfEntry(row: Item): OpenHold {
  return {
    requestId: textOf(row, 'request_id'),
    accountId: textOf(row, 'account_id'),
    keyId: optionalText(row, 'key_id') ?? '',
    stripe: Number(numberOf(row, 'stripe')),
    amount: numberOf(row, 'hold_nano'),
    period: optionalText(row, 'period'),
    heldByKey: row.held_by_key === true,
  };
}

export function amountsOf(row: Item): EntryAmounts {
  return {
    amount: numberOf(row, 'amount_nano'),
    uncollected: optionalNumber(row, 'uncollected_nano') ?? 0n,
  };
}

/** Who, which model, how much of each meter at which price, when. */
export function detailAttributes(details: ChargeDetails): Item {
  const tokens = Object.entries(details.usage).map(([meter, count]) => [meter, BigInt(count)]);
  const prices = Object.entries(details.prices).map(([meter, price]) => [`price_${meter}`, price]);
  return {
    route: details.route,
    model_requested: details.modelRequested,
    model: details.model,
    deployment: details.deployment,
    provider: details.provider,
    ...Object.fromEntries(tokens),
    ...(details.reasoningTokens > 0 ? { reasoning_tokens: BigInt(details.reasoningTokens) } : {}),
    ...Object.fromEntries(prices),
    estimated: details.estimated,
    status: details.status,
    ...(Object.keys(details.metadata).length > 0
      ? { metadata: JSON.stringify(details.metadata) }
      : {}),
    started_at_ms: BigInt(Math.floor(details.startedAtMs)),
    finished_at_ms: BigInt(Math.floor(details.finishedAtMs)),
  };
}

/** `won`: this row is the one. Otherwise the row that came first, and whether this call sent twice. */
export interface Commit {
  readonly row: Item;
  readonly won: boolean;
  readonly repeated: boolean;
}

/**
 * Puts a row where none is: the single commit point of whatever it records. Repeatable.
 * Throws StoreFailure.
 */
export async function commitEntry(
  context: LedgerContext,
  row: Item & ItemKey,
  timeMs?: number,
): Promise<Commit> {
  const table = context.tables.ledger;
  const put = { operation: 'put', table, item: row, ifAbsent: true } as const;
  const reply = await sendRepeatedly(context, put, timeMs);
  if (reply.outcome === 'done') return { row, won: true, repeated: reply.repeated };
  const key = { pk: row.pk, sk: row.sk };
  const first =
    reply.item ?? (await sendRepeatedly(context, { operation: 'get', table, key }, timeMs)).item;
  if (!first) throw new TypeError('a ledger row that refused another is gone');
  return { row: first, won: false, repeated: reply.repeated };
}
