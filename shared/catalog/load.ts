import { GatewayError } from '../api/error.ts';
import type { Catalog } from './types.ts';

const FORMAT = 'gateway.catalog.v1';

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
