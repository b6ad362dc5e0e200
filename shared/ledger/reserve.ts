import type { LedgerContext } from './context.ts';
import { shortId } from './request-id.ts';
import type { reserveRoom } from './spend-limits.ts';
import {
  type Changes,
  type Condition,
  type Item,
  numbersOf,
  type StoreCommand,
  StoreFailure,
  type UpdateCommand,
} from './store.ts';
import { balanceKey, keyStateKey } from './tables.ts';
import { type BucketBranch, bucketOf, takeToken } from './token-bucket.ts';
import type { KeyFacts, OpenHold } from './types.ts';

/**
 * What became of one write. `not-applied`: the database surely wrote nothing and said no more.
 * `unknown`: it may have happened, or may yet.
 */
export type WriteOutcome =
  | { readonly kind: 'applied'; readonly item: Item | undefined }
  | { readonly kind: 'refused'; readonly item: Item | undefined }
  | { readonly kind: 'not-applied' | 'unknown'; readonly cause: unknown };

const THROTTLE_PAUSE_MS = 25;

/** By the monotonic clock: when the client must have its answer. */
export interface Deadline {
  readonly atMs: number;
}

export function timeLeftMs(context: LedgerContext, deadline: Deadline): number {
  return Math.max(0, Math.ceil(deadline.atMs - context.monotonicNow()));
}

/**
 * Sends a reservation once: a delayed copy of a repeated one could reopen a hold after its
 * settlement. Only a refusal that surely wrote nothing (a throttle) is followed by another try.
 */
export async function sendReservation(
  context: LedgerContext,
  command: UpdateCommand,
  deadline: Deadline,
): Promise<WriteOutcome> {
  for (;;) {
    const outcome = await sendOnce(context, command, deadline);
    const left = timeLeftMs(context, deadline);
    if (outcome.kind !== 'not-applied' || left <= THROTTLE_PAUSE_MS) return outcome;
    if (!isThrottle(outcome.cause)) return outcome;
    await context.wait(THROTTLE_PAUSE_MS);
  }
}

function isThrottle(cause: unknown): boolean {
  const names = ['ProvisionedThroughputExceeded', 'RequestLimitExceeded', 'Throttling'];
  return cause instanceof Error && names.some((name) => cause.name.startsWith(name));
}

/** Sends a command once and tells what is known of it. */
export async function sendOnce(
  context: LedgerContext,
  command: StoreCommand,
  deadline: Deadline,
): Promise<WriteOutcome> {
  try {
    const reply = await context.send(command, Math.max(1, timeLeftMs(context, deadline)));
    return { kind: reply.outcome === 'done' ? 'applied' : 'refused', item: reply.item };
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    return { kind: error.applied === 'no' ? 'not-applied' : 'unknown', cause: error.cause };
  }
}

/** The write that reserves an amount on the account's balance. */
export function balanceReservation(context: LedgerContext, hold: OpenHold): UpdateCommand {
  const entry = `holds.${shortId(hold.requestId)}`;
  return {
    operation: 'update',
    table: context.tables.gateway,
    key: balanceKey(hold.accountId, hold.stripe),
    changes: { add: { available: -hold.amount }, set: { [entry]: hold.amount } },
    conditions: [
      { path: 'available', is: '>=', value: hold.amount },
      { path: entry, is: 'absent' },
    ],
  };
}

/** What a write to a key does besides checking that the key is as it was cached. */
export interface KeyWrite {
  readonly key: KeyFacts;
  readonly nowMs: number;
  /** Undefined: this request has its token already. */
  readonly tokenBranch: BucketBranch | undefined;
  /** Undefined: nothing is reserved, because the key has no limit or the answer is known already. */
  readonly reservation:
    | {
        readonly requestId: string;
        readonly room: ReturnType<typeof reserveRoom>;
        readonly amount: bigint;
      }
    | undefined;
}

/**
 * One write: version, token bucket, spend limits. The version makes a limit, a rotation or a
 * disabling that was made anywhere hold from the next request on.
 */
export function keyCommand(context: LedgerContext, write: KeyWrite): UpdateCommand {
  const { key, reservation } = write;
  const token = write.tokenBranch && takeToken(write.tokenBranch, bucketOf(key), write.nowMs);
  const entry = reservation && `holds.${shortId(reservation.requestId)}`;
  const conditions: Condition[] = [
    { path: 'version', is: '=', value: key.version },
    ...(token?.conditions ?? []),
    ...(reservation?.room.conditions ?? []),
    ...(entry ? [{ path: entry, is: 'absent' } as const] : []),
  ];
  const changes: Changes = {
    set: {
      ...token?.changes.set,
      ...reservation?.room.changes.set,
      ...(entry && reservation ? { [entry]: reservation.amount } : {}),
    },
    // Adding nothing keeps a write that only checks the version from being an empty update.
    add: { version: 0n, ...token?.changes.add, ...reservation?.room.changes.add },
  };
  return {
    operation: 'update',
    table: context.tables.gateway,
    key: keyStateKey(key.keyId),
    changes,
    conditions,
  };
}

/** Whether an item holds an amount open under this ID. */
export function holdsOpen(item: Item, requestId: string): boolean {
  return numbersOf(item, 'holds').has(shortId(requestId));
}
