import type { ListedKey } from '../../shared/ledger/key-admin.ts';
import type { KeyState } from '../../shared/ledger/key-state.ts';
import { remainingRooms } from '../../shared/ledger/spend-limits.ts';
import type { Item, Value } from '../../shared/ledger/store.ts';
import { formatUsd } from '../../shared/pricing/money.ts';

/** JSON as a command prints it; an absent value is left out. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

/** A time in epoch milliseconds as ISO 8601 in UTC. */
export function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** A key as operators see it: limits and what remains of them in US dollars. Never a hash. */
export function keyJson(state: KeyState, nowMs: number, listed?: ListedKey): Json {
  const { record } = state;
  const rooms = remainingRooms(record, state, nowMs);
  const { lifetimeLimit, recurringLimit } = record;
  return {
    keyId: record.keyId,
    accountId: record.accountId,
    name: listed?.name,
    enabled: record.enabled,
    expiresAt: record.expiresAtMs === undefined ? null : isoTime(record.expiresAtMs),
    burst: record.burst,
    rate: record.ratePerSecond,
    limitLifetime: optionalUsd(lifetimeLimit),
    remainingLifetime: optionalUsd(rooms.lifetime),
    limitRecurring: optionalUsd(recurringLimit?.amount),
    period: recurringLimit?.period ?? null,
    remainingRecurring: optionalUsd(rooms.recurring),
    openHolds: state.holds.size,
    secrets: state.hashes.size,
    version: Number(record.version),
    createdAt: listed && isoTime(listed.createdAtMs),
  };
}

function optionalUsd(amount: bigint | undefined): string | null {
  return amount === undefined ? null : formatUsd(amount);
}

/**
 * A ledger row as operators see it: every attribute of the row, amounts in US dollars
 * (`amount_nano` is `amountUsd`), times in ISO 8601 (`created_at_ms` is `createdAt`).
 */
export function entryJson(row: Item): Json {
  const shown = Object.entries(row)
    .filter(([name]) => name !== 'pk' && name !== 'sk')
    .map(([name, value]) => shownAttribute(name, value));
  return { requestId: null, ...Object.fromEntries(shown) };
}

function shownAttribute(name: string, value: Value): [string, Json] {
  if (name === 'metadata') return ['metadata', JSON.parse(String(value))];
  if (name.endsWith('_nano') && typeof value === 'bigint') {
    return [camelCase(name.replace(/_nano$/, '_usd')), formatUsd(value)];
  }
  if (name.endsWith('_at_ms') && typeof value === 'bigint') {
    return [camelCase(name.replace(/_ms$/, '')), isoTime(Number(value))];
  }
  return [camelCase(name), plainValue(value)];
}

function plainValue(value: Value): Json {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plainValue(part)]));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
