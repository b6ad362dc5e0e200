import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { writeCatalog } from '../../catalog/write.ts';
import { createTables } from '../../infra/local/create-tables.ts';
import { startEmbeddedDatabase } from '../../infra/local/embedded-database.ts';
import { ensureIdentityKey } from '../../infra/local/identity-key.ts';
import { createDynamoDbClient } from '../../shared/ledger/dynamodb.ts';
import { LOCAL_TABLES } from '../../shared/ledger/tables.ts';
import { type Books, openBooks } from '../support/money.ts';
import { type BenchProcess, startProcess } from './processes.ts';

/** More than any run spends. */
export const CREDIT = 900_000_000_000_000n;

/** The embedded database with its tables, as `npm start` has it, and a way to its books. */
export interface BenchDatabase {
  readonly endpoint: string;
  readonly books: Books;
  readonly stop: () => Promise<void>;
}

/** Starts an embedded database with empty tables: on disk as `npm start` has it, or in memory. */
export async function startDatabase(where: 'disk' | 'memory' = 'disk'): Promise<BenchDatabase> {
  const folder = where === 'disk' ? await mkdtemp(join(tmpdir(), 'tollgate-bench-')) : undefined;
  const database = await startEmbeddedDatabase({
    port: 0,
    ...(folder === undefined ? {} : { folder: join(folder, 'database') }),
  });
  const client = createDynamoDbClient({ endpoint: database.endpoint });
  await createTables(client, LOCAL_TABLES);
  client.destroy();
  const books = openBooks(database.endpoint);
  return {
    endpoint: database.endpoint,
    books,
    stop: async () => {
      books.close();
      await database.stop();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a database that answers at once with the items that stand in another one now. */
export async function startCannedDatabase(source: BenchDatabase): Promise<BenchProcess> {
  const client = createDynamoDbClient({ endpoint: source.endpoint });
  const scanned = await client.send(new ScanCommand({ TableName: LOCAL_TABLES.gateway }));
  client.destroy();
  const canned = await startProcess(new URL('./canned-database-process.ts', import.meta.url));
  await canned.ask(scanned.Items ?? []);
  return canned;
}

export interface GatewayOptions {
  readonly databaseEndpoint: string;
  /** Base address of the upstream that plays every provider. */
  readonly upstreamUrl: string;
  readonly nodeFlags?: readonly string[];
}

/** Starts a gateway; `ready` is its address. */
export async function startGatewayProcess(options: GatewayOptions): Promise<BenchProcess> {
  const { environment, stop } = await prepareSettings(options);
  const gateway = await startProcess(new URL('./gateway-process.ts', import.meta.url), {
    environment,
    nodeFlags: options.nodeFlags ?? [],
  });
  return {
    ...gateway,
    stop: async () => {
      await gateway.stop();
      await stop();
    },
  };
}

/** The environment of a gateway's functions, and the files that it names until `stop`. */
export async function prepareSettings({ databaseEndpoint, upstreamUrl }: GatewayOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-'));
  const catalogPath = join(folder, 'catalog.json');
  await writeCatalog(catalogPath);
  const environment: Record<string, string> = {
    CATALOG_PATH: catalogPath,
    IDENTITY_KEY_FILE: ensureIdentityKey(folder),
    SPOOL_FOLDER: join(folder, 'spool'),
    DYNAMODB_ENDPOINT: databaseEndpoint,
    ...upstreamSettings(upstreamUrl),
  };
  return { environment, stop: () => rm(folder, { recursive: true, force: true }) };
}

function upstreamSettings(url: string): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const provider of ['openai', 'anthropic', 'azure']) {
    settings[`UPSTREAM_${provider.toUpperCase()}_URL`] = `${url}/${provider}`;
    settings[`UPSTREAM_${provider.toUpperCase()}_KEY`] = `key-of-${provider}`;
  }
  return settings;
}
