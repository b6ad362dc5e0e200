import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { Agent } from 'undici';

/*
 * What the SDK is given in place of parts of its own, by its configuration, to the same effect in
 * less of the processor's time.
 */

/** What the SDK hands over, its sources of credentials too: theirs may have a query. */
interface HttpRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly path: string;
  readonly query?: Record<string, string | string[] | null>;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array;
}

interface HttpResponse {
  readonly statusCode: number;
  /** Lower-case names. */
  readonly headers: Record<string, string>;
  /** The whole of it, uncompressed: the SDK asks for no encoding. */
  readonly body: Uint8Array;
}

interface HttpOptions {
  readonly abortSignal?: AbortSignal;
}

const CONNECTIONS = { connections: 128, allowH2: false, keepAliveTimeout: 30_000 };

/**
 * The SDK's `requestHandler`, over undici in place of `node:http`. A request is sent once, and never
 * after its signal has aborted. Whatever keeps the answer from arriving whole rejects: no
 * connection, one that breaks off, the abort.
 */
export function createHttpHandler() {
  const agent = new Agent(CONNECTIONS);
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    handle: async (request: HttpRequest, { abortSignal }: HttpOptions = {}) => ({
      response: await exchange(agent, request, abortSignal),
    }),
    /** Ends every connection, also those that wait for an answer. */
    destroy: () => void agent.destroy(),
    // Demanded of a handler, for extensions of the SDK that change one: there are none.
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
  };
}

/** Straight to undici's dispatcher: an answer is a few hundred bytes and needs no stream. */
function exchange(
  agent: Agent,
  request: HttpRequest,
  signal: AbortSignal | undefined,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let head = { statusCode: 0, headers: {} };
    let cut = reject;
    const onAbort = () => cut(abortError());
    const settled = () => signal?.removeEventListener('abort', onAbort);
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort);
    agent.dispatch(dispatchOptions(request), {
      onRequestStart(controller) {
        cut = (reason) => controller.abort(reason);
        // It waited for a connection for too long.
        if (signal?.aborted) onAbort();
      },
      onResponseStart(_controller, statusCode, headers) {
        head = { statusCode, headers: flatten(headers) };
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        settled();
        resolve({ ...head, body: Buffer.concat(chunks) });
      },
      onResponseError(_controller, error) {
        settled();
        reject(error);
      },
    });
  });
}

function dispatchOptions(request: HttpRequest) {
  const { protocol, hostname, port, path, query = {}, method, headers, body = null } = request;
  const origin = `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`;
  return { origin, path, query, method, headers, body };
}

function flatten(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** Named as the SDK names it. */
function abortError(): Error {
  return Object.assign(new Error('no answer in time'), { name: 'AbortError' });
}

type Bytes = ArrayBuffer | ArrayBufferView;

/**
 * The SDK's `sha256`: the digest of what it is given, or its HMAC with `secret`. Node.js takes
 * several times as long for an HMAC whose key it must prepare, and the signer uses the same two for
 * every request: they are prepared once.
 */
export class Sha256 {
  readonly #hash;

  constructor(secret?: string | Bytes) {
    this.#hash =
      secret === undefined ? createHash('sha256') : createHmac('sha256', preparedKey(secret));
  }

  update(data: string | Bytes): void {
    this.#hash.update(typeof data === 'string' ? data : viewOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

/** By the signing keys' identity: the signer keeps them, and never writes into them. */
const signingKeys = new WeakMap<Bytes, KeyObject>();
let lastText: { readonly text: string; readonly key: KeyObject } | undefined;

function preparedKey(secret: string | Bytes): KeyObject {
  if (typeof secret === 'string') {
    if (lastText?.text === secret) return lastText.key;
    lastText = { text: secret, key: createSecretKey(secret, 'utf8') };
    return lastText.key;
  }
  const known = signingKeys.get(secret);
  if (known) return known;
  const key = createSecretKey(viewOf(secret));
  signingKeys.set(secret, key);
  return key;
}

function viewOf(bytes: Bytes): Uint8Array {
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
