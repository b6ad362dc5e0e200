import type { LedgerContext } from './context.ts';
import { Refusal, type WorkDone } from './once.ts';
import { queryAll, readItem, sendRepeatedly } from './request.ts';
import { longId } from './request-id.ts';
import { spreadBalance } from './spread.ts';
import { type Item, numberOf, StoreFailure, textOf } from './store.ts';
import { readStripes, type Stripe, stripeCount, totalAvailable } from './stripes.ts';
import { ACCOUNTS_PARTITION, accountKey, balanceKey, FIRST_STRIPE } from './tables.ts';
import { amountInTransfer } from './transfer.ts';
import { doOnce } from './work.ts';

export interface Account {
  readonly accountId: string;
  readonly name: string;
  readonly createdAtMs: number;
  /** How many items its balance lies on. */
  readonly stripes: number;
}

/** An account's balance, over all its stripes. */
export interface AccountBalance {
  /** What may still be held or spent. */
  readonly available: bigint;
  /** What open holds reserve. */
  readonly held: bigint;
  /** What is on its way between stripes. */
  readonly inTransfer: bigint;
  /** Open holds by request ID. */
  readonly holds: ReadonlyMap<string, bigint>;
  readonly stripes: readonly Stripe[];
}

const ID_BYTES = 10;

/** A short random ID with a prefix: twenty characters, lower case. */
export function mintShortId(context: LedgerContext, prefix: 'acc' | 'key'): string {
  return `${prefix}_${Buffer.from(context.randomBytes(ID_BYTES)).toString('hex').slice(0, 16)}`;
}

/** Creates an account with nothing on it. Throws StoreFailure. */
export async function createAccount(context: LedgerContext, name: string): Promise<Account> {
  const account = {
    accountId: mintShortId(context, 'acc'),
    name,
    createdAtMs: context.now(),
    stripes: 1,
  };
  const table = context.tables.gateway;
  const balance = { available: 0n, seq: 0n, holds: {} };
  // The balance first: an account that is listed has one.
  const items = [
    { ...balanceKey(account.accountId, FIRST_STRIPE), ...balance },
    { ...accountKey(account.accountId), name, created: BigInt(account.createdAtMs) },
  ];
  for (const item of items) {
    await sendRepeatedly(context, { operation: 'put', table, item, ifAbsent: true });
  }
  return account;
}

/** Reads one account. Throws Refusal where there is none. */
export async function readAccount(context: LedgerContext, accountId: string): Promise<Account> {
  const item = await readItem(context, context.tables.gateway, accountKey(accountId));
  if (!item) throw new Refusal(`there is no account "${accountId}"`);
  return accountOf(item);
}

/** Every account, by ID. */
export async function listAccounts(context: LedgerContext): Promise<Account[]> {
  const directory = { table: context.tables.gateway, pk: ACCOUNTS_PARTITION };
  return (await queryAll(context, directory)).map(accountOf);
}

function accountOf(item: Item): Account {
  return {
    accountId: textOf(item, 'sk'),
    name: textOf(item, 'name'),
    createdAtMs: Number(numberOf(item, 'created')),
    stripes: stripeCount(item),
  };
}

/** Reads an account's balance and open holds. Throws Refusal where there is none. */
export async function readAccountBalance(
  context: LedgerContext,
  accountId: string,
): Promise<AccountBalance> {
  const stripes = await readStripes(context, accountId);
  const holds = stripes.flatMap((stripe) => [...stripe.holds]);
  return {
    available: totalAvailable(stripes),
    held: holds.reduce((sum, [, amount]) => sum + amount, 0n),
    inTransfer: await amountInTransfer(context, accountId, stripes),
    holds: new Map(holds.map(([short, amount]) => [longId(short), amount])),
    stripes,
  };
}

export interface Grant {
  readonly accountId: string;
  readonly amount: bigint;
  /** Makes it happen once, however often it is asked for; by default every call is its own. */
  readonly reference?: string;
  readonly reason?: string;
}

/** Adds credit, once per reference. Throws Refusal (wrong amount, other use of the reference), StoreFailure. */
export function creditAccount(context: LedgerContext, grant: Grant): Promise<WorkDone> {
  if (grant.amount <= 0n) throw new Refusal('a credit is more than nothing');
  return book(context, grant, 'credit');
}

/** Corrects a balance, up or down, once per reference; never below nothing. Throws as `creditAccount`. */
export function adjustAccount(
  context: LedgerContext,
  adjustment: Grant & { readonly reason: string },
): Promise<WorkDone> {
  if (adjustment.amount === 0n) throw new Refusal('an adjustment changes something');
  return book(context, adjustment, 'adjustment');
}

async function book(
  context: LedgerContext,
  grant: Grant,
  kind: 'credit' | 'adjustment',
): Promise<WorkDone> {
  const { accountId, amount, reason } = grant;
  const { stripes } = await readAccount(context, accountId);
  const reference = grant.reference ?? Buffer.from(context.randomBytes(ID_BYTES)).toString('hex');
  const done = await doOnce(context, {
    kind,
    accountId,
    reference: `${kind}#${reference}`,
    amount,
    keyId: '',
    uncollected: 0n,
    row: reason === undefined ? {} : { reason },
    createdAtMs: context.now(),
  });
  // What fails of this the sweep does: the money is there, only not everywhere.
  if (stripes > 1) await spreadBalance(context, accountId).catch(ignoreStoreFailure);
  return done;
}

function ignoreStoreFailure(error: unknown): void {
  if (!(error instanceof StoreFailure)) throw error;
}
