import { Duration, Stack } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { PARTITION_KEY, SORT_KEY, TTL_ATTRIBUTE, tableNames } from '../../shared/ledger/tables.ts';
import type { Deployment } from './function.ts';
import type { EnvironmentSettings } from './settings.ts';

/** The longest that a sweep may run. */
export const SWEEP_TIMEOUT = Duration.minutes(5);

/** Everything that outlives a deployment. */
export interface Data {
  readonly stack: Stack;
  /** Keys, balances, holds: state that changes. */
  readonly gateway: TableV2;
  /** One immutable row per finalized request, credit, expiry and adjustment. */
  readonly ledger: TableV2;
  /** Finished charges that the database would not take, until a sweep takes them. */
  readonly spool: Queue;
  /** JSON object of provider to credential; its values are set by hand after the first deployment. */
  readonly providerCredentials: Secret;
  /** Keys the hash that providers see as a user's identity: changing it changes every identity. */
  readonly identityKey: Secret;
}

/** Tables, secrets and the spool. */
export function createDataStack({ app, settings }: Deployment): Data {
  const stack = new Stack(app, `tollgate-${settings.name}-data`, {
    description: 'Tollgate: tables, secrets and the spool',
    terminationProtection: settings.deletionProtection,
  });
  const names = tableNames(settings.name);
  return {
    stack,
    gateway: createTable(stack, 'Gateway', settings, {
      tableName: names.gateway,
      timeToLiveAttribute: TTL_ATTRIBUTE,
    }),
    ledger: createTable(stack, 'Ledger', settings, { tableName: names.ledger }),
    spool: createSpool(stack, settings),
    providerCredentials: createProviderCredentials(stack, settings),
    identityKey: new Secret(stack, 'IdentityKey', {
      secretName: `tollgate-${settings.name}/identity-key`,
      description: 'Key of the identity that providers see',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: settings.removalPolicy,
    }),
  };
}

function createTable(
  stack: Stack,
  id: string,
  settings: EnvironmentSettings,
  own: { readonly tableName: string; readonly timeToLiveAttribute?: string },
): TableV2 {
  return new TableV2(stack, id, {
    partitionKey: { name: PARTITION_KEY, type: AttributeType.STRING },
    sortKey: { name: SORT_KEY, type: AttributeType.STRING },
    billing: Billing.onDemand(),
    pointInTimeRecoverySpecification: {
      pointInTimeRecoveryEnabled: true,
      recoveryPeriodInDays: settings.recoveryDays,
    },
    deletionProtection: settings.deletionProtection,
    removalPolicy: settings.removalPolicy,
    ...own,
  });
}

/**
 * No dead-letter queue: it would take charges out of the sweep's sight in an outage that lasts, and
 * keep them no longer, for a message's age goes along. What cannot be taken is in each sweep's log.
 */
function createSpool(stack: Stack, settings: EnvironmentSettings): Queue {
  return new Queue(stack, 'Spool', {
    queueName: `tollgate-${settings.name}-spool`,
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    // No second sweep gets a charge while one may still be at it.
    visibilityTimeout: SWEEP_TIMEOUT.plus(Duration.minutes(1)),
    removalPolicy: settings.removalPolicy,
  });
}

function createProviderCredentials(stack: Stack, settings: EnvironmentSettings): Secret {
  return new Secret(stack, 'ProviderCredentials', {
    secretName: `tollgate-${settings.name}/provider-credentials`,
    description: 'Provider credentials: {"openai": "...", "azure": "...", "anthropic": "..."}',
    // A random value under a name of its own: no template ever holds a credential.
    generateSecretString: { secretStringTemplate: '{}', generateStringKey: 'unset' },
    removalPolicy: settings.removalPolicy,
  });
}
