import { applyEntry } from './apply.ts';
import type { LedgerContext } from './context.ts';
import { commitEntry, holdEntry } from './entry.ts';
import { readHoldRecord } from './hold-record.ts';
import { findOrphans } from './orphans.ts';
import { queryAll, readItem, sendRepeatedly } from './request.ts';
import { requestIdBounds } from './request-id.ts';
import { holdsOpen } from './reserve.ts';
import { finalize } from './settle.ts';
import { type Item, numberOf, StoreFailure, textOf } from './store.ts';
import { sweepStripes } from './stripe-account.ts';
import {
  balanceKey,
  entryKey,
  HOLD_BUCKET_MS,
  HOLD_LIFETIME_MS,
  HOLD_SHARDS,
  holdPartition,
  keyStateKey,
  MINUTE_MS,
  SWEEP_CURSOR_KEY,
} from './tables.ts';
import type { OpenHold } from './types.ts';
import { finishWork } from './work.ts';

export interface SweepOptions {
  /** Sweeps as if it were this time (epoch milliseconds). */
  readonly atMs?: number;
}

export interface SweepReport {
  /** Request IDs of holds that were given back, because nothing had settled them. */
  readonly expired: readonly string[];
  /** Request IDs whose ledger row was there, and was applied to what was still open. */
  readonly reapplied: readonly string[];
  /** Holds that are due, charges of the spool, credits and striped balances not finished now. */
  readonly left: number;
  /** Charges that came out of the spool. */
  readonly drained: number;
  /** What their reports exceed these charges by, in nano-dollars. */
  readonly uncollected: bigint;
  /** Minutes of holds whose time is up and that no sweep has seen, before this one: its lag. */
  readonly lagMinutes: number;
}

/** Walked again each time: a write that was on its way for long may arrive after a sweep. */
const WALKED_AGAIN_MS = 60 * MINUTE_MS;
/** Work of one that may still be at it is left alone for this long. */
const WORK_AGE_MS = MINUTE_MS;

/**
 * Gives back what is open beyond its lifetime, applies what was committed and not applied, drains
 * the spool, ends credits and late charges that a crash left. Reads before it writes; safe beside
 * other sweeps and beside settlements: the first ledger row wins, the other applies it.
 * Throws StoreFailure when the database does not answer.
 */
export async function sweepHolds(
  context: LedgerContext,
  options: SweepOptions,
): Promise<SweepReport> {
  const realNowMs = context.now();
  const atMs = options.atMs ?? realNowMs;
  const spooled = await drainSpool(context);
  const work = await finishWork(context, Math.max(atMs, realNowMs) - WORK_AGE_MS);
  const dueMs = atMs - HOLD_LIFETIME_MS;
  const realDueMs = realNowMs - HOLD_LIFETIME_MS;
  const seenMs = await readCursor(context, realDueMs);
  // No hold can have been minted later than now, whatever time a sweep is asked to stand at.
  const lastMs = Math.min(dueMs, realNowMs + MINUTE_MS);
  const found = newFindings();
  let fromMs = Math.min(seenMs, lastMs) - WALKED_AGAIN_MS;
  while (fromMs <= lastMs) {
    const toMs = Math.min(lastMs, endOfBucketMs(fromMs));
    await sweepBucket(context, { fromMs, toMs }, found);
    // A sweep that stands in the future must not make later ones skip what is not due yet.
    const safeMs = Math.min(toMs, realDueMs);
    if (safeMs > seenMs || toMs === lastMs) await moveCursor(context, safeMs);
    fromMs = toMs + 1;
  }
  for (const hold of await findOrphans(context, atMs)) await finish(context, hold, found);
  found.left += await sweepStripes(context);
  return {
    expired: found.expired,
    reapplied: found.reapplied,
    left: found.left + spooled.left + work.left,
    drained: spooled.drained,
    uncollected: spooled.uncollected,
    lagMinutes: Math.max(0, Math.floor((dueMs - seenMs) / MINUTE_MS)),
  };
}

interface Findings {
  readonly expired: string[];
  readonly reapplied: string[];
  left: number;
  /** Balances and keys read while one bucket is walked. */
  items: Map<string, Promise<Item | undefined>>;
}

function newFindings(): Findings {
  return { expired: [], reapplied: [], left: 0, items: new Map() };
}

function endOfBucketMs(timeMs: number): number {
  return (Math.floor(timeMs / HOLD_BUCKET_MS) + 1) * HOLD_BUCKET_MS - 1;
}

async function drainSpool(context: LedgerContext) {
  let drained = 0;
  let uncollected = 0n;
  const left = await context.spool?.drain(async ({ hold, charge, kind }) => {
    const outcome = await finalize(context, hold, charge, kind);
    // A charge that had landed before was reported by whoever made it.
    if (outcome.status !== 'repeated') uncollected += outcome.uncollected;
    drained += 1;
  });
  return { drained, uncollected, left: left ?? 0 };
}

async function readCursor(context: LedgerContext, fallbackMs: number): Promise<number> {
  const item = await readItem(context, context.tables.gateway, SWEEP_CURSOR_KEY);
  return item ? Number(numberOf(item, 'seen_ms')) : fallbackMs;
}

/** The cursor only moves forward, whoever writes it. */
async function moveCursor(context: LedgerContext, seenMs: number): Promise<void> {
  const table = context.tables.gateway;
  const seen_ms = BigInt(seenMs);
  const reply = await sendRepeatedly(context, {
    operation: 'update',
    table,
    key: SWEEP_CURSOR_KEY,
    changes: { set: { seen_ms } },
    conditions: [{ path: 'seen_ms', is: '<', value: seen_ms }],
  });
  if (reply.outcome === 'done') return;
  const item = { ...SWEEP_CURSOR_KEY, seen_ms };
  await sendRepeatedly(context, { operation: 'put', table, item, ifAbsent: true });
}

/** Walks the holds whose IDs were minted between two times within one bucket. */
async function sweepBucket(
  context: LedgerContext,
  range: { fromMs: number; toMs: number },
  found: Findings,
): Promise<void> {
  const bucket = Math.floor(range.fromMs / HOLD_BUCKET_MS);
  const ids = requestIdBounds(range.fromMs, range.toMs);
  const shards = Array.from({ length: HOLD_SHARDS }, (_, shard) =>
    queryAll(context, { table: context.tables.gateway, pk: holdPartition(bucket, shard), ...ids }),
  );
  const records = (await Promise.all(shards)).flat().map(readHoldRecord);
  found.items = new Map();
  for (const { hold } of records) {
    if (await isOpen(context, hold, found)) await finish(context, hold, found);
  }
}

/** Whether anything is open under this ID. Each balance and key is read once for a bucket's holds. */
async function isOpen(context: LedgerContext, hold: OpenHold, found: Findings): Promise<boolean> {
  const read = (name: string, key: { pk: string; sk: string }) => {
    const known = found.items.get(name);
    if (known) return known;
    const item = readItem(context, context.tables.gateway, key);
    found.items.set(name, item);
    return item;
  };
  const balance = await read(
    `${hold.accountId}#${hold.stripe}`,
    balanceKey(hold.accountId, hold.stripe),
  );
  if (balance && holdsOpen(balance, hold.requestId)) return true;
  if (!hold.heldByKey) return false;
  const key = await read(hold.keyId, keyStateKey(hold.keyId));
  return key !== undefined && holdsOpen(key, hold.requestId);
}

async function finish(context: LedgerContext, hold: OpenHold, found: Findings): Promise<void> {
  try {
    const outcome = await finalizeDue(context, hold);
    if (outcome.applied === 'left') found.left += 1;
    else if (outcome.kind === 'expiry' && outcome.won) found.expired.push(hold.requestId);
    else if (outcome.applied === 'applied') found.reapplied.push(hold.requestId);
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    found.left += 1;
  }
}

/** Applies the row that finalized a hold; where there is none, an expiry is it. Throws StoreFailure. */
async function finalizeDue(context: LedgerContext, hold: OpenHold) {
  const key = entryKey(hold.accountId, hold.requestId);
  const existing = await readItem(context, context.tables.ledger, key);
  const none = { amount: 0n, uncollected: 0n };
  const expiry = holdEntry(hold, 'expiry', none, { created_at_ms: BigInt(context.now()) });
  const commit = existing ? { row: existing, won: false } : await commitEntry(context, expiry);
  // The row of an orphan may have been made before all of it had arrived: this hold knows more.
  const expired = textOf(commit.row, 'kind') === 'expiry';
  const applied = await applyEntry(context, expired ? expiry : commit.row);
  return { kind: textOf(commit.row, 'kind'), won: commit.won, applied };
}
