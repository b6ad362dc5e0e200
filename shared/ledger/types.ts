import type { NanoUsd } from '../pricing/money.ts';
import type { Usage } from '../pricing/usage.ts';

export type RecurringPeriod = 'day' | 'week' | 'month';

/** What a process may remember about a key. The database decides, not this. */
export interface KeyFacts {
  readonly keyId: string;
  readonly accountId: string;
  readonly enabled: boolean;
  /** Epoch milliseconds; undefined: never. */
  readonly expiresAtMs: number | undefined;
  readonly version: bigint;
  readonly burst: number;
  /** Tokens of the bucket refilled each second. */
  readonly ratePerSecond: number;
  /** Undefined: no lifetime spend limit. */
  readonly lifetimeLimit: NanoUsd | undefined;
  /** Undefined: no recurring spend limit. */
  readonly recurringLimit: RecurringLimit | undefined;
  /** Stripes of the account's balance, as the key was told; an older number only uses fewer. */
  readonly stripes: number;
}

/** An authenticated key: with the hash of the secret that opened it. */
export interface KeyRecord extends KeyFacts {
  readonly secretHash: string;
}

export interface RecurringLimit {
  readonly period: RecurringPeriod;
  readonly amount: NanoUsd;
  /** Version of the key at which this limit began: a hold of an earlier one refunds nothing to it. */
  readonly generation: bigint;
}

/** An authorization hold to place. */
export interface HoldRequest {
  readonly key: KeyRecord;
  readonly amount: NanoUsd;
  /** Says "same request": a hold placed again under its ID must carry the same one. */
  readonly fingerprint: string;
  /** Reached only through the ledger's own interface: the gateway lets the ledger mint it. */
  readonly requestId?: string;
}

/** State of the key's token bucket after a request, for the `x-ratelimit-*` headers. */
export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the bucket is full again. */
  readonly resetMs: number;
}

export interface PlacedHold {
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly stripe: number;
  readonly amount: NanoUsd;
  /** Recurring period that the hold counts in, or undefined where the key has no such limit. */
  readonly period: string | undefined;
  /** The key holds the amount too: it had a spend limit when the hold was placed. */
  readonly heldByKey: boolean;
  readonly rateLimit: RateLimitState;
  /** Monotonic milliseconds at which the ID was minted; see `mayDispatch`. */
  readonly mintedAtMonotonicMs: number;
}

/** What settlement needs of a hold; a spooled charge carries no more. */
export type OpenHold = Pick<
  PlacedHold,
  'requestId' | 'accountId' | 'keyId' | 'stripe' | 'amount' | 'period' | 'heldByKey'
>;

/** Everything finance needs about one finalized request; never a prompt. */
export interface ChargeDetails {
  readonly route: string;
  readonly modelRequested: string;
  readonly model: string;
  readonly deployment: string;
  readonly provider: string;
  readonly usage: Usage;
  readonly reasoningTokens: number;
  /** US dollars per unit of each meter charged, as the catalog states them. */
  readonly prices: Readonly<Record<string, string>>;
  /** The usage was counted by the gateway, not reported by the provider. */
  readonly estimated: boolean;
  readonly status: 'completed' | 'refused' | 'failed' | 'interrupted';
  readonly metadata: Readonly<Record<string, string>>;
  readonly startedAtMs: number;
  readonly finishedAtMs: number;
}

/** A finished charge: `amount` is what the provider's report costs, before it is cut to the hold. */
export interface Charge {
  readonly amount: NanoUsd;
  readonly details: ChargeDetails;
}

/** What became of a settlement. */
export interface SettleOutcome {
  /**
   * `settled`: charged now. `repeated`: had been settled before, with these amounts. `late`: after
   * the hold had expired, so at most what was available. `spooled`: the database would not take it;
   * the sweep will.
   */
  readonly status: 'settled' | 'repeated' | 'late' | 'spooled';
  readonly charged: NanoUsd;
  /** What the provider's report exceeds the charge by. */
  readonly uncollected: NanoUsd;
}
