import type { Changes, Condition } from './store.ts';
import type { KeyFacts, RecurringLimit, RecurringPeriod } from './types.ts';

/*
 * A key stores what remains of its limits (its room), for conditions have no arithmetic.
 * A period's name carries the generation of the limit and sorts by time: periods only move forward.
 */

export const NO_PERIOD = '-';
const DAY_MS = 86_400_000;
const ORDINAL_DIGITS = 6;

/** What remains of the limits; meaningless where the key has no such limit. */
export interface Rooms {
  readonly lifetimeRoom: bigint;
  readonly periodRoom: bigint;
  /** The period that `periodRoom` counts. */
  readonly period: string;
}

export function isLimited(key: KeyFacts): boolean {
  return key.lifetimeLimit !== undefined || key.recurringLimit !== undefined;
}

/** The period of a recurring limit at a time, by UTC: a day, a week from Monday, a month. */
export function periodAt(limit: RecurringLimit, nowMs: number): string {
  const ordinal = periodStartDay(limit.period, nowMs).toString().padStart(ORDINAL_DIGITS, '0');
  return `${limit.period}.${limit.generation}.${ordinal}`;
}

function periodStartDay(period: RecurringPeriod, nowMs: number): number {
  const day = Math.floor(nowMs / DAY_MS);
  const date = new Date(nowMs);
  switch (period) {
    case 'day':
      return day;
    case 'week':
      return day - ((date.getUTCDay() + 6) % 7);
    case 'month':
      return day - (date.getUTCDate() - 1);
  }
}

/** The period that counts now: one that has begun stays, though a clock steps back. */
export function currentPeriod(limit: RecurringLimit, rooms: Rooms, nowMs: number): string {
  const period = periodAt(limit, nowMs);
  return rooms.period > period && rooms.period.startsWith(`${limit.period}.${limit.generation}.`)
    ? rooms.period
    : period;
}

/** Which limit an amount would exceed, or undefined. */
export function exceededLimit(
  key: KeyFacts,
  rooms: Rooms,
  spend: { amount: bigint; nowMs: number },
): 'lifetime' | 'recurring' | undefined {
  const room = remainingRooms(key, rooms, spend.nowMs);
  if (room.lifetime !== undefined && room.lifetime < spend.amount) return 'lifetime';
  if (room.recurring !== undefined && room.recurring < spend.amount) return 'recurring';
  return undefined;
}

/** What remains of each limit at a time; undefined where there is none. */
export function remainingRooms(
  key: KeyFacts,
  rooms: Rooms,
  nowMs: number,
): { lifetime: bigint | undefined; recurring: bigint | undefined } {
  const { recurringLimit } = key;
  const lifetime = key.lifetimeLimit === undefined ? undefined : rooms.lifetimeRoom;
  if (!recurringLimit) return { lifetime, recurring: undefined };
  const fresh = currentPeriod(recurringLimit, rooms, nowMs) !== rooms.period;
  return { lifetime, recurring: fresh ? recurringLimit.amount : rooms.periodRoom };
}

/** The part of a write that reserves an amount within the limits, as `rooms` were last seen. */
export function reserveRoom(
  key: KeyFacts,
  rooms: Rooms,
  spend: { amount: bigint; nowMs: number },
): { changes: Changes; conditions: Condition[]; period: string | undefined } {
  const add: Record<string, bigint> = {};
  const set: Record<string, bigint | string> = {};
  const conditions: Condition[] = [];
  if (key.lifetimeLimit !== undefined) {
    add.life_room = -spend.amount;
    conditions.push({ path: 'life_room', is: '>=', value: spend.amount });
  }
  const { recurringLimit } = key;
  if (!recurringLimit) return { changes: { add, set }, conditions, period: undefined };
  const period = currentPeriod(recurringLimit, rooms, spend.nowMs);
  // What exceeds the whole limit no new period may let through: it is refused as in one that runs.
  if (period === rooms.period || spend.amount > recurringLimit.amount) {
    add.period_room = -spend.amount;
    conditions.push({ path: 'period', is: '=', value: period });
    conditions.push({ path: 'period_room', is: '>=', value: spend.amount });
  } else {
    // A boundary resets once: only the write that moves the period forward refills the room.
    set.period = period;
    set.period_room = recurringLimit.amount - spend.amount;
    conditions.push({ path: 'period', is: '<', value: period });
  }
  return { changes: { add, set }, conditions, period };
}
