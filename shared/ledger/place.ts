import { GatewayError } from '../api/error.ts';
import { assertUsable, invalidKey, ledgerUnavailable, readKey } from './authenticate.ts';
import { continueInBackground, type LedgerContext } from './context.ts';
import { isNearLimit, refuseEmptyBucket, refuseFromMemory, rememberShortage } from './foresight.ts';
import { opensKey } from './key-state.ts';
import {
  type Attempt,
  attemptPlace,
  judgeAttempt,
  type Search,
  type Shortage,
  type Verdict,
} from './place-attempt.ts';
import { placeUnderId } from './place-under-id.ts';
import { timeLeftMs } from './reserve.ts';
import { finishOld, moveAll, planGathering } from './spread.ts';
import { FIRST_STRIPE } from './tables.ts';
import type { HoldRequest, PlacedHold } from './types.ts';
import { undoPlace } from './undo.ts';

/** A write that goes unanswered this long makes the answer a 503. */
const UNANSWERED_MS = 2_000;
const DISPATCH_WITHIN_MS = 60_000;
const UNDO_TIMEOUT_MS = 2_000;
const TRIES = 3;
/** Tries that ended only because what was remembered of the key had moved on. */
const MISSES = 8;
const WAITS = 2;
const SHORTEST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1_500;
const AMBIGUITY_PAUSE_MS = 20;
/** Whoever moves money together does it for so many requests at once, if there is as much. */
const GATHERED_FOR = 8n;

/**
 * Places an authorization hold in one round trip of conditional writes, under an ID minted in this
 * very call (each further try mints its own). With `requestId` given, placing is idempotent by it.
 *
 * Throws GatewayError, by precedence: `ledger_unavailable` (503), `permission` (403), `rate_limit`
 * (429, with `retryAfterMs`), `billing` (402); `conflict` (409) only for a given ID.
 */
export async function placeHold(context: LedgerContext, request: HoldRequest): Promise<PlacedHold> {
  if (request.amount < 0n) throw new RangeError('a hold cannot be negative');
  await assertUsable(context, request.key);
  if (request.requestId !== undefined) return placeUnderId(context, request, request.requestId);
  const search = await openSearch(context, request);
  for (;;) {
    const placed = await inTurn(context, async () => {
      renewDeadline(context, search);
      await refuseFromMemory(context, search);
      return follow(context, search, await attemptPlace(context, search));
    });
    if (typeof placed === 'object') return placed;
    await context.wait(placed);
  }
}

/** One try, when it is its turn; a database that has gone silent turns away all who wait. */
function inTurn<Result>(context: LedgerContext, task: () => Promise<Result>): Promise<Result> {
  const { placing } = context.memory;
  return placing.run(() =>
    task().catch((error: unknown) => {
      const silent = error instanceof GatewayError && error.code === 'ledger_unavailable';
      if (silent) placing.turnAway(error);
      throw error;
    }),
  );
}

/** Whether a hold is young enough to be dispatched: the sweep counts on it. */
export function mayDispatch(context: LedgerContext, placed: PlacedHold): boolean {
  return context.monotonicNow() - placed.mintedAtMonotonicMs < DISPATCH_WITHIN_MS;
}

async function openSearch(context: LedgerContext, request: HoldRequest): Promise<Search> {
  const known = context.memory.keyHints.get(request.key.keyId);
  if (!known) await readKeyOrFail(context, request.key.keyId);
  return {
    ...request,
    deadline: { atMs: context.monotonicNow() + UNANSWERED_MS },
    keyFirst: isNearLimit(context, request),
    token: undefined,
    stripe: undefined,
    unknownBefore: false,
    triesLeft: TRIES,
    missesLeft: MISSES,
    waitsLeft: WAITS,
  };
}

/** Returns the hold, throws the refusal, or returns after how many milliseconds to try again. */
async function follow(
  context: LedgerContext,
  search: Search,
  attempt: Attempt,
): Promise<PlacedHold | number> {
  const verdict = await judgeAttempt(context, search, attempt);
  if (verdict.kind === 'placed') {
    if (mayDispatch(context, verdict.placed)) return verdict.placed;
    await takeBack(context, search, attempt);
    throw ledgerUnavailable(new Error('placing the hold took longer than it may'));
  }
  search.token = verdict.token;
  if (verdict.kind === 'ambiguous') {
    await takeBack(context, search, attempt, true);
    return afterAmbiguity(context, search, verdict.cause);
  }
  await takeBack(context, search, attempt);
  switch (verdict.kind) {
    case 'key-changed':
      await takeOver(context, search);
      return 0;
    case 'empty-bucket':
      throw refuseEmptyBucket(context, search.key.keyId, verdict.dueMs);
    case 'missed':
      noteMiss(search);
      return tryStripe(context, search, verdict.stripe);
    case 'thin':
    case 'moving':
      noteMiss(search);
      return bringTogether(context, search, verdict);
    case 'short':
      return afterShortage(context, search, attempt, verdict);
  }
}

async function takeBack(
  context: LedgerContext,
  search: Search,
  attempt: Attempt,
  ambiguous = false,
): Promise<void> {
  const left = timeLeftMs(context, search.deadline);
  const inTime = !ambiguous || left > UNANSWERED_MS / 4;
  const timeoutMs = ambiguous && inTime ? left : UNDO_TIMEOUT_MS;
  const undo = undoPlace(context, attempt.hold, attempt.outcomes, { timeoutMs, keepRecord: false });
  // The answer of a database that has gone silent is not waited for twice.
  if (inTime) await undo;
  else continueInBackground(context, undo);
}

function afterAmbiguity(context: LedgerContext, search: Search, cause: unknown): number {
  search.unknownBefore = true;
  search.triesLeft -= 1;
  if (search.triesLeft === 0 || timeLeftMs(context, search.deadline) === 0) {
    throw ledgerUnavailable(cause);
  }
  return AMBIGUITY_PAUSE_MS * (TRIES - search.triesLeft);
}

function noteMiss(search: Search): void {
  search.missesLeft -= 1;
  if (search.missesLeft === 0) throw ledgerUnavailable(new Error('too much contention'));
}

/** Where the amount was seen goes the next try; whoever was too late there lets the others go first. */
function tryStripe(context: LedgerContext, search: Search, stripe: number | undefined): number {
  if (stripe === undefined) return 0;
  const wasTooLate = search.stripe !== undefined;
  search.stripe = stripe;
  return wasTooLate ? anyPauseMs(context) : 0;
}

/** Not all at once: they would all find the same money. */
function anyPauseMs(context: LedgerContext): number {
  const [byte = 0] = context.randomBytes(1);
  return SHORTEST_WAIT_MS / 2 + (SHORTEST_WAIT_MS * byte) / 256;
}

/** The stripes have the amount together: it is moved to one of them, or waited for if it moves. */
async function bringTogether(
  context: LedgerContext,
  search: Search,
  verdict: Extract<Verdict, { kind: 'thin' | 'moving' }>,
): Promise<number> {
  const { accountId } = search.key;
  search.stripe = FIRST_STRIPE;
  if (verdict.kind === 'moving') {
    continueInBackground(context, finishOld(context, accountId, verdict.stripes));
    return anyPauseMs(context);
  }
  const deadline = { atMs: context.monotonicNow() + UNANSWERED_MS };
  const enough = search.amount * GATHERED_FOR;
  await moveAll(context, accountId, planGathering(verdict.stripes, enough), deadline);
  if (timeLeftMs(context, deadline) > 0) return 0;
  throw ledgerUnavailable(new Error('moving the money together took too long'));
}

/** The key was changed since it was cached: goes on with what stands now, or refuses. */
async function takeOver(context: LedgerContext, search: Search): Promise<void> {
  search.missesLeft -= 1;
  if (search.missesLeft === 0) throw ledgerUnavailable(new Error('the key never stands still'));
  const state = await readKeyOrFail(context, search.key.keyId);
  const { secretHash } = search.key;
  if (!opensKey(state, secretHash, context.now())) throw invalidKey();
  search.key = { ...state.record, secretHash };
  await assertUsable(context, search.key);
}

async function readKeyOrFail(context: LedgerContext, keyId: string) {
  const state = await readKey(context, keyId).catch((error: unknown) => {
    throw ledgerUnavailable(error);
  });
  if (!state) throw invalidKey();
  return state;
}

/**
 * Neighbours' reservations that are about to be undone must not refuse falsely: where they would
 * cover the shortfall, waits briefly and lets the search try again, key first.
 */
function afterShortage(
  context: LedgerContext,
  search: Search,
  attempt: Attempt,
  shortage: Shortage,
): number {
  // Our own abandoned reservation may be what refuses.
  if (search.unknownBefore) throw ledgerUnavailable(new Error('refused after an unknown outcome'));
  if (!shortage.coveredByYoung || search.waitsLeft === 0) {
    rememberShortage(context, search, shortage);
    throw new GatewayError('billing', shortage.message);
  }
  const tookMs = context.monotonicNow() - attempt.mintedAtMonotonicMs;
  search.waitsLeft -= 1;
  search.keyFirst = true;
  return Math.min(Math.max(tookMs * 2, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
}

/** The database answers: the next try has its own two seconds, unless an answer is overdue already. */
function renewDeadline(context: LedgerContext, search: Search): void {
  if (!search.unknownBefore) search.deadline = { atMs: context.monotonicNow() + UNANSWERED_MS };
}
