import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { createApiStack } from '../../../infra/aws/api.ts';
import { createDataStack } from '../../../infra/aws/data.ts';
import { createFinanceStack } from '../../../infra/aws/finance.ts';
import { createOperationsStack } from '../../../infra/aws/operations.ts';
import { runAdmin } from '../../../infra/operator/run-admin.ts';
import { METRICS } from '../../../shared/telemetry/embedded-metrics.ts';
import { testDeployment } from '../../support/deployment.ts';

const RUNBOOKS = join(import.meta.dirname, '../../../docs/runbooks');

function synthesize(context: Readonly<Record<string, unknown>> = {}): Template {
  const deployment = testDeployment({ env: 'dev', ...context });
  const data = createDataStack(deployment);
  const api = createApiStack(deployment, data);
  const finance = createFinanceStack(deployment, data);
  return Template.fromStack(createOperationsStack(deployment, { data, api, finance }));
}

const template = synthesize();
const alarms = propertiesOf('AWS::CloudWatch::Alarm');
const text = JSON.stringify(template.toJSON());

// biome-ignore lint/suspicious/noExplicitAny: properties of a template are what the type of resource says
function propertiesOf(type: string): any[] {
  return Object.values(template.findResources(type)).map(({ Properties }) => Properties);
}

function alarm(name: string) {
  return alarms.find(({ AlarmName }) => AlarmName === `tollgate-dev-${name}`);
}

describe('the alarms', () => {
  test('each have their runbook page, and each page has its alarm', () => {
    const names = alarms.map(({ AlarmName }) => AlarmName.replace('tollgate-dev-', ''));
    const pages = readdirSync(RUNBOOKS).filter((file) => file !== 'README.md');
    expect(pages.sort()).toEqual(names.map((name) => `${name}.md`).sort());
    for (const { AlarmName, AlarmDescription } of alarms) {
      const page = AlarmName.replace('tollgate-dev-', 'docs/runbooks/');
      expect(AlarmDescription).toContain(`Runbook: ${page}.md`);
    }
  });

  test('tell one encrypted topic when they begin and when they are over', () => {
    const topic = { Ref: Match.stringLikeRegexp('^alarms') };
    for (const { AlarmName } of alarms) {
      template.hasResourceProperties('AWS::CloudWatch::Alarm', {
        AlarmName,
        AlarmActions: [topic],
        OKActions: [topic],
      });
    }
    template.hasResourceProperties('AWS::SNS::Topic', {
      KmsMasterKeyId: { 'Fn::GetAtt': [Match.stringLikeRegexp('alarmkey'), 'Arn'] },
    });
  });

  test('may publish, by name and under encryption, for the policy replaces the default one', () => {
    const own = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };
    const Principal = { Service: 'cloudwatch.amazonaws.com' };
    template.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Deny',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
          Match.objectLike({ Effect: 'Allow', Action: 'sns:Publish', Principal, Condition: own }),
        ]),
      },
    });
    template.hasResourceProperties('AWS::KMS::Key', {
      KeyPolicy: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
            Principal,
            Condition: own,
          }),
        ]),
      },
    });
  });

  test('go to an address where one is set', () => {
    template.resourceCountIs('AWS::SNS::Subscription', 0);
    synthesize({ alarmEmail: 'money@example.com' }).hasResourceProperties(
      'AWS::SNS::Subscription',
      { Protocol: 'email', Endpoint: 'money@example.com' },
    );
  });

  test.each([
    { name: 'sweep-missing', missing: 'breaching' },
    { name: 'verify-missing', missing: 'breaching' },
    { name: 'ledger-off', missing: 'ignore' },
    { name: 'spool-old', missing: 'notBreaching' },
    { name: 'server-errors', missing: 'notBreaching' },
  ])('$name takes silence for $missing', ({ name, missing }) => {
    expect(alarm(name)?.TreatMissingData).toBe(missing);
  });

  test('a charge in the spool is told of before its hold expires', () => {
    expect(alarm('spool-old')?.Threshold).toBeLessThanOrEqual(20 * 60);
  });

  test('fit what CloudWatch evaluates: a day at most below an hour, a week at most from then on', () => {
    for (const { AlarmName, Period, Metrics, EvaluationPeriods } of alarms) {
      const periods: number[] = (Metrics ?? [])
        .map((metric: { MetricStat?: { Period: number } }) => metric.MetricStat?.Period)
        .filter((period: unknown) => period !== undefined);
      const period = Period ?? periods[0];
      expect(period, AlarmName).toBeGreaterThanOrEqual(60);
      const most = period < 3_600 ? 86_400 : 7 * 86_400;
      expect(period * EvaluationPeriods, AlarmName).toBeLessThanOrEqual(most);
      expect(periods.length, AlarmName).toBeLessThanOrEqual(10);
    }
  });
});

describe('what they look at', () => {
  test('is what the service sends: every own metric that is named exists, and most are shown', () => {
    const used = new Set<string>();
    for (const match of text.matchAll(/"MetricName":"(\w+)","Namespace":"Tollgate\/dev"/g)) {
      used.add(match[1] ?? '');
    }
    const board = JSON.stringify(propertiesOf('AWS::CloudWatch::Dashboard'));
    for (const match of board.matchAll(/Tollgate\/dev\\+",\\+"(\w+)\\+"/g))
      used.add(match[1] ?? '');
    for (const match of board.matchAll(/MetricName=\\+"(\w+)/g)) used.add(match[1] ?? '');
    const known = Object.keys(METRICS);
    expect([...used].filter((name) => !known.includes(name))).toEqual([]);
    expect(known.filter((name) => !used.has(name))).toEqual([
      'Duration',
      'LedgerAccounts',
      'LedgerEntries',
      'LedgerBalancesOff',
      'LedgerKeyRoomsOff',
      'HoldsOpenUsd',
    ]);
  });

  test.each([
    'Requests',
    'Latency to first byte',
    'Errors by type',
    'Spend',
    'Holds open',
    'Upstream latency by provider',
    'Throttles',
  ])('the dashboard shows: %s', (title) => {
    expect(JSON.stringify(propertiesOf('AWS::CloudWatch::Dashboard'))).toContain(title);
  });
});

test('holds are swept every minute, and a sweep that failed is not repeated', () => {
  template.hasResourceProperties('AWS::Scheduler::Schedule', {
    ScheduleExpression: 'rate(1 minute)',
    State: 'ENABLED',
    Target: {
      Arn: { 'Fn::ImportValue': Match.stringLikeRegexp('sweepholds') },
      RetryPolicy: { MaximumRetryAttempts: 0 },
    },
  });
});

describe('the daily check of the ledger', () => {
  test('runs once a day for each share of the accounts', () => {
    template.resourceCountIs('AWS::Scheduler::Schedule', 2);
    const shared = synthesize({ verifyParts: 3 });
    shared.resourceCountIs('AWS::Scheduler::Schedule', 4);
    for (const part of [0, 1, 2]) {
      shared.hasResourceProperties('AWS::Scheduler::Schedule', {
        ScheduleExpression: 'cron(0 3 * * ? *)',
        ScheduleExpressionTimezone: 'Etc/UTC',
        FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 15 },
        Target: { Input: JSON.stringify({ part, of: 3 }) },
      });
    }
  });

  test('has the longest time there is, and its metrics go to the environment', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'tollgate-dev-verify-ledger',
      Timeout: 900,
      Environment: { Variables: Match.objectLike({ METRICS_NAMESPACE: 'Tollgate/dev' }) },
    });
  });

  test('reads by keys alone: it neither writes nor scans', () => {
    const actions = propertiesOf('AWS::IAM::Policy')
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .flatMap(({ Action }) => Action)
      .filter((action: string) => action.startsWith('dynamodb:'));
    expect(new Set(actions)).toEqual(new Set(['dynamodb:GetItem', 'dynamodb:Query']));
  });

  test.each(['0', 'many', 1.5])('no share of the accounts can be %s', (verifyParts) => {
    expect(() => testDeployment({ env: 'dev', verifyParts })).toThrow(/verifyParts/);
  });
});

describe('the runbook pages', () => {
  const pages = readdirSync(RUNBOOKS).map((file) => ({
    file,
    page: readFileSync(join(RUNBOOKS, file), 'utf8'),
  }));

  test('name admin commands that there are', async () => {
    const { stdout } = await runAdmin(['--help'], {});
    const named = pages.flatMap(({ page }) => [...page.matchAll(/admin -- (\w+ \w+)/g)]);
    expect(named.length).toBeGreaterThan(10);
    const missing = named.filter(([, command]) => !stdout.includes(`  ${command}`));
    expect(missing.map(([text]) => text)).toEqual([]);
  });

  test('name log events and faults that the service writes', () => {
    const sources = readdirSync(join(import.meta.dirname, '../../../shared'), { recursive: true })
      .filter((file) => String(file).endsWith('.ts'))
      .map((file) =>
        readFileSync(join(import.meta.dirname, '../../../shared', String(file)), 'utf8'),
      )
      .join('\n');
    const named = pages.flatMap(({ page }) => [...page.matchAll(/(?:event|what) = "(\w+)"/g)]);
    expect(named.length).toBeGreaterThan(5);
    const missing = named.filter(([, name]) => !sources.includes(`'${name}'`));
    expect(missing.map(([text]) => text)).toEqual([]);
  });

  test('name functions and tables that are deployed', () => {
    const deployment = testDeployment({ env: 'dev' });
    const data = createDataStack(deployment);
    const api = createApiStack(deployment, data);
    const finance = createFinanceStack(deployment, data);
    const operations = createOperationsStack(deployment, { data, api, finance });
    const all = [data.stack, api.stack, finance.stack, operations]
      .map((stack) => JSON.stringify(Template.fromStack(stack).toJSON()))
      .join('\n');
    const named = pages.flatMap(({ page }) => [...page.matchAll(/tollgate-\$ENV-([\w-]+)/g)]);
    expect(named.length).toBeGreaterThan(10);
    const missing = named.filter(([, name]) => !all.includes(`tollgate-dev-${name}`));
    expect(missing.map(([text]) => text)).toEqual([]);
  });

  test('have the same parts, so that nobody has to search', () => {
    for (const { file, page } of pages.filter((one) => one.file !== 'README.md')) {
      const parts = [...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
      expect(parts, file).toEqual([
        'What it means',
        'What customers see',
        'First look',
        'Fix',
        'When to worry',
      ]);
    }
  });
});
