import { GatewayError } from '../api/error.ts';
import type { Catalog } from './types.ts';

const FORMAT = 'gateway.catalog.v1';
/** How the compiler's text begins and ends; it is written whole or not at all. */
const BEGINNING = `{"version":"${FORMAT}",`;

/**
 * The compiled catalog's text, looked at by its beginning and its end alone: who only hands it on
 * has no need to parse it. Throws `catalog_unavailable` for any other text.
 */
export function checkCatalogText(json: string): string {
  if (json.startsWith(BEGINNING) && json.endsWith('}')) return json;
  throw new GatewayError('catalog_unavailable', 'The catalog is unavailable.');
}

/**
 * Reads the compiled catalog. It was validated when it was compiled, so nothing but its format is
 * looked at: this runs on every cold start. Throws `catalog_unavailable` for anything else.
 */
export function loadCatalog(json: string): Catalog {
  try {
    // The compiler is the only writer of this text, and its output type is Catalog.
    const catalog = JSON.parse(json) as Catalog;
    if (catalog.version === FORMAT) return catalog;
    throw new TypeError(`the catalog's version is not ${FORMAT}`);
  } catch (cause) {
    throw new GatewayError('catalog_unavailable', 'The catalog is unavailable.', { cause });
  }
}
