import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** One event on its way to a runtime. */
export interface Invocation {
  readonly requestId: string;
  readonly event: unknown;
  /** Epoch milliseconds at which the environment is ended. */
  readonly deadlineMs: number;
}

/** What a runtime posts for one invocation: an answer as it arrives, or an error in its place. */
export type Posted =
  | { readonly kind: 'response'; readonly message: IncomingMessage }
  | { readonly kind: 'error'; readonly error: RuntimeFault };

/** A fault as the runtime tells it. */
export interface RuntimeFault {
  readonly errorType: string;
  readonly errorMessage: string;
}

/** The Runtime API of one execution environment, whose only client is that environment's runtime. */
export interface RuntimeApi {
  /** `host:port`, as `AWS_LAMBDA_RUNTIME_API` has it. */
  readonly address: string;
  /** The fault that the runtime reports when the function does not load. */
  readonly initFault: Promise<RuntimeFault>;
  /** Resolves when the runtime asks for work: it is initialised, and done with its last invocation. */
  asked(): Promise<void>;
  /** Hands over an invocation as soon as the runtime asks, and waits for what is posted for it. */
  invoke(invocation: Invocation): Promise<Posted>;
  close(): void;
}

const PREFIX = '/2018-06-01/runtime/';
const FUNCTION_ARN = 'arn:aws:lambda:us-east-1:123456789012:function:tollgate';

interface Running {
  readonly requestId: string;
  readonly posted: PromiseWithResolvers<Posted>;
  /** Resolved when everything was posted. */
  readonly done: PromiseWithResolvers<void>;
}

interface Desk {
  /** The runtime's open question for its next invocation. */
  asked: PromiseWithResolvers<ServerResponse>;
  current: Running | undefined;
  readonly initFault: PromiseWithResolvers<RuntimeFault>;
}

/** Starts the Runtime API that one environment talks to (the paths of version 2018-06-01). */
export async function startRuntimeApi(): Promise<RuntimeApi> {
  const desk: Desk = {
    asked: Promise.withResolvers(),
    current: undefined,
    initFault: Promise.withResolvers(),
  };
  const server = createServer((request, response) => {
    serve(desk, request, response).catch(() => response.destroy());
  });
  // A question for the next invocation may stand open for ever.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server that listens has an address object, never a pipe's name.
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    initFault: desk.initFault.promise,
    asked: async () => void (await askedAndDone(desk)),
    invoke: (invocation) => invoke(desk, invocation),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * The native client asks for the next invocation only after its last answer was taken; its stand-in
 * does not wait, so both must have come.
 */
async function askedAndDone(desk: Desk): Promise<ServerResponse> {
  const response = await desk.asked.promise;
  await desk.current?.done.promise;
  return response;
}

async function invoke(desk: Desk, invocation: Invocation): Promise<Posted> {
  const response = await askedAndDone(desk);
  const posted = Promise.withResolvers<Posted>();
  desk.asked = Promise.withResolvers();
  desk.current = { requestId: invocation.requestId, posted, done: Promise.withResolvers() };
  response.writeHead(200, {
    'content-type': 'application/json',
    'lambda-runtime-aws-request-id': invocation.requestId,
    'lambda-runtime-deadline-ms': String(invocation.deadlineMs),
    'lambda-runtime-invoked-function-arn': FUNCTION_ARN,
    'lambda-runtime-trace-id': `Root=1-${invocation.requestId.replaceAll('-', '')};Sampled=0`,
  });
  response.end(JSON.stringify(invocation.event));
  return posted.promise;
}

async function serve(desk: Desk, request: IncomingMessage, response: ServerResponse) {
  const path = (request.url ?? '').slice(PREFIX.length);
  if (path === 'invocation/next') return desk.asked.resolve(response);
  if (path === 'init/error') {
    desk.initFault.resolve(await readFault(request));
    return accept(response);
  }
  const [, requestId, what] = /^invocation\/([^/]+)\/(response|error)$/.exec(path) ?? [];
  if (desk.current === undefined || desk.current.requestId !== requestId) {
    response.writeHead(400).end();
    return;
  }
  const { posted, done } = desk.current;
  request.once('close', done.resolve);
  if (what === 'error') {
    posted.resolve({ kind: 'error', error: await readFault(request) });
  } else {
    posted.resolve({ kind: 'response', message: request });
    await once(request, 'end');
  }
  accept(response);
}

async function readFault(request: IncomingMessage): Promise<RuntimeFault> {
  // The runtime writes this JSON itself, always with these fields.
  return (await json(request)) as RuntimeFault;
}

function accept(response: ServerResponse): void {
  response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"OK"}');
}
