import { Readable } from 'node:stream';
import { type JsonObject, parseJson } from '../api/json.ts';
import { type FunctionUrlResponse, jsonResponse } from '../http/function-url.ts';
import type { RateLimitState } from '../ledger/types.ts';
import type { Call } from './call.ts';
import type { Served, ServedStream, ServedWhole } from './dispatch.ts';
import { addToLastFrame, gatewayObject } from './extra-fields.ts';
import { writeFrames } from './frames.ts';

/** The answer in one piece, with the `gateway` object where the client asked for any of it. */
export function deliverWhole(call: Call, served: ServedWhole): FunctionUrlResponse {
  const { body } = served.answer;
  const extra = call.wanted.size > 0 ? { gateway: extraFields(call, served, served.raw) } : {};
  return jsonResponse(200, { ...body, ...extra }, answerHeaders(call));
}

/** The answer frame by frame; its last one carries the `gateway` object where it was asked for. */
export function deliverStream(call: Call, served: ServedStream): FunctionUrlResponse {
  const rawResponse = () => call.rawEvents?.map(parseEvent);
  const addExtra = (frame: string) =>
    addToLastFrame(call.route, frame, () => extraFields(call, served, rawResponse()));
  const frames = writeFrames(
    served.stream,
    served.translator,
    call.wanted.size > 0 ? addExtra : undefined,
  );
  return {
    statusCode: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...answerHeaders(call),
    },
    body: Readable.from(frames),
  };
}

/** In OpenAI's form: whole requests, and the time until the bucket is full again in seconds. */
export function rateLimitHeaders(state: RateLimitState): Record<string, string> {
  return {
    'x-ratelimit-limit-requests': String(state.limit),
    'x-ratelimit-remaining-requests': String(state.remaining),
    'x-ratelimit-reset-requests': `${(Math.max(0, state.resetMs) / 1000).toFixed(3)}s`,
  };
}

function answerHeaders(call: Call): Record<string, string> {
  return { 'x-request-id': call.hold.requestId, ...rateLimitHeaders(call.hold.rateLimit) };
}

function extraFields(call: Call, served: Served, rawResponse: unknown): JsonObject {
  const { catalog, now } = call.services;
  const provider = catalog.graph.providers[served.candidate.deployment.provider];
  return gatewayObject(call.wanted, {
    modelRequested: call.modelRequested,
    candidate: served.candidate,
    approvedHeaders: provider?.responseHeaders ?? [],
    latencyMs: now() - call.startedAtMs,
    responseHeaders: served.headers,
    rawResponse,
  });
}

/** An event's JSON value; its text where it is none, as the end marker is. */
function parseEvent(data: string): unknown {
  const value = parseJson(data);
  return value === undefined ? data : value;
}
