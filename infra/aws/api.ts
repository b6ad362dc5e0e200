import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  type FunctionUrl,
  FunctionUrlAuthType,
  InvokeMode,
  type Function as LambdaFunction,
  LayerVersion,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { type Data, SWEEP_TIMEOUT } from './data.ts';
import { createFunction, type Deployment } from './function.ts';

/** The longest that the service lets a request run; holds live twice as long. */
export const LONGEST_REQUEST = Duration.minutes(15);
const DOCUMENT_TIMEOUT = Duration.seconds(10);

/** What a request does to items: never a query or a scan. */
const ITEM_STATE = [
  'dynamodb:GetItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
];
/** Ledger entries are written once and never changed. */
const ITEM_APPEND = ['dynamodb:GetItem', 'dynamodb:PutItem'];

/** The functions and their stack, as the stacks in front of them and beside them take them. */
export interface Api {
  readonly stack: Stack;
  readonly functions: Readonly<Record<RouteName, ApiFunction>>;
  readonly sweep: LambdaFunction;
}

/** Folder names of the functions that answer HTTP. */
export const ROUTE_NAMES = [
  'chat-completions',
  'responses',
  'models',
  'catalog',
  'not-found',
] as const;
export type RouteName = (typeof ROUTE_NAMES)[number];

/** A function with its URL. */
export interface ApiFunction {
  readonly handler: LambdaFunction;
  readonly url: FunctionUrl;
}

interface ApiParts {
  readonly stack: Stack;
  readonly deployment: Deployment;
  readonly data: Data;
  readonly catalogLayer: LayerVersion;
}

/** The functions behind the gateway's paths, their URLs, the catalog layer and the sweep. */
export function createApiStack(deployment: Deployment, data: Data): Api {
  const stack = new Stack(deployment.app, `tollgate-${deployment.settings.name}-api`, {
    description: 'Tollgate: functions and their URLs',
  });
  const catalogLayer = createCatalogLayer(stack, deployment.layerFolder);
  const parts = { stack, deployment, data, catalogLayer };
  return {
    stack,
    functions: {
      'chat-completions': addUrl(stack, createInference(parts, 'chat-completions')),
      responses: addUrl(stack, createInference(parts, 'responses')),
      models: addUrl(stack, createDocument(parts, 'models')),
      catalog: addUrl(stack, createDocument(parts, 'catalog')),
      'not-found': addUrl(stack, createNotFound(parts)),
    },
    sweep: createSweep(parts),
  };
}

function createCatalogLayer(stack: Stack, layerFolder: string): LayerVersion {
  return new LayerVersion(stack, 'catalog-layer', {
    description: 'Compiled catalog, at /opt/catalog/catalog.json',
    code: Code.fromAsset(layerFolder),
    compatibleRuntimes: [Runtime.NODEJS_24_X],
    compatibleArchitectures: [Architecture.ARM_64],
  });
}

function createInference(
  { stack, deployment, data, catalogLayer }: ApiParts,
  name: RouteName,
): LambdaFunction {
  const handler = createFunction(stack, deployment, {
    name,
    description: `POST /v1/${name.replace('-', '/')}`,
    memory: deployment.settings.inferenceMemory,
    timeout: LONGEST_REQUEST,
    layers: [catalogLayer],
    environment: {
      ...inferenceEnvironment(deployment, data),
      ...lockEnvironment(deployment, data),
    },
  });
  grantInference(data, handler);
  grantLock(deployment, data, handler);
  return handler;
}

function createDocument(
  { stack, deployment, data, catalogLayer }: ApiParts,
  name: RouteName,
): LambdaFunction {
  const handler = createFunction(stack, deployment, {
    name,
    description: `GET /v1/${name}`,
    memory: deployment.settings.documentMemory,
    timeout: DOCUMENT_TIMEOUT,
    layers: [catalogLayer],
    environment: lockEnvironment(deployment, data),
  });
  grantLock(deployment, data, handler);
  return handler;
}

function createNotFound({ stack, deployment, data }: ApiParts): LambdaFunction {
  const handler = createFunction(stack, deployment, {
    name: 'not-found',
    description: 'Every other path: 404 in the shape of the service',
    memory: deployment.settings.documentMemory,
    timeout: DOCUMENT_TIMEOUT,
    environment: lockEnvironment(deployment, data),
  });
  grantLock(deployment, data, handler);
  return handler;
}

function createSweep({ stack, deployment, data }: ApiParts): LambdaFunction {
  const handler = createFunction(stack, deployment, {
    name: 'sweep-holds',
    description: 'Expires holds whose time is up and finishes settlements that were begun',
    memory: deployment.settings.documentMemory,
    timeout: SWEEP_TIMEOUT,
    environment: ledgerEnvironment(data),
  });
  grantSweep(data, handler);
  return handler;
}

/** What a host of the POST routes is told: names of tables, secrets and the spool. */
export function inferenceEnvironment(
  { settings: { azureUrl } }: Deployment,
  data: Data,
): Record<string, string> {
  return {
    ...ledgerEnvironment(data),
    PROVIDER_CREDENTIALS_SECRET_ARN: data.providerCredentials.secretArn,
    IDENTITY_KEY_SECRET_ARN: data.identityKey.secretArn,
    ...(azureUrl === undefined ? {} : { UPSTREAM_AZURE_URL: azureUrl }),
  };
}

/** What a host of the POST routes may do. */
export function grantInference(data: Data, grantee: IGrantable): void {
  grantTables(data, grantee);
  data.spool.grant(grantee, 'sqs:SendMessage');
  data.providerCredentials.grantRead(grantee);
  data.identityKey.grantRead(grantee);
}

/** What a host of the sweep may do. */
export function grantSweep(data: Data, grantee: IGrantable): void {
  grantTables(data, grantee);
  // Hold records are found by their minute; nothing is ever found by a scan.
  data.gateway.grant(grantee, 'dynamodb:Query');
  data.spool.grant(grantee, 'sqs:ReceiveMessage', 'sqs:DeleteMessage');
}

/** Tells a host to answer what comes through the edge alone. */
export function edgeLockEnvironment({ edgeSecret }: Data): Record<string, string> {
  return { EDGE_SECRET_ARN: edgeSecret.secretArn };
}

function lockEnvironment({ settings }: Deployment, data: Data): Record<string, string> {
  return settings.lockToEdge ? edgeLockEnvironment(data) : {};
}

function grantLock({ settings }: Deployment, data: Data, grantee: IGrantable): void {
  if (settings.lockToEdge) data.edgeSecret.grantRead(grantee);
}

function ledgerEnvironment(data: Data): Record<string, string> {
  return {
    GATEWAY_TABLE: data.gateway.tableName,
    LEDGER_TABLE: data.ledger.tableName,
    SPOOL_QUEUE_URL: data.spool.queueUrl,
  };
}

function grantTables(data: Data, grantee: IGrantable): void {
  data.gateway.grant(grantee, ...ITEM_STATE);
  data.ledger.grant(grantee, ...ITEM_APPEND);
}

/** Open to everyone: the gateway key is the lock. CORS is answered by the code, so no `Cors` here. */
function addUrl(stack: Stack, handler: LambdaFunction): ApiFunction {
  const url = handler.addFunctionUrl({
    authType: FunctionUrlAuthType.NONE,
    invokeMode: InvokeMode.RESPONSE_STREAM,
  });
  const name = handler.node.id;
  new CfnOutput(stack, `${name}-url`, { value: url.url, description: `Function URL of ${name}` });
  return { handler, url };
}
