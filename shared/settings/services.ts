import { GatewayError } from '../api/error.ts';
import type { Services } from '../gateway/services.ts';
import { createDynamoDbClient, createDynamoDbSend } from '../ledger/dynamodb.ts';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import type { ChargeSpool } from '../ledger/spool.ts';
import { createFileSpool } from '../ledger/spool-file.ts';
import { LOCAL_TABLES, type TableNames } from '../ledger/tables.ts';
import { readMetricsTarget } from '../telemetry/embedded-metrics.ts';
import { writeLogLine } from '../telemetry/log-lines.ts';
import { createJsonTelemetry } from '../telemetry/request-log.ts';
import { createSender } from '../upstream/send.ts';
import { UPSTREAM_DEADLINES, type UpstreamDeadlines } from '../upstream/settings.ts';
import { readCatalog } from './catalog.ts';
import type { Environment } from './environment.ts';
import { openIdentity } from './identity.ts';
import { openUpstreams } from './upstreams.ts';
import { newUuidV7 } from './uuid.ts';

/**
 * Everything that a POST route needs of the world, from the environment's settings. Secrets begin
 * to be read; their first request awaits them.
 */
export function createServices(environment: Environment): Services {
  const metrics = readMetricsTarget(environment);
  const telemetry = createJsonTelemetry(writeLogLine, metrics);
  const onRenewalFailure = (error: unknown) => telemetry.fault('secret_renewal_failed', error);
  const upstreams = openUpstreams(environment, onRenewalFailure);
  const identityOf = openIdentity(environment, onRenewalFailure);
  return {
    catalog: readCatalog(environment),
    ledger: connectLedger(environment),
    send: createSender(upstreams, readDeadlines(environment)),
    providers: async () => new Set(Object.keys(await readable(upstreams.current()))),
    identityOf: (keyId) => readable(identityOf(keyId)),
    telemetry,
    now: Date.now,
    newUuid: newUuidV7,
  };
}

/** A secret that cannot be read is ours to explain, in the log alone; the next request reads again. */
async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    throw new GatewayError('gateway', 'The service is not ready. Please try again.', { cause });
  }
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
