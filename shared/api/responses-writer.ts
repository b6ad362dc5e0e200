import { ERRORS, type GatewayError } from './error.ts';
import type { JsonObject } from './json.ts';
import type { ResponsesEcho } from './responses-echo.ts';
import {
  closeMcpCall,
  closeSearch,
  closeWaiting,
  openMcpCall,
  openSearch,
  type WaitingCalls,
} from './responses-hosted.ts';
import {
  closeCurrent,
  emit,
  type ItemState,
  openFunctionCall,
  openReasoning,
  sealReasoning,
  writeArguments,
  writeCitation,
  writeReasoning,
  writeRefusal,
  writeText,
} from './responses-items.ts';
import type { AnswerUsage, FinishPart, PartOf, StreamPart } from './stream-part.ts';

/** What one response is written with. */
export interface ResponsesHead {
  readonly id: string;
  /** Unix time in seconds. */
  readonly createdAt: number;
  /** Named where the answer failed before the provider named its model. */
  readonly model: string;
  /** Unix time in seconds, asked when the response is completed. */
  readonly now: () => number;
  /** Unique suffixes for item IDs. */
  readonly nextId: () => string;
  readonly echo: ResponsesEcho;
}

interface WriterState extends ItemState {
  readonly head: ResponsesHead;
  readonly waiting: WaitingCalls;
  model: string;
  started: boolean;
  /** The response in its last state, once the answer has ended. */
  final: JsonObject | undefined;
}

type PartWriter<Part> = (state: WriterState, part: Part) => void;

const WRITERS: { readonly [Type in StreamPart['type']]: PartWriter<PartOf<Type>> } = {
  start: (state, part) => start(state, part.model),
  'text-delta': writeText,
  citation: writeCitation,
  refusal: writeRefusal,
  'reasoning-start': openReasoning,
  'reasoning-delta': writeReasoning,
  'reasoning-end': sealReasoning,
  'tool-call-start': openFunctionCall,
  'tool-call-delta': writeArguments,
  'search-call': (state, part) => openSearch(state, state.waiting, part),
  'search-result': (state, part) => closeSearch(state, state.waiting, part),
  'mcp-call': (state, part) => openMcpCall(state, state.waiting, part),
  'mcp-result': (state, part) => closeMcpCall(state, state.waiting, part),
  finish,
  failure: (state, part) => fail(state, part.error),
};

/**
 * Writes the parts of one answer as the JSON texts of the responses route's events: `created` and
 * `in_progress`, every item's own events, then exactly one of `completed`, `incomplete` and
 * `failed`. Nothing is written after that.
 */
export function createResponsesWriter(head: ResponsesHead): (part: StreamPart) => string[] {
  const state = createState(head);
  return (part) => {
    const events: string[] = [];
    state.events = events;
    writePart(state, part);
    return events;
  };
}

/**
 * The whole response object (2.8): the final object of the events that the same parts give.
 * Throws the error of a failure part.
 */
export function writeResponse(head: ResponsesHead, parts: readonly StreamPart[]): JsonObject {
  const state = createState(head);
  for (const part of parts) {
    if (part.type === 'failure') throw part.error;
    writePart(state, part);
  }
  return state.final ?? responseObject(state, 'completed', {});
}

function createState(head: ResponsesHead): WriterState {
  return {
    head,
    nextId: head.nextId,
    events: undefined,
    sequence: 0,
    output: [],
    current: undefined,
    outputText: '',
    waiting: [],
    model: head.model,
    started: false,
    final: undefined,
  };
}

function writePart(state: WriterState, part: StreamPart): void {
  if (state.final) return;
  // The table pairs each type with the writer of its own part; an index access cannot say so.
  const write = WRITERS[part.type] as PartWriter<StreamPart>;
  write(state, part);
}

function start(state: WriterState, model: string): void {
  state.started = true;
  state.model = model;
  const response = responseObject(state, 'in_progress', {});
  emit(state, 'response.created', { response });
  emit(state, 'response.in_progress', { response });
}

function finish(state: WriterState, part: FinishPart): void {
  const { incompleteReason } = part;
  const status = incompleteReason === undefined ? 'completed' : 'incomplete';
  closeCurrent(state, status);
  closeWaiting(state, state.waiting);
  end(state, status, {
    completed_at: status === 'completed' ? state.head.now() : null,
    incomplete_details: incompleteReason === undefined ? null : { reason: incompleteReason },
    usage: usageObject(part.usage),
    ...(part.serviceTier !== undefined && { service_tier: part.serviceTier }),
  });
}

/** What was generated stays in the output, as incomplete. */
function fail(state: WriterState, error: GatewayError): void {
  if (!state.started) start(state, state.model);
  closeCurrent(state, 'incomplete');
  closeWaiting(state, state.waiting);
  const code = ERRORS[error.code].status < 500 ? 'invalid_prompt' : 'server_error';
  end(state, 'failed', { error: { code, message: error.message } });
}

function end(state: WriterState, status: string, fields: JsonObject): void {
  const { outputText } = state;
  const response = responseObject(state, status, { output_text: outputText, ...fields });
  state.final = response;
  emit(state, `response.${status}`, { response });
}

function responseObject(state: WriterState, status: string, fields: JsonObject): JsonObject {
  const { head } = state;
  return {
    id: head.id,
    object: 'response',
    created_at: head.createdAt,
    completed_at: null,
    status,
    error: null,
    incomplete_details: null,
    model: state.model,
    output: [...state.output],
    usage: null,
    ...head.echo,
    ...fields,
  };
}

function usageObject(usage: AnswerUsage): JsonObject {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: {
      cached_tokens: usage.cachedTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}
