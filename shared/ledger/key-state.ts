import type { Rooms } from './spend-limits.ts';
import { type Item, numberOf, numbersOf, optionalNumber, optionalText, textOf } from './store.ts';
import { stripeCount } from './stripes.ts';
import type { KeyFacts, RecurringLimit, RecurringPeriod } from './types.ts';

/** A key's item, read. */
export interface KeyState extends Rooms {
  readonly record: KeyFacts;
  /** Hashes of the secrets that open it; until then in epoch milliseconds, 0: for ever. */
  readonly hashes: ReadonlyMap<string, bigint>;
  /** Of the token bucket, in microseconds. */
  readonly tat: bigint;
  /** Open holds of a key with a spend limit, by short ID. */
  readonly holds: ReadonlyMap<string, bigint>;
  /** When the lifetime limit began, in epoch milliseconds; undefined: there is none. */
  readonly lifetimeSinceMs: number | undefined;
}

export function readKeyState(item: Item): KeyState {
  const expires = optionalNumber(item, 'expires');
  const since = optionalNumber(item, 'life_since');
  return {
    record: {
      keyId: textOf(item, 'pk'),
      accountId: textOf(item, 'account'),
      enabled: item.enabled === true,
      expiresAtMs: expires === undefined ? undefined : Number(expires),
      version: numberOf(item, 'version'),
      burst: Number(numberOf(item, 'burst')),
      ratePerSecond: Number(textOf(item, 'rate')),
      lifetimeLimit: optionalNumber(item, 'life_limit'),
      recurringLimit: recurringLimitOf(item),
      stripes: stripeCount(item),
    },
    hashes: numbersOf(item, 'hashes'),
    tat: numberOf(item, 'tat'),
    holds: numbersOf(item, 'holds'),
    lifetimeSinceMs: since === undefined ? undefined : Number(since),
    lifetimeRoom: numberOf(item, 'life_room'),
    periodRoom: numberOf(item, 'period_room'),
    period: textOf(item, 'period'),
  };
}

function recurringLimitOf(item: Item): RecurringLimit | undefined {
  const period = optionalText(item, 'period_kind');
  if (!isPeriod(period)) return undefined;
  return {
    period,
    amount: numberOf(item, 'period_limit'),
    generation: numberOf(item, 'period_generation'),
  };
}

export function isPeriod(text: string | undefined): text is RecurringPeriod {
  return text === 'day' || text === 'week' || text === 'month';
}

/** Whether a secret with this hash opens the key: a rotation ends the old one's time. */
export function opensKey(state: KeyState, secretHash: string, nowMs: number): boolean {
  const until = state.hashes.get(secretHash);
  return until !== undefined && (until === 0n || nowMs < Number(until));
}
