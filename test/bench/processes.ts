import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ChildMessage, ParentMessage } from './child.ts';

export interface ProcessOptions {
  readonly words?: readonly string[];
  /** Beside PATH, nothing of the bench's own environment is passed on. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Flags of Node.js itself, for example `--cpu-prof`. */
  readonly nodeFlags?: readonly string[];
}

/** A process of the bench, which lives no longer than the bench itself. */
export interface BenchProcess {
  readonly pid: number;
  /** What it said when it was ready. */
  readonly ready: unknown;
  /** Gives it a job and waits for what comes of it. */
  readonly ask: (input: unknown) => Promise<unknown>;
  /** CPU time so far, in milliseconds. */
  readonly cpuMs: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

const STOP_WITHIN_MS = 5_000;

/** Starts a script that calls `serveParent`, and waits until it is ready. */
export async function startProcess(
  script: URL,
  { words = [], environment = {}, nodeFlags = [] }: ProcessOptions = {},
): Promise<BenchProcess> {
  const child = fork(fileURLToPath(script), words, {
    env: { PATH: process.env.PATH ?? '', ...environment },
    execArgv: [...nodeFlags],
    serialization: 'advanced',
    // What a process logs goes nowhere; what it has to say before it ends is shown.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ready = Promise.withResolvers<unknown>();
  child.on('message', (message: ChildMessage) => receive(message, waiting, ready));
  exited.then(() => {
    const ended = new Error(`${script.pathname} has ended`);
    for (const { reject } of [ready, ...waiting.values()]) reject(ended);
  });
  const value = await ready.promise;
  const ask = (input: unknown) => {
    const answer = Promise.withResolvers<unknown>();
    const message: ParentMessage = { job: nextJob++, input };
    waiting.set(message.job, answer);
    child.send(message);
    return answer.promise.finally(() => waiting.delete(message.job));
  };
  return {
    pid: child.pid ?? 0,
    ready: value,
    ask,
    cpuMs: async () => Number(await ask('usage')),
    stop: () => stop(child, exited),
  };
}

let nextJob = 0;

function receive(
  { kind, job = -1, value }: ChildMessage,
  waiting: ReadonlyMap<number, PromiseWithResolvers<unknown>>,
  ready: PromiseWithResolvers<unknown>,
): void {
  if (kind === 'ready') ready.resolve(value);
  else if (kind === 'done') waiting.get(job)?.resolve(value);
  else waiting.get(job)?.reject(new Error(String(value)));
}

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  if (child.connected) child.disconnect();
  await exited;
  clearTimeout(late);
}

export interface ProcessMemory {
  /** Resident now, and the most there ever was, in bytes; NaN where the system does not say. */
  readonly residentBytes: number;
  readonly peakBytes: number;
}

/** Reads a process's memory where the system tells it (Linux). */
export function memoryOf({ pid }: Pick<BenchProcess, 'pid'>): ProcessMemory {
  let status = '';
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // Another system, or the process has ended.
  }
  const bytes = (name: string) => {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1];
    return kilobytes === undefined ? Number.NaN : Number(kilobytes) * 1024;
  };
  return { residentBytes: bytes('VmRSS'), peakBytes: bytes('VmHWM') };
}

interface Stoppable {
  readonly stop: () => Promise<void>;
}

/** Takes a started thing over: it is stopped when the measurement is done. */
export type Own = <Thing extends Stoppable>(thing: Thing) => Thing;

/** Ends everything that was started, the last first, whatever came of it. */
export async function withOwned<Result>(run: (own: Own) => Promise<Result>): Promise<Result> {
  const owned: Stoppable[] = [];
  const own: Own = (thing) => {
    owned.push(thing);
    return thing;
  };
  try {
    return await run(own);
  } finally {
    for (const thing of owned.reverse()) await thing.stop();
  }
}
