import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { containerImage } from '../../../infra/aws/large-bodies.ts';
import { createStacks } from '../../../infra/aws/stacks.ts';
import { testDeployment } from '../../support/deployment.ts';

/*
 * `iam-statements.txt` beside this file says who may do what to what, for a reader. A change of any
 * grant changes it, so that nobody grants unseen: `UPDATE_IAM=1 npx vitest run test/infra/aws/iam`
 * writes it anew, and the difference is what a review looks at.
 */
const FILE = join(import.meta.dirname, 'iam-statements.txt');

/** What no narrower resource is there for; every other statement names its resources. */
const ANY_RESOURCE: Readonly<Record<string, string>> = {
  'dynamodb:ListExports': 'knows no resource; reads names alone',
  'ecr:GetAuthorizationToken': 'knows no resource; the token opens nothing by itself',
};
/** What may be behind a resource that a statement names. */
const RESOURCE_PATTERNS = [
  /^Exports\w*\.Arn\/(?:incremental|full|athena-results)\/\*$/,
  /^Ledger\.Arn\/export\/\*$/,
  /^[\w-]+\.Arn:\*$/, // versions of the one function
];

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource?: unknown;
  readonly Condition?: unknown;
  readonly Principal?: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: properties of a template are what the type of resource says
type Resources = Readonly<Record<string, any>>;

/** The flags of the CDK decide how policies are written. */
const { context } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../cdk.json'), 'utf8'),
);

const everything = {
  ...context,
  '@aws-cdk/core:validateAgainstDefaultRules': false,
  env: 'dev',
  alarmEmail: 'money@example.com',
  lockToEdge: true,
  firewall: true,
  largeBodies: true,
};

const templates = synthesize();
const statements = templates.flatMap(({ resources }) => roleStatements(resources));

function synthesize() {
  const deployment = testDeployment(everything);
  createStacks(deployment, containerImage());
  return deployment.app.node.children.filter(Stack.isStack).map((stack) => ({
    name: stack.stackName,
    resources: Template.fromStack(stack).toJSON().Resources as Resources,
  }));
}

function list<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}

/** A value of a template as a person would write it: names for references, no account or region. */
function readable(value: unknown): string {
  if (typeof value === 'string') return shortened(value);
  const [name, inner] = Object.entries(value as object)[0] ?? ['', ''];
  if (name === 'Ref') return shortened(inner);
  if (name === 'Fn::GetAtt') return `${shortened(inner[0])}.${inner[1]}`;
  if (name === 'Fn::ImportValue') return imported(inner);
  if (name === 'Fn::Join') return inner[1].map(readable).join(inner[0]);
  if (name === 'Fn::Sub') return shortened(inner);
  if (name === 'Fn::Select' || name === 'Fn::Split') return readable(inner[1]);
  return JSON.stringify(value);
}

/** `tollgate-dev-data:ExportsOutputFnGetAttGateway43CB3636Arn18369084` is `Gateway.Arn`. */
function imported(value: unknown): string {
  const [, kind, name, attribute] =
    /:ExportsOutput(Ref|FnGetAtt)(\w+?)[0-9A-F]{8}(\w*?)(?:[0-9A-F]{8})?$/.exec(String(value)) ??
    [];
  if (name === undefined) return String(value);
  return kind === 'Ref' ? name : `${name}.${attribute}`;
}

function shortened(name: string): string {
  return name.replace(/[0-9A-F]{8}$/, '').replace(/^AWS::(\w+)$/, '<$1>');
}

interface RoleStatement {
  readonly role: string;
  readonly effect: string;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
}

/** What each role of a stack may do, in its own policies and by managed ones. */
function roleStatements(resources: Resources): RoleStatement[] {
  return Object.entries(resources).flatMap(([id, { Type, Properties }]) => {
    if (Type === 'AWS::IAM::Policy') {
      return Properties.Roles.flatMap((role: unknown) =>
        documentStatements(readable(role), Properties.PolicyDocument),
      );
    }
    if (Type !== 'AWS::IAM::Role') return [];
    const role = shortened(id);
    const managed = list<unknown>(Properties.ManagedPolicyArns ?? []).map((arn) => ({
      role,
      effect: 'Managed',
      actions: [readable(arn)],
      resources: [],
    }));
    const inline = list<{ PolicyDocument: unknown }>(Properties.Policies ?? []).flatMap(
      ({ PolicyDocument }) => documentStatements(role, PolicyDocument),
    );
    return [...managed, ...inline];
  });
}

function documentStatements(role: string, document: unknown): RoleStatement[] {
  return list((document as { Statement: Statement | readonly Statement[] }).Statement).map(
    ({ Effect, Action, Resource }) => ({
      role,
      effect: Effect,
      actions: list(Action),
      resources: list(Resource).map(readable),
    }),
  );
}

/** Who may take a role, call a function, or do something to a bucket, queue, topic or key. */
function openedTo(resources: Resources): string[] {
  return Object.entries(resources).flatMap(([id, { Type, Properties }]) => {
    const name = shortened(id);
    if (Type === 'AWS::Lambda::Permission') {
      const on = readable(Properties.FunctionName);
      const { FunctionUrlAuthType, InvokedViaFunctionUrl } = Properties;
      const how = FunctionUrlAuthType || InvokedViaFunctionUrl ? ' through its URL' : '';
      return [`${on}: ${readable(Properties.Principal)} may ${Properties.Action}${how}`];
    }
    const document =
      Properties?.AssumeRolePolicyDocument ??
      (/Policy$|Key$/.test(Type) && Type !== 'AWS::IAM::Policy'
        ? (Properties.PolicyDocument ?? Properties.KeyPolicy)
        : undefined);
    if (!document) return [];
    return list<Statement>(document.Statement).map(({ Effect, Action, Principal, Condition }) => {
      const who = Object.values((Principal ?? {}) as object).flatMap((one) =>
        list(one).map(readable),
      );
      const when = Condition ? ' with a condition' : '';
      return `${name}: ${Effect} ${list(Action).join(', ')} to ${who.join(', ')}${when}`;
    });
  });
}

function written(): string {
  const rights = Map.groupBy(statements, ({ role }) => role);
  const lines = [...rights]
    .sort(byName)
    .flatMap(([role, its]) => [
      role,
      ...its.flatMap(({ effect, actions, resources }) => [
        `  ${effect === 'Allow' ? 'may' : effect} ${[...actions].sort().join(', ')}`,
        ...resources.map((resource) => `    on ${resource}`),
      ]),
      '',
    ]);
  const opened = templates.flatMap(({ resources }) => openedTo(resources)).sort();
  return [...lines, 'Who is let in', ...opened.map((line) => `  ${line}`), ''].join('\n');
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

describe('what roles may do', () => {
  test('is what was reviewed, statement by statement', () => {
    if (process.env.UPDATE_IAM) writeFileSync(FILE, written());
    expect(written()).toBe(readFileSync(FILE, 'utf8'));
  });

  test('names its actions one by one', () => {
    const patterns = statements
      .filter(({ effect }) => effect === 'Allow')
      .flatMap(({ actions }) => actions)
      .filter((action) => action.includes('*'));
    expect(patterns).toEqual([]);
  });

  test('names its resources, but for what knows none', () => {
    const wide = statements.filter(({ resources }) => resources.includes('*'));
    const unargued = wide.flatMap(({ actions }) => actions).filter((one) => !(one in ANY_RESOURCE));
    expect(unargued).toEqual([]);
    expect(new Set(wide.flatMap(({ actions }) => actions))).toEqual(
      new Set(Object.keys(ANY_RESOURCE)),
    );
  });

  test('reaches behind a resource only where that was argued', () => {
    const patterns = statements
      .flatMap(({ resources }) => resources)
      .filter((resource) => resource.includes('*') && resource !== '*')
      .filter((resource) => !RESOURCE_PATTERNS.some((pattern) => pattern.test(resource)));
    expect(patterns).toEqual([]);
  });

  test('is in no managed policy, which others change', () => {
    expect(statements.filter(({ effect }) => effect === 'Managed')).toEqual([]);
  });

  test('is open to everyone through the URLs alone, and to the denials of unencrypted calls', () => {
    const open = templates
      .flatMap(({ resources }) => openedTo(resources))
      .filter((line) => / to \*|: \* may/.test(line));
    expect(open.length).toBeGreaterThan(10);
    const unargued = open.filter(
      (line) => !/through its URL$|: Deny .* with a condition$/.test(line),
    );
    expect(unargued).toEqual([]);
  });

  test('is a scan for nobody', () => {
    const scans = statements.filter(({ actions }) => actions.includes('dynamodb:Scan'));
    expect(scans).toEqual([]);
  });
});
