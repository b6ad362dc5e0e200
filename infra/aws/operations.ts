import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { type Deployment, metricsNamespace } from './function.ts';
import { createAlarms } from './operations-alarms.ts';
import { createDashboard } from './operations-dashboard.ts';
import type { WatchedParts } from './operations-metrics.ts';
import { createQueries } from './operations-queries.ts';
import { scheduleSweep, scheduleVerify } from './operations-schedules.ts';
import { createVerify } from './operations-verify.ts';

/** The daily `ledger verify`, every schedule of the ledger, alarms with the topic that tells of them, the dashboard and saved queries. */
export function createOperationsStack(deployment: Deployment, parts: WatchedParts): Stack {
  const { app, settings } = deployment;
  const stack = new Stack(app, `tollgate-${settings.name}-operations`, {
    description: 'Tollgate: the daily check of the ledger, alarms and the dashboard',
  });
  const verify = createVerify(stack, deployment, parts.data);
  scheduleSweep(stack, parts.api.sweep);
  scheduleVerify(stack, verify, settings);
  const watched = { ...parts, stack, namespace: metricsNamespace(settings), verify };
  const alarms = createAlarms(watched, settings, createAlarmTopic(stack, deployment));
  createDashboard(watched, settings, alarms);
  createQueries(watched, settings);
  return stack;
}

/**
 * Encrypted under a key of its own: alarms may not use the account's managed key for topics. With
 * `enforceSSL` the topic has a policy, which replaces the default one: alarms need a word in it.
 */
function createAlarmTopic(stack: Stack, { settings }: Deployment): Topic {
  const alarms = new ServicePrincipal('cloudwatch.amazonaws.com');
  const condition = { StringEquals: { 'aws:SourceAccount': stack.account } };
  const key = new Key(stack, 'alarm-key', {
    description: 'Encrypts the messages of alarms',
    enableKeyRotation: true,
    // It encrypts messages on their way and nothing at rest.
    removalPolicy: RemovalPolicy.DESTROY,
  });
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: [alarms],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: ['*'],
      conditions: condition,
    }),
  );
  const topic = new Topic(stack, 'alarms', {
    topicName: `tollgate-${settings.name}-alarms`,
    displayName: `Tollgate ${settings.name}`,
    masterKey: key,
    enforceSSL: true,
  });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [alarms],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: condition,
    }),
  );
  if (settings.alarmEmail !== undefined) {
    topic.addSubscription(new EmailSubscription(settings.alarmEmail));
  }
  return topic;
}
