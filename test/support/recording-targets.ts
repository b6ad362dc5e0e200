import {
  type AnswerOptions,
  chatAnswer,
  messagesAnswer,
  responsesAnswer,
} from './provider-answers.ts';
import { type Ended, endOfChat, endOfResponse } from './recording-stream.ts';
import type { ScriptedAnswer } from './scripted-upstream.ts';

type StreamScript = Extract<ScriptedAnswer, { sse: string }>;

/** One way through the gateway: a route to a family, and what the provider there says. */
export interface Target {
  readonly name: string;
  readonly path: string;
  /** Where the request arrives at the scripted upstream. */
  readonly upstreamPath: string;
  readonly model: string;
  /** The request's content, without model and stream. */
  readonly content: object;
  /** The field that caps the output. */
  readonly cap: (tokens: number) => object;
  readonly answer: (options: AnswerOptions) => ScriptedAnswer;
  readonly endOf: (frames: readonly object[]) => Ended;
  /** How a good stream ends, and how one that broke off. */
  readonly good: string;
  readonly broken: string;
  /** The provider's error inside a stream, of a type that blames it, and of one that blames the request. */
  readonly overloaded: object;
  readonly refused: object;
  /** What a ledger row has of the stream's start, before any usage at its end. */
  readonly startReports: Readonly<Record<string, bigint>>;
  /** Nano-dollars for the tokens of a ledger row, by hand from the catalog's prices. */
  readonly price: (row: Readonly<Record<string, unknown>>) => bigint;
  /** Nano-dollars for `COUNTED`, by hand from the catalog's prices. */
  readonly charge: bigint;
}

export const TEXT = 'Grüße aus Zürich 🎉, 你好! Ein Text, der lang genug ist, um abzubrechen.';
export const COUNTED = { input: 1_000, cached: 200, output: 50 };

const CHAT = {
  path: '/v1/chat/completions',
  content: { messages: [{ role: 'user', content: 'Hello?' }] },
  cap: (tokens: number) => ({ max_completion_tokens: tokens }),
  endOf: endOfChat,
  good: 'stop',
  broken: 'error',
};
const RESPONSES = {
  path: '/v1/responses',
  content: { input: 'Hello?' },
  cap: (tokens: number) => ({ max_output_tokens: tokens }),
  endOf: endOfResponse,
  good: 'completed',
  broken: 'failed',
};

const MESSAGE = 'prompt is too long';
/** 800 × 2,000 + 200 × 200 + 50 × 10,000 nano-dollars. */
const ANTHROPIC = {
  model: 'claude-sonnet-5',
  upstreamPath: '/anthropic/messages',
  answer: messagesAnswer,
  overloaded: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  refused: { type: 'error', error: { type: 'invalid_request_error', message: MESSAGE } },
  startReports: { input_tokens: 800n, cached_input_tokens: 200n },
  price: priced({ input_tokens: 2_000n, cached_input_tokens: 200n, output_tokens: 10_000n }),
  charge: 2_140_000n,
};
/** 800 × 5,000 + 200 × 500 + 50 × 30,000 nano-dollars. The prefix keeps Azure out of it. */
const OPENAI = {
  model: 'openai/gpt-5.6-sol',
  startReports: {},
  price: priced({ input_tokens: 5_000n, cached_input_tokens: 500n, output_tokens: 30_000n }),
  charge: 5_600_000n,
};

function priced(prices: Readonly<Record<string, bigint>>): Target['price'] {
  return (row) =>
    Object.entries(prices).reduce(
      (sum, [meter, price]) => sum + price * BigInt(String(row[meter] ?? 0)),
      0n,
    );
}

export const TARGETS: readonly Target[] = [
  { name: 'Anthropic on the chat route', ...CHAT, ...ANTHROPIC },
  { name: 'Anthropic on the responses route', ...RESPONSES, ...ANTHROPIC },
  {
    name: 'OpenAI chat completions',
    ...CHAT,
    ...OPENAI,
    upstreamPath: '/openai/chat/completions',
    answer: chatAnswer,
    overloaded: { error: { type: 'server_error', code: null, message: 'secret detail' } },
    refused: {
      error: { type: 'invalid_request_error', code: 'context_length_exceeded', message: MESSAGE },
    },
  },
  {
    name: 'OpenAI responses',
    ...RESPONSES,
    ...OPENAI,
    upstreamPath: '/openai/responses',
    answer: responsesAnswer,
    overloaded: { type: 'error', code: 'server_error', message: 'secret detail', param: null },
    refused: { type: 'error', code: 'context_length_exceeded', message: MESSAGE, param: null },
  },
];

/** The target's good stream, to be broken by the test. */
export function goodStream({ answer }: Target): StreamScript {
  const script = answer({ turn: { text: TEXT }, counted: COUNTED, stream: true });
  if (!('events' in script)) throw new TypeError('a stream was asked for');
  return script;
}

/** The target's good answer, whole. */
export function goodAnswer({ answer }: Target): ScriptedAnswer {
  return answer({ turn: { text: TEXT }, counted: COUNTED, stream: false });
}
