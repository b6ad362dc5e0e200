import { join } from 'node:path';
import type { Duration, Stack } from 'aws-cdk-lib';
import { Architecture, type ILayerVersion, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { EnvironmentSettings } from './settings.ts';

export const PROJECT_ROOT = join(import.meta.dirname, '../..');

/** One folder of `functions/`, and what it runs with. */
export interface FunctionShape {
  /** Folder name, for example `chat-completions`. */
  readonly name: string;
  readonly description: string;
  readonly memory: number;
  readonly timeout: Duration;
  readonly environment?: Record<string, string>;
  readonly layers?: readonly ILayerVersion[];
}

/** Bundles a handler by the project's own esbuild, and gives it a log group that forgets in time. */
export function createFunction(
  stack: Stack,
  settings: EnvironmentSettings,
  shape: FunctionShape,
): NodejsFunction {
  const functionName = `tollgate-${settings.name}-${shape.name}`;
  const logGroup = new LogGroup(stack, `${shape.name}-log`, {
    logGroupName: `/aws/lambda/${functionName}`,
    retention: settings.logRetention,
    removalPolicy: settings.removalPolicy,
  });
  return new NodejsFunction(stack, shape.name, {
    functionName,
    description: shape.description,
    entry: join(PROJECT_ROOT, 'functions', shape.name, 'handler.ts'),
    projectRoot: PROJECT_ROOT,
    depsLockFilePath: join(PROJECT_ROOT, 'package-lock.json'),
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: shape.memory,
    timeout: shape.timeout,
    environment: { NODE_OPTIONS: '--enable-source-maps', ...shape.environment },
    layers: [...(shape.layers ?? [])],
    logGroup,
    bundling: {
      format: OutputFormat.ESM,
      target: 'node24',
      minify: true,
      sourceMap: true,
      bundleAwsSDK: true,
      mainFields: ['module', 'main'],
      forceDockerBundling: false,
      // Some packages still call `require`, which an ES module does not have.
      banner:
        "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);",
    },
  });
}
