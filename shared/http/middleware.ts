import middy, { type MiddlewareObj, type MiddyfiedHandler, type Request } from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import type { Context } from 'aws-lambda';
import { ERRORS, errorBody, GatewayError, toGatewayError } from '../api/error.ts';
import { type FunctionUrlEvent, type FunctionUrlResponse, jsonResponse } from './function-url.ts';
import { COMMON_HEADERS, preflightHeaders } from './headers.ts';

export type Unit = MiddlewareObj<
  FunctionUrlEvent,
  FunctionUrlResponse,
  Error,
  Context,
  InvocationState
>;
type Running = Request<FunctionUrlEvent, FunctionUrlResponse, Error, Context, InvocationState>;

/** What the units of one invocation leave for its end. */
interface InvocationState extends Record<string, unknown> {
  afterEnd?: () => Promise<void>;
}
export type FunctionUrlHandler = (event: FunctionUrlEvent) => Promise<FunctionUrlResponse>;

/** Characters of an unknown path that its 404 repeats. */
const LONGEST_PATH = 128;
const RETRIES_ARE_USELESS = new Set(['billing', 'permission', 'conflict']);

type OnFault = (error: unknown, requestId: string) => void;
type OnRefused = (error: GatewayError, event: FunctionUrlEvent) => void;

export interface FunctionUrlHandlerOptions {
  /** Run in this order before the handler. */
  readonly units: readonly Unit[];
  readonly handler: FunctionUrlHandler;
  /** Told of every error that is no fault of the client. */
  readonly onFault: OnFault;
  /** Told of every error that became the answer, whoever's fault it is. */
  readonly onRefused?: OnRefused;
  /** Headers that an error carries as well, where something is known of the request's key. */
  readonly errorHeaders?: (event: FunctionUrlEvent) => Record<string, string>;
  /** Awaited after every answer: what refusals left to undo. */
  readonly beforeInvocationEnds?: () => Promise<void>;
}

/**
 * A streaming function URL handler. Settlement (`afterEnd`) runs when the body has been streamed
 * and before the invocation ends: the client waits for nothing, and no hang-up can skip it.
 */
export function functionUrlHandler(options: FunctionUrlHandlerOptions): MiddyfiedHandler {
  const { units, handler, beforeInvocationEnds } = options;
  const chain = middy<FunctionUrlEvent, FunctionUrlResponse, Error, Context, InvocationState>({
    executionMode: executionModeStreamifyResponse,
    timeoutEarlyInMillis: 0,
    requestEnd: async ({ internal }) => {
      // middy types the state of its hooks more widely than that of its units.
      await (internal as InvocationState).afterEnd?.();
      await beforeInvocationEnds?.();
    },
  });
  chain.use(answerErrors(options)).use(finishHeaders());
  for (const unit of units) chain.use(unit);
  // middy's handler type expects a Lambda context; ours needs the event alone.
  return chain.handler(handler) as unknown as MiddyfiedHandler;
}

/** Adds what every answer carries, and takes `afterEnd` out of what becomes the HTTP prelude. */
function finishHeaders(): Unit {
  return {
    after: (request) => {
      if (request.response) finish(request, request.response);
    },
  };
}

function finish(request: Running, response: FunctionUrlResponse): void {
  const { afterEnd, ...rest } = response;
  if (afterEnd) request.internal.afterEnd = afterEnd;
  request.response = { ...rest, headers: { ...COMMON_HEADERS, ...rest.headers } };
}

/** The one place where errors become answers; what is not ours to show becomes a plain 500. */
function answerErrors({ onFault, onRefused, errorHeaders }: FunctionUrlHandlerOptions): Unit {
  return {
    onError: (request) => {
      const requestId = requestIdOf(request.event);
      const error = toGatewayError(request.error);
      if (error.code === 'gateway') onFault(request.error, requestId);
      onRefused?.(error, request.event);
      const response = errorResponse(error, requestId);
      const headers = { ...response.headers, ...errorHeaders?.(request.event) };
      finish(request, { ...response, headers });
    },
  };
}

/** An error in the exact shape of part 7, with the retry guidance of its kind. */
export function errorResponse(error: GatewayError, requestId: string): FunctionUrlResponse {
  const headers: Record<string, string> = { 'x-request-id': requestId };
  if (error.retryAfterMs !== undefined) {
    headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfterMs / 1000)));
    headers['retry-after-ms'] = String(Math.max(1, Math.ceil(error.retryAfterMs)));
  }
  if (RETRIES_ARE_USELESS.has(error.code)) headers['x-should-retry'] = 'false';
  return jsonResponse(ERRORS[error.code].status, errorBody(error), headers);
}

/** Gives the event the gateway's own request ID (a UUIDv7) in place of the platform's. */
export function giveRequestId(newUuid: () => string): Unit {
  return {
    before: ({ event }) => {
      event.requestContext.requestId = newUuid();
    },
  };
}

/** The gateway's request ID of this event. */
export function requestIdOf(event: FunctionUrlEvent): string {
  return event.requestContext.requestId;
}

/** Lets one method and path through; answers its preflight; everything else is a 404. */
export function onlyRoute(method: 'GET' | 'POST', path: string): Unit {
  return {
    before: (request) => {
      const { event } = request;
      const asked = event.requestContext.http.method;
      if (event.rawPath === path && asked === method) return undefined;
      if (event.rawPath === path && asked === 'OPTIONS') {
        const headers = {
          'x-request-id': requestIdOf(event),
          ...COMMON_HEADERS,
          ...preflightHeaders(method, event.headers),
        };
        return { statusCode: 204, headers, body: '' };
      }
      throw notFound(asked, event.rawPath);
    },
  };
}

/** The 404 of a path that is no route, or of a method that its route does not take. */
export function notFound(method: string, path: string): GatewayError {
  return new GatewayError(
    'not_found',
    `${method} ${path.slice(0, LONGEST_PATH)} is not a route of this service. See GET /v1/models for what it offers.`,
  );
}
