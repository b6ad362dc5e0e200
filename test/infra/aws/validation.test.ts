import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CfnResource, Stack } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { containerImage } from '../../../infra/aws/large-bodies.ts';
import { createStacks } from '../../../infra/aws/stacks.ts';
import { testDeployment } from '../../support/deployment.ts';

/** With the flags that `cdk synth` has: the validator that the CDK ships, its findings as errors. */
const { context } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../cdk.json'), 'utf8'),
);

/** The validator compiles its rules when it is first used. */
const ENGINE_MS = 120_000;

const EVERYTHING = {
  alarmEmail: 'money@example.com',
  domainName: 'api.example.com',
  certificateArn:
    'arn:aws:acm:us-east-1:111122223333:certificate/12345678-1234-1234-1234-123456789012',
  lockToEdge: true,
  firewall: true,
  largeBodies: true,
};

describe('the templates, by the rules of CloudFormation', () => {
  // `cdk synth` does the same for the plain environment.
  test('are right, whatever is chosen', { timeout: ENGINE_MS }, () => {
    const deployment = testDeployment({ ...context, env: 'prod', ...EVERYTHING });
    createStacks(deployment, containerImage());
    expect(() => deployment.app.synth()).not.toThrow();
  });

  test('would be found wrong', { timeout: ENGINE_MS }, () => {
    const { app } = testDeployment({ ...context, env: 'dev' });
    const stack = new Stack(app, 'wrong');
    new CfnResource(stack, 'queue', {
      type: 'AWS::SQS::Queue',
      properties: { VisibilityTimeout: 1_000_000, NoSuchProperty: true },
    });
    expect(() => app.synth()).toThrow(/NoSuchProperty|VisibilityTimeout|validation/i);
  });
});
