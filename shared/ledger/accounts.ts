import type { LedgerContext } from './context.ts';
import { Refusal, readBalance, type WorkDone } from './once.ts';
import { queryAll, readItem, sendRepeatedly } from './request.ts';
import { longId } from './request-id.ts';
import type { Item } from './store.ts';
import { numberOf, numbersOf, textOf } from './store.ts';
import { ACCOUNTS_PARTITION, accountKey, balanceKey, FIRST_STRIPE } from './tables.ts';
import { doOnce } from './work.ts';

export interface Account {
  readonly accountId: string;
  readonly name: string;
  readonly createdAtMs: number;
}

export interface AccountBalance {
  /** What may still be held or spent. */
  readonly available: bigint;
  /** What open holds reserve. */
  readonly held: bigint;
  /** Open holds by request ID. */
  readonly holds: ReadonlyMap<string, bigint>;
  readonly sequence: bigint;
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
  };
}

/** Reads an account's balance and open holds. Throws Refusal where there is none. */
export async function readAccountBalance(
  context: LedgerContext,
  accountId: string,
): Promise<AccountBalance> {
  return balanceOf(await readBalance(context, accountId));
}

function balanceOf(item: Item): AccountBalance {
  const holds = new Map([...numbersOf(item, 'holds')].map(([id, amount]) => [longId(id), amount]));
  const held = [...holds.values()].reduce((sum, amount) => sum + amount, 0n);
  return { available: numberOf(item, 'available'), held, holds, sequence: numberOf(item, 'seq') };
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
  await readAccount(context, accountId);
  const reference = grant.reference ?? Buffer.from(context.randomBytes(ID_BYTES)).toString('hex');
  return doOnce(context, {
    kind,
    accountId,
    reference: `${kind}#${reference}`,
    amount,
    keyId: '',
    uncollected: 0n,
    row: reason === undefined ? {} : { reason },
    createdAtMs: context.now(),
  });
}
