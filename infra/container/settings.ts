import { PROVIDER_IDS } from '../../shared/catalog/types.ts';
import type { Environment } from '../../shared/settings/environment.ts';
import { upstreamSetting } from '../../shared/settings/upstreams.ts';
import { readPort, SettingError } from '../local/settings.ts';
import { STOP_GRACE_MS } from '../local/stop-on-signals.ts';

export interface ContainerSettings {
  readonly host: string;
  readonly port: number;
  /** Milliseconds that running requests may go on after the first signal. */
  readonly graceMs: number;
}

/** Each line of settings: at least one of them must be there. */
const NEEDED: readonly { readonly anyOf: readonly string[]; readonly what: string }[] = [
  { anyOf: ['GATEWAY_TABLE'], what: 'the name of the table of keys, balances and holds' },
  { anyOf: ['LEDGER_TABLE'], what: 'the name of the table of ledger entries' },
  {
    anyOf: ['SPOOL_QUEUE_URL', 'SPOOL_FOLDER'],
    what: 'where finished charges wait for a database',
  },
  { anyOf: ['IDENTITY_KEY_SECRET_ARN', 'IDENTITY_KEY_FILE'], what: 'the key of the identity' },
  {
    anyOf: [
      'PROVIDER_CREDENTIALS_SECRET_ARN',
      'UPSTREAM_OPENAI_KEY',
      'UPSTREAM_AZURE_KEY',
      'UPSTREAM_ANTHROPIC_KEY',
    ],
    what: 'a credential of a provider',
  },
];

/**
 * Reads what the container is told by the environment. Throws a SettingError for a setting that is
 * missing or broken; nothing has a default that would only work on a developer's machine.
 */
export function readContainerSettings(environment: Environment): ContainerSettings {
  for (const { anyOf, what } of NEEDED) {
    if (anyOf.some((name) => environment[name])) continue;
    throw new SettingError(`${what} is missing. Set ${anyOf.join(', or ')}.`);
  }
  refuseAddressesWithoutKey(environment);
  return {
    host: environment.HOST || '0.0.0.0',
    port: readPort(environment, 'PORT', 8080),
    graceMs: readGrace(environment),
  };
}

/** Under `npm start` such an address is a simulated provider; here it is a forgotten credential. */
function refuseAddressesWithoutKey(environment: Environment): void {
  if (environment.PROVIDER_CREDENTIALS_SECRET_ARN) return;
  for (const provider of PROVIDER_IDS) {
    const url = upstreamSetting(provider, 'URL');
    const key = upstreamSetting(provider, 'KEY');
    if (environment[url] && !environment[key]) {
      throw new SettingError(`${url} is set without a credential. Set ${key}.`);
    }
  }
}

function readGrace(environment: Environment): number {
  const text = environment.STOP_GRACE_MS;
  if (!text) return STOP_GRACE_MS;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new SettingError(`STOP_GRACE_MS is "${text}". Set it to a whole number of milliseconds.`);
}
