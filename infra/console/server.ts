import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LedgerContext } from '../../shared/ledger/context.ts';
import { readActivity, readEntry } from './activity.ts';
import { type Asset, loadAssets } from './assets.ts';

export interface ConsoleOptions {
  readonly context: LedgerContext;
  /** The demo key's secret: what the page sends requests with. */
  readonly apiKey: string;
}

/** Answers a request for one of the console's paths; false where the path is none of them. */
export type AnswerConsole = (request: IncomingMessage, response: ServerResponse) => boolean;

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * The page at `/` of a gateway on this machine: a console to try models with, live charts, and the
 * API reference. It shows the operator's data without a password, so it answers only where the
 * browser was sent to this machine by name and no other site asks.
 */
export function createConsole(options: ConsoleOptions): AnswerConsole {
  const assets = loadAssets();
  return (request, response) => {
    const path = new URL(request.url ?? '/', 'http://console').pathname;
    const isData = path.startsWith('/console/data/');
    if (request.method !== 'GET' || !(isData || assets.has(path))) return false;
    const answer = isLocal(request)
      ? isData
        ? sendData(response, path.slice('/console/data/'.length), options)
        : assets.read(path).then((asset) => sendAsset(response, asset))
      : Promise.resolve(send(response, 403, 'text/plain', 'Open the console by its own address.'));
    answer.catch((error: unknown) => {
      console.error('console:', error);
      send(response, 500, 'text/plain', 'The console failed; the terminal says why.');
    });
    return true;
  };
}

/** Whether a host name means this machine alone. */
export function isLoopback(host: string): boolean {
  return ['127.0.0.1', 'localhost', '::1', '[::1]'].includes(host);
}

/** Another site's script, or a name that was made to point here, gets nothing. */
function isLocal(request: IncomingMessage): boolean {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  const site = request.headers['sec-fetch-site'] ?? 'none';
  return (
    isLoopback(host) &&
    (site === 'none' || site === 'same-origin' || request.headers['sec-fetch-mode'] === 'navigate')
  );
}

async function sendData(
  response: ServerResponse,
  name: string,
  { context, apiKey }: ConsoleOptions,
): Promise<void> {
  if (name === 'session') return sendJson(response, { apiKey });
  if (name === 'activity') return sendJson(response, await readActivity(context));
  const [, requestId] = /^entry\/([\w-]+)$/.exec(name) ?? [];
  const entry = requestId === undefined ? undefined : await readEntry(context, requestId);
  if (entry === undefined) return send(response, 404, 'application/json', 'null');
  sendJson(response, entry);
}

function sendAsset(response: ServerResponse, { type, content }: Asset): void {
  send(response, 200, type, content);
}

function sendJson(response: ServerResponse, value: unknown): void {
  send(response, 200, 'application/json', JSON.stringify(value));
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  content: string | Uint8Array,
): void {
  response.writeHead(status, { ...HEADERS, 'content-type': type });
  response.end(content);
}
