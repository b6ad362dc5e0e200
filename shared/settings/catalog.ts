import { readFileSync } from 'node:fs';
import { GatewayError } from '../api/error.ts';
import { loadCatalog } from '../catalog/load.ts';
import type { Catalog } from '../catalog/types.ts';
import { createJsonTelemetry } from '../telemetry/request-log.ts';
import { newUuidV7 } from './uuid.ts';

/** Where the catalog layer puts the compiled catalog. */
const LAYER_PATH = '/opt/catalog/catalog.json';

/** Reads the compiled catalog from `CATALOG_PATH`, by default from the layer. */
export function readCatalog(environment: NodeJS.ProcessEnv): { json: string; catalog: Catalog } {
  const path = environment.CATALOG_PATH ?? LAYER_PATH;
  let json: string;
  try {
    json = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new GatewayError('catalog_unavailable', 'The catalog is unavailable.', { cause });
  }
  return { json, catalog: loadCatalog(json) };
}

/** What the two catalog documents need of the world. */
export const catalogDocumentOptions = {
  newUuid: newUuidV7,
  now: Date.now,
  telemetry: createJsonTelemetry((line) => console.log(line)),
};
