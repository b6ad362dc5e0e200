import type { Template } from 'aws-cdk-lib/assertions';

/** A statement of a policy, as far as tests look at it. */
export interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
}

/** Every statement of the policies of the roles whose logical ID begins so. */
export function statementsOf(template: Template, role: string): Statement[] {
  return Object.values(template.findResources('AWS::IAM::Policy'))
    .map(({ Properties }) => Properties)
    .filter(({ Roles }) => Roles.some(({ Ref }: { Ref: string }) => Ref.startsWith(role)))
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}
