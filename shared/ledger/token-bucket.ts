import type { Changes, Condition } from './store.ts';
import type { RateLimitState } from './types.ts';

/*
 * The bucket is one number, GCRA's theoretical arrival time (`tat`): the time at which the bucket
 * will be full again. Microseconds, so that any rate is exact enough. Three branches, whose
 * conditions exclude one another, cover every `tat` that lets a request through.
 */

export interface Bucket {
  /** Microseconds in which one token is refilled. */
  readonly intervalUs: bigint;
  readonly burst: bigint;
}

export type BucketBranch = 'idle' | 'busy' | 'ahead';

/** How much the clocks of two hosts may differ. */
const SKEW_US = 5_000_000n;
const US_PER_MS = 1_000n;

export function bucketOf(limits: { burst: number; ratePerSecond: number }): Bucket {
  return {
    intervalUs: BigInt(Math.ceil(1_000_000 / limits.ratePerSecond)),
    burst: BigInt(limits.burst),
  };
}

interface Bounds {
  readonly nowUs: bigint;
  /** The bucket has a token while `tat` is not beyond this. */
  readonly lastUs: bigint;
  /** A `tat` beyond this was set by a clock that ran ahead. */
  readonly farthestUs: bigint;
}

function boundsOf(bucket: Bucket, nowMs: number): Bounds {
  const nowUs = BigInt(Math.floor(nowMs)) * US_PER_MS;
  const capacityUs = bucket.burst * bucket.intervalUs;
  return {
    nowUs,
    lastUs: nowUs + capacityUs - bucket.intervalUs,
    farthestUs: nowUs + capacityUs + SKEW_US,
  };
}

/** The branch that takes a token at this `tat`, or undefined: the bucket is empty. */
export function branchAt(tat: bigint, bucket: Bucket, nowMs: number): BucketBranch | undefined {
  const bounds = boundsOf(bucket, nowMs);
  if (tat <= bounds.nowUs) return 'idle';
  if (tat <= bounds.lastUs) return 'busy';
  return tat > bounds.farthestUs ? 'ahead' : undefined;
}

/** The write that takes one token, refused unless `tat` lies in that branch. */
export function takeToken(
  branch: BucketBranch,
  bucket: Bucket,
  nowMs: number,
): { changes: Changes; conditions: Condition[] } {
  const { nowUs, lastUs, farthestUs } = boundsOf(bucket, nowMs);
  switch (branch) {
    case 'idle':
      return {
        changes: { set: { tat: nowUs + bucket.intervalUs } },
        conditions: [{ path: 'tat', is: '<=', value: nowUs }],
      };
    case 'busy':
      return {
        changes: { add: { tat: bucket.intervalUs } },
        conditions: [
          { path: 'tat', is: '>', value: nowUs },
          { path: 'tat', is: '<=', value: lastUs },
        ],
      };
    case 'ahead':
      // The true state is unknown: one request passes and leaves the bucket empty, so that a clock
      // stepping back neither refills it nor locks the key out.
      return {
        changes: { set: { tat: nowUs + bucket.burst * bucket.intervalUs } },
        conditions: [{ path: 'tat', is: '>', value: farthestUs }],
      };
  }
}

/** Milliseconds after which an empty bucket has a token again. */
export function tokenDueMs(tat: bigint, bucket: Bucket, nowMs: number): number {
  const missing = tat - boundsOf(bucket, nowMs).lastUs;
  return Math.max(1, Math.ceil(Number(missing) / Number(US_PER_MS)));
}

/** What a bucket tells its client: its size, the tokens left, and when it is full again. */
export function rateLimitState(tat: bigint, bucket: Bucket, nowMs: number): RateLimitState {
  const { nowUs } = boundsOf(bucket, nowMs);
  const missingUs = tat > nowUs ? tat - nowUs : 0n;
  const used = (missingUs + bucket.intervalUs - 1n) / bucket.intervalUs;
  return {
    limit: Number(bucket.burst),
    remaining: Math.max(0, Number(bucket.burst - used)),
    resetMs: Math.ceil(Number(missingUs) / Number(US_PER_MS)),
  };
}
