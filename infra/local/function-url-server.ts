import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { ERRORS, errorBody, GatewayError } from '../../shared/api/error.ts';
import type { FunctionUrlEvent } from '../../shared/http/function-url.ts';
import { COMMON_HEADERS } from '../../shared/http/headers.ts';
import { BODY_LIMIT_BYTES } from '../../shared/http/request-body.ts';
import { arrivesAsText, type ReadBody, toFunctionUrlEvent } from './function-url-event.ts';
import { preludeOf, type StreamingHandler } from './lambda-globals.ts';
import { listen } from './listen.ts';

/** As long as the platform lets one invocation run. */
const INVOCATION_MS = 900_000;
/**
 * How long a connection without a request stays open: longer than a load balancer keeps it, or one
 * is closed under a request that is on its way.
 */
export const KEEP_ALIVE_MS = 180_000;
/** How long a client may go on sending a body that was already refused. */
const REFUSED_BODY_LINGER_MS = 2_000;
/** How long connections may take to end once the last answer was written and settled. */
const CLOSING_LINGER_MS = 2_000;

export interface FunctionUrlServer {
  readonly url: string;
  /** Takes no new requests; resolves when the running ones have been answered and settled. */
  readonly close: () => Promise<void>;
  /** Breaks off every connection: what waits for its client goes on, as after any hang-up. */
  readonly dropClients: () => void;
}

export interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Milliseconds from the whole request's arrival until the function had finished. */
  readonly totalMs: number;
}

export interface FunctionUrlServerOptions {
  readonly host: string;
  readonly port: number;
  /** The function that serves a path. */
  readonly handlerFor: (path: string) => StreamingHandler;
  readonly onFault: (error: unknown) => void;
  /** Told of each request that a function has answered. */
  readonly onAnswered?: (answered: Answered) => void;
  /** Answers what is no function's, and says whether it did: the console of `npm start`. */
  readonly answerFirst?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** A function URL on `node:http`: every request becomes an event, handed to the Lambda handlers. */
export async function startFunctionUrlServer(
  options: FunctionUrlServerOptions,
): Promise<FunctionUrlServer> {
  const running = new Map<ServerResponse, Promise<void>>();
  let closed: Promise<void> | undefined;
  const server = createServer((request, response) => {
    if (closed) return refuseWhileClosing(request, response);
    if (options.answerFirst?.(request, response)) return;
    const invocation = invoke(request, response, options).catch(options.onFault);
    running.set(response, invocation);
    invocation.finally(() => running.delete(response));
  });
  // The invocation has its own deadline; a stream may be silent for long.
  server.requestTimeout = INVOCATION_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const port = await listen(server, options.port, options.host);
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}`,
    close: () => {
      closed ??= close(server, running);
      return closed;
    },
    dropClients: () => server.closeAllConnections(),
  };
}

/** Stops listening, ends each connection after its running answer, and waits for the settlements. */
async function close(
  server: Server,
  running: ReadonlyMap<ServerResponse, Promise<void>>,
): Promise<void> {
  const ended = once(server, 'close');
  server.close(); // idle connections end here
  for (const response of running.keys()) endConnectionAfter(response);
  await Promise.all(running.values());
  // The last bytes are on their way; a client that keeps its side open is not waited for.
  const linger = setTimeout(() => server.closeAllConnections(), CLOSING_LINGER_MS);
  await ended;
  clearTimeout(linger);
}

function endConnectionAfter(response: ServerResponse): void {
  const { socket } = response;
  if (!response.headersSent) response.setHeader('connection', 'close');
  else if (!response.writableFinished) response.once('finish', () => socket?.end());
}

/** On a connection that was open already: nothing of the request was done, so it may be repeated. */
function refuseWhileClosing(request: IncomingMessage, response: ServerResponse): void {
  const error = new GatewayError('ledger_unavailable', 'The server is stopping. Please try again.');
  response.writeHead(ERRORS[error.code].status, {
    ...COMMON_HEADERS,
    'content-type': 'application/json',
    connection: 'close',
  });
  discardRest(request, response);
  response.end(JSON.stringify(errorBody(error)));
}

async function invoke(
  request: IncomingMessage,
  response: ServerResponse,
  options: FunctionUrlServerOptions,
): Promise<void> {
  const event = await readEvent(request, response);
  if (event === 'aborted') return;
  const started = performance.now();
  const deadline = started + INVOCATION_MS;
  const context = {
    awsRequestId: event.requestContext.requestId,
    getRemainingTimeInMillis: () => deadline - performance.now(),
  };
  try {
    await options.handlerFor(event.rawPath)(event, createResponseStream(response), context);
  } finally {
    if (!response.headersSent) response.statusCode = 502;
    response.end();
    const { method } = event.requestContext.http;
    const totalMs = performance.now() - started;
    options.onAnswered?.({ method, path: event.rawPath, status: response.statusCode, totalMs });
  }
}

/** The request as an event. A body's bytes are held no longer than until they are its text. */
async function readEvent(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<FunctionUrlEvent | 'aborted'> {
  const body = await readBody(request);
  if (body === 'aborted') return body;
  if ('tooLarge' in body) discardRest(request, response);
  return toFunctionUrlEvent(request, body, crypto.randomUUID());
}

/**
 * Reads the body up to the limit; refuses it while it is still arriving. Text is decoded as it
 * comes: a large body's bytes and text never stand in memory together.
 */
async function readBody(request: IncomingMessage): Promise<ReadBody | 'aborted'> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) return { tooLarge: true };
  const decoder = arrivesAsText(request.headers) ? new StringDecoder('utf8') : undefined;
  const chunks: Buffer[] = [];
  let text = '';
  let length = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > BODY_LIMIT_BYTES) return { tooLarge: true };
      if (decoder) text += decoder.write(chunk);
      else chunks.push(chunk);
    }
  } catch {
    // The client went away before its request was complete: there is nobody to answer.
    return 'aborted';
  }
  return decoder ? { text: text + decoder.end() } : { bytes: Buffer.concat(chunks) };
}

/** Lets the client read its 413 before the connection closes under what it still sends. */
function discardRest(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.once('finish', () => {
    const linger = setTimeout(() => request.destroy(), REFUSED_BODY_LINGER_MS);
    request.once('close', () => clearTimeout(linger));
  });
}

/**
 * The response stream of an invocation. As on the platform, a client that hangs up is invisible:
 * what is written then goes nowhere, and the handler runs to its end.
 */
function createResponseStream(response: ServerResponse): Writable {
  const stream = new Writable({
    decodeStrings: false,
    highWaterMark: 65_536,
    write(chunk: Buffer | string, encoding, done) {
      sendHead(response, stream);
      if (response.destroyed || chunk.length === 0) return done();
      if (response.write(chunk, encoding)) return done();
      whenWritable(response, done);
    },
    final(done) {
      sendHead(response, stream);
      response.end();
      done();
    },
  });
  response.on('error', () => undefined);
  return stream;
}

function sendHead(response: ServerResponse, stream: Writable): void {
  if (response.headersSent || response.destroyed) return;
  const prelude = preludeOf(stream);
  response.writeHead(prelude?.statusCode ?? 200, prelude?.headers ?? {});
}

function whenWritable(response: ServerResponse, done: () => void): void {
  const proceed = () => {
    response.off('drain', proceed);
    response.off('close', proceed);
    done();
  };
  response.once('drain', proceed);
  response.once('close', proceed);
}
