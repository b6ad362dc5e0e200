import { join } from 'node:path';
import type { LedgerContext } from '../../shared/ledger/context.ts';
import { createDynamoDbClient, createDynamoDbSend } from '../../shared/ledger/dynamodb.ts';
import { createLedgerContext } from '../../shared/ledger/ledger.ts';
import { LOCAL_TABLES } from '../../shared/ledger/tables.ts';
import { createTables } from './create-tables.ts';
import { startEmbeddedDatabase } from './embedded-database.ts';
import type { LocalSettings } from './settings.ts';

export interface LocalDatabase {
  readonly endpoint: string;
  /** The ledger's way to it, for what is made at the start. */
  readonly context: LedgerContext;
  /** Ends the embedded database; a database that runs by itself is left alone. */
  readonly stop: () => Promise<void>;
}

/** The database of `npm start`: the embedded one, or the one at `DYNAMODB_ENDPOINT`; its tables exist. */
export async function prepareDatabase(settings: LocalSettings): Promise<LocalDatabase> {
  const embedded =
    settings.databaseEndpoint === undefined
      ? await startEmbeddedDatabase({
          port: settings.databasePort,
          folder: join(settings.dataFolder, 'database'),
        })
      : undefined;
  const endpoint = embedded?.endpoint ?? settings.databaseEndpoint ?? '';
  const client = createDynamoDbClient({ endpoint });
  await createTables(client, LOCAL_TABLES);
  return {
    endpoint,
    context: createLedgerContext({ send: createDynamoDbSend(client), tables: LOCAL_TABLES }),
    stop: async () => embedded?.stop(),
  };
}
