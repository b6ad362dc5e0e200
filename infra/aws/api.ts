import { type App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import {
  Architecture,
  Code,
  FunctionUrlAuthType,
  type IFunction,
  InvokeMode,
  LayerVersion,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { Schedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { createFunction } from './bundle.ts';
import { type Data, SWEEP_TIMEOUT } from './data.ts';
import type { EnvironmentSettings } from './settings.ts';

/** The longest that the service lets a request run; holds live twice as long. */
const LONGEST_REQUEST = Duration.minutes(15);
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

interface Api {
  readonly stack: Stack;
  readonly settings: EnvironmentSettings;
  readonly data: Data;
  readonly catalogLayer: LayerVersion;
}

export interface ApiInput {
  readonly settings: EnvironmentSettings;
  readonly data: Data;
  /** Folder that holds `catalog/catalog.json`, the compiled catalog. */
  readonly layerFolder: string;
}

/** The functions behind the gateway's paths, their URLs, the catalog layer and the sweep. */
export function createApiStack(app: App, { settings, data, layerFolder }: ApiInput): Stack {
  const stack = new Stack(app, `tollgate-${settings.name}-api`, {
    description: 'Tollgate: functions and their URLs',
  });
  const api = { stack, settings, data, catalogLayer: createCatalogLayer(stack, layerFolder) };
  addUrl(stack, 'chat-completions', createInference(api, 'chat-completions'));
  addUrl(stack, 'responses', createInference(api, 'responses'));
  addUrl(stack, 'models', createDocument(api, 'models'));
  addUrl(stack, 'catalog', createDocument(api, 'catalog'));
  addUrl(stack, 'not-found', createNotFound(api));
  createSweep(api);
  return stack;
}

function createCatalogLayer(stack: Stack, layerFolder: string): LayerVersion {
  return new LayerVersion(stack, 'catalog-layer', {
    description: 'Compiled catalog, at /opt/catalog/catalog.json',
    code: Code.fromAsset(layerFolder),
    compatibleRuntimes: [Runtime.NODEJS_24_X],
    compatibleArchitectures: [Architecture.ARM_64],
  });
}

function createInference({ stack, settings, data, catalogLayer }: Api, name: string): IFunction {
  const handler = createFunction(stack, settings, {
    name,
    description: `POST /v1/${name.replace('-', '/')}`,
    memory: settings.inferenceMemory,
    timeout: LONGEST_REQUEST,
    layers: [catalogLayer],
    environment: {
      ...ledgerEnvironment(data),
      PROVIDER_CREDENTIALS_SECRET_ARN: data.providerCredentials.secretArn,
      IDENTITY_KEY_SECRET_ARN: data.identityKey.secretArn,
      UPSTREAM_AZURE_URL: settings.azureUrl,
    },
  });
  grantTables(data, handler);
  data.spool.grant(handler, 'sqs:SendMessage');
  data.providerCredentials.grantRead(handler);
  data.identityKey.grantRead(handler);
  return handler;
}

function createDocument({ stack, settings, catalogLayer }: Api, name: string): IFunction {
  return createFunction(stack, settings, {
    name,
    description: `GET /v1/${name}`,
    memory: settings.documentMemory,
    timeout: DOCUMENT_TIMEOUT,
    layers: [catalogLayer],
  });
}

function createNotFound({ stack, settings }: Api): IFunction {
  return createFunction(stack, settings, {
    name: 'not-found',
    description: 'Every other path: 404 in the shape of the service',
    memory: settings.documentMemory,
    timeout: DOCUMENT_TIMEOUT,
  });
}

function createSweep({ stack, settings, data }: Api): void {
  const handler = createFunction(stack, settings, {
    name: 'sweep-holds',
    description: 'Expires holds whose time is up and finishes settlements that were begun',
    memory: settings.documentMemory,
    timeout: SWEEP_TIMEOUT,
    environment: ledgerEnvironment(data),
  });
  grantTables(data, handler);
  // Hold records are found by their minute; nothing is ever found by a scan.
  data.gateway.grant(handler, 'dynamodb:Query');
  data.spool.grant(handler, 'sqs:ReceiveMessage', 'sqs:DeleteMessage');
  new Schedule(stack, 'sweep-holds-schedule', {
    schedule: ScheduleExpression.rate(Duration.minutes(1)),
    description: 'Sweeps holds every minute',
    // A sweep that failed is made up for by the next one.
    target: new LambdaInvoke(handler, { retryAttempts: 0 }),
  });
}

function ledgerEnvironment(data: Data): Record<string, string> {
  return {
    GATEWAY_TABLE: data.gateway.tableName,
    LEDGER_TABLE: data.ledger.tableName,
    SPOOL_QUEUE_URL: data.spool.queueUrl,
  };
}

function grantTables(data: Data, handler: IFunction): void {
  data.gateway.grant(handler, ...ITEM_STATE);
  data.ledger.grant(handler, ...ITEM_APPEND);
}

/** Open to everyone: the gateway key is the lock. CORS is answered by the code, so no `Cors` here. */
function addUrl(stack: Stack, name: string, handler: IFunction): void {
  const { url } = handler.addFunctionUrl({
    authType: FunctionUrlAuthType.NONE,
    invokeMode: InvokeMode.RESPONSE_STREAM,
  });
  new CfnOutput(stack, `${name}-url`, { value: url, description: `Function URL of ${name}` });
}
