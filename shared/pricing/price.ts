import type { Deployment, MeterPrice } from '../catalog/types.ts';
import { type NanoUsd, parseUsd } from './money.ts';
import type { Meter, SearchContextSize, Usage } from './usage.ts';

/** Over this many input tokens, all input meters together, the long-context prices apply to the whole request. */
export const LONG_CONTEXT_TOKENS = 272_000;

/** What a price may depend on beyond its meter. */
export interface PriceContext {
  readonly longContext: boolean;
  readonly searchContextSize: SearchContextSize;
}

/** An exact price: `nano` for `units` of the meter. */
export interface Rate {
  readonly nano: NanoUsd;
  readonly units: bigint;
  /** The catalog's own decimal string, US dollars for `units`. */
  readonly usd: string;
}

/** The meters whose tokens make up a request's input; they do not overlap. */
export const INPUT_METERS = [
  'input_tokens',
  'cached_input_tokens',
  'cache_write_input_tokens',
  'cache_write_5m_input_tokens',
  'cache_write_1h_input_tokens',
] as const satisfies readonly Meter[];

/**
 * A meter that a provider reports though the deployment has no price for it takes the first of
 * these that has one: the nearest dearer kind of input. Calls and output have no stand-in.
 */
const STAND_INS: Partial<Record<Meter, readonly Meter[]>> = {
  cached_input_tokens: ['input_tokens'],
  cache_write_input_tokens: ['cache_write_5m_input_tokens', 'input_tokens'],
  cache_write_5m_input_tokens: ['cache_write_input_tokens', 'input_tokens'],
  cache_write_1h_input_tokens: [
    'cache_write_input_tokens',
    'cache_write_5m_input_tokens',
    'input_tokens',
  ],
};

const MILLION = 1_000_000n;
const THOUSAND = 1_000n;

/** The exact rate of a meter on a deployment, its stand-in's where it has none; undefined without either. */
export function rateOf(
  deployment: Deployment,
  meter: Meter,
  context: PriceContext,
): Rate | undefined {
  const priced = [meter, ...(STAND_INS[meter] ?? [])].find((name) => deployment.prices[name]);
  const price = priced && deployment.prices[priced];
  return price && readPrice(price, context);
}

/** Nano-dollars for a quantity, rounded up once. */
export function multiply(rate: Rate, quantity: bigint): NanoUsd {
  return (quantity * rate.nano + rate.units - 1n) / rate.units;
}

/** What prices of this usage depend on: all its input meters together decide about the long context. */
export function priceContext(usage: Usage, searchContextSize?: SearchContextSize): PriceContext {
  const input = INPUT_METERS.reduce((sum, meter) => sum + (usage[meter] ?? 0), 0);
  return {
    longContext: input > LONG_CONTEXT_TOKENS,
    searchContextSize: searchContextSize ?? 'medium',
  };
}

function readPrice(price: MeterPrice, context: PriceContext): Rate {
  if ('perMillion' in price) {
    const long = context.longContext ? price.perMillionOver272k : undefined;
    return rate(long ?? price.perMillion, MILLION);
  }
  if ('per1kCalls' in price) {
    return rate(price.per1kCalls, THOUSAND);
  }
  const bySize = {
    low: price.per1kLowContextCalls,
    medium: price.per1kMediumContextCalls,
    high: price.per1kHighContextCalls,
  };
  return rate(bySize[context.searchContextSize], THOUSAND);
}

function rate(usd: string, units: bigint): Rate {
  return { nano: parseUsd(usd), units, usd };
}
