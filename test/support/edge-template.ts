import { Template } from 'aws-cdk-lib/assertions';
import { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import { createApiStack } from '../../infra/aws/api.ts';
import { createDataStack } from '../../infra/aws/data.ts';
import { createEdgeStack } from '../../infra/aws/edge.ts';
import { chosenFirewall } from '../../infra/aws/firewall.ts';
import { createLargeBodiesStack } from '../../infra/aws/large-bodies.ts';
import { testDeployment } from './deployment.ts';

/** An origin of the distribution. */
export interface Origin {
  readonly Id: string;
  readonly OriginCustomHeaders: { HeaderName: string; HeaderValue: unknown }[];
  readonly CustomOriginConfig?: Record<string, unknown>;
  readonly VpcOriginConfig?: Record<string, unknown>;
  readonly DomainName: unknown;
}

/** A cache behavior of the distribution. */
export interface Behavior {
  readonly PathPattern?: string;
  readonly TargetOriginId: string;
  readonly [property: string]: unknown;
}

/** The edge stack of `dev`, with what else the context sets; its distribution's parts. */
export function synthesizeEdge(context: Readonly<Record<string, unknown>> = {}) {
  const deployment = testDeployment({ env: 'dev', ...context });
  const data = createDataStack(deployment);
  const api = createApiStack(deployment, data);
  const image = ContainerImage.fromRegistry('example.com/tollgate');
  const { stack } = createEdgeStack(deployment, {
    data,
    api,
    ...(deployment.settings.largeBodies && {
      largeBodies: createLargeBodiesStack(deployment, data, image),
    }),
    ...chosenFirewall(deployment),
  });
  const template = Template.fromStack(stack);
  const [distribution] = Object.values(template.findResources('AWS::CloudFront::Distribution'));
  const config = distribution?.Properties.DistributionConfig;
  const behaviors: Behavior[] = [config.DefaultCacheBehavior, ...config.CacheBehaviors];
  const [rule] = Object.values(template.findResources('AWS::CloudFront::Function'));
  return {
    deployment,
    stack,
    api,
    template,
    config,
    behaviors,
    origins: config.Origins as Origin[],
    ruleSource: rule?.Properties.FunctionCode as string,
  };
}
