import { mintedAtMs, shardOf } from './request-id.ts';
import type { ItemKey } from './store.ts';

/** Names of the two tables: state that changes (with TTL), and the immutable ledger. */
export interface TableNames {
  readonly gateway: string;
  readonly ledger: string;
}

/** Both tables: string keys `pk` and `sk`, no index; `gateway` deletes items by `ttl` (seconds). */
export const PARTITION_KEY = 'pk';
export const SORT_KEY = 'sk';
export const TTL_ATTRIBUTE = 'ttl';

/** Hold records lie in buckets of ten minutes: few queries walk an hour again. */
export const HOLD_BUCKET_MS = 10 * 60_000;
/** Shards of one bucket: each takes a thousand writes a second on AWS. */
export const HOLD_SHARDS = 8;
/** Shards of one account's ledger. */
export const LEDGER_SHARDS = 4;
/** An account's balance lies on one item or on several, its stripes. Each has this one. */
export const FIRST_STRIPE = 0;
export const MOST_STRIPES = 256;

export const HOLD_LIFETIME_MS = 30 * 60_000;
export const MINUTE_MS = 60_000;
const TTL_AFTER_MS = 7 * 24 * 60 * MINUTE_MS;

/** Names for an environment (`--env`): `tollgate-<environment>-gateway` and `...-ledger`. */
export function tableNames(environment: string): TableNames {
  return {
    gateway: `tollgate-${environment}-gateway`,
    ledger: `tollgate-${environment}-ledger`,
  };
}

export const LOCAL_TABLES: TableNames = tableNames('local');

/** Where the hash of a secret leads to its key. */
export function lookupKey(hash: string): ItemKey {
  return { pk: `secret#${hash}`, sk: 'lookup' };
}

export function keyStateKey(keyId: string): ItemKey {
  return { pk: keyId, sk: 'state' };
}

/** Each stripe lies in a partition of its own: its writes are not its neighbours'. */
export function balanceKey(accountId: string, stripe: number): ItemKey {
  const pk = stripe === FIRST_STRIPE ? accountId : `${accountId}#stripe#${stripe}`;
  return { pk, sk: `balance#${stripe}` };
}

/** Accounts whose balance has several stripes, for the sweep. */
export const STRIPED_PARTITION = 'striped';
export function stripedKey(accountId: string): ItemKey {
  return { pk: STRIPED_PARTITION, sk: accountId };
}

/** One entry of the directory: accounts, or the keys of one account. No route ever reads it. */
export const ACCOUNTS_PARTITION = 'accounts';
export function accountKey(accountId: string): ItemKey {
  return { pk: ACCOUNTS_PARTITION, sk: accountId };
}
export function accountKeysPartition(accountId: string): string {
  return `${accountId}#keys`;
}

export function holdPartition(bucket: number, shard: number): string {
  return `hold#${bucket}#${shard}`;
}

/** The hold record lies where the time at which its ID was minted says: the sweep's index. */
export function holdKey(requestId: string): ItemKey {
  const bucket = Math.floor(mintedAtMs(requestId) / HOLD_BUCKET_MS);
  return { pk: holdPartition(bucket, shardOf(requestId, HOLD_SHARDS)), sk: requestId };
}

/** Epoch milliseconds from which a hold may be expired, by its own ID alone. */
export function holdExpiryMs(requestId: string): number {
  return mintedAtMs(requestId) + HOLD_LIFETIME_MS;
}

/** Epoch seconds at which the database may forget a record made at that time. */
export function ttlSeconds(madeAtMs: number): bigint {
  return BigInt(Math.ceil((madeAtMs + TTL_AFTER_MS) / 1000));
}

export function entryPartition(accountId: string, shard: number): string {
  return `${accountId}#${shard}`;
}

/** Key of the one ledger entry that finalizes a request, or a transfer, by its ID. */
export function entryKey(accountId: string, requestId: string): ItemKey {
  return { pk: entryPartition(accountId, shardOf(requestId, LEDGER_SHARDS)), sk: requestId };
}

export function sequencePartition(accountId: string): string {
  return `${accountId}#sequence`;
}

export function sequenceKey(accountId: string, number: bigint): ItemKey {
  return { pk: sequencePartition(accountId), sk: number.toString().padStart(12, '0') };
}

/** What must be done once: one item per account and reference, kept for ever. */
export function referenceKey(accountId: string, reference: string): ItemKey {
  return { pk: `${accountId}#references`, sk: reference };
}

/** Work begun and perhaps not finished, for the sweep. */
export const WORK_PARTITION = 'work';
export function workKey(accountId: string, reference: string): ItemKey {
  return { pk: WORK_PARTITION, sk: `${accountId}#${reference}` };
}

/** Accounts on which a request has seen an amount that is open beyond its lifetime. */
export const SEEN_ORPHANS_PARTITION = 'orphans';
export function seenOrphansKey(accountId: string): ItemKey {
  return { pk: SEEN_ORPHANS_PARTITION, sk: accountId };
}

/** Behind which account the next look for orphans begins. */
export const ORPHAN_CURSOR_KEY: ItemKey = { pk: 'sweep', sk: 'orphans' };
export const SWEEP_CURSOR_KEY: ItemKey = { pk: 'sweep', sk: 'cursor' };
