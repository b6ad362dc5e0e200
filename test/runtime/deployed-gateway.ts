import { join } from 'node:path';
import { prepareDatabase } from '../../infra/local/database.ts';
import { ensureDemoKey } from '../../infra/local/demo-account.ts';
import { readLocalSettings } from '../../infra/local/settings.ts';
import { LOCAL_TABLES, tableNames } from '../../shared/ledger/tables.ts';
import { type QueueServer, startQueueServer } from '../support/queue-server.ts';
import { type SecretsServer, secretArn, startSecretsServer } from '../support/secrets-server.ts';
import {
  ASSEMBLY_ENVIRONMENT,
  type DeployedFunction,
  readDeployedFunctions,
  type StandIn,
} from './assembly.ts';
import type { EnvironmentOptions } from './environment.ts';
import { type FunctionUrl, startFunctionUrl } from './function-url.ts';

/** The gateway as `cdk deploy` would make it, with stand-ins on the loopback in place of AWS. */
export interface DeployedGateway extends FunctionUrl {
  readonly databaseEndpoint: string;
  /** Of the demo account. */
  readonly apiKey: string;
  readonly queue: QueueServer;
  readonly secrets: SecretsServer;
}

export interface DeployedGatewayOptions {
  /**
   * As `npm start` takes it: `DATA_DIR`, `DYNAMODB_PORT`, addresses and credentials of providers. A
   * credential becomes part of the secret; the functions see none in their variables.
   */
  readonly environment: NodeJS.ProcessEnv;
  /** Told what the functions log, as they do. */
  readonly log?: (text: string) => void;
  /** How many environments a function may have at once; default 4. */
  readonly environments?: number;
  /** Environments are stopped between their invocations. */
  readonly frozenWhenIdle?: boolean;
}

const TABLE_ARN = 'arn:aws:dynamodb:us-east-1:000000000000:table/';
const PROVIDERS = ['openai', 'azure', 'anthropic'] as const;

/** The behaviours of the edge; every other path is the default one. */
const FUNCTIONS_BY_PATH: Readonly<Record<string, string>> = {
  '/v1/chat/completions': 'chat-completions',
  '/v1/responses': 'responses',
  '/v1/models': 'models',
  '/v1/catalog': 'catalog',
};

/** Starts the assembly's functions in front of stand-ins for everything that they use. */
export async function startDeployedGateway(
  options: DeployedGatewayOptions,
): Promise<DeployedGateway> {
  const settings = readLocalSettings(options.environment);
  const [database, queue, secrets] = await Promise.all([
    prepareDatabase(settings),
    startQueueServer(),
    startSecretsServer(),
  ]);
  const standIns = {
    ...secrets.environment,
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
    ...upstreamVariables(options.environment),
  };
  const functions: Record<string, EnvironmentOptions> = {};
  for (const deployed of readDeployedFunctions(fillSecrets(options, secrets, queue))) {
    functions[deployed.name] = environmentOf(deployed, standIns, options);
  }
  const functionUrl = await startFunctionUrl({
    functions,
    functionFor: (path) => FUNCTIONS_BY_PATH[path] ?? 'not-found',
    environments: options.environments ?? 4,
  });
  return {
    ...functionUrl,
    databaseEndpoint: database.endpoint,
    apiKey: await ensureDemoKey(database.context, settings.dataFolder),
    queue,
    secrets,
    stop: async () => {
      await functionUrl.stop();
      await Promise.all([queue.close(), secrets.close(), database.stop()]);
    },
  };
}

/** Addresses and deadlines, never credentials: the variables that an operator may add. */
function upstreamVariables(environment: NodeJS.ProcessEnv): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value && /^UPSTREAM_.*(?<!_KEY)$/.test(name)) variables[name] = value;
  }
  return variables;
}

function environmentOf(
  { bundleFolder, timeoutMs, environment, layerFolders }: DeployedFunction,
  standIns: Readonly<Record<string, string>>,
  { frozenWhenIdle = false, log = () => undefined }: DeployedGatewayOptions,
): EnvironmentOptions {
  const [layer] = layerFolders;
  return {
    bundleFolder,
    timeoutMs,
    frozenWhenIdle,
    log,
    environment: {
      ...environment,
      // `/opt` belongs to the machine; a function without the layer finds no catalog anywhere.
      ...(layer === undefined ? {} : { CATALOG_PATH: join(layer, 'catalog/catalog.json') }),
      ...standIns,
    },
  };
}

/** Fills the secrets that the templates name, and tells the values of the templates' references. */
function fillSecrets(
  { environment }: DeployedGatewayOptions,
  secrets: SecretsServer,
  queue: QueueServer,
): StandIn {
  const credentials = Object.fromEntries(
    PROVIDERS.map((provider) => [provider, environment[`UPSTREAM_${provider.toUpperCase()}_KEY`]]),
  );
  const texts: Readonly<Record<string, string>> = {
    'provider-credentials': JSON.stringify(credentials),
    'identity-key': 'identity-key-of-sixty-four-characters',
  };
  return ({ Type, Properties }, attribute) => {
    switch (attribute === undefined ? Type : `${Type}.${attribute}`) {
      case 'AWS::SQS::Queue':
        return queue.queueUrl;
      case 'AWS::DynamoDB::GlobalTable':
        return localTable(Properties.TableName);
      case 'AWS::DynamoDB::GlobalTable.Arn':
        return `${TABLE_ARN}${localTable(Properties.TableName)}`;
      case 'AWS::S3::Bucket':
        return 'tollgate-exports';
      case 'AWS::SecretsManager::Secret': {
        const arn = secretArn(Properties.Name);
        secrets.put(arn, texts[String(Properties.Name).split('/').at(-1) ?? '']);
        return arn;
      }
      default:
        throw new Error(`nothing stands in for ${attribute ?? 'the name'} of a ${Type}`);
    }
  };
}

/** The tests keep their books in the tables of the local gateway. */
function localTable(name: string): string {
  const { gateway, ledger } = tableNames(ASSEMBLY_ENVIRONMENT);
  const table = { [gateway]: LOCAL_TABLES.gateway, [ledger]: LOCAL_TABLES.ledger }[name];
  if (table === undefined) throw new Error(`no function has a table ${name}`);
  return table;
}
