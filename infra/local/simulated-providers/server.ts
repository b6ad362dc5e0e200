import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject, parseJson } from '../../../shared/api/json.ts';
import { listen } from '../listen.ts';
import { SIMULATED_MESSAGES } from './anthropic-messages.ts';
import type { SimulatedApi, SimulatedFrame } from './exchange.ts';
import { simulateChat } from './openai-chat.ts';
import { openaiErrorBody } from './openai-common.ts';
import { SIMULATED_RESPONSES } from './openai-responses.ts';
import { ProviderRefusal } from './refusal.ts';

export interface SimulatedProviders {
  /** Each stands in the place of the real provider's base address: `/chat/completions` and the like are appended. */
  readonly openaiUrl: string;
  readonly azureUrl: string;
  readonly anthropicUrl: string;
  close(): Promise<void>;
}

export interface SimulationOptions {
  /** Default: any free port. */
  readonly port?: number;
  /** Pause between the words of a stream, in milliseconds; default 15. */
  readonly wordDelayMs?: number;
}

const APIS: Readonly<Record<string, SimulatedApi>> = {
  '/openai/v1/chat/completions': simulateChat('openai'),
  '/openai/v1/responses': SIMULATED_RESPONSES,
  '/azure/openai/v1/chat/completions': simulateChat('azure'),
  '/azure/openai/v1/responses': SIMULATED_RESPONSES,
  '/anthropic/v1/messages': SIMULATED_MESSAGES,
};

const DEFAULT_WORD_DELAY_MS = 15;

/**
 * Serves the real wire formats of all three providers on one loopback port, without any model:
 * answers are made from the request itself. Rejects where the port is taken.
 */
export async function startSimulatedProviders(
  options: SimulationOptions = {},
): Promise<SimulatedProviders> {
  const wordDelayMs = options.wordDelayMs ?? DEFAULT_WORD_DELAY_MS;
  const server = createServer((request, response) => {
    answer(request, response, wordDelayMs).catch(() => response.destroy());
  });
  const port = await listen(server, options.port ?? 0);
  const base = `http://127.0.0.1:${port}`;
  return {
    openaiUrl: `${base}/openai/v1`,
    azureUrl: `${base}/azure/openai/v1`,
    anthropicUrl: `${base}/anthropic/v1`,
    close: () => close(server),
  };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  wordDelayMs: number,
): Promise<void> {
  const body = parseJson(await text(request));
  const api = APIS[(request.url ?? '').split('?')[0] ?? ''];
  if (api === undefined || request.method !== 'POST') {
    const message = `Unknown request URL: ${request.method} ${request.url}.`;
    sendJson(response, 404, openaiErrorBody({ status: 404, message, param: null }));
    return;
  }
  const refusal = refusalOf(api, body, request);
  if (refusal) {
    const { status, message, param } = refusal;
    sendJson(response, status, api.errorBody({ status, message, param }));
    return;
  }
  // What is no object was refused above.
  const asked = isJsonObject(body) ? body : {};
  if (asked.stream === true) await sendFrames(response, api.stream(asked), wordDelayMs);
  else sendJson(response, 200, api.whole(asked));
}

function refusalOf(
  api: SimulatedApi,
  body: unknown,
  { headers }: IncomingMessage,
): ProviderRefusal | undefined {
  if (!isJsonObject(body)) return new ProviderRefusal('We could not parse the JSON body.');
  try {
    api.check(body, headers);
    return undefined;
  } catch (error) {
    if (error instanceof ProviderRefusal) return error;
    throw error;
  }
}

function sendJson(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function sendFrames(
  response: ServerResponse,
  frames: readonly SimulatedFrame[],
  wordDelayMs: number,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (const { event, data } of frames) {
    if (response.destroyed) return;
    const label = event === undefined ? '' : `event: ${event}\n`;
    response.write(`${label}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
    if (wordDelayMs > 0) await sleep(wordDelayMs);
  }
  response.end();
}
