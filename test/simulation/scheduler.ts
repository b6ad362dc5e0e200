/** Something that will happen in virtual time. */
export interface Timer {
  cancelled: boolean;
}

interface Event extends Timer {
  readonly atMs: number;
  readonly order: number;
  readonly action: () => void;
}

/**
 * Virtual time: events in the order of their time, then of their making. No real timer runs; after
 * each event everything that it resumed runs up to its next `send` or `wait`.
 */
export interface Scheduler {
  readonly nowMs: () => number;
  readonly after: (ms: number, action: () => void) => Timer;
  /** Runs what is due until that time, or until `stopped` says so. */
  readonly run: (untilMs: number, stopped: () => boolean) => Promise<void>;
}

export function createScheduler(startMs: number): Scheduler {
  const heap: Event[] = [];
  let nowMs = startMs;
  let made = 0;
  return {
    nowMs: () => nowMs,
    after(ms, action) {
      made += 1;
      const event = { atMs: nowMs + ms, order: made, action, cancelled: false };
      push(heap, event);
      return event;
    },
    async run(untilMs, stopped) {
      for (;;) {
        const first = heap[0];
        if (!first || first.atMs > untilMs || stopped()) break;
        pop(heap);
        if (first.cancelled) continue;
        nowMs = first.atMs;
        first.action();
        await everyContinuation();
      }
      nowMs = Math.max(nowMs, untilMs);
    },
  };
}

/** An immediate comes only after the last microtask, and microtasks are all that a run leaves behind. */
function everyContinuation(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function isBefore(one: Event, other: Event): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}

function push(heap: Event[], event: Event): void {
  let at = heap.length;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (!parent || isBefore(parent, event)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = event;
}

function pop(heap: Event[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const left = heap[2 * at + 1];
    const right = heap[2 * at + 2];
    const smaller = right && left && isBefore(right, left) ? right : left;
    if (!smaller || isBefore(last, smaller)) break;
    heap[at] = smaller;
    at = 2 * at + (smaller === right ? 2 : 1);
  }
  heap[at] = last;
}
