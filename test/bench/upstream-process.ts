/**
 * The instant upstream's own process: each of the providers' three routes has one answer, whole and
 * streamed, written before the first request came.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { chatAnswer, messagesAnswer, responsesAnswer } from '../support/provider-answers.ts';
import { frameText } from '../support/scripted-upstream.ts';
import { serveParent } from './child.ts';
import { listen } from './listen.ts';

/** About sixty deltas of a few characters each. */
const TEXT = 'Prepaid means that nobody ever owes: what a request can cost is held first. '.repeat(
  3,
);
const COUNTED = { input: 20, cached: 5, output: 50 };
const ASKS_FOR_STREAM = Buffer.from('"stream":true');

interface Rendered {
  readonly whole: Buffer;
  readonly streamed: Buffer;
}

function render(answerOf: typeof chatAnswer): Rendered {
  const options = { turn: { text: TEXT }, counted: COUNTED };
  const whole = answerOf({ ...options, stream: false });
  const streamed = answerOf({ ...options, stream: true });
  if (!('json' in whole) || !('events' in streamed)) throw new TypeError('not one of each kind');
  return {
    whole: Buffer.from(JSON.stringify(whole.json)),
    streamed: Buffer.from(streamed.events.map((event) => frameText(event, streamed)).join('')),
  };
}

const ANSWERS: readonly (readonly [string, Rendered])[] = [
  ['/chat/completions', render(chatAnswer)],
  ['/responses', render(responsesAnswer)],
  ['/messages', render(messagesAnswer)],
];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const found = ANSWERS.find(([path]) => request.url?.endsWith(path));
  if (!found) return void response.writeHead(404).end();
  const streamed = body.includes(ASKS_FOR_STREAM);
  const bytes = streamed ? found[1].streamed : found[1].whole;
  const type = streamed ? 'text/event-stream; charset=utf-8' : 'application/json';
  const length = streamed ? {} : { 'content-length': bytes.length };
  response.writeHead(200, { 'content-type': type, ...length });
  response.end(bytes);
}

const { url } = await listen((request, response) => {
  answer(request, response).catch(() => response.destroy());
});
serveParent(url);
