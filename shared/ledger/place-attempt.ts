import { rememberKey } from './authenticate.ts';
import type { LedgerContext } from './context.ts';
import { putMintedHoldRecord } from './hold-record.ts';
import {
  type BalanceVerdict,
  JUDGE_TIMEOUT_MS,
  judgeBalance,
  noteBalance,
  youngReservations,
} from './judge-balance.ts';
import { type KeyState, readKeyState } from './key-state.ts';
import { noticeOrphans } from './orphans.ts';
import { readItem } from './request.ts';
import { mintRequestId, shortId } from './request-id.ts';
import {
  balanceReservation,
  type Deadline,
  holdsOpen,
  type KeyWrite,
  keyCommand,
  sendReservation,
  type WriteOutcome,
} from './reserve.ts';
import { exceededLimit, isLimited, reserveRoom } from './spend-limits.ts';
import { numberOf, numbersOf } from './store.ts';
import { chooseStripe } from './stripes.ts';
import { keyStateKey } from './tables.ts';
import { branchAt, bucketOf, rateLimitState, tokenDueMs } from './token-bucket.ts';
import type { KeyRecord, OpenHold, PlacedHold, RateLimitState } from './types.ts';
import type { PlaceOutcomes } from './undo.ts';

/** One client's request to place a hold, over all its tries. */
export interface Search {
  key: KeyRecord;
  readonly amount: bigint;
  readonly fingerprint: string;
  deadline: Deadline;
  /** Reserves on the balance only once the key has agreed. */
  keyFirst: boolean;
  /** Set once a try has taken this request's token: it takes only one. */
  token: RateLimitState | undefined;
  /** Where the amount was seen; undefined: any stripe of the balance. */
  stripe: number | undefined;
  unknownBefore: boolean;
  triesLeft: number;
  missesLeft: number;
  waitsLeft: number;
}

export interface Attempt {
  readonly hold: OpenHold;
  readonly outcomes: PlaceOutcomes;
  readonly mintedAtMonotonicMs: number;
}

export interface Shortage {
  readonly kind: 'short';
  readonly token: RateLimitState | undefined;
  /** The account's or key's ID. */
  readonly owner: string;
  readonly message: string;
  /** Reservations younger than two seconds would cover what is missing. */
  readonly coveredByYoung: boolean;
}

export type Verdict =
  | { readonly kind: 'placed'; readonly placed: PlacedHold }
  | ({ readonly token: RateLimitState | undefined } & (
      | { readonly kind: 'ambiguous'; readonly cause: unknown }
      | { readonly kind: 'key-changed' }
      | Exclude<BalanceVerdict, { kind: 'short' }>
      | { readonly kind: 'empty-bucket'; readonly dueMs: number }
    ))
  | Shortage;

const BRANCH_MISSES = 8;

/** Mints an ID and sends its three writes, at once or key before balance. Decides nothing. */
export async function attemptPlace(context: LedgerContext, search: Search): Promise<Attempt> {
  const mintedAtMonotonicMs = context.monotonicNow();
  const nowMs = context.now();
  const requestId = mintRequestId(nowMs, context.randomBytes(10));
  const { hold, write } = planHold(context, search, { requestId, nowMs });
  const { deadline, fingerprint } = search;
  const record = putMintedHoldRecord(context, { hold, fingerprint }, deadline);
  const key = sendKeyWrite(context, write, deadline);
  const sendBalance = () => sendReservation(context, balanceReservation(context, hold), deadline);
  const balance = search.keyFirst
    ? key.then((outcome) => (outcome.kind === 'applied' ? sendBalance() : undefined))
    : sendBalance();
  const [recordDone, keyDone, balanceDone] = await Promise.all([record, key, balance]);
  const outcomes = { record: recordDone, key: keyDone, balance: balanceDone };
  return { hold, outcomes: confirmDuplicates(outcomes, requestId), mintedAtMonotonicMs };
}

/** The hold and the key's write, guessed from what was last seen of the key. */
export function planHold(
  context: LedgerContext,
  search: Pick<Search, 'key' | 'amount' | 'token' | 'stripe'>,
  minted: { requestId: string; nowMs: number },
): { hold: OpenHold; write: KeyWrite } {
  const { key, amount } = search;
  const { requestId, nowMs } = minted;
  const hint = context.memory.keyHints.get(key.keyId);
  const rooms = hint ?? { lifetimeRoom: 0n, periodRoom: 0n, period: '' };
  const room = isLimited(key) ? reserveRoom(key, rooms, { amount, nowMs }) : undefined;
  const tokenBranch = branchAt(hint?.tat ?? 0n, bucketOf(key), nowMs) ?? 'busy';
  return {
    hold: {
      requestId,
      accountId: key.accountId,
      keyId: key.keyId,
      stripe: search.stripe ?? chooseStripe(context, key.stripes),
      amount,
      period: room?.period,
      heldByKey: room !== undefined,
    },
    write: {
      key,
      nowMs,
      tokenBranch: search.token ? undefined : tokenBranch,
      reservation: room && { requestId, room, amount },
    },
  };
}

/**
 * Sends the key's write. One that reserves nothing names no ID, so a bucket that is in another
 * branch than was guessed is simply asked again; one that reserves is sent once.
 */
export async function sendKeyWrite(
  context: LedgerContext,
  write: KeyWrite,
  deadline: Deadline,
): Promise<WriteOutcome> {
  let current = write;
  for (let misses = 0; ; misses += 1) {
    const outcome = await sendReservation(context, keyCommand(context, current), deadline);
    if (outcome.kind !== 'refused' || write.reservation || misses >= BRANCH_MISSES) return outcome;
    const state = await refusingKey(context, write.key.keyId, outcome).catch(() => undefined);
    const tokenBranch = state && branchAt(state.tat, bucketOf(write.key), write.nowMs);
    const missed = tokenBranch && state.record.version === write.key.version;
    if (!missed || !current.tokenBranch) return outcome;
    current = { ...current, tokenBranch };
  }
}

/** A write refused because its own ID is open already was applied: a copy of it came first. */
function confirmDuplicates(outcomes: PlaceOutcomes, requestId: string): PlaceOutcomes {
  const confirm = <Outcome extends WriteOutcome | undefined>(outcome: Outcome) =>
    outcome?.kind === 'refused' && outcome.item && holdsOpen(outcome.item, requestId)
      ? { kind: 'applied' as const, item: outcome.item }
      : outcome;
  return { ...outcomes, key: confirm(outcomes.key), balance: confirm(outcomes.balance) };
}

/** Reads three outcomes as one, by the precedence 503, 403, 429, 402. */
export async function judgeAttempt(
  context: LedgerContext,
  search: Search,
  attempt: Attempt,
): Promise<Verdict> {
  const { record, key, balance } = attempt.outcomes;
  const token = tokenAfter(context, search, key);
  const open = [record, key, balance].find(isOpenQuestion);
  if (open) return { kind: 'ambiguous', cause: open.cause, token };
  try {
    if (key?.kind === 'refused') return await judgeKey(context, search, key);
    if (balance?.kind === 'refused')
      return await judgeRefusedBalance(context, search, attempt, token);
  } catch (cause) {
    return { kind: 'ambiguous', cause, token };
  }
  if (!token) throw new TypeError('a placed hold has taken its token');
  if (balance?.kind === 'applied' && balance.item) {
    noteBalance(context, attempt.hold.accountId, {
      available: numberOf(balance.item, 'available'),
      holds: numbersOf(balance.item, 'holds'),
    });
  }
  context.memory.placed.set(shortId(attempt.hold.requestId), true);
  const { mintedAtMonotonicMs } = attempt;
  return { kind: 'placed', placed: { ...attempt.hold, rateLimit: token, mintedAtMonotonicMs } };
}

function isOpenQuestion(
  outcome: WriteOutcome | undefined,
): outcome is Extract<WriteOutcome, { cause: unknown }> {
  return outcome?.kind === 'unknown' || outcome?.kind === 'not-applied';
}

function tokenAfter(
  context: LedgerContext,
  search: Search,
  key: WriteOutcome | undefined,
): RateLimitState | undefined {
  if (search.token || key?.kind !== 'applied' || !key.item) return search.token;
  const state = readKeyState(key.item);
  rememberKey(context, state);
  noticeOrphans(context, state.record.accountId, state.holds);
  return rateLimitState(state.tat, bucketOf(search.key), context.now());
}

/** The key as it refused (undefined: it is gone); where the database does not say (dynalite), as it stands a moment later. */
async function refusingKey(
  context: LedgerContext,
  keyId: string,
  refusal: Extract<WriteOutcome, { kind: 'refused' }>,
): Promise<KeyState | undefined> {
  const { gateway } = context.tables;
  const item =
    refusal.item ?? (await readItem(context, gateway, keyStateKey(keyId), JUDGE_TIMEOUT_MS));
  return item && readKeyState(item);
}

async function judgeKey(
  context: LedgerContext,
  search: Search,
  refusal: Extract<WriteOutcome, { kind: 'refused' }>,
): Promise<Verdict> {
  const { key, amount, token } = search;
  const state = await refusingKey(context, key.keyId, refusal);
  if (!state || state.record.version !== key.version) return { kind: 'key-changed', token };
  rememberKey(context, state);
  noticeOrphans(context, state.record.accountId, state.holds);
  const nowMs = context.now();
  const bucket = bucketOf(key);
  if (!token && !branchAt(state.tat, bucket, nowMs)) {
    return { kind: 'empty-bucket', dueMs: tokenDueMs(state.tat, bucket, nowMs), token };
  }
  const exceeded = exceededLimit(key, state, { amount, nowMs });
  if (!exceeded) return { kind: 'missed', token };
  const young = youngReservations(context, state.holds);
  const room = exceeded === 'lifetime' ? state.lifetimeRoom : state.periodRoom;
  const message = `The ${exceeded} spend limit of this API key is exhausted.`;
  return {
    kind: 'short',
    token,
    owner: key.keyId,
    message,
    coveredByYoung: room + young >= amount,
  };
}

async function judgeRefusedBalance(
  context: LedgerContext,
  search: Search,
  attempt: Attempt,
  token: RateLimitState | undefined,
): Promise<Verdict> {
  const { balance } = attempt.outcomes;
  const item = balance?.kind === 'refused' ? balance.item : undefined;
  const verdict = await judgeBalance(context, search, { stripe: attempt.hold.stripe, item });
  if (verdict.kind !== 'short') return { ...verdict, token };
  const message = 'The account balance does not cover this request. Add credit and try again.';
  return { ...verdict, token, owner: search.key.accountId, message };
}
