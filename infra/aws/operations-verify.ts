import { Duration, type Stack } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Data } from './data.ts';
import { createFunction, type Deployment } from './function.ts';

/**
 * Megabytes: eight accounts are looked at side by side, each with its whole ledger in memory. An
 * entry takes about a kilobyte there: room for a million entries of the eight at once.
 */
const VERIFY_MEMORY = 2_048;
/** The longest that the platform lets a function run. */
const VERIFY_TIMEOUT = Duration.minutes(15);

/**
 * The daily check of the whole ledger. It alone may walk over every account, and reads only: items
 * and partitions by their keys, no scan, for the accounts and each account's keys stand in
 * directories. Nothing is repaired: the sweep does that, and what it cannot mend is for people.
 */
export function createVerify(
  stack: Stack,
  deployment: Deployment,
  { gateway, ledger }: Data,
): LambdaFunction {
  const handler = createFunction(stack, deployment, {
    name: 'verify-ledger',
    description:
      'Recomputes every balance and what remains of every limit, and reports what is off',
    memory: VERIFY_MEMORY,
    timeout: VERIFY_TIMEOUT,
    environment: { GATEWAY_TABLE: gateway.tableName, LEDGER_TABLE: ledger.tableName },
  });
  gateway.grant(handler, 'dynamodb:GetItem', 'dynamodb:Query');
  ledger.grant(handler, 'dynamodb:Query');
  return handler;
}
