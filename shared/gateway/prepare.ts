import { GatewayError } from '../api/error.ts';
import { impliedServiceTier } from '../catalog/markers.ts';
import { type Candidates, resolveModel } from '../catalog/resolve.ts';
import type { Catalog, Deployment } from '../catalog/types.ts';
import { estimateHold, type HoldEstimate } from '../pricing/estimate.ts';
import type { HostedToolPlan } from '../pricing/hold-plan.ts';
import type { UpstreamRequest } from '../providers/contract.ts';
import type { CommonRequest, RouteAdapter } from './route-adapter.ts';

/** One deployment that can serve the request, with the complete upstream request for it. */
export interface Candidate {
  readonly deployment: Deployment;
  readonly upstream: UpstreamRequest;
  readonly plan: HostedToolPlan;
  readonly estimate: HoldEstimate;
}

/** A request that can be sent: nothing of it is left to refuse but by the key and the balance. */
export interface PreparedCall<Request extends CommonRequest> {
  readonly request: Request;
  /** In the order in which they are tried. */
  readonly candidates: readonly [Candidate, ...Candidate[]];
}

export interface PrepareInput {
  readonly catalog: Catalog;
  readonly body: unknown;
  /** IDs of the providers that can be called. */
  readonly providers: ReadonlySet<string>;
  readonly identity: string;
  /** ISO date. */
  readonly today: string;
}

/** Parses, resolves, checks, translates and prices: everything that can be refused with a 400. */
export function prepareCall<Request extends CommonRequest>(
  adapter: RouteAdapter<Request>,
  input: PrepareInput,
): PreparedCall<Request> {
  const parsed = adapter.parse(input.body);
  const offered = resolveModel(input.catalog, {
    model: parsed.model,
    route: adapter.route,
    preference: parsed.provider ?? parsed.rules,
    preferenceField: parsed.rules === undefined ? 'provider' : 'rules',
    serviceTier: parsed.service_tier,
    speed: parsed.speed,
    inferenceGeo: parsed.inference_geo,
    today: input.today,
  });
  const [first, ...others] = callable(offered, input.providers);
  const request = first.family === 'anthropic' ? withImpliedTier(parsed) : parsed;
  const preferred = prepareCandidate(adapter, request, first, input.identity);
  const fallbacks = others.flatMap((deployment) =>
    tryCandidate(adapter, request, deployment, input.identity),
  );
  return { request, candidates: [preferred, ...fallbacks] };
}

/** A provider that this gateway has no credential for is no candidate: no hold, and no failure of its own. */
function callable(offered: Candidates, providers: ReadonlySet<string>): Candidates {
  const [first, ...others] = offered.filter(({ provider }) => providers.has(provider));
  if (first) return [first, ...others];
  const names = offered.map(({ provider }) => provider).join(', ');
  throw new GatewayError(
    'gateway',
    `model: this gateway is not set up for ${names}, which alone may serve the request. Choose another model, or tell the gateway's operator.`,
  );
}

/** A slug's tier marker says what the field would (1.2); on the OpenAI family it names a deployment. */
function withImpliedTier<Request extends CommonRequest>(request: Request): Request {
  const implied = impliedServiceTier(request.model);
  if (implied === undefined || request.service_tier !== undefined) return request;
  return { ...request, service_tier: implied };
}

function prepareCandidate<Request extends CommonRequest>(
  adapter: RouteAdapter<Request>,
  request: Request,
  deployment: Deployment,
  identity: string,
): Candidate {
  adapter.check(request, deployment);
  const upstream = adapter.families[deployment.family].translate(request, { deployment, identity });
  const plan = adapter.planHostedTools(request, deployment);
  const estimate = estimateHold({
    deployment,
    request: upstream,
    outputCapTokens: adapter.outputCap(request),
    plan,
  });
  return { deployment, upstream, plan, estimate };
}

/** A fallback that cannot take the request, or has no price for what is asked, is none. */
function tryCandidate<Request extends CommonRequest>(
  adapter: RouteAdapter<Request>,
  request: Request,
  deployment: Deployment,
  identity: string,
): Candidate[] {
  try {
    return [prepareCandidate(adapter, request, deployment, identity)];
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_request') return [];
    throw error;
  }
}

/** The hold in nano-dollars: the dearest of the candidates, so that it covers whichever serves. */
export function holdOf(candidates: readonly Candidate[]): bigint {
  return candidates.reduce(
    (dearest, { estimate }) => (estimate.amount > dearest ? estimate.amount : dearest),
    0n,
  );
}
