import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTables } from '../../infra/local/create-tables.ts';
import { startEmbeddedDatabase } from '../../infra/local/embedded-database.ts';
import { createDynamoDbClient, createDynamoDbSend } from '../../shared/ledger/dynamodb.ts';
import type { Send } from '../../shared/ledger/store.ts';
import type { TableNames } from '../../shared/ledger/tables.ts';
import { tableNames } from '../../shared/ledger/tables.ts';

export interface TestDatabase {
  readonly endpoint: string;
  readonly client: DynamoDBClient;
  readonly tables: TableNames;
  readonly send: Send;
  stop(): Promise<void>;
}

/**
 * Fresh, empty tables: start it once for a test file. An embedded database in memory of their own,
 * or with `TEST_DYNAMODB_ENDPOINT` the real DynamoDB Local there.
 */
export async function startTestDatabase(): Promise<TestDatabase> {
  const real = process.env.TEST_DYNAMODB_ENDPOINT;
  const embedded = real === undefined ? await startEmbeddedDatabase({ port: 0 }) : undefined;
  const endpoint = embedded?.endpoint ?? real ?? '';
  const client = createDynamoDbClient({ endpoint });
  const tables = tableNames(`test-${crypto.randomUUID()}`);
  await createTables(client, tables);
  return {
    endpoint,
    client,
    tables,
    send: createDynamoDbSend(client),
    async stop() {
      client.destroy();
      await embedded?.stop();
    },
  };
}
