import { join, resolve } from 'node:path';
import { PROVIDER_IDS, type ProviderId } from '../../shared/catalog/types.ts';
import type { Environment } from '../../shared/settings/environment.ts';
import { upstreamSetting } from '../../shared/settings/upstreams.ts';

/** A setting that cannot be used: shown as one line, exit 1. */
export class SettingError extends Error {}

export interface LocalSettings {
  readonly host: string;
  readonly port: number;
  readonly dataFolder: string;
  /** A database to use in place of the embedded one. */
  readonly databaseEndpoint: string | undefined;
  readonly databasePort: number;
  /** Providers without an address and a key of their own, which are simulated. */
  readonly simulated: readonly ProviderId[];
}

/** The port of the embedded database, unless `DYNAMODB_PORT` says otherwise. */
export const DATABASE_PORT = 8788;

/** Where the local gateway keeps its data: `DATA_DIR`, else `.local` beside the project's files. */
export function readDataFolder(environment: Environment): string {
  return resolve(environment.DATA_DIR || join(import.meta.dirname, '../../.local'));
}

/** Reads what `npm start` is told by the environment. Throws a SettingError for a broken setting. */
export function readLocalSettings(environment: Environment): LocalSettings {
  const port = readPort(environment, 'PORT', 8787);
  const databasePort = readPort(environment, 'DYNAMODB_PORT', DATABASE_PORT);
  const databaseEndpoint = readUrl(environment, 'DYNAMODB_ENDPOINT');
  if (port === databasePort && port !== 0 && databaseEndpoint === undefined) {
    throw new SettingError(
      `PORT and DYNAMODB_PORT are both ${port}. Set one of them to another port.`,
    );
  }
  return {
    host: environment.HOST || '127.0.0.1',
    port,
    dataFolder: readDataFolder(environment),
    databaseEndpoint,
    databasePort,
    simulated: PROVIDER_IDS.filter((provider) => !isConfigured(environment, provider)),
  };
}

function isConfigured(environment: Environment, provider: ProviderId): boolean {
  const url = readUrl(environment, upstreamSetting(provider, 'URL'));
  const key = environment[upstreamSetting(provider, 'KEY')];
  if (provider === 'azure' && key && url === undefined) {
    throw new SettingError(
      'UPSTREAM_AZURE_KEY is set without UPSTREAM_AZURE_URL. Set it to https://<resource>.openai.azure.com/openai/v1.',
    );
  }
  return url !== undefined || Boolean(key);
}

/** The port that a setting names. Throws a SettingError for what is none. */
export function readPort(environment: Environment, name: string, standard: number): number {
  const text = environment[name];
  if (text === undefined || text === '') return standard;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new SettingError(`${name} is "${text}". Set it to a port from 0 to 65535.`);
  }
  return Number(text);
}

function readUrl(environment: Environment, name: string): string | undefined {
  const text = environment[name];
  if (text === undefined || text === '') return undefined;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new SettingError(`${name} is "${text}". Set it to an http:// or https:// address.`);
  }
  return text;
}
