import { type GatewayError, invalidRequest } from '../api/error.ts';
import { quoted } from '../api/quoted.ts';
import { impliedServiceTier, markerClaims, readMarkers } from './markers.ts';
import type { Catalog, Deployment, Family } from './types.ts';
import { sameVariant, type Variant, variantOf } from './variant.ts';

/** The request's fields that choose among siblings, as the client wrote them. */
export interface VariantFields {
  readonly model: string;
  readonly serviceTier?: string | undefined;
  readonly speed?: string | undefined;
  readonly inferenceGeo?: string | undefined;
}

type Dimension = keyof Variant;
type Claim = Partial<Variant>;

/** Values of each field that a family takes, and what each says of the variant (2.4). */
const FIELD_CLAIMS: Readonly<Record<Family, Record<Dimension, Readonly<Record<string, Claim>>>>> = {
  openai: {
    serviceTier: {
      auto: { serviceTier: 'default' },
      default: { serviceTier: 'default' },
      flex: { serviceTier: 'flex' },
      priority: { serviceTier: 'priority' },
    },
    speed: {},
    inferenceGeo: {},
  },
  // All six tiers run on the same deployment at its standard price.
  anthropic: {
    serviceTier: {
      auto: {},
      default: {},
      flex: {},
      priority: {},
      standard: {},
      standard_only: {},
    },
    speed: { standard: { speed: 'standard' }, fast: { speed: 'fast' } },
    inferenceGeo: { global: { inferenceGeo: 'global' }, us: { inferenceGeo: 'us' } },
  },
};

const FIELD_NAMES: Readonly<Record<Dimension, string>> = {
  serviceTier: 'service_tier',
  speed: 'speed',
  inferenceGeo: 'inference_geo',
};
const DIMENSIONS = ['serviceTier', 'speed', 'inferenceGeo'] as const;

/**
 * The sibling of a deployment that the request's fields ask for, itself where they ask for nothing.
 * Returns a 400 where a field has a value that the family does not take, contradicts a marker of
 * the slug, or asks for a sibling that the provider does not have.
 */
export function selectSibling(
  catalog: Catalog,
  deployment: Deployment,
  fields: VariantFields,
): Deployment | GatewayError {
  const siblings = siblingsOf(catalog, deployment);
  let wanted = variantOf(deployment);
  for (const dimension of DIMENSIONS) {
    const value = fields[dimension];
    if (value === undefined) continue;
    const claim = claimOf(deployment.family, dimension, value);
    if (!claim) return notTaken(deployment, dimension, value);
    if (contradictsMarker(deployment, dimension, fields)) {
      return contradiction(fields.model, dimension, value);
    }
    wanted = { ...wanted, ...claim };
    if (!siblings.some((sibling) => meets(sibling, claim))) {
      return noSibling(deployment, dimension, value);
    }
  }
  return (
    siblings.find((sibling) => sameVariant(variantOf(sibling), wanted)) ??
    noSuchCombination(deployment, fields)
  );
}

/** Every deployment of the same slug family at the same provider, itself included. */
export function siblingsOf(catalog: Catalog, { provider, slugFamily }: Deployment): Deployment[] {
  const ids = catalog.indexes.slug_family_deployments[`${provider}:${slugFamily}`] ?? [];
  return ids.flatMap((id) => catalog.graph.deployments[id] ?? []);
}

function claimOf(family: Family, dimension: Dimension, value: string): Claim | undefined {
  const claims = FIELD_CLAIMS[family][dimension];
  return Object.hasOwn(claims, value) ? claims[value] : undefined;
}

function meets(sibling: Deployment, claim: Claim): boolean {
  // A region is sent upstream as selected, so a model that takes none has no global sibling either.
  if (claim.inferenceGeo) return sibling.upstream.inferenceGeo === claim.inferenceGeo;
  return sameVariant({ ...variantOf(sibling), ...claim }, variantOf(sibling));
}

/** Whether a marker of the slug says something else of this dimension than the field does. */
function contradictsMarker(
  deployment: Deployment,
  dimension: Dimension,
  fields: VariantFields,
): boolean {
  const { family } = deployment;
  const value = fields[dimension] ?? '';
  const tier = impliedServiceTier(fields.model);
  if (family === 'anthropic' && dimension === 'serviceTier') {
    return tier !== undefined && tier !== value;
  }
  const wanted = claimOf(family, dimension, value)?.[dimension];
  return readMarkers(fields.model).some((marker) => {
    const claimed = markerClaims(family, marker)?.[dimension];
    return claimed !== undefined && claimed !== wanted;
  });
}

function notTaken({ family, provider }: Deployment, dimension: Dimension, value: string) {
  const taken = Object.keys(FIELD_CLAIMS[family][dimension]);
  const remedy = taken.length > 0 ? `use one of ${taken.join(', ')}` : 'leave the field out';
  const field = FIELD_NAMES[dimension];
  return invalidRequest(
    `${field}: ${quoted(value)} is not taken by models of provider ${provider}; ${remedy}.`,
  );
}

function contradiction(model: string, dimension: Dimension, value: string): GatewayError {
  return invalidRequest(
    `${FIELD_NAMES[dimension]}: ${quoted(value)} contradicts the marker in model ${quoted(model)}; leave one of the two out.`,
  );
}

function noSibling(deployment: Deployment, dimension: Dimension, value: string): GatewayError {
  const { provider, slugFamily } = deployment;
  return invalidRequest(
    `${FIELD_NAMES[dimension]}: ${quoted(value)} is not available for ${slugFamily} at provider ${provider}; leave the field out or choose another model.`,
  );
}

function noSuchCombination(deployment: Deployment, fields: VariantFields): GatewayError {
  const asked = DIMENSIONS.filter((dimension) => fields[dimension] !== undefined);
  const names = asked.map((dimension) => FIELD_NAMES[dimension]).join(', ');
  return invalidRequest(
    `${names}: ${deployment.slugFamily} is not available in this combination at provider ${deployment.provider}; leave one of the fields or the slug's marker out.`,
  );
}
