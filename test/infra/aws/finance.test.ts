import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { createDataStack } from '../../../infra/aws/data.ts';
import { createFinanceStack } from '../../../infra/aws/finance.ts';
import { ENVIRONMENTS, type EnvironmentName } from '../../../infra/aws/settings.ts';
import { COLUMNS } from '../../../infra/finance/columns.ts';
import { QUERY_NAMES, readQuery } from '../../../infra/finance/queries.ts';
import { testDeployment } from '../../support/deployment.ts';

function synthesize(name: EnvironmentName) {
  const deployment = testDeployment({ env: name });
  const data = createDataStack(deployment);
  const { stack } = createFinanceStack(deployment, data);
  return { data: Template.fromStack(data.stack), finance: Template.fromStack(stack) };
}

const { data, finance } = synthesize('dev');

/** Every statement of the policies of one role, by the role's ID in the template. */
function statementsOf(role: string) {
  const policies = Object.values(finance.findResources('AWS::IAM::Policy'));
  return policies
    .map(({ Properties }) => Properties)
    .filter(({ Roles }) => Roles.some(({ Ref }: { Ref: string }) => Ref === role))
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/** The only function of the stack. */
function exportFunction() {
  const [handler] = Object.values(finance.findResources('AWS::Lambda::Function'));
  return handler?.Properties;
}

/** A resource as text, so that its ending can be told. */
function text(resource: unknown): string {
  return JSON.stringify(resource);
}

describe('the exports bucket', () => {
  test('is private, encrypted, versioned, reached by TLS alone, its accesses logged', () => {
    const buckets = Object.values(data.findResources('AWS::S3::Bucket'));
    expect(buckets).toHaveLength(2);
    for (const { Properties } of buckets) {
      expect(Properties.PublicAccessBlockConfiguration).toEqual({
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      });
      expect(text(Properties.BucketEncryption)).toContain('AES256');
      expect(Properties.AccessControl).toBeUndefined();
    }
    data.hasResourceProperties('AWS::S3::Bucket', {
      VersioningConfiguration: { Status: 'Enabled' },
      LoggingConfiguration: {
        DestinationBucketName: { Ref: Match.stringLikeRegexp('AccessLogs') },
      },
    });
    const policies = Object.values(data.findResources('AWS::S3::BucketPolicy'));
    expect(policies).toHaveLength(2);
    for (const { Properties } of policies) {
      expect(Properties.PolicyDocument.Statement).toContainEqual(
        expect.objectContaining({
          Effect: 'Deny',
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        }),
      );
    }
  });

  test.each(ENVIRONMENTS)(
    'forgets full exports and results, never an incremental one (%s)',
    (name) => {
      const template = synthesize(name).data;
      const buckets = Object.values(template.findResources('AWS::S3::Bucket'));
      const kept = name === 'dev' ? 'Delete' : 'Retain';
      expect(buckets.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual([kept, kept]);
      const rules = buckets.find(({ Properties }) => Properties.VersioningConfiguration)?.Properties
        .LifecycleConfiguration.Rules;
      const expiring = rules.filter((rule: object) => 'ExpirationInDays' in rule);
      expect(expiring.map(({ Prefix }: { Prefix: string }) => Prefix)).toEqual([
        'full/',
        'athena-results/',
      ]);
    },
  );
});

describe('incremental exports', () => {
  test('run four times a day by a function that may export, and write to its folder only', () => {
    finance.hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'cron(20 0/6 * * ? *)',
      ScheduleExpressionTimezone: 'Etc/UTC',
      State: 'ENABLED',
      Target: { Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('exportledger'), 'Arn'] } },
    });
    const statements = statementsOf(exportFunction().Role['Fn::GetAtt'][0]);
    const allowed = statements.flatMap(({ Action, Resource }) =>
      [Action].flat().map((action: string) => [action, text(Resource)]),
    );
    const resources = Object.fromEntries(
      allowed.filter(([action]) => !action?.startsWith('logs:')),
    );
    expect(Object.keys(resources).sort()).toEqual([
      'dynamodb:DescribeContinuousBackups',
      'dynamodb:DescribeExport',
      'dynamodb:ExportTableToPointInTime',
      'dynamodb:ListExports',
      's3:AbortMultipartUpload',
      's3:PutObject',
      's3:PutObjectAcl',
    ]);
    expect(resources['s3:PutObject']).toMatch(/\/incremental\/\*"/);
    expect(resources['dynamodb:ExportTableToPointInTime']).toMatch(/Ledger/);
    expect(resources['dynamodb:DescribeExport']).toMatch(/\/export\/\*"/);
    const everywhere = allowed.filter(([, resource]) => resource === '"*"');
    expect(everywhere).toEqual([['dynamodb:ListExports', '"*"']]);
  });

  test('know table and bucket by the data stack', () => {
    finance.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'tollgate-dev-export-ledger',
      Environment: {
        Variables: {
          LEDGER_TABLE_ARN: { 'Fn::ImportValue': Match.stringLikeRegexp('Ledger') },
          EXPORTS_BUCKET: { 'Fn::ImportValue': Match.stringLikeRegexp('Exports') },
          EXPORTS_PREFIX: 'incremental',
        },
      },
    });
  });
});

test('the whole ledger is exported every week, to a folder of its own', () => {
  finance.hasResourceProperties('AWS::Scheduler::Schedule', {
    ScheduleExpression: 'cron(0 1 ? * SUN *)',
  });
  const [schedule] = Object.values(
    finance.findResources('AWS::Scheduler::Schedule', {
      Properties: { ScheduleExpression: 'cron(0 1 ? * SUN *)' },
    }),
  );
  expect(text(schedule?.Properties.Target.Arn)).toContain(
    ':scheduler:::aws-sdk:dynamodb:exportTableToPointInTime',
  );
  const input = text(schedule?.Properties.Target.Input);
  for (const part of ['TableArn', 'S3Bucket', 'full', 'DYNAMODB_JSON'])
    expect(input).toContain(part);
  const role = schedule?.Properties.Target.RoleArn['Fn::GetAtt'][0];
  const statements = statementsOf(role);
  expect(statements.flatMap(({ Action }) => Action).sort()).toEqual([
    'dynamodb:ExportTableToPointInTime',
    's3:AbortMultipartUpload',
    's3:PutObject',
    's3:PutObjectAcl',
  ]);
  expect(text(statements)).toMatch(/\/full\/\*"/);
  expect(statements.filter(({ Resource }) => Resource === '*')).toEqual([]);
});

describe('Athena', () => {
  test('reads every column of the ledger from both kinds of export', () => {
    const tables = Object.values(finance.findResources('AWS::Glue::Table'));
    const shapes = tables.map(({ Properties: { TableInput } }) => ({
      name: TableInput.Name,
      column: TableInput.StorageDescriptor.Columns[0].Name,
      template: text(TableInput.Parameters['storage.location.template']),
      type: TableInput.StorageDescriptor.Columns[0].Type as string,
    }));
    expect(shapes).toMatchObject([
      {
        name: 'incremental_exports',
        column: 'newimage',
        template: expect.stringMatching(/\/incremental\/\$\{export_day\}\/AWSDynamoDB\/data\//),
      },
      {
        name: 'full_exports',
        column: 'item',
        template: expect.stringMatching(/\/full\/AWSDynamoDB\/\$\{export_id\}\/data\//),
      },
    ]);
    for (const { type } of shapes) {
      for (const { name } of COLUMNS) expect(type).toMatch(new RegExp(`[<,]${name}:struct<`));
      // Glue takes no longer type.
      expect(type.length).toBeLessThan(131_072);
    }
  });

  test('is held to its folder for results, encryption and a most of bytes read', () => {
    finance.hasResourceProperties('AWS::Athena::WorkGroup', {
      Name: 'tollgate-dev-finance',
      WorkGroupConfiguration: {
        EnforceWorkGroupConfiguration: true,
        BytesScannedCutoffPerQuery: 100 * 1024 ** 3,
        ResultConfiguration: {
          OutputLocation: {
            'Fn::Join': ['', ['s3://', Match.anyValue(), '/athena-results/']],
          },
          EncryptionConfiguration: { EncryptionOption: 'SSE_S3' },
        },
      },
    });
  });

  test('has every query of the report, and the check of the exports', () => {
    const saved = Object.values(finance.findResources('AWS::Athena::NamedQuery')).map(
      ({ Properties }) => Properties,
    );
    expect(saved).toHaveLength(QUERY_NAMES.length + 1);
    for (const name of QUERY_NAMES) {
      const { title, sql } = readQuery(name);
      const query = saved.find(({ Name }) => Name === title);
      expect(query?.QueryString).toContain(sql);
      // Only a query of the whole history may read files of before its period.
      const readsAll = query?.QueryString.includes(`export_day >= '2000-01-01'`);
      expect({ name, readsAll }).toEqual({ name, readsAll: name === 'balances' });
      expect(Buffer.byteLength(query?.QueryString)).toBeLessThan(262_144);
    }
  });
});
