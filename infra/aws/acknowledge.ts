import { CfnElement, Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Exceptions from the rules of cdk-nag (AwsSolutions) for one construct and what is in it: rule to
 * reason, `{ SQS3: '...' }` or, where a rule finds several things, `{ 'IAM5[Resource::*]': '...' }`.
 */
export function acknowledge(
  construct: IConstruct,
  reasons: Readonly<Record<string, string>>,
): void {
  const rules = Object.entries(reasons).map(([rule, reason]) => ({
    id: `AwsSolutions-${rule}`,
    reason,
  }));
  Validations.of(construct).acknowledge(...rules);
}

/** How cdk-nag writes the ARN of a resource within the name of a finding. */
export function arnInFinding(construct: IConstruct): string {
  const { defaultChild } = construct.node;
  if (!CfnElement.isCfnElement(defaultChild)) {
    throw new TypeError(`${construct.node.path} is no resource`);
  }
  return `<${Stack.of(construct).getLogicalId(defaultChild)}.Arn>`;
}
