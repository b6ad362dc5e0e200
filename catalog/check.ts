import { CatalogSourceError } from './fault.ts';
import { buildCatalog } from './write.ts';

/** `npm run catalog:check`: one summary line, or one line for each fault and exit 1. */
function check(): void {
  const { graph, indexes } = buildCatalog();
  const count = (items: object) => Object.keys(items).length;
  console.log(
    `catalog: ${count(graph.models)} models, ${count(graph.deployments)} deployments, ${count(graph.providers)} providers, ${count(indexes.provider_endpoint_request_slugs)} slugs, no faults`,
  );
}

try {
  check();
} catch (error) {
  if (!(error instanceof CatalogSourceError)) throw error;
  for (const line of error.lines) console.error(line);
  process.exitCode = 1;
}
