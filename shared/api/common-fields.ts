import * as z from 'zod/mini';
import { quoted } from './quoted.ts';

/** An object whose keys and values belong to the provider: taken over as it stands. */
export const openObject = z.looseObject({});

/** Part 8: how many properties, and how many characters a key and a value may have. */
export const METADATA_LIMITS = { properties: 16, key: 64, value: 512 } as const;
export const PROMPT_CACHE_KEY_BYTES = 256;

/** Characters as people and JSON Schema count them: code points, not UTF-16 units. */
function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function longerThan(text: string, limit: number): boolean {
  return text.length > limit && (text.length > limit * 2 || characterCount(text) > limit);
}

function metadataFault(entries: readonly (readonly [string, string])[]): string | undefined {
  if (entries.length > METADATA_LIMITS.properties) {
    return `may have at most ${METADATA_LIMITS.properties} properties; it has ${entries.length}`;
  }
  for (const [key, value] of entries) {
    if (key === '' || longerThan(key, METADATA_LIMITS.key)) {
      return `keys must have 1 to ${METADATA_LIMITS.key} characters`;
    }
    if (longerThan(value, METADATA_LIMITS.value)) {
      return `values must have at most ${METADATA_LIMITS.value} characters; shorten ${quoted(key)}`;
    }
    // The ledger's database stores UTF-8, which has no lone surrogates.
    if (!key.isWellFormed() || !value.isWellFormed()) return 'must hold well-formed Unicode text';
  }
  return undefined;
}

function promptCacheKeyFault(key: string): string | undefined {
  const bytes = Buffer.byteLength(key, 'utf8');
  if (bytes < 1 || bytes > PROMPT_CACHE_KEY_BYTES) {
    return `must have 1 to ${PROMPT_CACHE_KEY_BYTES} bytes of UTF-8; it has ${bytes}`;
  }
  if (!key.isWellFormed()) return 'must be well-formed Unicode text';
  return /[\0\r\n]/.test(key) ? 'must not hold NUL, CR or LF' : undefined;
}

// `abort` lets a list stop at its first fault.
export const nonEmptyText = z.string().check(z.minLength(1, { abort: true }));

/** A check whose function returns what is wrong with the value, or undefined. */
export function rule<T>(fault: (value: T) => string | undefined): z.core.$ZodCheck<T> {
  return z.check<T>((payload) => {
    const message = fault(payload.value);
    if (message !== undefined) {
      payload.issues.push({ code: 'custom', message, input: payload.value, continue: false });
    }
  });
}

/** Cache marker of family B on the request, on text blocks and on tools (2.4). */
export const cacheControl = z.strictObject({
  type: z.literal('ephemeral'),
  ttl: z.exactOptional(z.enum(['5m', '1h'])),
});
export type CacheControl = z.output<typeof cacheControl>;

const providerList = z.array(nonEmptyText).check(z.minLength(1));

/** Part 2.3: a provider's identifier or slug, or `only` and `order` lists of them. */
const routingPreference = z.union([
  nonEmptyText,
  z
    .strictObject({
      only: z.exactOptional(providerList),
      order: z.exactOptional(providerList),
    })
    .check(
      rule(({ only, order }) =>
        only || order ? undefined : 'needs at least one of "only" and "order"',
      ),
    ),
]);

export const outputCap = z.int().check(z.minimum(0));
export const positiveInteger = z.int({ abort: true }).check(z.minimum(1, { abort: true }));

/** How much of what a search finds is fed to the model. */
export const searchContextSize = z.enum(['low', 'medium', 'high']);

/** Where the person is who asks, as far as a hosted search looks at it. */
export const placeFields = {
  city: z.exactOptional(z.string()),
  country: z.exactOptional(z.string()),
  region: z.exactOptional(z.string()),
  timezone: z.exactOptional(z.string()),
};

/** Fields that both routes take with the same rules (2.4, 2.7). */
export const sharedFields = {
  model: nonEmptyText,
  provider: z.exactOptional(routingPreference),
  rules: z.exactOptional(routingPreference),
  stream: z.exactOptional(z.boolean()),
  parallel_tool_calls: z.exactOptional(z.boolean()),
  temperature: z.exactOptional(z.number()),
  top_p: z.exactOptional(z.number()),
  top_k: z.exactOptional(z.int()),
  top_logprobs: z.exactOptional(z.int()),
  frequency_penalty: z.exactOptional(z.number()),
  presence_penalty: z.exactOptional(z.number()),
  prompt_cache_key: z.exactOptional(z.string().check(rule(promptCacheKeyFault))),
  prompt_cache_retention: z.exactOptional(z.string()),
  cache_control: z.exactOptional(cacheControl),
  stop_sequences: z.exactOptional(z.array(z.string())),
  task_budget: z.exactOptional(openObject),
  context_management: z.exactOptional(openObject),
  inference_geo: z.exactOptional(z.enum(['global', 'us'])),
  speed: z.exactOptional(z.enum(['fast', 'standard'])),
  service_tier: z.exactOptional(
    z.enum(['auto', 'default', 'flex', 'priority', 'standard', 'standard_only']),
  ),
  metadata: z.exactOptional(
    z
      .record(z.string(), z.string())
      .check(rule((metadata) => metadataFault(Object.entries(metadata)))),
  ),
} as const;
