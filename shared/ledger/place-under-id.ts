import { GatewayError } from '../api/error.ts';
import { ledgerUnavailable, readKey } from './authenticate.ts';
import type { LedgerContext } from './context.ts';
import { refuseEmptyBucket } from './foresight.ts';
import { type HoldRecord, putHoldRecord, readHoldRecord } from './hold-record.ts';
import { findMoney } from './judge-balance.ts';
import {
  type Attempt,
  judgeAttempt,
  planHold,
  type Search,
  sendKeyWrite,
} from './place-attempt.ts';
import { readItem } from './request.ts';
import { isRequestId, mintedAtMs } from './request-id.ts';
import { balanceReservation, holdsOpen, sendReservation, type WriteOutcome } from './reserve.ts';
import { moveAll, planGathering } from './spread.ts';
import { StoreFailure } from './store.ts';
import { balanceKey, entryKey, FIRST_STRIPE, holdExpiryMs, holdKey } from './tables.ts';
import { bucketOf, rateLimitState } from './token-bucket.ts';
import type { HoldRequest, OpenHold, PlacedHold } from './types.ts';
import { undoPlace } from './undo.ts';

const TIME_MS = 2_000;
/** An ID is used within a minute of its minting, whoever minted it. */
const USABLE_MS = 60_000;
/** How long a copy waits for the one that is placing under the same ID right now. */
const COPY_PATIENCE_MS = 500;
const COPY_PAUSE_MS = 25;

/**
 * Places under an ID that came from outside: once, idempotent while the hold is open. Record, key
 * and balance follow one another, so that an amount open on the balance means a hold that is placed.
 * The record stays whatever happens, so that the ID is never tried twice.
 *
 * Throws as `placeHold`, and GatewayError `conflict` where the ID was finalized, has expired, was
 * refused before, or stands for other parameters.
 */
export async function placeUnderId(
  context: LedgerContext,
  request: HoldRequest,
  requestId: string,
): Promise<PlacedHold> {
  if (!isRequestId(requestId)) throw conflict('is not a UUIDv7');
  await readKey(context, request.key.keyId).catch(failAsUnavailable);
  const stripe = await findStripe(context, request).catch(failAsUnavailable);
  const search = { ...openSearch(context, request), stripe };
  const planned = planHold(context, search, { requestId, nowMs: context.now() });
  const record = { hold: planned.hold, fingerprint: request.fingerprint };
  if (Math.abs(context.now() - mintedAtMs(requestId)) >= USABLE_MS) {
    return placeAgain(context, request, record);
  }
  const put = await putHoldRecord(context, record, search.deadline);
  if (put.kind === 'refused') return placeAgain(context, request, record);
  if (put.kind !== 'applied') throw ledgerUnavailable(put.cause);
  const mintedAtMonotonicMs = context.monotonicNow();
  const { hold } = planned;
  const key = await sendKeyWrite(context, planned.write, search.deadline);
  const balance =
    key.kind === 'applied'
      ? await sendReservation(context, balanceReservation(context, hold), search.deadline)
      : undefined;
  const known = balance && (await lookAgain(context, hold, balance));
  const attempt = { hold, outcomes: { record: put, key, balance: known }, mintedAtMonotonicMs };
  return conclude(context, search, attempt);
}

function openSearch(context: LedgerContext, request: HoldRequest): Search {
  return {
    ...request,
    deadline: { atMs: context.monotonicNow() + TIME_MS },
    keyFirst: true,
    token: undefined,
    stripe: undefined,
    unknownBefore: false,
    triesLeft: 1,
    missesLeft: 1,
    waitsLeft: 0,
  };
}

/** Its record names the stripe for good: where there are several, one is looked for that has it. */
async function findStripe(
  context: LedgerContext,
  request: HoldRequest,
): Promise<number | undefined> {
  const { key, amount } = request;
  if (key.stripes === 1) return undefined;
  const verdict = await findMoney(context, request);
  if (verdict.kind === 'missed') return verdict.stripe;
  if (verdict.kind !== 'thin') return undefined;
  const moves = planGathering(verdict.stripes, amount);
  const deadline = { atMs: context.monotonicNow() + TIME_MS };
  await moveAll(context, key.accountId, moves, deadline);
  return FIRST_STRIPE;
}

function failAsUnavailable(error: unknown): never {
  throw error instanceof StoreFailure ? ledgerUnavailable(error) : error;
}

/** An unanswered reservation is placed if it is there: a copy of this call may have seen it already. */
async function lookAgain(
  context: LedgerContext,
  hold: OpenHold,
  outcome: WriteOutcome,
): Promise<WriteOutcome> {
  if (outcome.kind === 'applied' || outcome.kind === 'not-applied') return outcome;
  const item =
    outcome.kind === 'refused' && outcome.item ? outcome.item : await balanceOf(context, hold);
  return item && holdsOpen(item, hold.requestId) ? { kind: 'applied', item } : outcome;
}

function balanceOf(context: LedgerContext, hold: OpenHold) {
  const key = balanceKey(hold.accountId, hold.stripe);
  return readItem(context, context.tables.gateway, key, TIME_MS).catch(failAsUnavailable);
}

async function conclude(
  context: LedgerContext,
  search: Search,
  attempt: Attempt,
): Promise<PlacedHold> {
  const verdict = await judgeAttempt(context, search, attempt);
  if (verdict.kind === 'placed') return verdict.placed;
  // Where the balance's outcome is unknown a copy may yet find the hold open and dispatch it:
  // then nothing is undone, and the sweep expires it.
  if (attempt.outcomes.balance?.kind !== 'unknown') {
    const options = { timeoutMs: TIME_MS, keepRecord: true };
    await undoPlace(context, attempt.hold, attempt.outcomes, options);
  }
  switch (verdict.kind) {
    case 'ambiguous':
      throw ledgerUnavailable(verdict.cause);
    case 'empty-bucket':
      throw refuseEmptyBucket(context, search.key.keyId, verdict.dueMs);
    case 'short':
      throw new GatewayError('billing', verdict.message);
    case 'key-changed':
    case 'missed':
    case 'thin':
    case 'moving':
      throw conflict('could not be placed because its key or balance changed meanwhile');
  }
}

/** The ID is in use: the same hold again while it is open, a conflict otherwise. */
async function placeAgain(
  context: LedgerContext,
  request: HoldRequest,
  wanted: HoldRecord,
): Promise<PlacedHold> {
  const { requestId } = wanted.hold;
  const { gateway, ledger } = context.tables;
  const item = await readItem(context, gateway, holdKey(requestId)).catch(failAsUnavailable);
  if (!item) throw conflict('has expired');
  const placed = readHoldRecord(item);
  if (!isSame(placed, wanted)) throw conflict('was used with other parameters');
  const entry = await readItem(context, ledger, entryKey(placed.hold.accountId, requestId)).catch(
    failAsUnavailable,
  );
  if (entry) throw conflict('was finalized');
  if (context.now() >= holdExpiryMs(requestId)) throw conflict('has expired');
  await untilOpen(context, placed.hold);
  const state = await readKey(context, request.key.keyId).catch(failAsUnavailable);
  const rateLimit = rateLimitState(state?.tat ?? 0n, bucketOf(request.key), context.now());
  // Its age counts from its minting, which happened elsewhere.
  const ageMs = Math.max(0, context.now() - mintedAtMs(requestId));
  const mintedAtMonotonicMs = context.monotonicNow() - ageMs;
  return { ...placed.hold, rateLimit, mintedAtMonotonicMs };
}

function isSame(one: HoldRecord, other: HoldRecord): boolean {
  return (
    one.fingerprint === other.fingerprint &&
    one.hold.amount === other.hold.amount &&
    one.hold.keyId === other.hold.keyId &&
    one.hold.accountId === other.hold.accountId
  );
}

async function untilOpen(context: LedgerContext, hold: OpenHold): Promise<void> {
  const giveUpMs = context.monotonicNow() + COPY_PATIENCE_MS;
  for (;;) {
    const balance = await balanceOf(context, hold);
    if (balance && holdsOpen(balance, hold.requestId)) return;
    if (context.monotonicNow() >= giveUpMs) throw conflict('was refused or given back');
    await context.wait(COPY_PAUSE_MS);
  }
}

function conflict(what: string): GatewayError {
  return new GatewayError('conflict', `This request ID ${what}. Make a new one and try again.`);
}
