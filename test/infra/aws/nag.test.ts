import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { containerImage } from '../../../infra/aws/large-bodies.ts';
import { ENVIRONMENTS } from '../../../infra/aws/settings.ts';
import { createStacks } from '../../../infra/aws/stacks.ts';
import { testDeployment } from '../../support/deployment.ts';

const CERTIFICATE =
  'arn:aws:acm:us-east-1:111122223333:certificate/12345678-1234-1234-1234-123456789012';

/** What an operator can choose, each where it makes other resources. */
const CHOICES = {
  plain: {},
  everything: {
    alarmEmail: 'money@example.com',
    azureUrl: 'https://example.openai.azure.com/openai/v1',
    domainName: 'api.example.com',
    certificateArn: CERTIFICATE,
    lockToEdge: true,
    firewall: true,
    largeBodies: true,
    verifyParts: 3,
  },
} as const;

function findings(context: Readonly<Record<string, unknown>>): string[] {
  const deployment = testDeployment(context);
  createStacks(deployment, containerImage());
  const { violations } = new AwsSolutionsChecks(deployment.app).validateScope(deployment.app);
  return violations.flatMap(({ ruleName, violatingResources }) =>
    // The report's own type leaves out what the pack puts into it.
    (violatingResources as unknown as readonly { constructPath: string }[]).map(
      ({ constructPath }) => `${ruleName} ${constructPath}`,
    ),
  );
}

describe('every rule of AwsSolutions holds, or its exception is argued beside the construct', () => {
  const cases = ENVIRONMENTS.flatMap((env) =>
    Object.entries(CHOICES).map(([choice, context]) => ({ env, choice, context })),
  );
  test.each(cases)('$env, $choice', { timeout: 60_000 }, ({ env, context }) => {
    expect(findings({ env, ...context })).toEqual([]);
  });
});
