import { createChatWriter, writeChatCompletion } from '../../../shared/api/chat-writer.ts';
import { GatewayError } from '../../../shared/api/error.ts';
import { responsesEcho } from '../../../shared/api/responses-echo.ts';
import { parseResponsesRequest } from '../../../shared/api/responses-request.ts';
import {
  createResponsesWriter,
  type ResponsesHead,
  writeResponse,
} from '../../../shared/api/responses-writer.ts';
import type { AnswerUsage, FinishReason, StreamPart } from '../../../shared/api/stream-part.ts';

/** One example of an answer: a JSON value, or the text of an event stream. */
export interface AnswerExample {
  readonly summary: string;
  readonly value: unknown;
}
type Examples = Readonly<Record<string, AnswerExample>>;

const CREATED = 1_787_000_000;
const MODEL = 'claude-sonnet-5';
const CHAT_HEAD = { id: 'chatcmpl-0198a6c27d1e7c539b3a2f6f4f0f9a11', createdAt: CREATED };
const usage: AnswerUsage = {
  inputTokens: 21,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 9,
  reasoningTokens: 0,
};
const start: StreamPart = { type: 'start', model: MODEL };
const finish = (reason: FinishReason): StreamPart => ({ type: 'finish', reason, usage });
const failure: StreamPart = {
  type: 'failure',
  error: new GatewayError('gateway', 'The provider broke off its answer. Please try again.'),
};

const HELLO: readonly StreamPart[] = [
  start,
  { type: 'text-delta', text: 'Hello' },
  { type: 'text-delta', text: ' there!' },
  finish('stop'),
];
const CALLING: readonly StreamPart[] = [
  start,
  { type: 'tool-call-start', callId: 'call_1', name: 'get_weather' },
  { type: 'tool-call-delta', arguments: '{"city":"Bern"}' },
  finish('tool_calls'),
];
const BROKEN: readonly StreamPart[] = [start, { type: 'text-delta', text: 'Hel' }, failure];

/** The text of a stream: each frame as one `data:` line and a blank one, `[DONE]` last (part 6). */
function streamText(parts: readonly StreamPart[], write: (part: StreamPart) => string[]): string {
  return [...parts.flatMap(write), '[DONE]'].map((frame) => `data: ${frame}\n\n`).join('');
}

function responsesHead(): ResponsesHead {
  let items = 0;
  return {
    id: '0198a6c2-7d1e-7c53-9b3a-2f6f4f0f9a11',
    createdAt: CREATED,
    model: MODEL,
    now: () => CREATED + 1,
    nextId: () => {
      items += 1;
      return `0198a6c27d1f7000800000000000000${items}`;
    },
    echo: responsesEcho(parseResponsesRequest({ model: MODEL, input: 'Say hello.' })),
  };
}

const gateway = {
  provider: 'anthropic',
  model_requested: MODEL,
  model_deployment: 'anthropic-claude-sonnet-5',
  latency: 843,
};

/** Whole answers of the chat route, written by the gateway's own writer. */
export const CHAT_ANSWERS: Examples = {
  text: { summary: 'A text', value: writeChatCompletion(CHAT_HEAD, HELLO) },
  'tool-call': { summary: 'A tool call', value: writeChatCompletion(CHAT_HEAD, CALLING) },
  'extra-fields': {
    summary: 'With extra fields',
    value: { ...writeChatCompletion(CHAT_HEAD, HELLO), gateway },
  },
};

/** Streamed answers of the chat route, as their bytes. */
export const CHAT_STREAMS: Examples = {
  text: { summary: 'A text', value: streamText(HELLO, createChatWriter(CHAT_HEAD)) },
  'tool-call': { summary: 'A tool call', value: streamText(CALLING, createChatWriter(CHAT_HEAD)) },
  broken: {
    summary: 'An answer that broke off',
    value: streamText(BROKEN, createChatWriter(CHAT_HEAD)),
  },
};

/** Whole answers of the responses route, written by the gateway's own writer. */
export const RESPONSES_ANSWERS: Examples = {
  text: { summary: 'A text', value: writeResponse(responsesHead(), HELLO) },
  'tool-call': { summary: 'A tool call', value: writeResponse(responsesHead(), CALLING) },
  'extra-fields': {
    summary: 'With extra fields',
    value: { ...writeResponse(responsesHead(), HELLO), gateway },
  },
};

/** Streamed answers of the responses route, as their bytes. */
export const RESPONSES_STREAMS: Examples = {
  text: { summary: 'A text', value: streamText(HELLO, createResponsesWriter(responsesHead())) },
  'tool-call': {
    summary: 'A tool call',
    value: streamText(CALLING, createResponsesWriter(responsesHead())),
  },
  broken: {
    summary: 'An answer that broke off',
    value: streamText(BROKEN, createResponsesWriter(responsesHead())),
  },
};
