import { errorBody, type GatewayError } from '../../api/error.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../api/json.ts';
import { createTextTally, type TextTally } from '../../pricing/tokens.ts';
import type { ProviderReport } from '../../pricing/usage.ts';
import type { AnswerContext, StreamTranslator } from '../contract.ts';
import { brokenAnswer, failureError } from '../failure.ts';
import { hasChatOutput, tallyChatMessage, withoutChatExtras } from './chat-message.ts';
import { readStreamError } from './error.ts';
import { buildReport } from './report.ts';
import { executedTier, readChatUsage, type TokenCount } from './usage.ts';

interface ChatStreamState {
  readonly context: AnswerContext;
  readonly tally: TextTally;
  /** The fields that every chunk repeats, from the first chunk with a choice; undefined before it. */
  head: ChunkHead | undefined;
  roleSent: boolean;
  producedOutput: boolean;
  finished: boolean;
  /** The chunk that brought the usage which no frame has carried yet. */
  unsentUsage: JsonObject | undefined;
  count: TokenCount | undefined;
  executed: ProviderReport['executed'];
  /** The terminal frame has been written, or the failure is answered as a status. */
  closed: boolean;
  earlyFailure: GatewayError | undefined;
}

type ChunkHead = Readonly<{ id: string; object: string; created: number; model: string }>;

const CHUNK = 'chat.completion.chunk';

/**
 * Relays a chat completion stream of the OpenAI family. Each chunk is parsed once and passes as it
 * came; it is written anew only where something must change: fields that the first chunk settled,
 * a repeated role, what is not part of the chat route (part 6.3).
 */
export function createChatStream(context: AnswerContext): StreamTranslator {
  const state: ChatStreamState = {
    context,
    tally: createTextTally('o200k'),
    head: undefined,
    roleSent: false,
    producedOutput: false,
    finished: false,
    unsentUsage: undefined,
    count: undefined,
    executed: {},
    closed: false,
    earlyFailure: undefined,
  };
  return {
    event: (data) => (state.closed ? [] : translateEvent(state, data)),
    end: (failure) => endStream(state, failure),
    earlyFailure: () => state.earlyFailure,
    report: () => report(state),
  };
}

function translateEvent(state: ChatStreamState, data: string): string[] {
  if (data === '') return [];
  const chunk = parseJson(data);
  if (!isJsonObject(chunk)) return fail(state, brokenAnswer());
  if (isJsonObject(chunk.error)) return fail(state, failureError(readStreamError(chunk.error)));
  noteUsage(state, chunk);
  const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
  if (isJsonObject(choice)) return state.finished ? [] : relayChoice(state, chunk, choice, data);
  return state.finished ? usageFrames(state) : [];
}

function noteUsage(state: ChatStreamState, chunk: JsonObject): void {
  if (typeof chunk.service_tier === 'string') state.executed = executedTier(chunk);
  const count = readChatUsage(chunk.usage, state.context.deployment);
  if (count === undefined) return;
  state.count = count;
  state.unsentUsage = chunk;
}

function relayChoice(
  state: ChatStreamState,
  chunk: JsonObject,
  choice: JsonObject,
  data: string,
): string[] {
  const head = state.head ?? headOf(chunk, state.context);
  state.head = head;
  const delta = isJsonObject(choice.delta) ? choice.delta : {};
  tallyChatMessage(state.tally, delta);
  state.producedOutput ||= hasChatOutput(delta);
  state.finished = typeof choice.finish_reason === 'string';
  const first = !state.roleSent;
  state.roleSent = true;
  const unchanged =
    choice.delta === delta &&
    carriesHead(chunk, head) &&
    (typeof delta.role === 'string') === first &&
    !isJsonObject(chunk.usage) &&
    withoutChatExtras(chunk) === chunk &&
    withoutChatExtras(choice) === choice;
  if (unchanged) return [data];
  return [JSON.stringify(rewritten(head, chunk, choice, withRole(delta, first)))];
}

function headOf(chunk: JsonObject, context: AnswerContext): ChunkHead {
  const { id, created, model } = chunk;
  return {
    id: typeof id === 'string' && id !== '' ? id : context.id,
    object: CHUNK,
    created: typeof created === 'number' && created > 0 ? created : context.createdAt,
    model: typeof model === 'string' && model !== '' ? model : context.deployment.upstream.model,
  };
}

function carriesHead(chunk: JsonObject, head: ChunkHead): boolean {
  return (
    chunk.id === head.id &&
    chunk.created === head.created &&
    chunk.model === head.model &&
    chunk.object === CHUNK
  );
}

/** The role comes once, in the first delta, whatever upstream does. */
function withRole(delta: JsonObject, first: boolean): JsonObject {
  const { role, ...others } = delta;
  return first ? { role: role ?? 'assistant', ...others } : others;
}

function rewritten(
  head: ChunkHead,
  chunk: JsonObject,
  choice: JsonObject,
  delta: JsonObject,
): JsonObject {
  const finish: JsonValue = choice.finish_reason ?? null;
  return {
    ...withoutChatExtras(chunk),
    ...head,
    choices: [{ ...withoutChatExtras(choice), delta, finish_reason: finish }],
    usage: null,
  };
}

/** The one usage chunk, with empty `choices`, after the last choice (part 6.3). */
function usageFrames(state: ChatStreamState): string[] {
  const { head, unsentUsage } = state;
  if (head === undefined || unsentUsage === undefined) return [];
  state.unsentUsage = undefined;
  state.closed = true;
  return [JSON.stringify({ ...withoutChatExtras(unsentUsage), ...head, choices: [] })];
}

function fail(state: ChatStreamState, failure: GatewayError): string[] {
  state.closed = true;
  if (state.head === undefined) {
    state.earlyFailure = failure;
    return [];
  }
  // Everything that the client can use is there: a break after the last choice harms nobody.
  return state.finished ? usageFrames(state) : [JSON.stringify(errorBody(failure))];
}

function endStream(state: ChatStreamState, failure: GatewayError | undefined): string[] {
  if (state.closed) return [];
  if (state.finished) return usageFrames(state);
  state.head ??= headOf({}, state.context);
  return fail(state, failure ?? brokenAnswer());
}

/** What was seen so far; `complete` once the choice was finished. */
function report(state: ChatStreamState): ProviderReport {
  return buildReport({ ...state, complete: state.finished }, 1, state.context);
}
