import { CfnOutput, Duration, Stack, TimeZone } from 'aws-cdk-lib';
import { PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { Universal } from 'aws-cdk-lib/aws-scheduler-targets';
import { acknowledge, arnInFinding } from './acknowledge.ts';
import type { Data } from './data.ts';
import { FULL_PREFIX, INCREMENTAL_PREFIX } from './exports-bucket.ts';
import { createFinanceQueries } from './finance-queries.ts';
import { createFunction, type Deployment } from './function.ts';
import { scheduleFunction, schedulerOf } from './schedule.ts';

/** The exports of the ledger and the queries over them, as other stacks take them. */
export interface Finance {
  readonly stack: Stack;
  /** Its errors mean that exports are missing. */
  readonly exportLedger: LambdaFunction;
}

interface FinanceParts {
  readonly stack: Stack;
  readonly deployment: Deployment;
  readonly data: Data;
}

/** Scheduled exports of the ledger to S3, and Athena's way to ask them. */
export function createFinanceStack(deployment: Deployment, data: Data): Finance {
  const { app, settings } = deployment;
  const stack = new Stack(app, `tollgate-${settings.name}-finance`, {
    description: 'Tollgate: exports of the ledger and queries over them',
  });
  const parts = { stack, deployment, data };
  const exportLedger = createIncrementalExports(parts);
  scheduleFullExports(parts);
  createFinanceQueries(parts);
  new CfnOutput(stack, 'exports-bucket', {
    value: data.exports.bucketName,
    description: 'Bucket of the ledger exports',
  });
  return { stack, exportLedger };
}

function createIncrementalExports({ stack, deployment, data }: FinanceParts): LambdaFunction {
  const handler = createFunction(stack, deployment, {
    name: 'export-ledger',
    description: 'Begins the incremental exports of the ledger that are due',
    memory: deployment.settings.documentMemory,
    timeout: Duration.minutes(5),
    environment: {
      LEDGER_TABLE_ARN: data.ledger.tableArn,
      EXPORTS_BUCKET: data.exports.bucketName,
      EXPORTS_PREFIX: INCREMENTAL_PREFIX,
    },
  });
  for (const statement of exportStatements(data, INCREMENTAL_PREFIX)) {
    handler.addToRolePolicy(statement);
  }
  data.ledger.grant(handler, 'dynamodb:DescribeContinuousBackups');
  handler.addToRolePolicy(
    new PolicyStatement({
      actions: ['dynamodb:DescribeExport'],
      resources: [`${data.ledger.tableArn}/export/*`],
    }),
  );
  // DynamoDB knows no resource for this action.
  handler.addToRolePolicy(
    new PolicyStatement({ actions: ['dynamodb:ListExports'], resources: ['*'] }),
  );
  acknowledge(handler.role ?? handler, {
    'IAM5[Resource::*]': 'DynamoDB knows no resource for ListExports, which reads names alone.',
    [`IAM5[Resource::${arnInFinding(data.ledger)}/export/*]`]: 'Exports of this table alone.',
    ...exportedObjects(data, INCREMENTAL_PREFIX),
  });
  scheduleFunction(stack, handler, {
    // Soon after midnight, so that a finished day is complete in the morning.
    schedule: ScheduleExpression.cron({ minute: '20', hour: '0/6', timeZone: TimeZone.ETC_UTC }),
    description: 'Exports every six hours what was added to the ledger',
    // A run that failed is made up for by the next one.
    retries: 0,
  });
  return handler;
}

function scheduleFullExports({ stack, data }: FinanceParts): void {
  const role = new Role(stack, 'full-export-role', {
    description: 'Begins full exports of the ledger',
    assumedBy: schedulerOf(stack),
  });
  acknowledge(role, exportedObjects(data, FULL_PREFIX));
  new Schedule(stack, 'full-export-schedule', {
    schedule: ScheduleExpression.cron({
      minute: '0',
      hour: '1',
      weekDay: 'SUN',
      timeZone: TimeZone.ETC_UTC,
    }),
    description: 'Exports the whole ledger every week',
    target: new Universal({
      service: 'dynamodb',
      action: 'exportTableToPointInTime',
      input: ScheduleTargetInput.fromObject({
        TableArn: data.ledger.tableArn,
        S3Bucket: data.exports.bucketName,
        S3Prefix: FULL_PREFIX,
        S3SseAlgorithm: 'AES256',
        ExportFormat: 'DYNAMODB_JSON',
      }),
      role,
      policyStatements: exportStatements(data, FULL_PREFIX),
      retryAttempts: 3,
    }),
  });
}

/** The exception for the objects of one folder. */
function exportedObjects({ exports }: Data, prefix: string): Record<string, string> {
  const objects = `IAM5[Resource::${arnInFinding(exports)}/${prefix}/*]`;
  return { [objects]: 'Objects of an export are named by DynamoDB, in this folder alone.' };
}

/** DynamoDB writes an export with the rights of whoever begins it. */
function exportStatements(data: Data, prefix: string): PolicyStatement[] {
  return [
    new PolicyStatement({
      actions: ['dynamodb:ExportTableToPointInTime'],
      resources: [data.ledger.tableArn],
    }),
    new PolicyStatement({
      actions: ['s3:PutObject', 's3:PutObjectAcl', 's3:AbortMultipartUpload'],
      resources: [data.exports.arnForObjects(`${prefix}/*`)],
    }),
  ];
}
