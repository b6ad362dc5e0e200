/**
 * The upstream of the crowd: waits until all streams are there, then writes a chunk to each of them
 * every few milliseconds. Each chunk says which it is and when it was sent, by the system's
 * monotonic clock, which all processes share.
 */

import type { ServerResponse } from 'node:http';
import { chatAnswer } from '../support/provider-answers.ts';
import { frameText } from '../support/scripted-upstream.ts';
import { serveParent } from './child.ts';
import { listen } from './listen.ts';

/** What the next crowd looks like. */
export interface CrowdPlan {
  readonly streams: number;
  readonly chunks: number;
  readonly everyMs: number;
}

/** Streams are spread over this many moments of one interval. */
const PHASES = 10;
const COUNTED = { input: 20, cached: 0, output: 100 };

let plan: CrowdPlan = { streams: 1, chunks: 1, everyMs: 1 };
let waiting: ServerResponse[] = [];

/** The frames of an answer of one delta, whose text is cut out: what comes before, around and after. */
function frames() {
  const script = chatAnswer({ turn: { text: 'HERE' }, counted: COUNTED, stream: true });
  if (!('events' in script)) throw new TypeError('a streamed answer has events');
  const [first = '', delta = '', ...last] = script.events.map((event) => frameText(event, script));
  const [before = '', after = ''] = delta.split('HERE');
  return { first, before, after, last: last.join('') };
}

const FRAMES = frames();

function chunkAt(index: number): string {
  const sentUs = process.hrtime.bigint() / 1_000n;
  return `${FRAMES.before}@${index}:${sentUs};${FRAMES.after}`;
}

function begin(): void {
  const all = waiting;
  waiting = [];
  const { chunks, everyMs } = plan;
  for (let phase = 0; phase < PHASES; phase += 1) {
    const group = all.filter((_, index) => index % PHASES === phase);
    setTimeout(() => play(group, chunks, everyMs), (phase * everyMs) / PHASES);
  }
}

/** One text for a whole group: writing it a thousand times must not be what is measured. */
function play(group: readonly ServerResponse[], chunks: number, everyMs: number): void {
  let index = 0;
  const timer = setInterval(() => {
    const text = Buffer.from((index === 0 ? FRAMES.first : '') + chunkAt(index));
    for (const response of group) response.write(text);
    index += 1;
    if (index < chunks) return;
    clearInterval(timer);
    for (const response of group) response.end(FRAMES.last);
  }, everyMs);
}

const { url } = await listen((request, response) => {
  request.resume();
  request.once('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    waiting.push(response);
    if (waiting.length === plan.streams) begin();
  });
});

serveParent(url, (next: CrowdPlan) => {
  plan = next;
});
