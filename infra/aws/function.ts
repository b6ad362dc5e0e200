import { join } from 'node:path';
import type { App, Duration, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  type ILayerVersion,
  Function as LambdaFunction,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { EnvironmentSettings } from './settings.ts';

/** What every stack of one environment is made from. */
export interface Deployment {
  readonly app: App;
  readonly settings: EnvironmentSettings;
  /** What `buildFunctions` made: a folder a function. */
  readonly bundlesFolder: string;
  /** Folder that holds `catalog/catalog.json`, the compiled catalog. */
  readonly layerFolder: string;
}

/** One folder of `functions/`, and what it runs with. */
export interface FunctionShape {
  /** Folder name, for example `chat-completions`. */
  readonly name: string;
  readonly description: string;
  /** Megabytes. */
  readonly memory: number;
  readonly timeout: Duration;
  readonly environment?: Record<string, string>;
  readonly layers?: readonly ILayerVersion[];
}

/** A function of its built bundle, with a log group that forgets in time, and a role that may write it. */
export function createFunction(
  stack: Stack,
  { settings, bundlesFolder }: Deployment,
  shape: FunctionShape,
): LambdaFunction {
  const functionName = `tollgate-${settings.name}-${shape.name}`;
  const logGroup = new LogGroup(stack, `${shape.name}-log`, {
    logGroupName: `/aws/lambda/${functionName}`,
    retention: settings.logRetention,
    removalPolicy: settings.removalPolicy,
  });
  const role = new Role(stack, `${shape.name}-role`, {
    description: `What ${shape.name} may do`,
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
  });
  // In place of the managed policy, which lets a function write every log of the account.
  logGroup.grantWrite(role);
  return new LambdaFunction(stack, shape.name, {
    role,
    functionName,
    description: shape.description,
    code: Code.fromAsset(join(bundlesFolder, shape.name)),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: shape.memory,
    timeout: shape.timeout,
    environment: {
      METRICS_NAMESPACE: metricsNamespace(settings),
      ...shape.environment,
    },
    layers: [...(shape.layers ?? [])],
    logGroup,
  });
}

/** Where CloudWatch keeps what functions and containers count: one namespace for each environment. */
export function metricsNamespace({ name }: EnvironmentSettings): string {
  return `Tollgate/${name}`;
}
