import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import { expect, test } from 'vitest';
import { costPage } from '../../../infra/aws/cost/page.ts';
import { ALARMS, SECRETS } from '../../../infra/aws/cost/per-month.ts';
import { costPerMillion, WRITE_UNITS } from '../../../infra/aws/cost/per-request.ts';
import { createStacks } from '../../../infra/aws/stacks.ts';
import { testDeployment } from '../../support/deployment.ts';

test('docs/cost.md is what `npm run cost` computes', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/cost.md'), 'utf8');
  expect(page).toBe(costPage());
});

test('a request of ten seconds costs what its parts cost by the published prices', () => {
  const { compute, database } = costPerMillion({
    seconds: 10,
    memory: 512,
    writeUnits: WRITE_UNITS.withBothLimits,
  });
  // 5 GB-seconds at 0.0000133334, and 0.20 for a million requests.
  expect(compute).toBeCloseTo(66.867, 3);
  // Six write units at 0.625 and five and a half read units at 0.125 a million.
  expect(database).toBeCloseTo(3.75 + 0.6875, 6);
});

test('the month counts the alarms and secrets that are deployed', () => {
  const deployment = testDeployment({ env: 'prod' });
  createStacks(deployment, ContainerImage.fromRegistry('tollgate'));
  const stacks = deployment.app.node.children.filter(Stack.isStack);
  const count = (type: string) =>
    stacks.reduce(
      (sum, stack) => sum + Object.keys(Template.fromStack(stack).findResources(type)).length,
      0,
    );
  expect({
    alarms: count('AWS::CloudWatch::Alarm'),
    secrets: count('AWS::SecretsManager::Secret'),
  }).toEqual({ alarms: ALARMS, secrets: SECRETS });
});
