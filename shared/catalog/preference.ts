import { invalidRequest } from '../api/error.ts';
import { quoted } from '../api/quoted.ts';
import type { Catalog, Deployment, Provider } from './types.ts';

/** A routing preference (2.3) in its long form, with the fields that messages name. */
export interface ProviderRanking {
  readonly only: readonly string[] | undefined;
  readonly onlyField: string;
  readonly order: readonly string[] | undefined;
  readonly orderField: string;
}

/**
 * Deployments that the preference allows, best first: `only` filters, `order` ranks, and what
 * neither decides keeps its place. May be empty. Throws a 400 for an unknown provider name.
 */
export function applyPreference(
  providers: Catalog['graph']['providers'],
  deployments: readonly Deployment[],
  { only, onlyField, order, orderField }: ProviderRanking,
): Deployment[] {
  const allowed = only && providerIds(providers, only, onlyField);
  const ranking = order ? providerIds(providers, order, orderField) : [];
  const rank = ({ provider }: Deployment) => {
    const index = ranking.indexOf(provider);
    return index < 0 ? ranking.length : index;
  };
  return deployments
    .filter(({ provider }) => allowed?.includes(provider) ?? true)
    .sort((one, other) => rank(one) - rank(other));
}

function providerIds(
  providers: Catalog['graph']['providers'],
  names: readonly string[],
  field: string,
): string[] {
  const known = Object.values(providers);
  return names.map((name) => {
    const provider = known.find((candidate) => isNamed(candidate, name.toLowerCase()));
    if (provider) return provider.id;
    const ids = known.map(({ id }) => id).join(', ');
    throw invalidRequest(`${field}: ${quoted(name)} is not a provider; use one of ${ids}.`);
  });
}

function isNamed({ id, slug }: Provider, lowerCaseName: string): boolean {
  return id === lowerCaseName || slug === lowerCaseName;
}
