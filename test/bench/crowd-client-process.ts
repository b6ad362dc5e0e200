/** The clients of the crowd: one connection a stream, and a look at the clock for every read. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { serveParent } from './child.ts';
import type { CrowdPlan } from './crowd-upstream-process.ts';
import { percentile } from './statistics.ts';

export interface CrowdJob extends CrowdPlan {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Times in milliseconds from the moment in which the upstream wrote a chunk until it was read here. */
export interface CrowdResult {
  /** Streams that did not come to `[DONE]` with every chunk, in order. */
  readonly lost: number;
  readonly chunks: number;
  readonly lateP50: number;
  readonly lateP99: number;
  readonly firstChunkP50: number;
  readonly elapsedMs: number;
}

interface Stream {
  rest: string;
  next: number;
  done: boolean;
}

const CHUNK = /@(\d+):(\d+);/g;
const GIVE_UP_MS = 120_000;

async function run(job: CrowdJob): Promise<CrowdResult> {
  const late: number[] = [];
  const first: number[] = [];
  const startedMs = performance.now();
  const streams = await Promise.all(
    Array.from({ length: job.streams }, () => readOne(job, late, first)),
  );
  return {
    lost: streams.filter(({ done, next }) => !done || next !== job.chunks).length,
    chunks: late.length,
    lateP50: percentile(late, 0.5),
    lateP99: percentile(late, 0.99),
    firstChunkP50: percentile(first, 0.5),
    elapsedMs: performance.now() - startedMs,
  };
}

async function readOne(job: CrowdJob, late: number[], first: number[]): Promise<Stream> {
  const stream: Stream = { rest: '', next: 0, done: false };
  const socket = open(job);
  socket.on('data', (bytes) => {
    const nowUs = Number(process.hrtime.bigint() / 1_000n);
    for (const sentUs of newChunks(stream, bytes.toString('latin1'))) {
      const lateMs = (nowUs - sentUs) / 1_000;
      late.push(lateMs);
      if (stream.next === 1) first.push(lateMs);
    }
  });
  socket.setTimeout(GIVE_UP_MS, () => socket.destroy());
  socket.on('error', () => undefined); // a broken stream is one that is not whole
  await once(socket, 'close');
  return stream;
}

function open({ url, headers, body }: CrowdJob): Socket {
  const { hostname, port, pathname, host } = new URL(url);
  const lines = Object.entries({ host, ...headers, connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const length = `content-length: ${Buffer.byteLength(body)}\r\n`;
  const socket = connect(Number(port), hostname);
  socket.write(`POST ${pathname} HTTP/1.1\r\n${head}${length}\r\n${body}`);
  return socket;
}

/** When the chunks that a read completes were sent; a chunk that is not the next one ends the count. */
function newChunks(stream: Stream, text: string): number[] {
  const sent: number[] = [];
  const all = stream.rest + text;
  let end = 0;
  for (const found of all.matchAll(CHUNK)) {
    if (Number(found[1]) === stream.next) stream.next += 1;
    sent.push(Number(found[2]));
    end = found.index + found[0].length;
  }
  stream.rest = all.slice(end).slice(-200);
  stream.done ||= stream.rest.includes('[DONE]');
  return sent;
}

serveParent(undefined, run);
