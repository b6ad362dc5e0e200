import { setTimeout as wait } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import { PARTITION_KEY, SORT_KEY, type TableNames } from '../../shared/ledger/tables.ts';

const LOOKS = 200;
const PAUSE_MS = 25;

/**
 * Makes both tables in a local database, where they are missing; several processes may do it at
 * once. On AWS the deployment makes them.
 */
export async function createTables(client: DynamoDBClient, tables: TableNames): Promise<void> {
  await Promise.all([tables.gateway, tables.ledger].map((name) => createTable(client, name)));
}

async function createTable(client: DynamoDBClient, TableName: string): Promise<void> {
  try {
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [
          { AttributeName: PARTITION_KEY, AttributeType: 'S' },
          { AttributeName: SORT_KEY, AttributeType: 'S' },
        ],
        KeySchema: [
          { AttributeName: PARTITION_KEY, KeyType: 'HASH' },
          { AttributeName: SORT_KEY, KeyType: 'RANGE' },
        ],
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error; // made by another just now
  }
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const found = await client.send(new DescribeTableCommand({ TableName }));
    if (found.Table?.TableStatus === 'ACTIVE') return;
    await wait(PAUSE_MS);
  }
  throw new Error(`table ${TableName} does not become active`);
}
