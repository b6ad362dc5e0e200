import { isJsonObject, type JsonObject, parseJson } from '../api/json.ts';
import { PROVIDER_IDS, type ProviderId } from '../catalog/types.ts';
import type { UpstreamSettings, UpstreamSource, Upstreams } from '../upstream/settings.ts';
import { type Environment, optional, required } from './environment.ts';
import { keepSecret } from './kept-secret.ts';

const SECRET = 'PROVIDER_CREDENTIALS_SECRET_ARN';

type Credentials = Readonly<Partial<Record<ProviderId, string>>>;

/** Where a provider answers unless `UPSTREAM_<PROVIDER>_URL` says otherwise. */
const DEFAULT_URLS: Readonly<Record<ProviderId, string | undefined>> = {
  openai: 'https://api.openai.com/v1',
  // Every Azure resource has its own address.
  azure: undefined,
  anthropic: 'https://api.anthropic.com/v1',
};

/**
 * The providers' addresses, with their credentials from the secret at
 * `PROVIDER_CREDENTIALS_SECRET_ARN`, else from `UPSTREAM_<PROVIDER>_KEY`. Throws an Error that names
 * the setting at fault: at once for the environment, from the source's functions for a secret.
 */
export function openUpstreams(
  environment: Environment,
  onRenewalFailure: (error: unknown) => void,
): UpstreamSource {
  const arn = optional(environment, SECRET);
  if (arn === undefined) {
    const upstreams = readUpstreams(environment);
    return { current: async () => upstreams, renewed: async () => upstreams };
  }
  const parse = (text: string) => withAddresses(environment, parseCredentials(text));
  const kept = keepSecret({ name: SECRET, arn, parse, onRenewalFailure });
  return {
    current: async () => {
      const upstreams = await kept.get();
      // A secret that nobody has filled in is looked at again: without it nothing is served anyway.
      return Object.keys(upstreams).length === 0 ? kept.renew() : upstreams;
    },
    renewed: kept.renew,
  };
}

/** An address that is set needs no credential here: simulated providers take none. */
function readUpstreams(environment: Environment): Upstreams {
  const upstreams: Partial<Record<ProviderId, UpstreamSettings>> = {};
  for (const provider of PROVIDER_IDS) {
    const key = optional(environment, upstreamSetting(provider, 'KEY'));
    const url = optional(environment, upstreamSetting(provider, 'URL'));
    if (key === undefined && url === undefined) continue;
    upstreams[provider] = {
      url:
        readUrl(environment, provider) ?? required(environment, upstreamSetting(provider, 'URL')),
      credential:
        key === undefined ? undefined : parseCredential(key, upstreamSetting(provider, 'KEY')),
    };
  }
  return upstreams;
}

/** Of a secret's credentials those whose provider has an address. */
function withAddresses(environment: Environment, credentials: Credentials): Upstreams {
  const upstreams: Partial<Record<ProviderId, UpstreamSettings>> = {};
  for (const provider of PROVIDER_IDS) {
    const url = readUrl(environment, provider);
    const credential = credentials[provider];
    if (url !== undefined && credential !== undefined) upstreams[provider] = { url, credential };
  }
  return upstreams;
}

function readUrl(environment: Environment, provider: ProviderId): string | undefined {
  const url = optional(environment, upstreamSetting(provider, 'URL')) ?? DEFAULT_URLS[provider];
  return url?.replace(/\/+$/, '');
}

/** The setting that holds a provider's address, or its credential. */
export function upstreamSetting(provider: ProviderId, what: 'URL' | 'KEY'): string {
  return `UPSTREAM_${provider.toUpperCase()}_${what}`;
}

/** `{"openai": "...", "azure": "...", "anthropic": "..."}`, each of them optional, others ignored. */
function parseCredentials(text: string): Credentials {
  const value = parseObject(text);
  const credentials: Partial<Record<ProviderId, string>> = {};
  for (const provider of PROVIDER_IDS) {
    const credential = value[provider];
    if (credential === undefined || credential === null || credential === '') continue;
    credentials[provider] = parseCredential(credential, `"${provider}" in the secret of ${SECRET}`);
  }
  return credentials;
}

/** Throws an Error that does not quote the text, as the JSON parser's own would. */
function parseObject(text: string): JsonObject {
  const value = parseJson(text);
  if (isJsonObject(value)) return value;
  throw new Error(`The secret of ${SECRET} is no JSON object of provider to credential.`);
}

/** A credential is one header value of visible ASCII; white space around it came from pasting. */
function parseCredential(value: unknown, where: string): string {
  const credential = typeof value === 'string' ? value.trim() : '';
  if (/^[\x21-\x7e]+$/.test(credential)) return credential;
  throw new Error(
    `The credential of ${where} cannot be sent: it must be visible ASCII characters.`,
  );
}
