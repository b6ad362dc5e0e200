import { readCatalog } from '../../shared/settings/catalog.ts';
import { openEdgeSecrets } from '../../shared/settings/edge-lock.ts';
import type { Environment } from '../../shared/settings/environment.ts';
import { openIdentity } from '../../shared/settings/identity.ts';
import { connectLedger } from '../../shared/settings/services.ts';
import { openUpstreams } from '../../shared/settings/upstreams.ts';
import { SettingError } from '../local/settings.ts';

const READ_MS = 5_000;

/**
 * Tries everything that the settings name: the catalog, the secrets and both tables. Throws an Error
 * that names the setting at fault. A container that could not answer its first request does not
 * start, so that a deployment stops at its first one.
 */
export async function checkWorld(environment: Environment): Promise<void> {
  checkCatalog(environment);
  await Promise.all([
    checkCredentials(environment),
    openIdentity(environment, () => undefined)('start'),
    checkEdgeSecret(environment),
    checkTables(environment),
  ]);
}

function checkCatalog(environment: Environment): void {
  try {
    readCatalog(environment);
  } catch (cause) {
    throw new SettingError('CATALOG_PATH names no compiled catalog.', { cause });
  }
}

async function checkCredentials(environment: Environment): Promise<void> {
  const upstreams = await openUpstreams(environment, () => undefined).current();
  if (Object.keys(upstreams).length > 0) return;
  throw new SettingError(
    'the secret of PROVIDER_CREDENTIALS_SECRET_ARN holds no credential. Set its value to {"openai": "...", "anthropic": "..."}.',
  );
}

/** The lock to the edge is an option; its secret is not, once it is asked for. */
async function checkEdgeSecret(environment: Environment): Promise<void> {
  await openEdgeSecrets(environment, () => undefined)?.get();
}

/** Looks for an item that nobody writes: region, credentials, grants and names are then right. */
async function checkTables(environment: Environment): Promise<void> {
  const { send, tables } = connectLedger(environment).context;
  const look = async (setting: string, table: string) => {
    try {
      await send({ operation: 'get', table, key: { pk: 'start', sk: 'start' } }, READ_MS);
    } catch (error) {
      throw new SettingError(`the table "${table}" of ${setting} cannot be read: ${why(error)}`);
    }
  };
  await Promise.all([look('GATEWAY_TABLE', tables.gateway), look('LEDGER_TABLE', tables.ledger)]);
}

/** The store's failure wraps what the SDK said. */
function why(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
}
