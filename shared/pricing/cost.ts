import type { Deployment } from '../catalog/types.ts';
import { formatUsd, type NanoUsd } from './money.ts';
import { multiply, priceContext, type Rate, rateOf } from './price.ts';
import {
  METERS,
  type Meter,
  type ProviderReport,
  type SearchContextSize,
  type Usage,
} from './usage.ts';

/** What a request costs, before it is cut to its hold. */
export interface Cost {
  readonly amount: NanoUsd;
  /** The deployment whose prices were taken: the one that the provider says it executed, where cheaper. */
  readonly deployment: Deployment;
  /** US dollars per unit (token or call) of each meter used, as exact decimals. */
  readonly prices: Readonly<Partial<Record<Meter, string>>>;
}

/**
 * Prices a usage on a deployment: each meter's quantity is summed first and rounded up once.
 * A kind of input without a price of its own takes the nearest dearer one; a call without a
 * price costs nothing, since no hold is placed for a request that could make it.
 */
export function priceUsage(
  deployment: Deployment,
  usage: Usage,
  searchContextSize?: SearchContextSize,
): NanoUsd {
  return costOn(deployment, usage, searchContextSize).amount;
}

/**
 * What a provider's report costs: at the prices of the deployment that was asked for, or of the
 * sibling that the provider says it executed instead, whichever is cheaper. Pass `usage` to price
 * an estimated usage in place of the reported one.
 */
export function chargeFor(
  report: ProviderReport,
  deployment: Deployment,
  siblings: readonly Deployment[],
  usage: Usage = report.usage ?? {},
): Cost {
  const asked = costOn(deployment, usage, report.searchContextSize);
  const executed = executedSibling(report.executed, deployment, siblings);
  if (executed === undefined) {
    return asked;
  }
  const other = costOn(executed, usage, report.searchContextSize);
  return other.amount < asked.amount ? other : asked;
}

function costOn(
  deployment: Deployment,
  usage: Usage,
  searchContextSize: SearchContextSize | undefined,
): Cost {
  const context = priceContext(usage, searchContextSize);
  const prices: Partial<Record<Meter, string>> = {};
  let amount = 0n;
  for (const meter of METERS) {
    const quantity = wholeUnits(usage[meter]);
    const rate = quantity > 0n ? rateOf(deployment, meter, context) : undefined;
    if (rate) {
      amount += multiply(rate, quantity);
      prices[meter] = unitPrice(rate);
    }
  }
  return { amount, deployment, prices };
}

/** Quantities come from providers: what is no positive number counts nothing, a fraction counts whole. */
function wholeUnits(quantity: number | undefined): bigint {
  return quantity !== undefined && Number.isFinite(quantity) && quantity > 0
    ? BigInt(Math.ceil(quantity))
    : 0n;
}

/** Exact US dollars for one unit: the catalog's price with its point moved. */
function unitPrice(rate: Rate): string {
  const digits = rate.units.toString().length - 1;
  const scaled = rate.nano.toString().padStart(9 + digits + 1, '0');
  const whole = scaled.slice(0, -(9 + digits));
  const fraction = scaled.slice(-(9 + digits)).replace(/0+$/, '');
  return fraction === '' ? formatUsd(BigInt(whole) * 1_000_000_000n) : `${whole}.${fraction}`;
}

/**
 * The sibling with the tier, speed and region that the provider named. A word that no sibling
 * carries (Anthropic's `standard`, Azure's `default`) says nothing about the price.
 */
function executedSibling(
  executed: ProviderReport['executed'],
  deployment: Deployment,
  siblings: readonly Deployment[],
): Deployment | undefined {
  const family = siblings.filter(
    (sibling) =>
      sibling.provider === deployment.provider && sibling.slugFamily === deployment.slugFamily,
  );
  const dimensions = ['serviceTier', 'speed', 'inferenceGeo'] as const;
  const said = dimensions.filter(
    (name) =>
      executed[name] !== undefined &&
      family.some((sibling) => sibling.upstream[name] === executed[name]),
  );
  return family.find((sibling) =>
    dimensions.every((name) => {
      const wanted = said.includes(name) ? executed[name] : deployment.upstream[name];
      return sibling.upstream[name] === wanted;
    }),
  );
}
