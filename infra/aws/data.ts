import { Duration, Stack } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { PARTITION_KEY, SORT_KEY, TTL_ATTRIBUTE, tableNames } from '../../shared/ledger/tables.ts';
import { acknowledge } from './acknowledge.ts';
import { createExportsBucket } from './exports-bucket.ts';
import type { Deployment } from './function.ts';
import { EDGE_KEYS, type EnvironmentSettings } from './settings.ts';

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
  /** The ledger as finance reads it: its exports, and the results of queries over them. */
  readonly exports: Bucket;
  /** JSON object of provider to credential; its values are set by hand after the first deployment. */
  readonly providerCredentials: Secret;
  /** Keys the hash that providers see as a user's identity: changing it changes every identity. */
  readonly identityKey: Secret;
  /** JSON object of the two values that open the lock to the edge; an empty one opens nothing. */
  readonly edgeSecret: Secret;
}

/** Tables, secrets, the spool and the bucket of exports. */
export function createDataStack({ app, settings }: Deployment): Data {
  const stack = new Stack(app, `tollgate-${settings.name}-data`, {
    description: 'Tollgate: tables, secrets, the spool and exports of the ledger',
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
    exports: createExportsBucket(stack, settings),
    providerCredentials: createProviderCredentials(stack, settings),
    identityKey: createIdentityKey(stack, settings),
    edgeSecret: createEdgeSecret(stack, settings),
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
  const spool = new Queue(stack, 'Spool', {
    queueName: `tollgate-${settings.name}-spool`,
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    // No second sweep gets a charge while one may still be at it.
    visibilityTimeout: SWEEP_TIMEOUT.plus(Duration.minutes(1)),
    removalPolicy: settings.removalPolicy,
  });
  acknowledge(spool, {
    SQS3: 'A charge is never given up: it stays in the sight of the sweep, and its age is alarmed.',
  });
  return spool;
}

function createProviderCredentials(stack: Stack, settings: EnvironmentSettings): Secret {
  const secret = new Secret(stack, 'ProviderCredentials', {
    secretName: `tollgate-${settings.name}/provider-credentials`,
    description: 'Provider credentials: {"openai": "...", "azure": "...", "anthropic": "..."}',
    // A random value under a name of its own: no template ever holds a credential.
    generateSecretString: { secretStringTemplate: '{}', generateStringKey: 'unset' },
    removalPolicy: settings.removalPolicy,
  });
  acknowledge(secret, {
    SMG4: 'Only the providers make new credentials; a new value serves without a deployment.',
  });
  return secret;
}

function createIdentityKey(stack: Stack, settings: EnvironmentSettings): Secret {
  const secret = new Secret(stack, 'IdentityKey', {
    secretName: `tollgate-${settings.name}/identity-key`,
    description: 'Key of the identity that providers see',
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
    removalPolicy: settings.removalPolicy,
  });
  acknowledge(secret, { SMG4: 'Another key would give every client another identity.' });
  return secret;
}

/**
 * Always there, and always sent by the edge, so that locking and unlocking is a matter of the
 * functions alone and refuses nobody on the way. Rotation is in `docs/edge.md`.
 */
function createEdgeSecret(stack: Stack, settings: EnvironmentSettings): Secret {
  const [first, second] = EDGE_KEYS;
  const secret = new Secret(stack, 'EdgeSecret', {
    secretName: `tollgate-${settings.name}/edge-secret`,
    description: 'What the edge proves itself with: {"first": "...", "second": "..."}',
    generateSecretString: {
      secretStringTemplate: JSON.stringify({ [second]: '' }),
      generateStringKey: first,
      passwordLength: 64,
      excludePunctuation: true,
    },
    removalPolicy: settings.removalPolicy,
  });
  acknowledge(secret, {
    SMG4: 'Rotated by hand in two steps, for the distribution must be deployed between them.',
  });
  return secret;
}
