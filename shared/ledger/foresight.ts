/**
 * What a process may answer or arrange from memory. It never lets a request through: it only
 * refuses early, for a short while, or takes a more careful way.
 */
import { GatewayError } from '../api/error.ts';
import type { LedgerContext } from './context.ts';
import { planHold, type Search, type Shortage, sendKeyWrite } from './place-attempt.ts';
import { isLimited, remainingRooms } from './spend-limits.ts';
import { bucketOf, rateLimitState } from './token-bucket.ts';
import type { HoldRequest } from './types.ts';

const SHORTAGE_REMEMBERED_MS = 250;
/** An empty bucket is asked again this soon: an operator's change must show. */
const EMPTY_BUCKET_REMEMBERED_MS = 1_000;
/** Fewer such requests than this left anywhere: a neighbour's undone reservation could refuse falsely. */
const NEAR_REQUESTS = 4n;

/** Whether a limit is so near that the key should agree before the balance is touched. */
export function isNearLimit(context: LedgerContext, request: HoldRequest): boolean {
  const { key, amount } = request;
  const enough = amount * NEAR_REQUESTS;
  const available = context.memory.balanceHints.get(key.accountId);
  if (available !== undefined && available < enough) return true;
  const hint = context.memory.keyHints.get(key.keyId);
  if (!hint) return false;
  const nowMs = context.now();
  const bucket = rateLimitState(hint.tat, bucketOf(key), nowMs);
  if (bucket.remaining < Number(NEAR_REQUESTS) && bucket.remaining < bucket.limit) return true;
  const { lifetime, recurring } = remainingRooms(key, hint, nowMs);
  return (
    isLimited(key) && [lifetime, recurring].some((room) => room !== undefined && room < enough)
  );
}

/** Throws the 429 or 402 that this process knows to be due; a 402 still takes the request's token. */
export async function refuseFromMemory(context: LedgerContext, search: Search): Promise<void> {
  const { keyId, accountId } = search.key;
  const nowMs = context.monotonicNow();
  const empty = context.memory.emptyBuckets.get(keyId);
  if (
    empty &&
    !search.token &&
    nowMs < Math.min(empty.untilMs, empty.seenMs + EMPTY_BUCKET_REMEMBERED_MS)
  ) {
    throw rateLimited(Math.ceil(empty.untilMs - nowMs));
  }
  const shortage = [accountId, keyId]
    .map((owner) => context.memory.shortages.get(owner))
    .find((known) => known && nowMs < known.untilMs && search.amount >= known.amount);
  if (!shortage) return;
  if (search.token) throw new GatewayError('billing', shortage.message);
  const { write } = planHold(context, search, { requestId: '', nowMs: context.now() });
  const outcome = await sendKeyWrite(
    context,
    { ...write, reservation: undefined },
    search.deadline,
  );
  if (outcome.kind === 'applied') throw new GatewayError('billing', shortage.message);
  // Anything else is for the full way to find out.
}

export function rememberShortage(context: LedgerContext, search: Search, shortage: Shortage): void {
  if (shortage.coveredByYoung) return;
  context.memory.shortages.set(shortage.owner, {
    amount: search.amount,
    message: shortage.message,
    untilMs: context.monotonicNow() + SHORTAGE_REMEMBERED_MS,
  });
}

/** Money came back or was added: what was short may not be any more. */
export function forgetShortage(context: LedgerContext, accountId: string, keyId: string): void {
  context.memory.shortages.delete(accountId);
  context.memory.shortages.delete(keyId);
}

/** Remembers an empty bucket and makes its 429: waiting `dueMs` works. */
export function refuseEmptyBucket(
  context: LedgerContext,
  keyId: string,
  dueMs: number,
): GatewayError {
  const seenMs = context.monotonicNow();
  context.memory.emptyBuckets.set(keyId, { seenMs, untilMs: seenMs + dueMs });
  return rateLimited(dueMs);
}

function rateLimited(dueMs: number): GatewayError {
  const message = 'This API key has sent too many requests. Please slow down and try again.';
  return new GatewayError('rate_limit', message, { retryAfterMs: dueMs });
}
