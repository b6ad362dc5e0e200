import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { createDataStack } from '../../../infra/aws/data.ts';
import { LONGEST_SILENCE } from '../../../infra/aws/edge.ts';
import {
  containerImage,
  createLargeBodiesStack,
  IDLE_TIMEOUT,
} from '../../../infra/aws/large-bodies.ts';
import { readContainerSettings } from '../../../infra/container/settings.ts';
import { KEEP_ALIVE_MS } from '../../../infra/local/function-url-server.ts';
import { testDeployment } from '../../support/deployment.ts';
import { statementsOf } from '../../support/role-statements.ts';

function synthesize(env: 'dev' | 'prod'): Template {
  const deployment = testDeployment({
    env,
    azureUrl: 'https://example.openai.azure.com/openai/v1',
  });
  const data = createDataStack(deployment);
  return Template.fromStack(createLargeBodiesStack(deployment, data, containerImage()).stack);
}

const template = synthesize('dev');

function only(type: string) {
  const [resource, ...others] = Object.values(template.findResources(type));
  expect(others).toEqual([]);
  return resource?.Properties;
}

describe('the containers', () => {
  test('are told all that the container demands before it starts, and demand the secret of the edge', () => {
    const [container] = only('AWS::ECS::TaskDefinition').ContainerDefinitions;
    const told: { Name: string; Value: unknown }[] = container.Environment;
    const environment = Object.fromEntries(
      told.map(({ Name, Value }) => [Name, typeof Value === 'string' ? Value : 'a reference']),
    );
    expect(readContainerSettings(environment)).toMatchObject({ port: 8080, host: '0.0.0.0' });
    expect(container.PortMappings).toEqual([{ ContainerPort: 8080, Protocol: 'tcp' }]);
    expect(environment).toMatchObject({
      EDGE_SECRET_ARN: 'a reference',
      UPSTREAM_AZURE_URL: 'https://example.openai.azure.com/openai/v1',
    });
    for (const name of Object.keys(environment)) expect(name).not.toMatch(/_KEY$/);
  });

  test('run on arm64, and have the time to finish streams before they are stopped', () => {
    const task = only('AWS::ECS::TaskDefinition');
    expect(task.RuntimePlatform).toMatchObject({ CpuArchitecture: 'ARM64' });
    expect(task.ContainerDefinitions[0].StopTimeout).toBe(120);
    const [heapMb] = /(?<=--max-old-space-size=)\d+/.exec(JSON.stringify(task)) ?? [];
    expect(Number(heapMb)).toBeLessThan(Number(task.Memory));
    template.hasResourceProperties('AWS::ElasticLoadBalancingV2::TargetGroup', {
      TargetGroupAttributes: Match.arrayWith([
        { Key: 'deregistration_delay.timeout_seconds', Value: '900' },
      ]),
    });
  });

  test('may do what the POST functions and the sweep may, and no more', () => {
    const statements = statementsOf(template, 'taskTaskRole');
    const actions = new Set(statements.flatMap(({ Action }) => Action));
    expect(actions).toEqual(
      new Set([
        ...['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query'].map(
          (one) => `dynamodb:${one}`,
        ),
        ...['SendMessage', 'ReceiveMessage', 'DeleteMessage'].map((one) => `sqs:${one}`),
        ...['GetSecretValue', 'DescribeSecret'].map((one) => `secretsmanager:${one}`),
      ]),
    );
    for (const { Action, Resource } of statements) {
      expect(Resource).not.toBe('*');
      if (JSON.stringify(Resource).includes('Ledger')) {
        expect(Action).toEqual(['dynamodb:GetItem', 'dynamodb:PutItem']);
      }
    }
  });

  test('are started by a role whose one wide statement is what ECR knows no resource for', () => {
    const wide = statementsOf(template, 'taskExecutionRole').filter(
      ({ Resource }) => Resource === '*',
    );
    expect(wide.map(({ Action }) => Action)).toEqual(['ecr:GetAuthorizationToken']);
  });

  test.each([
    ['dev', 1, 2],
    ['prod', 2, 6],
  ] as const)(
    'scale in %s from %i to %i, and are not taken down to be replaced',
    (env, least, most) => {
      const own = synthesize(env);
      own.hasResourceProperties('AWS::ApplicationAutoScaling::ScalableTarget', {
        MinCapacity: least,
        MaxCapacity: most,
      });
      own.hasResourceProperties('AWS::ECS::Service', {
        DesiredCount: least,
        DeploymentConfiguration: {
          MinimumHealthyPercent: 100,
          DeploymentCircuitBreaker: { Enable: true, Rollback: true },
        },
      });
    },
  );
});

describe('their network', () => {
  test('has no NAT gateway, and no way from the internet to a task or to the load balancer', () => {
    template.resourceCountIs('AWS::EC2::NatGateway', 0);
    const balancer = only('AWS::ElasticLoadBalancingV2::LoadBalancer');
    expect(balancer.Scheme).toBe('internal');
    const routes = Object.values(template.findResources('AWS::EC2::Route'));
    const routed = JSON.stringify(routes.map(({ Properties }) => Properties.RouteTableId));
    for (const { Ref } of balancer.Subnets) {
      expect(Ref).toMatch(/^networkbalancer/);
      expect(routed).not.toContain('networkbalancer');
    }
    const service = JSON.stringify(only('AWS::ECS::Service').NetworkConfiguration);
    expect(service).toMatch(/serviceSecurityGroup/);
    const ingress = only('AWS::EC2::SecurityGroupIngress');
    expect(JSON.stringify(ingress.GroupId)).toMatch(/serviceSecurityGroup/);
    expect(JSON.stringify(ingress.SourceSecurityGroupId)).toMatch(/balanceraccess/);
    const groups = Object.values(template.findResources('AWS::EC2::SecurityGroup'));
    const open = groups.filter(({ Properties }) => Properties.SecurityGroupIngress);
    expect(open.map(({ Properties }) => Properties.GroupDescription)).toEqual([
      'CloudFront to the load balancer',
    ]);
  });

  test('closes connections from the outside in: edge, load balancer, container', () => {
    const [edge, balancer] = [LONGEST_SILENCE.toMilliseconds(), IDLE_TIMEOUT.toMilliseconds()];
    expect([edge, balancer, KEEP_ALIVE_MS].toSorted((a, b) => a - b)).toEqual([
      edge,
      balancer,
      KEEP_ALIVE_MS,
    ]);
    template.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', {
      LoadBalancerAttributes: Match.arrayWith([
        { Key: 'idle_timeout.timeout_seconds', Value: '130' },
      ]),
    });
  });

  test('counts a locked container as healthy: checks do not come through the edge', () => {
    template.hasResourceProperties('AWS::ElasticLoadBalancingV2::TargetGroup', {
      HealthCheckPath: '/v1/models',
      Matcher: { HttpCode: '200,404' },
    });
  });

  test('is reached by CloudFront alone', () => {
    template.hasResourceProperties('AWS::CloudFront::VpcOrigin', {
      VpcOriginEndpointConfig: {
        Arn: { Ref: Match.stringLikeRegexp('^balancer') },
        HTTPPort: 80,
        OriginProtocolPolicy: 'http-only',
      },
    });
  });
});
