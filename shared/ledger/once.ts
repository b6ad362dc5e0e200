import type { LedgerContext } from './context.ts';
import { readItem, sendRepeatedly } from './request.ts';
import { type Item, numberOf, textOf } from './store.ts';
import { balanceKey, FIRST_STRIPE, referenceKey } from './tables.ts';

/** Something to be done once per account and reference. */
export interface Work {
  readonly kind: 'credit' | 'adjustment' | 'late_charge';
  readonly accountId: string;
  readonly reference: string;
  /** Given to the balance; negative: taken from it. */
  readonly amount: bigint;
  /** The key that a late charge counts against; empty for none. */
  readonly keyId: string;
  /** Of a late charge: what its report had exceeded the hold by. */
  readonly uncollected: bigint;
  /** Further attributes of the ledger row. */
  readonly row: Item;
  readonly createdAtMs: number;
}

export interface WorkDone {
  readonly row: Item;
  /** It had been done before. */
  readonly repeated: boolean;
}

/** The work cannot be done, now or ever: the message says why. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Refusal';
  }
}

/**
 * The claim of a reference: which number or which hold carries it. It is put where none is, and
 * changed only from what it was, once that one is known never to carry it.
 */
export async function readClaim(context: LedgerContext, work: Work): Promise<Item | undefined> {
  const key = referenceKey(work.accountId, work.reference);
  const claim = await readItem(context, context.tables.gateway, key);
  if (!claim) return undefined;
  // Of two late charges for one request the first counts, whatever the other would have taken.
  const sameAmount = work.kind === 'late_charge' || numberOf(claim, 'amount') === work.amount;
  const same = sameAmount && textOf(claim, 'kind') === work.kind;
  if (!same) throw new Refusal(`reference "${work.reference}" was used for something else`);
  return claim;
}

/** Claims the reference; false where somebody has. */
export async function putClaim(
  context: LedgerContext,
  work: Work,
  carrier: Item,
): Promise<boolean> {
  const { kind, amount } = work;
  const item = { ...referenceKey(work.accountId, work.reference), kind, amount, ...carrier };
  const table = context.tables.gateway;
  const put = { operation: 'put', table, item, ifAbsent: true } as const;
  return (await sendRepeatedly(context, put)).outcome === 'done';
}

/** Moves the claim on, if it still is what it was read as; false where somebody has. */
export async function moveClaim(
  context: LedgerContext,
  work: Work,
  from: { readonly path: string; readonly value: string | bigint },
  carrier: Item,
): Promise<boolean> {
  const reply = await sendRepeatedly(context, {
    operation: 'update',
    table: context.tables.gateway,
    key: referenceKey(work.accountId, work.reference),
    changes: { set: carrier },
    conditions: [{ ...from, is: '=' }],
  });
  return reply.outcome === 'done';
}

/** Reads the account's balance item. Throws Refusal where there is no such account. */
export async function readBalance(context: LedgerContext, accountId: string): Promise<Item> {
  const key = balanceKey(accountId, FIRST_STRIPE);
  const balance = await readItem(context, context.tables.gateway, key);
  if (!balance) throw new Refusal(`there is no account "${accountId}"`);
  return balance;
}
