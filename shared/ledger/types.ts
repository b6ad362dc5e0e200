import type { NanoUsd } from '../pricing/money.ts';
import type { Usage } from '../pricing/usage.ts';

export type RecurringPeriod = 'day' | 'week' | 'month';

/** What a process may remember about an authenticated key. The database decides, not this. */
export interface KeyRecord {
  readonly keyId: string;
  readonly accountId: string;
  readonly enabled: boolean;
  /** Epoch milliseconds; undefined: never. */
  readonly expiresAtMs: number | undefined;
  readonly version: bigint;
  readonly burst: number;
  /** Tokens of the bucket refilled each second. */
  readonly ratePerSecond: number;
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
  readonly rateLimit: RateLimitState;
}

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
