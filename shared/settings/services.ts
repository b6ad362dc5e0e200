import { readFileSync } from 'node:fs';
import type { ProviderId } from '../catalog/types.ts';
import { createIdentity } from '../gateway/identity.ts';
import type { Services } from '../gateway/services.ts';
import { createDynamoDbClient, createDynamoDbSend } from '../ledger/dynamodb.ts';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import type { ChargeSpool } from '../ledger/spool.ts';
import { createFileSpool } from '../ledger/spool-file.ts';
import { LOCAL_TABLES, type TableNames } from '../ledger/tables.ts';
import { createJsonTelemetry } from '../telemetry/request-log.ts';
import { createSender } from '../upstream/send.ts';
import {
  UPSTREAM_DEADLINES,
  type UpstreamDeadlines,
  type UpstreamSettings,
  type Upstreams,
} from '../upstream/settings.ts';
import { readCatalog } from './catalog.ts';
import { newUuidV7 } from './uuid.ts';

type Environment = NodeJS.ProcessEnv;

/** Everything that a POST route needs of the world, from the environment's settings. */
export function createServices(environment: Environment): Services {
  return {
    catalog: readCatalog(environment).catalog,
    ledger: connectLedger(environment),
    send: createSender(readUpstreams(environment), readDeadlines(environment)),
    identityOf: createIdentity(readFileSync(required(environment, 'IDENTITY_KEY_FILE'), 'utf8')),
    telemetry: createJsonTelemetry((line) => console.log(line)),
    now: Date.now,
    newUuid: newUuidV7,
  };
}

/** The ledger of this environment, on AWS or on the database at `DYNAMODB_ENDPOINT`. */
export function connectLedger(environment: Environment): Ledger {
  const endpoint = environment.DYNAMODB_ENDPOINT;
  const spool = readSpool(environment);
  return createLedger({
    send: createDynamoDbSend(createDynamoDbClient(endpoint === undefined ? {} : { endpoint })),
    tables: readTables(environment),
    ...(spool === undefined ? {} : { spool }),
  });
}

/** The queue at `SPOOL_QUEUE_URL`, else the folder `SPOOL_FOLDER`, else no spool. */
function readSpool(environment: Environment): ChargeSpool | undefined {
  const { SPOOL_QUEUE_URL: queueUrl, SPOOL_FOLDER: folder } = environment;
  if (queueUrl !== undefined) return queueSpoolOnFirstUse(queueUrl);
  return folder === undefined ? undefined : createFileSpool(folder);
}

/** Loads the queue's client when a charge first needs it: no cold start pays for it. */
function queueSpoolOnFirstUse(queueUrl: string): ChargeSpool {
  let opened: Promise<ChargeSpool> | undefined;
  const open = () => {
    opened ??= import('../ledger/spool-queue.ts').then((queue) =>
      queue.createQueueSpool({ queueUrl }),
    );
    return opened;
  };
  return {
    add: async (charge) => (await open()).add(charge),
    drain: async (handle) => (await open()).drain(handle),
  };
}

function readTables(environment: Environment): TableNames {
  return {
    gateway: environment.GATEWAY_TABLE ?? LOCAL_TABLES.gateway,
    ledger: environment.LEDGER_TABLE ?? LOCAL_TABLES.ledger,
  };
}

const DEFAULT_URLS: Readonly<Record<ProviderId, string | undefined>> = {
  openai: 'https://api.openai.com/v1',
  // Every Azure resource has its own address.
  azure: undefined,
  anthropic: 'https://api.anthropic.com/v1',
};

function readUpstreams(environment: Environment): Upstreams {
  return {
    openai: readUpstream(environment, 'openai'),
    azure: readUpstream(environment, 'azure'),
    anthropic: readUpstream(environment, 'anthropic'),
  };
}

function readUpstream(environment: Environment, provider: ProviderId): UpstreamSettings {
  const name = `UPSTREAM_${provider.toUpperCase()}`;
  const url =
    environment[`${name}_URL`] ?? DEFAULT_URLS[provider] ?? required(environment, `${name}_URL`);
  return { url: url.replace(/\/+$/, ''), credential: environment[`${name}_KEY`] };
}

/** The deadlines, but for what `UPSTREAM_FIRST_BYTE_MS` and `UPSTREAM_STALL_MS` shorten or lengthen. */
function readDeadlines(environment: Environment): UpstreamDeadlines {
  const { firstByteMs, stallMs } = UPSTREAM_DEADLINES;
  return {
    ...UPSTREAM_DEADLINES,
    firstByteMs: readMilliseconds(environment, 'UPSTREAM_FIRST_BYTE_MS') ?? firstByteMs,
    stallMs: readMilliseconds(environment, 'UPSTREAM_STALL_MS') ?? stallMs,
  };
}

function readMilliseconds(environment: Environment, name: string): number | undefined {
  const text = environment[name];
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`The setting ${name} must be a whole number of milliseconds above 0.`);
}

function required(environment: Environment, name: string): string {
  const value = environment[name];
  if (value === undefined || value === '') throw new Error(`The setting ${name} is missing.`);
  return value;
}
