import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { arrivesAsText, toFunctionUrlEvent } from '../../infra/local/function-url-event.ts';
import type { EnvironmentOptions, ExecutionEnvironment } from './environment.ts';
import { type EnvironmentPool, startPool } from './environment-pool.ts';
import type { RuntimeFault } from './runtime-api.ts';

/** What the platform takes of a synchronous invocation, the event's own words included. */
const EVENT_LIMIT_BYTES = 6_291_456;

export interface FunctionUrlOptions {
  /** How each function is started, by its name. */
  readonly functions: Readonly<Record<string, EnvironmentOptions>>;
  /** The name of the function behind a path. */
  readonly functionFor: (path: string) => string;
  /** How many environments one function may have at once. */
  readonly environments: number;
}

/** The functions behind one HTTP address. */
export interface FunctionUrl {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Sorted. */
  functionNames(): readonly string[];
  /** What all environments of all functions logged. */
  output(): string;
  /** Environments of a function that live. */
  environmentsOf(name: string): readonly ExecutionEnvironment[];
  /** Runs a function that has no URL, as the scheduler does; resolves with its fault, if any. */
  run(name: string, event: unknown): Promise<RuntimeFault | undefined>;
  /** Takes no new requests; resolves when the running invocations are over and all has ended. */
  stop(): Promise<void>;
}

/** HTTP in front of execution environments: a function URL for each function, routed by path. */
export async function startFunctionUrl(options: FunctionUrlOptions): Promise<FunctionUrl> {
  const pools = new Map<string, EnvironmentPool>();
  for (const [name, environment] of Object.entries(options.functions)) {
    pools.set(name, startPool(environment, options.environments));
  }
  const poolOf = (name: string): EnvironmentPool => {
    const pool = pools.get(name);
    if (!pool) throw new Error(`there is no function ${name}`);
    return pool;
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    serve(poolOf(options.functionFor(path)), request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server that listens has an address object, never a pipe's name.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    functionNames: () => [...pools.keys()].sort(),
    output: () => [...pools.values()].map((pool) => pool.output()).join(''),
    environmentsOf: (name) => poolOf(name).environments(),
    run: async (name, event) => {
      const { body, fault } = await poolOf(name).invoke(event);
      for await (const _ of body);
      return fault();
    },
    stop: async () => {
      server.close();
      await Promise.all([...pools.values()].map((pool) => pool.stop()));
      server.closeAllConnections();
    },
  };
}

async function serve(
  pool: EnvironmentPool,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const bytes = await buffer(request);
  const sent = arrivesAsText(request.headers) ? { text: bytes.toString() } : { bytes };
  const event = toFunctionUrlEvent(request, sent, crypto.randomUUID());
  if (Buffer.byteLength(JSON.stringify(event)) > EVENT_LIMIT_BYTES) return refuse(response);
  const { statusCode, headers, cookies, body } = await pool.invoke(event);
  response.writeHead(statusCode, {
    ...headers,
    ...(cookies.length > 0 ? { 'set-cookie': [...cookies] } : {}),
  });
  response.flushHeaders();
  await send(body, response);
}

/** The platform's own refusal, before the function is asked. */
function refuse(response: ServerResponse): void {
  response.writeHead(413, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      Message: `Request must be smaller than ${EVENT_LIMIT_BYTES} bytes for the InvokeFunction operation`,
    }),
  );
}

/** A client that hangs up is invisible to the function: what it still says goes nowhere. */
async function send(body: AsyncIterable<Buffer>, response: ServerResponse): Promise<void> {
  for await (const chunk of body) {
    if (response.destroyed || response.write(chunk)) continue;
    const gone = new AbortController();
    const { signal } = gone;
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
    gone.abort();
  }
  response.end();
}
