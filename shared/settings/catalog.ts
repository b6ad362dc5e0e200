import { readFileSync } from 'node:fs';
import { GatewayError } from '../api/error.ts';
import { checkCatalogText, loadCatalog } from '../catalog/load.ts';
import type { Catalog } from '../catalog/types.ts';
import { readMetricsTarget } from '../telemetry/embedded-metrics.ts';
import { writeLogLine } from '../telemetry/log-lines.ts';
import { createJsonTelemetry } from '../telemetry/request-log.ts';
import { openEdgeLock } from './edge-lock.ts';
import type { Environment } from './environment.ts';
import { newUuidV7 } from './uuid.ts';

/** Where the catalog layer puts the compiled catalog. */
const LAYER_PATH = '/opt/catalog/catalog.json';

/** The compiled catalog of `CATALOG_PATH`, by default of the layer. Throws `catalog_unavailable`. */
export function readCatalog(environment: Environment): Catalog {
  return loadCatalog(readText(environment));
}

/** The same as the JSON text that it is. */
export function readCatalogText(environment: Environment): string {
  return checkCatalogText(readText(environment));
}

function readText(environment: Environment): string {
  try {
    return readFileSync(environment.CATALOG_PATH ?? LAYER_PATH, 'utf8');
  } catch (cause) {
    throw new GatewayError('catalog_unavailable', 'The catalog is unavailable.', { cause });
  }
}

/** What the two catalog documents need of the world. */
export function catalogDocumentOptions(environment: Environment) {
  const target = readMetricsTarget(environment);
  const telemetry = createJsonTelemetry(writeLogLine, target);
  return {
    newUuid: newUuidV7,
    now: Date.now,
    telemetry,
    edgeLock: openEdgeLock(environment, telemetry),
  };
}
