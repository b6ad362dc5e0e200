import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chargeFor, priceUsage } from '../../../shared/pricing/cost.ts';
import { formatUsd, parseUsd } from '../../../shared/pricing/money.ts';
import { type ProviderReport, TOKEN_METERS, type Usage } from '../../../shared/pricing/usage.ts';
import { ANTHROPIC_OPUS, deploymentWith } from './deployments.ts';

const GPT = deploymentWith({});
const count = fc.nat(400_000);
const usages = fc.record(Object.fromEntries(TOKEN_METERS.map((meter) => [meter, count])), {
  requiredKeys: [],
}) as fc.Arbitrary<Usage>; // fromEntries forgets the keys' names

function reportOf(usage: Usage, executed: ProviderReport['executed']): ProviderReport {
  return {
    usage,
    reasoningTokens: 0,
    complete: true,
    producedOutput: true,
    relayedOutputTokens: 0,
    executed,
  };
}

describe('money', () => {
  test('survives being written and read again, to the nano-dollar', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 23n), max: 10n ** 23n }), (amount) => {
        expect(parseUsd(formatUsd(amount))).toBe(amount);
      }),
    );
  });

  test.each(['1e3', '', '.5', '1.', '+1', '1,5', '0.0000000001', ' 1', 'NaN'])(
    'refuses to read %j',
    (text) => {
      expect(() => parseUsd(text)).toThrow(RangeError);
    },
  );
});

describe('the cost of a usage', () => {
  test('is each meter at its own price, to the nano-dollar', () => {
    const usage: Usage = {
      input_tokens: 1_003,
      cached_input_tokens: 2_048,
      cache_write_5m_input_tokens: 7,
      cache_write_1h_input_tokens: 11,
      output_tokens: 333,
      anthropic_web_search_calls: 2,
    };
    const byHand = 1_003n * 5_000n + 2_048n * 500n + 7n * 6_250n + 11n * 10_000n;
    const amount = byHand + 333n * 25_000n + 2n * 10_000_000n;
    expect(priceUsage(ANTHROPIC_OPUS, usage)).toBe(amount);
  });

  test('rounds a meter up once, after its quantity is summed', () => {
    const cheap = deploymentWith({ prices: { output_tokens: { perMillion: '0.0025' } } });
    expect(priceUsage(cheap, { output_tokens: 1 })).toBe(3n);
    expect(priceUsage(cheap, { output_tokens: 1_000 })).toBe(2_500n);
  });

  test('takes long-context prices for the whole request once all input exceeds 272,000', () => {
    const short: Usage = { input_tokens: 100_000, cached_input_tokens: 172_000, output_tokens: 10 };
    expect(priceUsage(GPT, short)).toBe(100_000n * 5_000n + 172_000n * 500n + 10n * 30_000n);
    const long: Usage = { ...short, cached_input_tokens: 172_001 };
    expect(priceUsage(GPT, long)).toBe(100_000n * 10_000n + 172_001n * 1_000n + 10n * 45_000n);
  });

  test('takes the price of the search context size, medium when unsaid', () => {
    const search = deploymentWith({
      prices: {
        openai_chat_completion_search_preview_model_calls: {
          per1kLowContextCalls: '30',
          per1kMediumContextCalls: '35',
          per1kHighContextCalls: '50',
        },
      },
    });
    const usage = { openai_chat_completion_search_preview_model_calls: 1 };
    expect(priceUsage(search, usage)).toBe(35_000_000n);
    expect(priceUsage(search, usage, 'high')).toBe(50_000_000n);
  });

  test('prices input that has no price of its own as the nearest dearer kind', () => {
    const plain = deploymentWith({ prices: { input_tokens: { perMillion: '2' } } });
    for (const meter of TOKEN_METERS.filter((name) => name !== 'output_tokens')) {
      expect(priceUsage(plain, { [meter]: 1_000 })).toBe(2_000_000n);
    }
    const hourly = priceUsage(GPT, { cache_write_1h_input_tokens: 1_000 });
    expect(hourly).toBe(6_250_000n);
  });

  test('never falls when more is used', () => {
    fc.assert(
      fc.property(usages, usages, (usage, more) => {
        const sum = { ...usage };
        for (const meter of TOKEN_METERS) {
          sum[meter] = (usage[meter] ?? 0) + (more[meter] ?? 0);
        }
        for (const deployment of [GPT, ANTHROPIC_OPUS]) {
          expect(priceUsage(deployment, sum) >= priceUsage(deployment, usage)).toBe(true);
        }
      }),
    );
  });

  test('counts nothing for quantities that are none', () => {
    const broken = { input_tokens: Number.NaN, output_tokens: -5, cached_input_tokens: Infinity };
    expect(priceUsage(GPT, broken)).toBe(0n);
  });
});

describe('the charge for a report', () => {
  const usage: Usage = { input_tokens: 1_000, output_tokens: 1_000 };
  const priority = deploymentWith({
    id: 'openai-example-fast',
    upstream: { model: 'example', serviceTier: 'priority' },
    prices: { input_tokens: { perMillion: '10' }, output_tokens: { perMillion: '60' } },
  });
  const siblings = [GPT, priority];

  test('takes the tier that was executed where it is cheaper than the one asked for', () => {
    const charged = chargeFor(reportOf(usage, { serviceTier: 'default' }), priority, siblings);
    expect(charged.deployment).toBe(GPT);
    expect(charged.amount).toBe(1_000n * 5_000n + 1_000n * 30_000n);
    expect(charged.prices).toEqual({ input_tokens: '0.000005', output_tokens: '0.00003' });
  });

  test.each([{ serviceTier: 'priority' }, { serviceTier: 'scale' }, {}])(
    'stays with what was asked for when %j was executed',
    (executed) => {
      const charged = chargeFor(reportOf(usage, executed), GPT, siblings);
      expect(charged.deployment).toBe(GPT);
    },
  );

  test('tells speed and region apart where the tier says nothing', () => {
    const fast = {
      ...ANTHROPIC_OPUS,
      upstream: { ...ANTHROPIC_OPUS.upstream, speed: 'fast' as const },
      prices: { input_tokens: { perMillion: '10' }, output_tokens: { perMillion: '50' } },
    };
    const report = reportOf(usage, {
      serviceTier: 'standard',
      speed: 'standard',
      inferenceGeo: 'global',
    });
    expect(chargeFor(report, fast, [fast, ANTHROPIC_OPUS]).deployment).toBe(ANTHROPIC_OPUS);
    const elsewhere = { ...ANTHROPIC_OPUS, slugFamily: 'other' };
    expect(chargeFor(report, fast, [fast, elsewhere]).deployment).toBe(fast);
  });

  test('prices every meter in dollars per unit that give the amount again', () => {
    const odd = deploymentWith({ prices: { output_tokens: { perMillion: '0.0025' } } });
    const { prices } = chargeFor(reportOf({ output_tokens: 1 }, {}), odd, []);
    expect(prices).toEqual({ output_tokens: '0.0000000025' });
  });
});
