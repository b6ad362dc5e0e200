import type { IncomingMessage } from 'node:http';
import type { Posted, RuntimeFault } from './runtime-api.ts';

/** An answer of a function as its URL gives it to the client. */
export interface FunctionResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  /** The body as it arrives. */
  readonly body: AsyncIterable<Buffer>;
  /** What the runtime's trailers tell once the body has ended; undefined when all went well. */
  readonly fault: () => RuntimeFault | undefined;
}

interface Prelude {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

const INTEGRATION_RESPONSE = 'application/vnd.awslambda.http-integration-response';
const DELIMITER = Buffer.alloc(8);

/** Reads the head of what a runtime posted; as on the platform an answer without one is a 502. */
export async function readFunctionResponse(posted: Posted): Promise<FunctionResponse> {
  if (posted.kind === 'error') return badGateway(() => posted.error);
  const { message } = posted;
  const fault = () => readTrailers(message);
  const chunks = message[Symbol.asyncIterator]();
  if (message.headers['content-type'] !== INTEGRATION_RESPONSE) {
    const { done, value } = await chunks.next();
    if (done && fault()) return badGateway(fault);
    const headers = { 'content-type': 'application/octet-stream' };
    const body = rest(value ?? Buffer.alloc(0), chunks);
    return { statusCode: 200, headers, cookies: [], body, fault };
  }
  let head = Buffer.alloc(0);
  for (;;) {
    const end = head.indexOf(DELIMITER);
    if (end >= 0) {
      // The runtime wrote it as JSON; what it may hold is the handler's matter.
      const prelude = JSON.parse(head.toString('utf8', 0, end)) as Prelude;
      const first = head.subarray(end + DELIMITER.length);
      const { statusCode = 200, headers = {}, cookies = [] } = prelude;
      return { statusCode, headers, cookies, body: rest(first, chunks), fault };
    }
    const { done, value } = await chunks.next();
    if (done) return badGateway(fault);
    head = Buffer.concat([head, value]);
  }
}

/** What the client gets where there is no answer. */
export function badGateway(fault: () => RuntimeFault | undefined): FunctionResponse {
  return {
    statusCode: 502,
    headers: { 'content-type': 'application/json' },
    cookies: [],
    body: (async function* () {
      yield Buffer.from('Internal Server Error');
    })(),
    fault,
  };
}

async function* rest(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  for (;;) {
    const { done, value } = await chunks.next();
    if (done) return;
    yield value;
  }
}

function readTrailers(message: IncomingMessage): RuntimeFault | undefined {
  const body = message.trailers['lambda-runtime-function-error-body'];
  if (body === undefined) return undefined;
  // The runtime writes this JSON itself, always with these fields.
  return JSON.parse(Buffer.from(body, 'base64').toString()) as RuntimeFault;
}
