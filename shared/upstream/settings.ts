import type { ProviderId } from '../catalog/types.ts';

/** Where a provider answers and with what credential. */
export interface UpstreamSettings {
  /** Base address without a final slash; `/chat/completions`, `/responses` or `/messages` is appended. */
  readonly url: string;
  /** Undefined where the address needs none (simulated providers). */
  readonly credential: string | undefined;
}

/** The providers that can be called; one without an address, or without the credential it needs, is left out. */
export type Upstreams = Readonly<Partial<Record<ProviderId, UpstreamSettings>>>;

/** Where the credentials come from: the environment, or a secret that may change while we run. */
export interface UpstreamSource {
  /** What is at hand. Throws where a secret was never read. */
  readonly current: () => Promise<Upstreams>;
  /** Read anew, because a provider refused what is at hand; not more often than is good for the store. */
  readonly renewed: () => Promise<Upstreams>;
}

/** Deadlines of every upstream call, in milliseconds: here and nowhere else. */
export const UPSTREAM_DEADLINES = {
  connectMs: 10_000,
  /** To the first byte of a whole answer or of a stream: long thinking happens before it. */
  firstByteMs: 600_000,
  /** Between two reads of an answer: a provider that stalls longer is given up. */
  stallMs: 120_000,
  /** Of the whole call: every host cuts a request at 15 minutes, and settlement needs its time. */
  totalMs: 870_000,
} as const;

export type UpstreamDeadlines = { readonly [name in keyof typeof UPSTREAM_DEADLINES]: number };
