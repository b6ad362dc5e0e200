import type { TestProject } from 'vitest/node';
import { startDynamoDbLocal } from './dynamodb-local.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly dynamoDbLocalEndpoint: string;
    /** Why the real DynamoDB Local cannot run here; empty when it does. */
    readonly dynamoDbLocalMissing: string;
  }
}

/** Starts the real DynamoDB Local for the project's tests, or says why they will be skipped. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const database = await startDynamoDbLocal();
  const missing = 'missing' in database ? database.missing : '';
  project.provide('dynamoDbLocalMissing', missing);
  project.provide('dynamoDbLocalEndpoint', 'endpoint' in database ? database.endpoint : '');
  if ('endpoint' in database) return database.stop;
  console.warn(`SKIPPED: the ledger's tests on the real DynamoDB Local, for ${missing}`);
  return undefined;
}
