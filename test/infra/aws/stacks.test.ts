import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { createApiStack } from '../../../infra/aws/api.ts';
import { createDataStack } from '../../../infra/aws/data.ts';
import {
  EDGE_KEYS,
  ENVIRONMENTS,
  type EnvironmentName,
  readSettings,
} from '../../../infra/aws/settings.ts';
import { tableNames } from '../../../shared/ledger/tables.ts';
import { testDeployment } from '../../support/deployment.ts';
import { statementsOf as roleStatements, type Statement } from '../../support/role-statements.ts';

function synthesize(name: EnvironmentName): { data: Template; api: Template } {
  const deployment = testDeployment({ env: name });
  const data = createDataStack(deployment);
  const { stack } = createApiStack(deployment, data);
  return { data: Template.fromStack(data.stack), api: Template.fromStack(stack) };
}

const { data, api } = synthesize('dev');
const ROUTES = ['chat-completions', 'responses', 'models', 'catalog', 'not-found'];
const POST_ROUTES = ['chat-completions', 'responses'];

/** What one function may do. */
function statementsOf(name: string): Statement[] {
  return roleStatements(api, name.replaceAll('-', ''));
}

/** A value that the data stack exports. */
function importOf(id: string) {
  return { 'Fn::ImportValue': Match.stringLikeRegexp(id) };
}

function actionsOf(name: string): string[] {
  return statementsOf(name).flatMap(({ Action }) => Action);
}

describe('the functions', () => {
  test('are one per route, not-found and the sweep, on Node 24 and arm64', () => {
    const functions = api.findResources('AWS::Lambda::Function');
    const names = Object.values(functions).map(({ Properties }) => Properties.FunctionName);
    expect(names.sort()).toEqual([...ROUTES, 'sweep-holds'].map((n) => `tollgate-dev-${n}`).sort());
    for (const { Properties } of Object.values(functions)) {
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
      });
    }
  });

  test('have streaming URLs that are open and leave CORS to the code', () => {
    const urls = Object.values(api.findResources('AWS::Lambda::Url'));
    expect(urls).toHaveLength(ROUTES.length);
    for (const { Properties } of urls) {
      expect(Properties).toMatchObject({ AuthType: 'NONE', InvokeMode: 'RESPONSE_STREAM' });
      expect(Properties).not.toHaveProperty('Cors');
    }
  });

  test.each(['models', 'catalog', 'not-found'])('%s may do nothing but write its log', (name) => {
    const [{ Action } = {}, ...more] = statementsOf(name);
    expect(Action).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents']);
    expect(more).toEqual([]);
  });

  test.each(POST_ROUTES)('%s reads and writes items by their keys alone', (name) => {
    const actions = actionsOf(name).filter((action) => action.startsWith('dynamodb:'));
    expect(new Set(actions)).toEqual(
      new Set(['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'].map((a) => `dynamodb:${a}`)),
    );
    api.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: `tollgate-dev-${name}`,
      Timeout: 900,
      Layers: [{ Ref: Match.stringLikeRegexp('cataloglayer') }],
    });
  });

  test.each([...POST_ROUTES, 'sweep-holds'])('%s never changes a ledger entry', (name) => {
    const statements = statementsOf(name).filter(({ Resource }) =>
      JSON.stringify(Resource).includes('Ledger'),
    );
    const actions = statements.flatMap(({ Action }) => Action);
    expect(actions).toContain('dynamodb:PutItem');
    expect(actions).not.toContain('dynamodb:UpdateItem');
    expect(actions).not.toContain('dynamodb:DeleteItem');
  });

  test.each([
    ...POST_ROUTES.map((name) => ({ name, may: ['SendMessage'] })),
    { name: 'sweep-holds', may: ['ReceiveMessage', 'DeleteMessage'] },
  ])('$name may do to the spool $may, and knows its address', ({ name, may }) => {
    const actions = actionsOf(name).filter((action) => action.startsWith('sqs:'));
    expect(actions).toEqual(may.map((action) => `sqs:${action}`));
    api.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: `tollgate-dev-${name}`,
      Environment: { Variables: { SPOOL_QUEUE_URL: importOf('Spool') } },
    });
  });

  test('may not scan, and no statement of theirs names every action or resource', () => {
    for (const name of [...ROUTES, 'sweep-holds']) {
      const statements = statementsOf(name);
      const actions = statements.flatMap(({ Action }) => Action);
      expect(actions.filter((action) => /Scan|\*/.test(action))).toEqual([]);
      expect(statements.filter(({ Resource }) => Resource === '*')).toEqual([]);
    }
  });

  test('know secrets by name only', () => {
    const environments = Object.values(api.findResources('AWS::Lambda::Function')).map(
      ({ Properties }) => Properties.Environment.Variables,
    );
    for (const variables of environments) {
      for (const [name, value] of Object.entries(variables)) {
        if (name.includes('SECRET')) expect(value).toHaveProperty('Fn::ImportValue');
        expect(name).not.toMatch(/_KEY$/);
      }
    }
  });
});

describe('the spool', () => {
  test('keeps charges for as long as a queue can, encrypted, and is reached by TLS alone', () => {
    data.hasResource('AWS::SQS::Queue', {
      Properties: {
        SqsManagedSseEnabled: true,
        MessageRetentionPeriod: 14 * 24 * 3_600,
        RedrivePolicy: Match.absent(),
      },
    });
    data.hasResourceProperties('AWS::SQS::QueuePolicy', {
      PolicyDocument: {
        Statement: [
          {
            Effect: 'Deny',
            Action: 'sqs:*',
            Principal: { AWS: '*' },
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
        ],
      },
    });
  });

  test('hands no charge to a second sweep while one may be at it', () => {
    const [queue] = Object.values(data.findResources('AWS::SQS::Queue'));
    const [sweep] = Object.values(
      api.findResources('AWS::Lambda::Function', {
        Properties: { FunctionName: 'tollgate-dev-sweep-holds' },
      }),
    );
    expect(queue?.Properties.VisibilityTimeout).toBeGreaterThan(sweep?.Properties.Timeout);
  });
});

describe('the tables', () => {
  test('have the keys of the ledger code, and only state that changes is forgotten', () => {
    const names = tableNames('dev');
    const keys = [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ];
    data.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      TableName: names.gateway,
      KeySchema: keys,
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    });
    data.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      TableName: names.ledger,
      KeySchema: keys,
      TimeToLiveSpecification: Match.absent(),
    });
  });

  test.each(ENVIRONMENTS)(
    'can be restored to any second, and prod cannot lose them (%s)',
    (name) => {
      const template = synthesize(name).data;
      const kept = name === 'dev' ? 'Delete' : 'Retain';
      for (const table of Object.values(template.findResources('AWS::DynamoDB::GlobalTable'))) {
        expect(table.DeletionPolicy).toBe(kept);
        const [replica] = table.Properties.Replicas;
        expect(replica.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled).toBe(true);
        expect(replica.DeletionProtectionEnabled).toBe(name === 'prod');
      }
    },
  );

  test('hold no credential in their template', () => {
    for (const secret of Object.values(data.findResources('AWS::SecretsManager::Secret'))) {
      expect(secret.Properties).not.toHaveProperty('SecretString');
    }
  });
});

describe('the secret of the edge', () => {
  test('is made with one value, and with a free place for the next', () => {
    data.hasResourceProperties('AWS::SecretsManager::Secret', {
      Name: 'tollgate-dev/edge-secret',
      GenerateSecretString: {
        GenerateStringKey: EDGE_KEYS[0],
        SecretStringTemplate: JSON.stringify({ [EDGE_KEYS[1]]: '' }),
        PasswordLength: 64,
        ExcludePunctuation: true,
      },
    });
  });
});

test('an environment that does not exist is refused', () => {
  const context: Record<string, unknown> = { env: 'production' };
  expect(() => readSettings((name) => context[name])).toThrow(/env=production/);
});
