import {
  LATEST_MARKER,
  type Marker,
  markerClaims,
  REGION_MARKERS,
  TIER_MARKERS,
} from '../shared/catalog/markers.ts';
import type { Deployment, Provider } from '../shared/catalog/types.ts';
import { STANDARD_VARIANT, sameVariant, variantOf } from '../shared/catalog/variant.ts';

/** A slug without its markers. An alias like `claude-opus-latest` has `latest` as part of its name. */
interface BaseSlug {
  readonly text: string;
  readonly latest: 'optional' | 'required';
}

export interface SlugInput {
  readonly deployment: Deployment;
  readonly provider: Provider;
  readonly author: string;
  /** Names of the deployment's slug family: the model's ID and aliases, and the family's own. */
  readonly familyNames: readonly string[];
  /** IDs of all providers: an author who is none of them is accepted as a prefix. */
  readonly providerIds: ReadonlySet<string>;
}

/** Every slug that names the deployment on its provider's endpoints: markers in any order, all prefixes. */
export function slugsOf({ deployment, provider, author, familyNames, providerIds }: SlugInput) {
  const bases = [...familyNames, `${deployment.provider}-${deployment.slugFamily}`].map(baseSlug);
  const spelled = bases.flatMap((base) => spellings(base, deployment));
  const bare = new Set([...spelled, deployment.id, ...deployment.aliases]);
  const prefixes = prefixesOf(provider, author, providerIds);
  return [...bare].flatMap((slug) => prefixes.map((prefix) => `${prefix}${slug}`));
}

function baseSlug(name: string): BaseSlug {
  const ending = `-${LATEST_MARKER}`;
  return name.endsWith(ending)
    ? { text: name.slice(0, -ending.length), latest: 'required' }
    : { text: name, latest: 'optional' };
}

function spellings(base: BaseSlug, deployment: Deployment): string[] {
  return markerSets(deployment)
    .flatMap((markers): Marker[][] =>
      base.latest === 'required'
        ? [[...markers, LATEST_MARKER]]
        : [markers, [...markers, LATEST_MARKER]],
    )
    .flatMap(permutations)
    .map((markers) => [base.text, ...markers].join('-'));
}

/** Sets of at most one tier and one region marker that say exactly the deployment's variant. */
function markerSets(deployment: Deployment): Marker[][] {
  const { family } = deployment;
  const tiers: (Marker | undefined)[] = [undefined, ...TIER_MARKERS];
  const regions: (Marker | undefined)[] = [undefined, ...REGION_MARKERS];
  const sets = tiers.flatMap((tier) =>
    regions.map((region) => [tier, region].filter((marker) => marker !== undefined)),
  );
  return sets.filter((markers) => {
    let variant = STANDARD_VARIANT[family];
    for (const marker of markers) {
      const claim = markerClaims(family, marker);
      if (!claim) return false;
      variant = { ...variant, ...claim };
    }
    return sameVariant(variant, variantOf(deployment));
  });
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

function prefixesOf(provider: Provider, author: string, providerIds: ReadonlySet<string>) {
  const names = [...new Set<string>([provider.id, provider.slug])];
  const byProvider = names.flatMap((name) => [`${name}/`, `${name}/${author}/`]);
  return ['', ...byProvider, ...(providerIds.has(author) ? [] : [`${author}/`])];
}
