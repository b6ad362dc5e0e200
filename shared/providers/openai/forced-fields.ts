import type { JsonObject, JsonValue } from '../../api/json.ts';
import type { ReasoningIntent } from '../../api/reasoning.ts';
import type { TranslationTarget } from '../contract.ts';

/**
 * The fields named, where the request has them, in the order of the list: the same request gives
 * the same bytes. Values are shared with the request, never copied.
 */
export function pickFields<Field extends string>(
  request: { readonly [Name in Field]?: unknown },
  fields: readonly Field[],
): JsonObject {
  const picked: JsonObject = {};
  for (const name of fields) {
    // Everything in a parsed request came out of a JSON text.
    if (request[name] !== undefined) picked[name] = request[name] as JsonValue;
  }
  return picked;
}

/** Model, retention, identity and tier: the fields that are the gateway's on both routes (1.7, 2.4). */
export function forcedFields({ deployment, identity }: TranslationTarget): JsonObject {
  const { model, serviceTier } = deployment.upstream;
  // Azure has no tiers to choose from, and knows the identity under its older name.
  return deployment.provider === 'azure'
    ? { model, store: false, user: identity }
    : { model, store: false, safety_identifier: identity, service_tier: serviceTier ?? 'default' };
}

const RETENTIONS: ReadonlyMap<string, string> = new Map([
  ['in_memory', 'in_memory'],
  ['in-memory', 'in_memory'],
  ['inmemory', 'in_memory'],
  ['default', 'in_memory'],
  ['24h', '24h'],
  ['24hr', '24h'],
  ['24hrs', '24h'],
  ['24hours', '24h'],
  ['extended', '24h'],
]);

/** `prompt_cache_retention` with its known aliases normalised; other values are the provider's to judge. */
export function promptCacheRetention(retention: string | undefined): JsonObject {
  if (retention === undefined) return {};
  return { prompt_cache_retention: RETENTIONS.get(retention.toLowerCase()) ?? retention };
}

/** The effort to send of a checked request; undefined: left to the model. */
export function reasoningEffort(
  { enabled, effort }: ReasoningIntent,
  { deployment }: TranslationTarget,
): string | undefined {
  if (enabled !== false && effort !== 'none') return effort;
  // What never reasons has no effort to switch off.
  return deployment.reasoning.availability === 'unsupported' ? undefined : 'none';
}

/** Maps a list, and gives the very same list where no element changes. */
export function mapChanged<Element>(
  list: readonly Element[],
  change: (element: Element) => Element,
): readonly Element[] {
  const changed = list.map(change);
  return changed.some((element, index) => element !== list[index]) ? changed : list;
}
