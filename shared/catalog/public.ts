import type { Catalog, Deployment, Model } from './types.ts';

/** One entry of `GET /v1/models` (2.2). */
interface ListedModel {
  readonly id: string;
  readonly object: 'model';
  /** Release date, epoch seconds. */
  readonly created: number;
  readonly owned_by: string;
}

export interface ModelList {
  readonly object: 'list';
  readonly data: readonly ListedModel[];
}

/** The UTC day of a time in epoch milliseconds as an ISO date: the `today` of the catalog's functions. */
export function isoDate(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** Whether the provider refuses the deployment's model on `today` (ISO date). */
export function isRetired(deployment: Deployment, today: string): boolean {
  return deployment.retiredOn !== null && deployment.retiredOn <= today;
}

/**
 * Every identifier that a request may use on `today` (ISO date): models, their aliases,
 * deployments and their aliases, sorted. A slug's further markers and prefixes are not listed.
 */
export function listModels(catalog: Catalog, today: string): ModelList {
  const owners = new Map<string, Model>();
  for (const deployment of Object.values(catalog.graph.deployments)) {
    const model = catalog.graph.models[deployment.model];
    if (!model || isRetired(deployment, today)) continue;
    for (const id of [model.id, ...model.aliases, deployment.id, ...deployment.aliases]) {
      owners.set(id, model);
    }
  }
  const data = [...owners].map(([id, model]) => listed(id, model));
  return { object: 'list', data: data.sort((one, other) => (one.id < other.id ? -1 : 1)) };
}

function listed(id: string, model: Model): ListedModel {
  return {
    id,
    object: 'model',
    created: Date.parse(`${model.released}T00:00:00Z`) / 1000,
    owned_by: model.author,
  };
}
