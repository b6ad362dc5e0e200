import {
  type ChatDelta,
  createDeltaState,
  deltaOf,
  type ReasoningDetail,
  type ToolCallDelta,
} from './chat-delta.ts';
import { errorBody } from './error.ts';
import type { JsonObject } from './json.ts';
import type { AnswerUsage, FinishPart, StreamPart } from './stream-part.ts';

/** What every chunk of one answer repeats. */
export interface ChatHead {
  readonly id: string;
  /** Unix time in seconds. */
  readonly createdAt: number;
}

const AFTER_DELTA = ',"finish_reason":null}]}';

/**
 * Writes the parts of one answer as the JSON texts of chat completion chunks (part 6.3): the role
 * once, `finish_reason` null until the last choice, then one usage chunk with no choice. A failure
 * is an error frame.
 */
export function createChatWriter(head: ChatHead): (part: StreamPart) => string[] {
  const state = createDeltaState();
  let chunk = chunkHead(head, '');
  let beforeDelta = '';
  return (part) => {
    if (part.type === 'failure') return [JSON.stringify(errorBody(part.error))];
    if (part.type === 'finish') return finishFrames(part, chunk);
    if (part.type === 'start') {
      chunk = chunkHead(head, part.model);
      beforeDelta = `${JSON.stringify(chunk).slice(0, -1)},"choices":[{"index":0,"delta":`;
    }
    const delta = deltaOf(part, state);
    return delta ? [beforeDelta + JSON.stringify(delta) + AFTER_DELTA] : [];
  };
}

/**
 * The whole chat completion (2.6): the deltas of the same parts, added up as a client does.
 * Throws the error of a failure part.
 */
export function writeChatCompletion(head: ChatHead, parts: readonly StreamPart[]): JsonObject {
  const state = createDeltaState();
  const message = emptyMessage();
  let model = '';
  let finish: FinishPart | undefined;
  for (const part of parts) {
    if (part.type === 'failure') throw part.error;
    if (part.type === 'start') model = part.model;
    if (part.type === 'finish') finish = part;
    const delta = deltaOf(part, state);
    if (delta) addDelta(message, delta);
  }
  const choice = {
    index: 0,
    message: messageObject(message),
    logprobs: null,
    finish_reason: finish?.reason ?? 'stop',
  };
  return {
    id: head.id,
    object: 'chat.completion',
    created: head.createdAt,
    model,
    choices: [choice],
    ...(finish && { usage: usageObject(finish.usage) }),
  };
}

function chunkHead(head: ChatHead, model: string): JsonObject {
  return { id: head.id, object: 'chat.completion.chunk', created: head.createdAt, model };
}

function finishFrames(part: FinishPart, chunk: JsonObject): string[] {
  const choice = { index: 0, delta: {}, finish_reason: part.reason };
  return [
    JSON.stringify({ ...chunk, choices: [choice] }),
    JSON.stringify({ ...chunk, choices: [], usage: usageObject(part.usage) }),
  ];
}

function usageObject(usage: AnswerUsage): JsonObject {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cachedTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}

interface Message {
  content: string;
  refusal: string;
  reasoning: string;
  readonly details: ReasoningDetail[];
  readonly calls: { id: string; name: string; arguments: string }[];
  readonly annotations: JsonObject[];
}

function emptyMessage(): Message {
  return { content: '', refusal: '', reasoning: '', details: [], calls: [], annotations: [] };
}

function addDelta(message: Message, delta: ChatDelta): void {
  message.content += delta.content ?? '';
  message.refusal += delta.refusal ?? '';
  message.reasoning += delta.reasoning ?? '';
  if (delta.annotations) message.annotations.push(...delta.annotations);
  if (delta.reasoning_details) message.details.push(...delta.reasoning_details);
  for (const call of delta.tool_calls ?? []) addToolCall(message.calls, call);
}

function addToolCall(calls: Message['calls'], piece: ToolCallDelta): void {
  const known = calls[piece.index];
  if (known) known.arguments += piece.function.arguments;
  else calls[piece.index] = { id: piece.id ?? '', name: '', ...piece.function };
}

function messageObject(message: Message): JsonObject {
  const { content, refusal, reasoning, details, annotations } = message;
  const calls = message.calls.map(({ id, ...called }) => ({
    id,
    type: 'function',
    function: called,
  }));
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    refusal: refusal === '' ? null : refusal,
    ...(reasoning !== '' && { reasoning }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(annotations.length > 0 && { annotations }),
  };
}
