/** A span of time, epoch milliseconds: from (inclusive) to (exclusive). */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What DynamoDB takes as the window of one incremental export. */
export const SHORTEST_WINDOW_MS = 15 * MINUTE_MS;
export const LONGEST_WINDOW_MS = DAY_MS;

/** What is still to be exported. */
export interface Plan {
  /** Oldest first; none overlaps another, or an export that is there. */
  readonly windows: readonly Window[];
  /** What no incremental export can reach any more: only a full export has it. */
  readonly lost: readonly Window[];
}

/**
 * Plans incremental exports that leave no gap and no overlap, whatever ran or failed before.
 * `exported` are the windows of exports that succeeded or still run; `restorable` is what
 * point-in-time recovery reaches. Windows end on whole hours and stay within one day of UTC where
 * they can: two runs at once plan the same ones, and a day's rows lie in that day's folder.
 */
export function planExports(exported: readonly Window[], restorable: Window): Plan {
  const sorted = [...exported].sort((one, other) => one.fromMs - other.fromMs);
  const gaps: Window[] = [];
  let coveredMs = sorted[0]?.fromMs ?? restorable.fromMs;
  for (const { fromMs, toMs } of sorted) {
    if (fromMs > coveredMs) gaps.push({ fromMs: coveredMs, toMs: fromMs });
    coveredMs = Math.max(coveredMs, toMs);
  }
  const endMs = Math.floor(restorable.toMs / HOUR_MS) * HOUR_MS;
  // The last piece waits until it is long enough.
  if (endMs - coveredMs >= SHORTEST_WINDOW_MS) gaps.push({ fromMs: coveredMs, toMs: endMs });
  const plans = gaps.map((gap) => planGap(gap, restorable.fromMs));
  return {
    windows: plans.flatMap(({ windows }) => windows),
    lost: plans.flatMap(({ lost }) => lost),
  };
}

function planGap(gap: Window, restorableMs: number): Plan {
  const fromMs = Math.max(gap.fromMs, restorableMs);
  if (gap.toMs - fromMs < SHORTEST_WINDOW_MS) return { windows: [], lost: [gap] };
  return {
    windows: cut({ fromMs, toMs: gap.toMs }),
    lost: fromMs > gap.fromMs ? [{ fromMs: gap.fromMs, toMs: fromMs }] : [],
  };
}

/** Cuts at every midnight, but leaves no piece that is too short or too long for an export. */
function cut({ fromMs, toMs }: Window): Window[] {
  const windows: Window[] = [];
  for (let startMs = fromMs; startMs < toMs; ) {
    const endMs = endOfWindow(startMs, toMs);
    windows.push({ fromMs: startMs, toMs: endMs });
    startMs = endMs;
  }
  return windows;
}

function endOfWindow(startMs: number, toMs: number): number {
  const midnightMs = (Math.floor(startMs / DAY_MS) + 1) * DAY_MS;
  const cutMs = midnightMs - startMs < SHORTEST_WINDOW_MS ? midnightMs + HOUR_MS : midnightMs;
  if (toMs - cutMs >= SHORTEST_WINDOW_MS) return cutMs;
  return toMs - startMs <= LONGEST_WINDOW_MS ? toMs : cutMs - HOUR_MS;
}

/** The day (YYYY-MM-DD, UTC) under which a window's files lie: that of its last moment. */
export function dayOfWindow({ toMs }: Window): string {
  return new Date(toMs - 1).toISOString().slice(0, 10);
}
