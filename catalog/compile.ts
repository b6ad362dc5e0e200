import { isJsonObject } from '../shared/api/json.ts';
import type {
  Catalog,
  GatewayEndpoint,
  GatewayRoute,
  Provider,
  ProviderEndpoint,
} from '../shared/catalog/types.ts';
import { type CompiledDeployment, deploymentsOf, modelOf } from './deployments.ts';
import { CatalogSourceError, type Fault, type ReportFault } from './fault.ts';
import {
  type CatalogSources,
  type ModelEntry,
  type ProviderEntry,
  readSources,
} from './read-source.ts';
import { reportMarkerNames, slugIndex } from './slug-index.ts';
import type { GatewaySource } from './source-schema.ts';

/**
 * Compiles the catalog's sources: references resolved, deployments spelled out, slugs indexed.
 * `generatedAt` is an ISO date-time. Throws a CatalogSourceError that holds every fault found.
 */
export function compileCatalog(sources: CatalogSources, generatedAt: string): Catalog {
  const faults: Fault[] = [];
  const report: ReportFault = (fault) => faults.push(fault);
  const { gateway, providers: providerEntries, models } = readSources(sources, report);
  const entries = uniqueProviders(providerEntries, report);
  const providers = new Map([...entries].map(([id, entry]) => [id, providerOf(entry)]));
  const unique = uniqueModels(models, report);
  const compiled = unique.flatMap((entry) => deploymentsOf(entry, entries, report));
  for (const entry of unique) reportMarkerNames(entry, report);
  const slugs = slugIndex(compiled, providers, report);
  const providerEndpoints = [...entries.values()].flatMap(endpointsOf);
  const routes = gatewayEndpoints(sources.gateway.file, gateway, providerEndpoints, report);
  if (faults.length > 0 || !routes) throw new CatalogSourceError(faults);
  return {
    version: 'gateway.catalog.v1',
    generatedAt,
    graph: {
      models: byId(unique.map(modelOf)),
      deployments: byId(compiled.map(({ deployment }) => deployment)),
      providers: byId([...providers.values()]),
      providerEndpoints: byId(providerEndpoints),
      gatewayEndpoints: routes,
    },
    indexes: {
      provider_endpoint_request_slugs: slugs,
      slug_family_deployments: slugFamilies(compiled),
    },
  };
}

/** The sources' own revision, for `generatedAt`: the same sources give the same bytes. */
export function revisionOf(sources: CatalogSources): string {
  const { data } = sources.gateway;
  const revision = isJsonObject(data) ? data.revision : undefined;
  // A revision of another type is a fault that the compiler reports by its field.
  return typeof revision === 'string' ? revision : '';
}

function providerOf({ provider }: ProviderEntry): Provider {
  const { id, slug, name, family, responseHeaders, rank } = provider;
  return { id, slug, name, family, responseHeaders, rank };
}

function endpointsOf({ provider }: ProviderEntry): ProviderEndpoint[] {
  const apis = ['chat-completions', 'responses', 'messages'] as const;
  return apis.flatMap((api) => {
    const path = provider.endpoints[api];
    return path === undefined
      ? []
      : [{ id: `${provider.id}-${api}`, provider: provider.id, api, path }];
  });
}

function uniqueProviders(entries: readonly ProviderEntry[], report: ReportFault) {
  const unique = new Map<string, ProviderEntry>();
  const ranked = [...entries].sort((one, other) => one.provider.rank - other.provider.rank);
  for (const entry of ranked) {
    const { id, slug } = entry.provider;
    const first = [...unique.values()].find(({ provider }) =>
      [provider.id, provider.slug].some((name) => name === id || name === slug),
    );
    if (first) {
      const problem = `"${id}" or its slug "${slug}" is a name of ${first.file} already`;
      report({ file: entry.file, field: 'id', problem });
    } else unique.set(id, entry);
  }
  return unique;
}

function uniqueModels(entries: readonly ModelEntry[], report: ReportFault): ModelEntry[] {
  const unique = new Map<string, ModelEntry>();
  for (const entry of entries) {
    const first = unique.get(entry.model.id);
    if (first) {
      const problem = `"${entry.model.id}" is the ID of ${first.file}, ${first.field} already`;
      report({ file: entry.file, field: `${entry.field}.id`, problem });
    } else unique.set(entry.model.id, entry);
  }
  return [...unique.values()];
}

/** Both routes with their provider endpoints in the order of the sources, which is the order tried. */
function gatewayEndpoints(
  file: string,
  gateway: GatewaySource | undefined,
  providerEndpoints: readonly ProviderEndpoint[],
  report: ReportFault,
): Record<GatewayRoute, GatewayEndpoint> | undefined {
  if (!gateway) return undefined;
  const known = new Set(providerEndpoints.map(({ id }) => id));
  for (const [index, endpoint] of gateway.endpoints.entries()) {
    for (const [position, id] of endpoint.providerEndpoints.entries()) {
      if (known.has(id)) continue;
      const field = `endpoints[${index}].providerEndpoints[${position}]`;
      report({ file, field, problem: `no provider endpoint "${id}"` });
    }
  }
  const find = (route: GatewayRoute) => {
    const endpoint = gateway.endpoints.find(({ id }) => id === route);
    if (!endpoint) report({ file, field: 'endpoints', problem: `no endpoint "${route}"` });
    return endpoint;
  };
  const [chatCompletions, responses] = [find('chat-completions'), find('responses')];
  return chatCompletions && responses && { 'chat-completions': chatCompletions, responses };
}

function slugFamilies(compiled: readonly CompiledDeployment[]): Record<string, string[]> {
  const families = Map.groupBy(
    compiled.map(({ deployment }) => deployment),
    ({ provider, slugFamily }) => `${provider}:${slugFamily}`,
  );
  return Object.fromEntries(
    [...families].map(([family, deployments]) => [family, deployments.map(({ id }) => id)]),
  );
}

function byId<Item extends { readonly id: string }>(items: readonly Item[]): Record<string, Item> {
  return Object.fromEntries(items.map((item) => [item.id, item]));
}
