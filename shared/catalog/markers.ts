import type { Family } from './types.ts';
import type { Variant } from './variant.ts';

/** Markers of a service tier or speed: a slug carries at most one of them (2.4, `model`). */
export const TIER_MARKERS = [
  'flex',
  'priority',
  'fast',
  'standard-only',
  'standard',
  'auto',
] as const;
export const REGION_MARKERS = ['us'] as const;
export const LATEST_MARKER = 'latest';

type TierMarker = (typeof TIER_MARKERS)[number];
export type Marker = TierMarker | (typeof REGION_MARKERS)[number] | typeof LATEST_MARKER;

const MARKERS: readonly Marker[] = [...TIER_MARKERS, ...REGION_MARKERS, LATEST_MARKER];

/**
 * What each tier or region marker says of the variant. A marker that is missing means nothing to
 * the family. On the Anthropic family a tier is a wish that never changes the deployment.
 */
const CLAIMS: Readonly<Record<Family, Partial<Record<Marker, Partial<Variant>>>>> = {
  openai: {
    flex: { serviceTier: 'flex' },
    priority: { serviceTier: 'priority' },
    fast: { serviceTier: 'priority' },
    standard: { serviceTier: 'default' },
    auto: { serviceTier: 'default' },
  },
  anthropic: {
    flex: {},
    priority: {},
    fast: { speed: 'fast' },
    'standard-only': {},
    standard: { speed: 'standard' },
    auto: {},
    us: { inferenceGeo: 'us' },
  },
};

const IMPLIED_SERVICE_TIERS: Partial<Record<Marker, string>> = {
  flex: 'flex',
  priority: 'priority',
  'standard-only': 'standard_only',
  standard: 'standard',
  auto: 'auto',
};

/** What a marker claims of a deployment's variant, or undefined where the family has no such marker. */
export function markerClaims(family: Family, marker: Marker): Partial<Variant> | undefined {
  return marker === LATEST_MARKER ? {} : CLAIMS[family][marker];
}

/** The markers at the end of a slug, last first: `claude-opus-5-us-fast` gives `fast`, `us`. */
export function readMarkers(slug: string): readonly Marker[] {
  const markers: Marker[] = [];
  let rest = slug;
  for (;;) {
    const marker = MARKERS.find((candidate) => rest.endsWith(`-${candidate}`));
    if (marker === undefined) return markers;
    markers.push(marker);
    rest = rest.slice(0, -marker.length - 1);
  }
}

/**
 * The `service_tier` that a slug asks for by a marker, in the request's words: `claude-opus-5-auto`
 * gives `auto`. Undefined without such a marker; `fast` names a deployment, never a tier.
 */
export function impliedServiceTier(slug: string): string | undefined {
  const marker = readMarkers(slug).find((candidate) => candidate in IMPLIED_SERVICE_TIERS);
  return marker && IMPLIED_SERVICE_TIERS[marker];
}
