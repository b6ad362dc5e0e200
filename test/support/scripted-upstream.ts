import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import zlib from 'node:zlib';
import { listen } from '../../infra/local/listen.ts';

type ContentEncoding = 'gzip' | 'deflate' | 'br' | 'zstd';

interface AnswerBase {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Nothing is answered, not even the status, before this resolves. */
  readonly when?: Promise<unknown>;
  /** The body is compressed and labelled so. */
  readonly encoding?: ContentEncoding;
  /** The body is sent in pieces of this many bytes, wherever that cuts it. */
  readonly chunkBytes?: number;
}

interface WholeScript extends AnswerBase {
  /** Sent as JSON; a string is sent as it stands (broken JSON, HTML). */
  readonly json: unknown;
}

interface StreamScript extends AnswerBase {
  /**
   * One frame each: an object as JSON, a string as it stands (`'[DONE]'`, broken JSON). Nothing is
   * added. A promise of one is sent when it resolves.
   */
  readonly events: readonly (object | string)[];
  /** `anthropic` and typed events of `openai` carry an `event:` line, as the providers send it. */
  readonly sse: 'openai' | 'anthropic';
  /** Pause before each event. */
  readonly delayMs?: number;
  /** The connection is broken off after this many events. */
  readonly cutAfter?: number;
  /** Nothing follows the last event, and the connection stays open. */
  readonly stall?: boolean;
  /** Lines end in CRLF. */
  readonly crlf?: boolean;
}

interface BrokenScript extends AnswerBase {
  /** The connection is broken off without an answer. */
  readonly disconnect: true;
}

export type ScriptedAnswer = WholeScript | StreamScript | BrokenScript;
export type AnswerScript =
  | ScriptedAnswer
  | ((request: ReceivedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>);

export interface ReceivedRequest {
  /** 0 for the first request that arrived. */
  readonly order: number;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes as they came. */
  readonly text: string;
  /** Parsed JSON, or undefined where the text is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read into bodies of many shapes
  readonly body: any;
}

export interface ScriptedUpstream {
  /** `http://127.0.0.1:<port>`, no trailing slash. */
  readonly url: string;
  /** Every request whose body has arrived, in the order of arrival of the bodies. */
  readonly requests: readonly ReceivedRequest[];
  /** Scripts the answers to the next requests, first in, first out. */
  enqueue(...answers: AnswerScript[]): void;
  /** Answers that no request has taken yet. */
  pending(): number;
  /** Closes every connection that no request is on, as a server does with idle ones. */
  hangUp(): void;
  close(): Promise<void>;
}

const FLUSH: Record<
  ContentEncoding,
  () => zlib.Gzip | zlib.Deflate | zlib.BrotliCompress | zlib.ZstdCompress
> = {
  gzip: () => zlib.createGzip({ flush: zlib.constants.Z_SYNC_FLUSH }),
  deflate: () => zlib.createDeflate({ flush: zlib.constants.Z_SYNC_FLUSH }),
  br: () => zlib.createBrotliCompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => zlib.createZstdCompress({ flush: zlib.constants.ZSTD_e_flush }),
};

/** One server-sent event as the wire has it. */
export function frameText(event: object | string, script: StreamScript): string {
  const newline = script.crlf ? '\r\n' : '\n';
  const data = typeof event === 'string' ? event : JSON.stringify(event);
  const type = typeof event === 'object' && 'type' in event ? String(event.type) : undefined;
  const label = type === undefined ? '' : `event: ${type}${newline}`;
  return `${label}data: ${data}${newline}${newline}`;
}

/** A sink that compresses, cuts and writes what it is given, and can be ended. */
function bodyWriter(response: ServerResponse, script: ScriptedAnswer) {
  const pieces = (bytes: Buffer): Buffer[] => {
    const size = script.chunkBytes ?? bytes.length;
    const parts: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
    return parts;
  };
  // Pieces written in one turn of the loop would reach the client as one.
  const writePieces = async (bytes: Buffer): Promise<void> => {
    for (const piece of pieces(bytes)) {
      response.write(piece);
      if (script.chunkBytes !== undefined) await new Promise(setImmediate);
    }
  };
  if (script.encoding === undefined) {
    return {
      write: (text: string) => writePieces(Buffer.from(text)),
      end: async () => void response.end(),
    };
  }
  const compressor = FLUSH[script.encoding]();
  const drained = (async () => {
    for await (const bytes of compressor) await writePieces(bytes);
  })();
  return {
    write: (text: string) =>
      new Promise<void>((resolve) => {
        compressor.write(text, () => resolve());
      }),
    end: async () => {
      compressor.end();
      await drained;
      response.end();
    },
  };
}

/** The bytes written so far must have left before their connection breaks. */
const LEAVING_MS = 60;

async function sendStream(response: ServerResponse, script: StreamScript): Promise<void> {
  const writer = bodyWriter(response, script);
  response.flushHeaders();
  for (const event of script.events.slice(0, script.cutAfter)) {
    if (script.delayMs !== undefined) await sleep(script.delayMs);
    if (response.destroyed) return;
    await writer.write(frameText(await event, script));
  }
  if (script.cutAfter !== undefined) {
    await sleep(LEAVING_MS);
    response.destroy();
  } else if (!script.stall) await writer.end();
}

async function sendScripted(response: ServerResponse, script: ScriptedAnswer): Promise<void> {
  await script.when;
  if ('disconnect' in script) return void response.destroy();
  const type = 'events' in script ? 'text/event-stream; charset=utf-8' : 'application/json';
  response.writeHead(script.status ?? 200, {
    'content-type': type,
    ...(script.encoding === undefined ? {} : { 'content-encoding': script.encoding }),
    ...script.headers,
  });
  if ('events' in script) return sendStream(response, script);
  const writer = bodyWriter(response, script);
  await writer.write(typeof script.json === 'string' ? script.json : JSON.stringify(script.json));
  await writer.end();
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readRequest(request: IncomingMessage, order: number): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    order,
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    text,
    body: parseOrUndefined(text),
  };
}

const NOTHING_SCRIPTED: ScriptedAnswer = {
  status: 500,
  json: { error: { type: 'server_error', message: 'No answer is scripted for this request.' } },
};

/** A real HTTP server on the loopback that gives the answers which a test has queued, and keeps the requests. */
export async function startScriptedUpstream(): Promise<ScriptedUpstream> {
  const requests: ReceivedRequest[] = [];
  const queue: AnswerScript[] = [];
  let arrivals = 0;
  const server = createServer((incoming, response) => {
    // The answer is taken on arrival: requests that overlap keep the scripted order.
    const script = queue.shift() ?? NOTHING_SCRIPTED;
    const answer = async () => {
      const request = await readRequest(incoming, arrivals++);
      requests.push(request);
      await sendScripted(response, typeof script === 'function' ? await script(request) : script);
    };
    answer().catch(() => response.destroy());
  });
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    enqueue: (...answers) => void queue.push(...answers),
    pending: () => queue.length,
    hangUp: () => server.closeIdleConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
