/**
 * Lets so many tasks run at once and the others wait in order, so that what a process itself has
 * queued up is never taken for a database that does not answer.
 */
export interface Gate {
  run<Result>(task: () => Promise<Result>): Promise<Result>;
  /** The database has gone silent: whoever waits now would wait in vain. */
  turnAway(reason: unknown): void;
}

interface Waiter {
  enter(): void;
  turnAway(reason: unknown): void;
}

/** A gate through which at most `width` callers are at once; the others wait in order. */
export function createGate(width: number): Gate {
  const waiting: Waiter[] = [];
  let inside = 0;
  const enter = (): Promise<void> => {
    if (inside < width) {
      inside += 1;
      return Promise.resolve();
    }
    // A slot is handed over, so `inside` stays as it is.
    return new Promise((resolve, reject) => waiting.push({ enter: resolve, turnAway: reject }));
  };
  const leave = () => {
    const next = waiting.shift();
    if (next) next.enter();
    else inside -= 1;
  };
  return {
    async run(task) {
      await enter();
      try {
        return await task();
      } finally {
        leave();
      }
    },
    turnAway(reason) {
      for (const waiter of waiting.splice(0)) waiter.turnAway(reason);
    },
  };
}
