import { readMarkers } from '../shared/catalog/markers.ts';
import type { Provider } from '../shared/catalog/types.ts';
import type { CompiledDeployment } from './deployments.ts';
import type { Fault, ReportFault } from './fault.ts';
import type { ModelEntry } from './read-source.ts';
import { slugsOf } from './slugs.ts';

/**
 * The index from `<providerEndpointId>:<slug>` to a deployment ID. Reports a slug that two
 * deployments claim on one endpoint, once for each pair, and a name that reads as a marker.
 */
export function slugIndex(
  compiled: readonly CompiledDeployment[],
  providers: ReadonlyMap<string, Provider>,
  report: ReportFault,
): Record<string, string> {
  const owners = new Map<string, CompiledDeployment>();
  const clashes = new Set<string>();
  const providerIds = new Set(providers.keys());
  for (const claimant of compiled) {
    const { deployment, entry } = claimant;
    const provider = providers.get(deployment.provider);
    if (!provider) continue;
    const { author } = entry;
    const familyNames = familyNamesOf(claimant);
    const slugs = slugsOf({ deployment, provider, author, familyNames, providerIds });
    for (const key of deployment.routes.flatMap((api) => keys(provider.id, api, slugs))) {
      const owner = owners.get(key);
      if (!owner) owners.set(key, claimant);
      else if (!clashes.has(`${owner.deployment.id} ${deployment.id}`)) {
        clashes.add(`${owner.deployment.id} ${deployment.id}`);
        report(clash(key, owner, claimant));
      }
    }
  }
  return Object.fromEntries([...owners].map(([key, { deployment }]) => [key, deployment.id]));
}

function keys(provider: string, api: string, slugs: readonly string[]): string[] {
  return slugs.map((slug) => `${provider}-${api}:${slug}`);
}

/** The model's ID and aliases; a reasoning mode stands behind each, as in its slug family's name. */
function familyNamesOf({ deployment, entry }: CompiledDeployment): string[] {
  const mode = deployment.slugFamily.slice(entry.model.id.length);
  return [entry.model.id, ...entry.model.aliases].map((name) => `${name}${mode}`);
}

function clash(key: string, owner: CompiledDeployment, claimant: CompiledDeployment): Fault {
  const endpoint = key.slice(0, key.indexOf(':'));
  const slug = key.slice(key.indexOf(':') + 1);
  return {
    file: claimant.entry.file,
    field: claimant.field,
    problem: `slug "${slug}" on ${endpoint} is claimed by ${claimant.deployment.id} and by ${owner.deployment.id} (${owner.entry.file}, ${owner.field})`,
  };
}

/** A model's name that ends in a marker could not be told from the slug of a sibling. */
export function reportMarkerNames({ file, field, model }: ModelEntry, report: ReportFault): void {
  const marked = [model.id, ...model.aliases].find((name) =>
    readMarkers(name).some((marker) => marker !== 'latest'),
  );
  if (marked === undefined) return;
  const where = marked === model.id ? 'id' : 'aliases';
  report({ file, field: `${field}.${where}`, problem: `"${marked}" ends in a slug marker` });
}
