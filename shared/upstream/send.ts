import type { Readable } from 'node:stream';
import zlib from 'node:zlib';
import { Agent, type Dispatcher, request } from 'undici';
import type { ProviderId, UpstreamApi } from '../catalog/types.ts';
import type { UpstreamRequest } from '../providers/contract.ts';
import type { UpstreamDeadlines, Upstreams } from './settings.ts';

/** What came back from a provider, its body not yet read. */
export interface UpstreamAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

/** The provider could not be reached, or did not answer in time. */
class UpstreamUnreachable extends Error {}

const PATHS: Readonly<Record<UpstreamApi, string>> = {
  'chat-completions': '/chat/completions',
  responses: '/responses',
  messages: '/messages',
};

export type SendUpstream = (
  provider: ProviderId,
  upstream: UpstreamRequest,
) => Promise<UpstreamAnswer>;

/**
 * Makes the function that calls providers. Connections are kept and shared; one call is one
 * attempt, never repeated (clients retry by themselves, and the service falls back).
 */
export function createSender(upstreams: Upstreams, deadlines: UpstreamDeadlines): SendUpstream {
  const dispatcher = new Agent({
    connect: { timeout: deadlines.connectMs },
    headersTimeout: deadlines.firstByteMs,
    bodyTimeout: deadlines.stallMs,
    connections: null,
    allowH2: false,
  });
  return async (provider, upstream) => {
    const { url, credential } = upstreams[provider];
    const answer = await attempt(`${url}${PATHS[upstream.api]}`, {
      dispatcher,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...VERSION_HEADERS[provider],
        ...(credential === undefined ? {} : CREDENTIAL_HEADERS[provider](credential)),
        ...upstream.headers,
      },
      body: JSON.stringify(upstream.body),
      signal: AbortSignal.timeout(deadlines.totalMs),
    });
    const headers = flatten(answer.headers);
    return { status: answer.statusCode, headers, body: decompressed(answer.body, headers) };
  };
}

/** The version of its API that a provider wants named. */
const VERSION_HEADERS: Readonly<Record<ProviderId, Readonly<Record<string, string>>>> = {
  openai: {},
  azure: {},
  anthropic: { 'anthropic-version': '2023-06-01' },
};

const CREDENTIAL_HEADERS: Readonly<
  Record<ProviderId, (credential: string) => Record<string, string>>
> = {
  openai: (credential) => ({ authorization: `Bearer ${credential}` }),
  azure: (credential) => ({ 'api-key': credential }),
  anthropic: (credential) => ({ 'x-api-key': credential }),
};

async function attempt(
  url: string,
  options: Parameters<typeof request>[1],
): Promise<Dispatcher.ResponseData<unknown>> {
  try {
    return await request(url, options);
  } catch (cause) {
    throw new UpstreamUnreachable('the provider did not answer', { cause });
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

/** No encoding is asked for, yet some proxies compress all the same. */
function decompressed(body: Readable, headers: Readonly<Record<string, string>>): Readable {
  switch (headers['content-encoding']) {
    case 'gzip':
    case 'x-gzip':
      return pipeThrough(body, zlib.createGunzip(FLUSHING));
    case 'deflate':
      return pipeThrough(body, zlib.createInflate(FLUSHING));
    case 'br':
      return pipeThrough(body, zlib.createBrotliDecompress());
    case 'zstd':
      return pipeThrough(body, zlib.createZstdDecompress());
    default:
      return body;
  }
}

const FLUSHING = { flush: zlib.constants.Z_SYNC_FLUSH } as const;

function pipeThrough(body: Readable, transform: Readable & NodeJS.WritableStream): Readable {
  body.once('error', (error) => transform.destroy(error));
  transform.once('close', () => body.destroy());
  body.pipe(transform);
  return transform;
}
