/**
 * The load generator's own process: so many connections, each with one request at a time, the next
 * one as soon as the last one is answered.
 */

import { Pool } from 'undici';
import { serveParent } from './child.ts';

export interface LoadJob {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes where they are compressed. */
  readonly body: string | Uint8Array;
  readonly concurrency: number;
  readonly requests: number;
}

export interface LoadResult {
  /** Milliseconds from sending to the first byte of the answer's body, and to its last. */
  readonly firstByteMs: Float64Array;
  readonly totalMs: Float64Array;
  readonly elapsedMs: number;
  /** Answers by status; `broken` where there was none. */
  readonly statuses: Readonly<Record<string, number>>;
}

interface Running {
  readonly job: LoadJob;
  readonly pool: Pool;
  readonly firstByteMs: number[];
  readonly totalMs: number[];
  readonly statuses: Record<string, number>;
  left: number;
}

async function load(job: LoadJob): Promise<LoadResult> {
  const { origin } = new URL(job.url);
  const pool = new Pool(origin, { connections: job.concurrency, pipelining: 1 });
  const running: Running = {
    job,
    pool,
    firstByteMs: [],
    totalMs: [],
    statuses: {},
    left: job.requests,
  };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: job.concurrency }, () => sendAll(running)));
  const elapsedMs = performance.now() - startedMs;
  await pool.destroy();
  return {
    firstByteMs: Float64Array.from(running.firstByteMs),
    totalMs: Float64Array.from(running.totalMs),
    elapsedMs,
    statuses: running.statuses,
  };
}

async function sendAll(running: Running): Promise<void> {
  while (running.left > 0) {
    running.left -= 1;
    const status = await sendOne(running);
    running.statuses[status] = (running.statuses[status] ?? 0) + 1;
  }
}

/** One request; its times count only where the whole answer came. Resolves with its status. */
function sendOne({ job, pool, firstByteMs, totalMs }: Running): Promise<string> {
  const { pathname } = new URL(job.url);
  return new Promise((resolve) => {
    const sentMs = performance.now();
    let firstMs = Number.NaN;
    let status = 'broken';
    pool.dispatch(
      { path: pathname, method: 'POST', headers: job.headers, body: job.body },
      {
        // undici takes only handlers that have it.
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = String(statusCode);
        },
        onResponseData() {
          if (Number.isNaN(firstMs)) firstMs = performance.now();
        },
        onResponseEnd() {
          firstByteMs.push(firstMs - sentMs);
          totalMs.push(performance.now() - sentMs);
          resolve(status);
        },
        onResponseError() {
          resolve('broken');
        },
      },
    );
  });
}

serveParent(undefined, load);
