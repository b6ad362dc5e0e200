import type { Deployment, Family, ServiceTier } from './types.ts';

/** What tells the siblings of one slug family apart. Every deployment has all three. */
export interface Variant {
  readonly serviceTier: ServiceTier;
  readonly speed: 'standard' | 'fast';
  readonly inferenceGeo: 'global' | 'us';
}

/** The variant that a slug without markers and a request without fields mean. */
export const STANDARD_VARIANT: Readonly<Record<Family, Variant>> = {
  openai: { serviceTier: 'default', speed: 'standard', inferenceGeo: 'global' },
  anthropic: { serviceTier: 'standard_only', speed: 'standard', inferenceGeo: 'global' },
};

/** The variant of a deployment; what its provider does not name is standard. */
export function variantOf({ family, upstream }: Pick<Deployment, 'family' | 'upstream'>): Variant {
  const standard = STANDARD_VARIANT[family];
  return {
    serviceTier: upstream.serviceTier ?? standard.serviceTier,
    speed: upstream.speed ?? standard.speed,
    inferenceGeo: upstream.inferenceGeo ?? standard.inferenceGeo,
  };
}

/** Whether two variants are alike in tier, speed and region. */
export function sameVariant(one: Variant, other: Variant): boolean {
  return (
    one.serviceTier === other.serviceTier &&
    one.speed === other.speed &&
    one.inferenceGeo === other.inferenceGeo
  );
}
