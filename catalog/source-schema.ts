import { z } from 'zod';
import { PROVIDER_IDS } from '../shared/catalog/types.ts';
import { parseUsd } from '../shared/pricing/money.ts';
import { CALL_METERS } from '../shared/pricing/usage.ts';

/** IDs and aliases: no slash, which separates prefixes, and no colon, which separates index keys. */
const slug = z.string().regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/, 'must be a lower-case slug');
const date = z.iso.date();
const tokens = z.int().positive();
const usd = z.string().refine(isPrice, 'must be a decimal string of US dollars, like "0.25"');
const family = z.enum(['openai', 'anthropic']);
const providerId = z.enum(PROVIDER_IDS);
const api = z.enum(['chat-completions', 'responses', 'messages']);
const effort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);
const callPrice = z.union([usd, z.strictObject({ low: usd, medium: usd, high: usd })]);
const callPrices = z.partialRecord(z.enum(CALL_METERS), callPrice);

function isPrice(text: string): boolean {
  try {
    return parseUsd(text) >= 0n;
  } catch {
    return false;
  }
}

/** `sources/gateway.json`: the gateway's own routes, and when the sources were last revised. */
export const gatewaySchema = z.strictObject({
  /** Becomes `generatedAt`, so that the same sources always compile to the same bytes. */
  revision: z.iso.datetime(),
  endpoints: z.array(
    z.strictObject({
      id: z.enum(['chat-completions', 'responses']),
      method: z.literal('POST'),
      path: z.string().startsWith('/'),
      providerEndpoints: z.array(z.string()).min(1),
    }),
  ),
});

/** `sources/providers/<id>.json` */
export const providerSchema = z.strictObject({
  id: providerId,
  slug,
  name: z.string().min(1),
  family,
  rank: z.int(),
  responseHeaders: z.array(z.string().lowercase()),
  /** Path of each API that the provider has, behind its base address. */
  endpoints: z.partialRecord(api, z.string().startsWith('/')),
  /** What a deployment can be offered as: the upstream settings, and the end of its ID. */
  variants: z.record(
    z.string(),
    z.strictObject({
      serviceTier: z.enum(['default', 'flex', 'priority', 'standard_only']).optional(),
      speed: z.enum(['standard', 'fast']).optional(),
      inferenceGeo: z.enum(['global', 'us']).optional(),
      idSuffix: z.string(),
    }),
  ),
  /** By API: prices of the hosted web search's calls (per 1,000), for models that have it. */
  webSearchCalls: z.partialRecord(api, callPrices),
});

/** Dollars per million tokens; a pair is the price up to, and over, 272,000 input tokens. */
const tokenPrice = z.union([usd, z.tuple([usd, usd])]);

const tokenPricesSchema = z.strictObject({
  input: tokenPrice,
  cachedInput: tokenPrice,
  cacheWrite: tokenPrice.optional(),
  cacheWrite5m: tokenPrice.optional(),
  cacheWrite1h: tokenPrice.optional(),
  output: tokenPrice,
});

const capability = z.enum([
  'functionCalling',
  'parallelFunctionCalling',
  'customTools',
  'webSearch',
  'explicitPromptCaching',
  'structuredOutputs',
  'verbosity',
  'prediction',
  'searchModel',
]);

const offerSchema = z.strictObject({
  provider: z.string(),
  apis: z.array(api).min(1),
  variants: z.array(z.string()).min(1),
  /** A mode of its own makes a slug family of its own, `<model>-pro`. */
  reasoningMode: z.literal('pro').optional(),
  /** Variants whose context window is not the model's. */
  contextWindows: z.record(z.string(), tokens).optional(),
  /** Capabilities of the model that this provider does not have. */
  without: z.array(capability).optional(),
  /** Token prices of variants that differ here from the model's. */
  prices: z.record(z.string(), tokenPricesSchema).optional(),
});

/** One model, the series' defaults filled in. */
export const modelSchema = z.strictObject({
  id: slug,
  name: z.string().min(1),
  aliases: z.array(slug).default([]),
  released: date,
  knowledgeCutoff: date,
  contextWindow: tokens,
  maxOutput: tokens,
  retiredOn: date.nullable().default(null),
  reasoning: z.strictObject({
    availability: z.enum(['unsupported', 'optional', 'required']),
    efforts: z.array(effort).default([]),
    budget: z.strictObject({ minimum: tokens, maximum: tokens }).nullable().default(null),
  }),
  capabilities: z.array(capability),
  anthropic: z
    .strictObject({
      thinking: z.enum(['adaptive', 'budget-and-effort']),
      systemMessages: z.boolean(),
      webSearchTool: z.enum(['web_search_20250305', 'web_search_20260209']),
      webFetchTool: z.enum(['web_fetch_20250910', 'web_fetch_20260309']),
    })
    .optional(),
  offers: z.array(offerSchema).min(1),
  /** Further listed names of single deployments, by deployment ID. */
  deploymentAliases: z.record(z.string(), z.array(slug)).default({}),
  /** Token prices by variant. */
  prices: z.record(z.string(), tokenPricesSchema),
  /** Prices per 1,000 calls of the model itself (search models). */
  callPrices: callPrices.default({}),
});

/** `sources/series/<series>.json`; models are read with {@link modelSchema} once merged. */
export const seriesSchema = z.strictObject({
  series: z.string().min(1),
  author: slug,
  defaults: z.record(z.string(), z.unknown()).default({}),
  models: z.array(z.record(z.string(), z.unknown())).min(1),
});

export type GatewaySource = z.infer<typeof gatewaySchema>;
export type ProviderSource = z.infer<typeof providerSchema>;
export type ModelSource = z.infer<typeof modelSchema>;
export type OfferSource = z.infer<typeof offerSchema>;
export type TokenPricesSource = z.infer<typeof tokenPricesSchema>;
export type CallPricesSource = z.infer<typeof callPrices>;
