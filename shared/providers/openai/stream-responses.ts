import type { GatewayError } from '../../api/error.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../api/json.ts';
import type { ResponsesEcho } from '../../api/responses-echo.ts';
import { createTextTally, type TextTally } from '../../pricing/tokens.ts';
import type { ProviderReport } from '../../pricing/usage.ts';
import type { AnswerContext, StreamTranslator } from '../contract.ts';
import { brokenAnswer, failureError } from '../failure.ts';
import { readStreamError } from './error.ts';
import { buildReport } from './report.ts';
import { type ItemsSeen, noteItemEvent } from './response-items.ts';
import { failedResponse, itemsSeen, ownResponse } from './response-object.ts';
import { countSearch, executedTier, readResponsesUsage, type TokenCount } from './usage.ts';

interface ResponsesStreamState {
  readonly context: AnswerContext;
  readonly echo: ResponsesEcho;
  readonly tally: TextTally;
  readonly items: ItemsSeen;
  readonly searches: Set<string>;
  nextSequence: number;
  /** The response object of the last event that carried one, as the client got it. */
  response: JsonObject | undefined;
  producedOutput: boolean;
  complete: boolean;
  count: TokenCount | undefined;
  executed: ProviderReport['executed'];
  closed: boolean;
  earlyFailure: GatewayError | undefined;
}

const ENDED_WELL = new Set(['response.completed', 'response.incomplete']);

/**
 * Relays a responses stream of the OpenAI family. Events pass as they came, unknown types too; only
 * response objects are written anew (their ID and the gateway's own fields), and errors, which all
 * end in one `response.failed` (part 6). Sequence numbers are contiguous from 0.
 */
export function createResponsesStream(
  context: AnswerContext,
  echo: ResponsesEcho,
): StreamTranslator {
  const state: ResponsesStreamState = {
    context,
    echo,
    tally: createTextTally('o200k'),
    items: new Map(),
    searches: new Set(),
    nextSequence: 0,
    response: undefined,
    producedOutput: false,
    complete: false,
    count: undefined,
    executed: {},
    closed: false,
    earlyFailure: undefined,
  };
  return {
    event: (data) => (state.closed ? [] : translateEvent(state, data)),
    end: (failure) => (state.closed ? [] : writeFailure(state, failure ?? brokenAnswer())),
    earlyFailure: () => state.earlyFailure,
    report: () => report(state),
  };
}

function translateEvent(state: ResponsesStreamState, data: string): string[] {
  if (data === '') return [];
  const event = parseJson(data);
  if (!isJsonObject(event)) return fail(state, brokenAnswer());
  if (event.type === 'error' || (event.type === undefined && isJsonObject(event.error))) {
    return fail(state, failureError(readStreamError(event)));
  }
  if (isJsonObject(event.response)) return relayResponse(state, event, event.response);
  if (noteItemEvent(state.items, state.tally, event)) state.producedOutput = true;
  if (event.type === 'response.output_item.done') countSearch(state.searches, event.item);
  return [numbered(state, event, data)];
}

function relayResponse(
  state: ResponsesStreamState,
  event: JsonObject,
  response: JsonObject,
): string[] {
  const type = typeof event.type === 'string' ? event.type : '';
  // A start that comes again, spliced in by a proxy, says nothing new.
  if (type === 'response.created' && state.nextSequence > 0) return [];
  state.executed = { ...state.executed, ...executedTier(response) };
  state.count = readResponsesUsage(response.usage, state.context.deployment) ?? state.count;
  if (Array.isArray(response.output)) {
    for (const item of response.output) countSearch(state.searches, item);
  }
  if (type === 'response.failed') return fail(state, failureError(readStreamError(response)));
  const owned = ownResponse(response, state.context, state.echo);
  state.response = owned;
  if (ENDED_WELL.has(type)) {
    state.complete = true;
    state.closed = true;
  }
  return [numbered(state, { ...event, response: owned })];
}

/** The frame under the next sequence number; `data` is its text where nothing else has changed. */
function numbered(state: ResponsesStreamState, event: JsonObject, data?: string): string {
  const sequence = state.nextSequence++;
  if (data !== undefined && event.sequence_number === sequence) return data;
  return JSON.stringify({ ...event, sequence_number: sequence });
}

function fail(state: ResponsesStreamState, failure: GatewayError): string[] {
  if (state.nextSequence > 0) return writeFailure(state, failure);
  state.closed = true;
  state.earlyFailure = failure;
  return [];
}

function writeFailure(state: ResponsesStreamState, failure: GatewayError): string[] {
  state.closed = true;
  const error = {
    code: failure.code === 'invalid_request' ? 'invalid_prompt' : 'server_error',
    message: failure.message,
  };
  const last = state.response ?? ownResponse({}, state.context, state.echo);
  const response = failedResponse(last, itemsSeen(state.items), error);
  return [numbered(state, { type: 'response.failed', sequence_number: -1, response })];
}

/** What was seen so far; `complete` once the provider ended the response by itself, not in failure. */
function report(state: ResponsesStreamState): ProviderReport {
  return buildReport(state, state.searches.size, state.context);
}
