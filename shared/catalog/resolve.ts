import { GatewayError, invalidRequest } from '../api/error.ts';
import { quoted } from '../api/quoted.ts';
import { applyPreference } from './preference.ts';
import { isRetired } from './public.ts';
import { selectSibling, type VariantFields } from './sibling.ts';
import type { Catalog, Deployment, GatewayRoute } from './types.ts';

/** Provider routing preference of a request (2.3); names are provider IDs or slugs in any case. */
export type RoutingPreference =
  | string
  | {
      readonly only?: readonly string[] | undefined;
      readonly order?: readonly string[] | undefined;
    };

/** What a request says about where it wants to be served, in the request's own words. */
export interface ModelRequest extends VariantFields {
  readonly model: string;
  readonly route: GatewayRoute;
  readonly preference?: RoutingPreference | undefined;
  /** The field that carried the preference; `provider` unless said. */
  readonly preferenceField?: 'provider' | 'rules' | undefined;
  /** ISO date: a model retired on it or before is refused. */
  readonly today: string;
}

/** The deployment to use, then its fallbacks: same model, tier, speed and region elsewhere. */
export type Candidates = readonly [Deployment, ...Deployment[]];

/**
 * Finds the deployments that may serve a request, best first (2.3, 2.4). Throws a 400 that names
 * the field at fault: an unknown or retired model, one that the route or the preferred providers do
 * not offer, a tier, speed or region without a sibling, a slug's marker that contradicts a field.
 */
export function resolveModel(catalog: Catalog, request: ModelRequest): Candidates {
  const named = deploymentsNamed(catalog, request.route, request.model);
  if (named.length === 0) throw notOffered(catalog, request);
  const serving = named.filter((deployment) => !isRetired(deployment, request.today));
  if (serving.length === 0) throw retired(request.model, named);
  return firstSelected(catalog, preferred(catalog, serving, request), request);
}

function deploymentsNamed(catalog: Catalog, route: GatewayRoute, slug: string): Deployment[] {
  const { graph, indexes } = catalog;
  return graph.gatewayEndpoints[route].providerEndpoints.flatMap((endpoint) => {
    const id = indexes.provider_endpoint_request_slugs[`${endpoint}:${slug}`];
    return (id !== undefined && graph.deployments[id]) || [];
  });
}

function preferred(catalog: Catalog, serving: Deployment[], request: ModelRequest): Deployment[] {
  const { preference, preferenceField = 'provider' } = request;
  if (preference === undefined) return serving;
  const named = typeof preference === 'string';
  const left = applyPreference(catalog.graph.providers, serving, {
    only: named ? [preference] : preference.only,
    onlyField: named ? preferenceField : `${preferenceField}.only`,
    order: named ? undefined : preference.order,
    orderField: `${preferenceField}.order`,
  });
  if (left.length > 0) return left;
  const offering = serving.map(({ provider }) => provider).join(', ');
  throw invalidRequest(
    `${preferenceField}: model ${quoted(request.model)} is offered by ${offering} alone on this route; allow one of them.`,
  );
}

/** A provider without the wanted sibling drops out; when all do, the first one's reason is told. */
function firstSelected(
  catalog: Catalog,
  deployments: readonly Deployment[],
  request: ModelRequest,
): Candidates {
  const candidates: Deployment[] = [];
  const refusals: GatewayError[] = [];
  for (const deployment of deployments) {
    const selected = selectSibling(catalog, deployment, request);
    if (selected instanceof GatewayError) refusals.push(selected);
    else if (isOffered(catalog, selected, request)) candidates.push(selected);
  }
  const [first, ...fallbacks] = candidates;
  if (first) return [first, ...fallbacks];
  throw refusals[0] ?? notOffered(catalog, request);
}

/** A sibling of a deployment that serves may itself be retired, or offered on fewer APIs. */
function isOffered(catalog: Catalog, deployment: Deployment, request: ModelRequest): boolean {
  const { gatewayEndpoints, providerEndpoints } = catalog.graph;
  const onRoute = gatewayEndpoints[request.route].providerEndpoints.some((id) => {
    const endpoint = providerEndpoints[id];
    return endpoint?.provider === deployment.provider && deployment.routes.includes(endpoint.api);
  });
  return onRoute && !isRetired(deployment, request.today);
}

function notOffered(catalog: Catalog, { model, route }: ModelRequest): GatewayError {
  const elsewhere = Object.values(catalog.graph.gatewayEndpoints).find(
    ({ id }) => id !== route && deploymentsNamed(catalog, id, model).length > 0,
  );
  if (elsewhere) {
    return invalidRequest(
      `model: ${quoted(model)} is not offered on this route; send it to POST ${elsewhere.path}.`,
    );
  }
  const unqualified = model.slice(model.lastIndexOf('/') + 1);
  const offering = unqualified === model ? [] : deploymentsNamed(catalog, route, unqualified);
  if (offering.length === 0) return unknownModel(model);
  const providers = offering.map(({ provider }) => provider).join(', ');
  return invalidRequest(
    `model: ${quoted(unqualified)} is offered by ${providers} alone; change the prefix of ${quoted(model)} or leave it out.`,
  );
}

function unknownModel(model: string): GatewayError {
  return invalidRequest(
    `model: ${quoted(model)} is unknown; use an identifier that GET /v1/models lists.`,
  );
}

function retired(model: string, named: readonly Deployment[]): GatewayError {
  const date = named.map(({ retiredOn }) => retiredOn).join(', ');
  return invalidRequest(
    `model: ${quoted(model)} was retired on ${date}; use an identifier that GET /v1/models lists.`,
  );
}
