/**
 * What is taken from a balance outside a request (a late charge, a negative adjustment) is reserved
 * by a hold of its own first, then settled like any other: an amount that was fixed before it is
 * reserved could meet a balance that no longer covers it, and would block the sequence for ever.
 */
import { applyEntry } from './apply.ts';
import { readKey } from './authenticate.ts';
import type { LedgerContext } from './context.ts';
import { commitEntry, holdEntry } from './entry.ts';
import { putMintedHoldRecord } from './hold-record.ts';
import { moveClaim, putClaim, Refusal, readClaim, type Work, type WorkDone } from './once.ts';
import { PATIENT_TIMEOUT_MS, readItem } from './request.ts';
import { mintRequestId, shortId } from './request-id.ts';
import { balanceReservation, sendReservation, type WriteOutcome } from './reserve.ts';
import { isLimited, NO_PERIOD, remainingRooms, reserveRoom } from './spend-limits.ts';
import { gather } from './spread.ts';
import { type Item, numberOf, StoreFailure, textOf, type UpdateCommand } from './store.ts';
import { entryKey, FIRST_STRIPE, keyStateKey } from './tables.ts';
import type { OpenHold } from './types.ts';

const TRIES = 6;

/** Takes once per reference: a late charge at most what is available. Throws Refusal, StoreFailure. */
export async function takeOnce(context: LedgerContext, work: Work): Promise<WorkDone> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const claim = await readClaim(context, work);
    if (!claim) {
      const plan = await planTake(context, work);
      if (!(await putClaim(context, work, carrierOf(plan.hold)))) continue;
      const done = await reserveAndCommit(context, work, plan);
      if (done) return done;
      continue;
    }
    const hold = heldBy(claim, work);
    const row = await finishedRow(context, work, hold);
    if (row) return { row, repeated: true };
    const plan = await planTake(context, work);
    const from = { path: 'hold', value: hold.requestId };
    if (!(await moveClaim(context, work, from, carrierOf(plan.hold)))) continue;
    const done = await reserveAndCommit(context, work, plan);
    if (done) return done;
  }
  throw new StoreFailure('no', new Error('the balance moves too fast; the sweep goes on with it'));
}

interface TakePlan {
  readonly hold: OpenHold;
  readonly keyReservation: UpdateCommand | undefined;
}

/** How much can be taken now, and the writes that reserve it. */
async function planTake(context: LedgerContext, work: Work): Promise<TakePlan> {
  const wanted = -work.amount;
  const nowMs = context.now();
  const available = await gather(context, work.accountId, wanted);
  if (work.kind === 'adjustment' && available < wanted) {
    throw new Refusal('the balance does not cover this adjustment');
  }
  const state = work.keyId === '' ? undefined : await readKey(context, work.keyId);
  const limited = state && isLimited(state.record) ? state : undefined;
  const rooms = limited && remainingRooms(limited.record, limited, nowMs);
  const bounds = [wanted, available, rooms?.lifetime, rooms?.recurring];
  const amount = smallest(bounds.filter((bound) => bound !== undefined));
  const room = limited && reserveRoom(limited.record, limited, { amount, nowMs });
  const requestId = mintRequestId(nowMs, context.randomBytes(10));
  const entry = `holds.${shortId(requestId)}`;
  return {
    hold: {
      requestId,
      accountId: work.accountId,
      keyId: work.keyId,
      stripe: FIRST_STRIPE,
      amount,
      period: room?.period,
      heldByKey: room !== undefined,
    },
    keyReservation: room && {
      operation: 'update',
      table: context.tables.gateway,
      key: keyStateKey(work.keyId),
      changes: { ...room.changes, set: { ...room.changes.set, [entry]: amount } },
      // A limit that was changed since would be given a period that it never had.
      conditions: [
        { path: 'version', is: '=', value: limited.record.version },
        ...room.conditions,
        { path: entry, is: 'absent' },
      ],
    },
  };
}

/** A key whose limit was lowered below what it spent has no room: then nothing is taken. */
function smallest(amounts: readonly bigint[]): bigint {
  const least = amounts.reduce((one, other) => (other < one ? other : one));
  return least < 0n ? 0n : least;
}

function carrierOf(hold: OpenHold): Item {
  const { requestId, amount, heldByKey } = hold;
  return { hold: requestId, taken: amount, period: hold.period ?? NO_PERIOD, on_key: heldByKey };
}

function heldBy(claim: Item, work: Work): OpenHold {
  const period = textOf(claim, 'period');
  return {
    requestId: textOf(claim, 'hold'),
    accountId: work.accountId,
    keyId: work.keyId,
    stripe: FIRST_STRIPE,
    amount: numberOf(claim, 'taken'),
    period: period === NO_PERIOD ? undefined : period,
    heldByKey: claim.on_key === true,
  };
}

/** Reserves and commits a plan of this very call; undefined where it came to nothing, for good. */
async function reserveAndCommit(
  context: LedgerContext,
  work: Work,
  plan: TakePlan,
): Promise<WorkDone | undefined> {
  const { hold } = plan;
  const reserved = hold.amount === 0n || (await reserve(context, plan));
  const kind = reserved ? work.kind : 'expiry';
  const { row } = await commitEntry(context, rowOf(context, work, hold, kind));
  await applyEntry(context, row);
  return textOf(row, 'kind') === work.kind ? { row, repeated: false } : undefined;
}

async function reserve(context: LedgerContext, plan: TakePlan): Promise<boolean> {
  const deadline = { atMs: context.monotonicNow() + PATIENT_TIMEOUT_MS };
  const record = { hold: plan.hold, fingerprint: 'take' };
  const writes: Promise<WriteOutcome>[] = [
    putMintedHoldRecord(context, record, deadline),
    sendReservation(context, balanceReservation(context, plan.hold), deadline),
    ...(plan.keyReservation ? [sendReservation(context, plan.keyReservation, deadline)] : []),
  ];
  const outcomes = await Promise.all(writes);
  return outcomes.every((outcome) => outcome.kind === 'applied');
}

/** The row that finalized an earlier attempt's hold as this work; otherwise that hold is ended. */
async function finishedRow(
  context: LedgerContext,
  work: Work,
  hold: OpenHold,
): Promise<Item | undefined> {
  const key = entryKey(work.accountId, hold.requestId);
  const found = await readItem(context, context.tables.ledger, key);
  const row = found ?? (await commitEntry(context, rowOf(context, work, hold, 'expiry'))).row;
  await applyEntry(context, row);
  return textOf(row, 'kind') === work.kind ? row : undefined;
}

function rowOf(context: LedgerContext, work: Work, hold: OpenHold, kind: Work['kind'] | 'expiry') {
  const created_at_ms = BigInt(context.now());
  if (kind === 'expiry') {
    const none = { amount: 0n, uncollected: 0n };
    return holdEntry(hold, kind, none, { reference: work.reference, created_at_ms });
  }
  const late = kind === 'late_charge';
  const amounts = {
    amount: late ? hold.amount : -hold.amount,
    uncollected: late ? work.uncollected - work.amount - hold.amount : 0n,
  };
  return holdEntry(hold, kind, amounts, { ...work.row, reference: work.reference, created_at_ms });
}
