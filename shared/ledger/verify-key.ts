import { effectOnBalance } from './entry.ts';
import type { KeyState } from './key-state.ts';
import { longId, mintedAtMs } from './request-id.ts';
import { periodAt } from './spend-limits.ts';
import { type Item, numberOf, optionalNumber, optionalText } from './store.ts';

/** How much the clocks of two hosts may differ. */
const SKEW_MS = 5_000;
const FIRST_GENERATION = 1n;

/** A room that lies outside of what the rows and the open holds allow; `expected` is the nearest bound. */
export interface RoomDifference {
  readonly problem: 'key-lifetime' | 'key-recurring';
  readonly keyId: string;
  readonly expected: bigint;
  readonly found: bigint;
}

/**
 * Holds a key's rooms against its limits: room = limit - charges - open holds. Exact for limits that
 * the key was made with; for a limit that came later, or holds whose record was lost, the bounds that
 * can be known. Pure.
 */
export function keyDifferences(state: KeyState, rows: readonly Item[]): RoomDifference[] {
  const { keyId } = state.record;
  const mine = rows.filter((row) => isAppliedTo(state, row));
  return [
    ...outside('key-lifetime', keyId, state.lifetimeRoom, lifetimeBounds(state, mine)),
    ...outside('key-recurring', keyId, state.periodRoom, periodBounds(state, mine, rows)),
  ];
}

interface Bounds {
  readonly least: bigint;
  readonly most: bigint;
}

function outside(
  problem: RoomDifference['problem'],
  keyId: string,
  found: bigint,
  bounds: Bounds | undefined,
): RoomDifference[] {
  if (!bounds) return [];
  const { least, most } = bounds;
  if (found < least) return [{ problem, keyId, expected: least, found }];
  return found > most ? [{ problem, keyId, expected: most, found }] : [];
}

/** A row that took from this key's rooms, and is applied: its hold is not open there any more. */
function isAppliedTo({ record, holds }: KeyState, row: Item): boolean {
  if (row.held_by_key !== true || row.key_id !== record.keyId) return false;
  return ![...holds.keys()].some((short) => longId(short) === row.request_id);
}

/** What was charged before the limit began may or may not count: a hold of then may still be open. */
function lifetimeBounds(state: KeyState, rows: readonly Item[]): Bounds | undefined {
  const { lifetimeLimit } = state.record;
  if (lifetimeLimit === undefined) return undefined;
  const sinceMs = state.lifetimeSinceMs;
  const surely = rows.filter((row) => sinceMs !== undefined && mintedMs(row) >= sinceMs + SKEW_MS);
  const rest = lifetimeLimit - sum(state.holds.values());
  return { least: rest - charged(rows), most: rest - charged(surely) };
}

function periodBounds(
  state: KeyState,
  rows: readonly Item[],
  all: readonly Item[],
): Bounds | undefined {
  const { recurringLimit } = state.record;
  if (!recurringLimit) return undefined;
  const { amount, generation } = recurringLimit;
  const rest = amount - charged(rows.filter((row) => row.period === state.period));
  // Which period an open hold counts in is known where the limit was never another one.
  const surelyOpen = [...state.holds]
    .filter(([short]) => periodAt(recurringLimit, mintedAtMs(longId(short))) === state.period)
    .map(([, held]) => held);
  return {
    least: rest - sum(state.holds.values()) - forgone(state, all),
    most: generation === FIRST_GENERATION ? rest - sum(surelyOpen) : rest,
  };
}

/** Holds that expired without their record: their refunds to a recurring limit were forgone. */
function forgone({ record }: KeyState, rows: readonly Item[]): bigint {
  const lost = rows.filter(
    (row) =>
      row.kind === 'expiry' &&
      row.period === undefined &&
      (row.key_id === undefined || row.key_id === record.keyId),
  );
  return sum(lost.map((row) => optionalNumber(row, 'hold_nano') ?? 0n));
}

function charged(rows: readonly Item[]): bigint {
  return -sum(rows.map(effectOnBalance));
}

function mintedMs(row: Item): number {
  const requestId = optionalText(row, 'request_id');
  return requestId === undefined ? Number(numberOf(row, 'created_at_ms')) : mintedAtMs(requestId);
}

function sum(amounts: Iterable<bigint>): bigint {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
}
