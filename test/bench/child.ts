/**
 * The child's side of a process of the bench: says that it is ready, answers its parent's jobs, and
 * never outlives it.
 */

export interface ChildMessage {
  readonly kind: 'ready' | 'done' | 'failed';
  readonly job?: number;
  readonly value: unknown;
}

export interface ParentMessage {
  readonly job: number;
  readonly input: unknown;
}

/** Tells the parent what it needs to know, and from then on does its jobs, several at once. */
export function serveParent(ready: unknown, work: (input: never) => unknown = usage): void {
  process.on('message', ({ job, input }: ParentMessage) => {
    const done = (kind: ChildMessage['kind'], value: unknown) => tell({ kind, job, value });
    const run = async () => (input === 'usage' ? usage() : work(input as never));
    run().then(
      (value) => done('done', value),
      (error: unknown) => done('failed', error instanceof Error ? error.stack : String(error)),
    );
  });
  process.on('disconnect', () => process.exit());
  tell({ kind: 'ready', value: ready });
}

function tell(message: ChildMessage): void {
  process.send?.(message);
}

/** CPU time that this process has used, user and system, in milliseconds. */
function usage(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
