import { Duration, type Stack } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { S3_SERVER_ACCESS_LOGS_USE_BUCKET_POLICY } from 'aws-cdk-lib/cx-api';
import { Construct } from 'constructs';
import type { EnvironmentSettings } from './settings.ts';

/** Folders of the exports bucket. */
export const INCREMENTAL_PREFIX = 'incremental';
export const FULL_PREFIX = 'full';
export const RESULTS_PREFIX = 'athena-results';

/** Who read the ledger's exports is known for a year. */
const ACCESS_LOG_DAYS = Duration.days(365);
const RESULT_DAYS = Duration.days(30);
/** How long what was overwritten or deleted can be had back. */
const VERSION_DAYS = Duration.days(30);
const UPLOAD_DAYS = Duration.days(7);

/**
 * A private bucket for exports of the ledger and results of queries, every access to it logged in a
 * bucket beside it. Incremental exports are kept as long as the bucket.
 */
export function createExportsBucket(stack: Stack, settings: EnvironmentSettings): Bucket {
  const scope = new Construct(stack, 'Exports');
  // Access logs are let in by the bucket's policy; access control lists stay off.
  scope.node.setContext(S3_SERVER_ACCESS_LOGS_USE_BUCKET_POLICY, true);
  const guarded = {
    encryption: BucketEncryption.S3_MANAGED,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    removalPolicy: settings.removalPolicy,
  };
  const accessLogs = new Bucket(scope, 'AccessLogs', {
    ...guarded,
    lifecycleRules: [{ expiration: ACCESS_LOG_DAYS }],
  });
  return new Bucket(scope, 'Bucket', {
    ...guarded,
    versioned: true,
    // Under exactOptionalPropertyTypes the library's class is not quite its own interface.
    serverAccessLogsBucket: accessLogs as IBucket,
    serverAccessLogsPrefix: 'exports/',
    lifecycleRules: [
      { prefix: `${FULL_PREFIX}/`, expiration: Duration.days(settings.fullExportDays) },
      { prefix: `${RESULTS_PREFIX}/`, expiration: RESULT_DAYS },
      {
        noncurrentVersionExpiration: VERSION_DAYS,
        abortIncompleteMultipartUploadAfter: UPLOAD_DAYS,
      },
    ],
  });
}
