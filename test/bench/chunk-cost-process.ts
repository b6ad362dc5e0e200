/**
 * A process in which nothing else runs: what translating a stream costs, beside parsing and
 * re-serialising the JSON of the same events.
 */

import { buildCatalog } from '../../catalog/write.ts';
import type { ProviderId } from '../../shared/catalog/types.ts';
import { CHAT_COMPLETIONS } from '../../shared/gateway/chat-completions.ts';
import { prepareCall } from '../../shared/gateway/prepare.ts';
import { RESPONSES } from '../../shared/gateway/responses.ts';
import type { CommonRequest, RouteAdapter } from '../../shared/gateway/route-adapter.ts';
import type { StreamTranslator } from '../../shared/providers/contract.ts';
import {
  chatAnswer,
  messagesAnswer,
  responsesAnswer,
  type Turn,
} from '../support/provider-answers.ts';
import { serveParent } from './child.ts';
import { median } from './statistics.ts';

/** Microseconds of CPU time for one chunk of a long answer. */
export interface ChunkCost {
  readonly pair: string;
  readonly chunks: number;
  /** What all of it wrote: nothing of the work can be left out as useless. */
  readonly characters: number;
  readonly translateUs: number;
  readonly parseUs: number;
  /** Median of the rounds' own ratios. */
  readonly ratio: number;
}

export interface ChunkCostJob {
  readonly rounds: number;
}

interface Pair {
  readonly name: string;
  /** The `data` texts of each answer's events. */
  readonly streams: readonly (readonly string[])[];
  readonly open: () => StreamTranslator;
}

const TEXT = 'What a request can cost is held first, and what it did cost is charged. '.repeat(60);
const TURNS: readonly Turn[] = [
  { text: TEXT },
  { call: { id: 'call_1', name: 'search', arguments: JSON.stringify({ query: TEXT }) } },
];
const COUNTED = { input: 2_000, cached: 0, output: 2_000 };
const CREATED_AT = 1_790_000_000;
/** Streams in one round: some milliseconds of work, so that the clock's own grain is nothing. */
const STREAMS = 20;

const catalog = buildCatalog();

function pairOf<Request extends CommonRequest>(
  name: string,
  adapter: RouteAdapter<Request>,
  body: object,
  answerOf: typeof chatAnswer,
): Pair {
  const { request, candidates } = prepareCall(adapter, {
    catalog,
    body: { ...body, stream: true },
    identity: 'bench',
    today: '2026-11-01',
    providers: PROVIDERS,
  });
  const [{ deployment, plan }] = candidates;
  let ids = 0;
  const context = {
    id: 'answer',
    createdAt: CREATED_AT,
    now: () => CREATED_AT,
    nextId: () => `id${ids++}`,
    deployment,
    plan,
  };
  const open = () => adapter.families[deployment.family].openStream(request, context);
  return { name, open, streams: TURNS.map((turn) => eventsOf(answerOf, turn)) };
}

function eventsOf(answerOf: typeof chatAnswer, turn: Turn): string[] {
  const script = answerOf({ turn, counted: COUNTED, stream: true });
  if (!('events' in script)) throw new TypeError('a streamed answer has events');
  return script.events
    .filter((event) => typeof event === 'object')
    .map((event) => JSON.stringify(event));
}

const PROVIDERS: ReadonlySet<ProviderId> = new Set(['openai', 'azure', 'anthropic']);
const MESSAGES = [{ role: 'user', content: 'Say much.' }];
const PAIRS: readonly Pair[] = [
  pairOf(
    'openai to chat',
    CHAT_COMPLETIONS,
    { model: 'gpt-5.6-sol', messages: MESSAGES },
    chatAnswer,
  ),
  pairOf(
    'openai to responses',
    RESPONSES,
    { model: 'gpt-5.6-sol', input: 'Say much.' },
    responsesAnswer,
  ),
  pairOf(
    'anthropic to chat',
    CHAT_COMPLETIONS,
    { model: 'claude-sonnet-5', messages: MESSAGES },
    messagesAnswer,
  ),
  pairOf(
    'anthropic to responses',
    RESPONSES,
    { model: 'claude-sonnet-5', input: 'Say much.' },
    messagesAnswer,
  ),
];

function measure(pair: Pair, rounds: number): ChunkCost {
  const chunks = STREAMS * pair.streams.reduce((count, events) => count + events.length, 0);
  const translateUs: number[] = [];
  const parseUs: number[] = [];
  let characters = 0;
  const cpuUs = (work: (pair: Pair) => number) => {
    const before = process.cpuUsage();
    characters += work(pair);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  // The first rounds are for the compiler; the two kinds of work take turns.
  for (let round = -rounds; round < rounds; round += 1) {
    const translating = cpuUs(translate);
    const parsing = cpuUs(parseAndSerialise);
    if (round < 0) continue;
    translateUs.push(translating / chunks);
    parseUs.push(parsing / chunks);
  }
  return {
    pair: pair.name,
    chunks: chunks * rounds,
    characters,
    translateUs: median(translateUs),
    parseUs: median(parseUs),
    ratio: median(translateUs.map((us, round) => us / (parseUs[round] ?? Number.NaN))),
  };
}

function translate({ streams, open }: Pair): number {
  let length = 0;
  for (let stream = 0; stream < STREAMS; stream += 1) {
    for (const events of streams) {
      const translator = open();
      for (const data of events) for (const frame of translator.event(data)) length += frame.length;
      for (const frame of translator.end()) length += frame.length;
    }
  }
  return length;
}

function parseAndSerialise({ streams }: Pair): number {
  let length = 0;
  for (let stream = 0; stream < STREAMS; stream += 1) {
    for (const events of streams) {
      for (const data of events) length += JSON.stringify(JSON.parse(data)).length;
    }
  }
  return length;
}

serveParent(undefined, ({ rounds }: ChunkCostJob) => PAIRS.map((pair) => measure(pair, rounds)));
