import { buildCatalog } from '../../catalog/write.ts';
import type { Deployment } from '../../shared/catalog/types.ts';

const { deployments } = buildCatalog().graph;

/**
 * A deployment of the project's own catalog, with the changes that the case at hand is about.
 * Throws where the catalog has none of that ID.
 */
export function catalogDeployment(id: string, changes: Partial<Deployment> = {}): Deployment {
  const found = deployments[id];
  if (!found) throw new Error(`the catalog has no deployment ${id}`);
  return { ...found, ...changes };
}
