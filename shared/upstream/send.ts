import type { Readable } from 'node:stream';
import zlib from 'node:zlib';
import { Agent, type Dispatcher, request } from 'undici';
import type { ProviderId, UpstreamApi } from '../catalog/types.ts';
import type { UpstreamRequest } from '../providers/contract.ts';
import type { UpstreamDeadlines, UpstreamSettings, UpstreamSource } from './settings.ts';

/** What came back from a provider, its body not yet read. */
export interface UpstreamAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

/** The provider could not be asked, or did not answer in time. */
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

/** Every sender's connections, so that the process can end them. */
const dispatchers = new Set<Agent>();

/**
 * Breaks off every call to a provider in this process, and refuses new ones: what runs ends as if
 * the provider had broken off, and is settled so. For a host that must stop.
 */
export async function cutUpstreamCalls(): Promise<void> {
  const cut = new UpstreamUnreachable('the host is stopping');
  await Promise.all([...dispatchers].map((dispatcher) => dispatcher.destroy(cut)));
}

/**
 * Makes the function that calls providers. Connections are kept and shared; one call is one
 * attempt, never repeated (clients retry by themselves, and the service falls back). The exception
 * is a refused credential that has been replaced meanwhile: a refusal served and cost nothing, so
 * the attempt is made once more with the new one, and a rotation goes unnoticed.
 */
export function createSender(source: UpstreamSource, deadlines: UpstreamDeadlines): SendUpstream {
  const dispatcher = new Agent({
    connect: { timeout: deadlines.connectMs },
    headersTimeout: deadlines.firstByteMs,
    bodyTimeout: deadlines.stallMs,
    connections: null,
    allowH2: false,
  });
  dispatchers.add(dispatcher);
  return async (provider, upstream) => {
    const settings = (await source.current())[provider];
    if (!settings) throw new UpstreamUnreachable(`${provider} has no address or no credential`);
    const call = { dispatcher, provider, upstream, signal: AbortSignal.timeout(deadlines.totalMs) };
    const answer = await attempt(call, settings);
    if (!CREDENTIAL_REFUSED.has(answer.statusCode)) return readHead(answer);
    const replaced = await replacedCredential(source, provider, settings);
    if (!replaced) return readHead(answer);
    await answer.body.dump();
    return readHead(await attempt(call, replaced));
  };
}

/** 402 is no matter of the credential: the provider's account is out of money, whoever asks. */
const CREDENTIAL_REFUSED: ReadonlySet<number> = new Set([401, 403]);

/** The provider's settings, where its credential is another one now; another request may have renewed it. */
async function replacedCredential(
  source: UpstreamSource,
  provider: ProviderId,
  refused: UpstreamSettings,
): Promise<UpstreamSettings | undefined> {
  const differs = (now: UpstreamSettings | undefined) => now?.credential !== refused.credential;
  const held = (await source.current())[provider];
  const now = differs(held) ? held : (await source.renewed())[provider];
  return differs(now) ? now : undefined;
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

interface Call {
  readonly dispatcher: Dispatcher;
  readonly provider: ProviderId;
  readonly upstream: UpstreamRequest;
  /** Ends the whole call, a second attempt included. */
  readonly signal: AbortSignal;
}

async function attempt(
  { dispatcher, provider, upstream, signal }: Call,
  { url, credential }: UpstreamSettings,
): Promise<Dispatcher.ResponseData<unknown>> {
  try {
    return await request(`${url}${PATHS[upstream.api]}`, {
      dispatcher,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...VERSION_HEADERS[provider],
        ...(credential === undefined ? {} : CREDENTIAL_HEADERS[provider](credential)),
        ...upstream.headers,
      },
      body: JSON.stringify(upstream.body),
      signal,
    });
  } catch (cause) {
    throw new UpstreamUnreachable('the provider did not answer', { cause });
  }
}

function readHead({ statusCode, headers, body }: Dispatcher.ResponseData<unknown>): UpstreamAnswer {
  const flat = flatten(headers);
  return { status: statusCode, headers: flat, body: decompressed(body, flat) };
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
