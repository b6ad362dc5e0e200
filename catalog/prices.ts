import type { Deployment, MeterPrice, UpstreamApi } from '../shared/catalog/types.ts';
import { type Meter, SEARCH_MODEL_METERS } from '../shared/pricing/usage.ts';
import type { CallPricesSource, TokenPricesSource } from './source-schema.ts';

const TOKEN_METERS = {
  input: 'input_tokens',
  cachedInput: 'cached_input_tokens',
  cacheWrite: 'cache_write_input_tokens',
  cacheWrite5m: 'cache_write_5m_input_tokens',
  cacheWrite1h: 'cache_write_1h_input_tokens',
  output: 'output_tokens',
} as const satisfies Record<keyof TokenPricesSource, Meter>;

type Prices = Deployment['prices'];
type TokenPriceName = keyof typeof TOKEN_METERS;

/** Token prices of the sources by meter. */
export function tokenPrices(source: TokenPricesSource): Prices {
  return Object.fromEntries(
    Object.entries(source).flatMap(([name, price]) => {
      if (price === undefined) return [];
      // The schema is strict: its keys are the table's.
      const meter = TOKEN_METERS[name as TokenPriceName];
      const [perMillion, over] = typeof price === 'string' ? [price] : price;
      return [[meter, { perMillion, ...(over && { perMillionOver272k: over }) }]];
    }),
  );
}

/** Call prices of the sources by meter. */
export function callPrices(source: CallPricesSource): Prices {
  return Object.fromEntries(
    Object.entries(source).map(([meter, price]) => [meter, price && callPrice(price)]),
  );
}

function callPrice(price: NonNullable<CallPricesSource[keyof CallPricesSource]>): MeterPrice {
  if (typeof price === 'string') return { per1kCalls: price };
  return {
    per1kLowContextCalls: price.low,
    per1kMediumContextCalls: price.medium,
    per1kHighContextCalls: price.high,
  };
}

/**
 * Fields of a variant's token prices that are missing, given what the deployment can be asked for:
 * a meter without a price would be a request that cannot be charged.
 */
export function missingTokenPrices(
  { family, capabilities }: Pick<Deployment, 'family' | 'capabilities'>,
  source: TokenPricesSource,
): string[] {
  const needed: TokenPriceName[] =
    family === 'anthropic' ? ['cacheWrite5m', 'cacheWrite1h'] : ['cacheWrite'];
  return capabilities.explicitPromptCaching ? needed.filter((name) => !source[name]) : [];
}

/** Token prices without the long-context price that their neighbours have. */
export function missingLongPrices(source: TokenPricesSource): string[] {
  const entries = Object.entries(source).filter(([, price]) => price !== undefined);
  const short = entries.filter(([, price]) => typeof price === 'string').map(([name]) => name);
  return short.length === entries.length ? [] : short;
}

const WEB_SEARCH_METERS: Readonly<Record<UpstreamApi, readonly Meter[]>> = {
  'chat-completions': [],
  responses: [
    'openai_responses_web_search_calls',
    'openai_responses_web_search_preview_calls',
    'openai_responses_web_search_preview_non_reasoning_calls',
  ],
  messages: ['anthropic_web_search_calls'],
};

/** Meters of hosted search, by API, that the deployment can be asked to run but has no price for. */
export function missingWebSearchMeters(deployment: Deployment): [UpstreamApi, Meter][] {
  if (!deployment.capabilities.webSearch) return [];
  return deployment.routes.flatMap((api) =>
    WEB_SEARCH_METERS[api]
      .filter((meter) => !deployment.prices[meter])
      .map((meter): [UpstreamApi, Meter] => [api, meter]),
  );
}

/** Whether a search model lacks the price of its one search a request. */
export function lacksSearchModelPrice({ capabilities, prices }: Deployment): boolean {
  return capabilities.searchModel && !SEARCH_MODEL_METERS.some((meter) => prices[meter]);
}
