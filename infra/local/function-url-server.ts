import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { BODY_LIMIT_BYTES } from '../../shared/http/request-body.ts';
import { type ReadBody, toFunctionUrlEvent } from './function-url-event.ts';
import { preludeOf, type StreamingHandler } from './lambda-globals.ts';

/** As long as the platform lets one invocation run. */
const INVOCATION_MS = 900_000;
/** How long a client may go on sending a body that was already refused. */
const REFUSED_BODY_LINGER_MS = 2_000;

export interface FunctionUrlServer {
  readonly url: string;
  /** Takes no new requests; resolves when the running ones have been answered and settled. */
  readonly close: () => Promise<void>;
}

export interface FunctionUrlServerOptions {
  readonly host: string;
  readonly port: number;
  /** The function that serves a path. */
  readonly handlerFor: (path: string) => StreamingHandler;
  readonly onFault: (error: unknown) => void;
}

/** A function URL on `node:http`: every request becomes an event, handed to the Lambda handlers. */
export async function startFunctionUrlServer(
  options: FunctionUrlServerOptions,
): Promise<FunctionUrlServer> {
  const running = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const invocation = invoke(request, response, options).catch(options.onFault);
    running.add(invocation);
    invocation.finally(() => running.delete(invocation));
  });
  // The invocation has its own deadline; a stream may be silent for long.
  server.requestTimeout = INVOCATION_MS;
  server.keepAliveTimeout = 65_000;
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}`,
    close: async () => {
      server.close();
      server.closeIdleConnections();
      await Promise.all(running);
      server.closeAllConnections();
    },
  };
}

async function invoke(
  request: IncomingMessage,
  response: ServerResponse,
  options: FunctionUrlServerOptions,
): Promise<void> {
  const body = await readBody(request);
  if (body === 'aborted') return;
  if ('tooLarge' in body) discardRest(request, response);
  const requestId = crypto.randomUUID();
  const event = toFunctionUrlEvent(request, body, requestId);
  const deadline = performance.now() + INVOCATION_MS;
  const context = {
    awsRequestId: requestId,
    getRemainingTimeInMillis: () => deadline - performance.now(),
  };
  try {
    await options.handlerFor(event.rawPath)(event, createResponseStream(response), context);
  } finally {
    if (!response.headersSent) response.statusCode = 502;
    response.end();
  }
}

/** Reads the body up to the limit; refuses it while it is still arriving. */
async function readBody(request: IncomingMessage): Promise<ReadBody | 'aborted'> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) return { tooLarge: true };
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > BODY_LIMIT_BYTES) return { tooLarge: true };
      chunks.push(chunk);
    }
  } catch {
    // The client went away before its request was complete: there is nobody to answer.
    return 'aborted';
  }
  return { bytes: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) };
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
