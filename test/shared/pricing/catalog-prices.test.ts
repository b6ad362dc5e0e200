import { expect, test } from 'vitest';
import { buildCatalog } from '../../../catalog/write.ts';
import { priceUsage } from '../../../shared/pricing/cost.ts';
import { estimateHold } from '../../../shared/pricing/estimate.ts';
import { CALL_METERS, TOKEN_METERS, type Usage } from '../../../shared/pricing/usage.ts';

const deployments = Object.values(buildCatalog().graph.deployments);
const TEXT = 'What is the capital of France?';

test.each(deployments)(
  '$id: every price is exact, and the hold covers each kind of input',
  (deployment) => {
    const body = { messages: [{ role: 'user', content: TEXT, cache_control: { ttl: '1h' } }] };
    const request = { api: 'messages', headers: {}, body } as const;
    const calls = CALL_METERS.filter((meter) => deployment.prices[meter]);
    const plan = {
      callCaps: Object.fromEntries(calls.map((meter) => [meter, 3])),
      feedsInput: true,
      searchContextSize: 'high' as const,
    };
    const question = { deployment, request, plan };
    const { amount, inputTokens, outputTokens } = estimateHold(question);
    for (const meter of TOKEN_METERS.filter((name) => deployment.prices[name])) {
      expect(priceUsage(deployment, { [meter]: 1_000_000 })).toBeGreaterThan(0n);
      if (meter === 'output_tokens') continue;
      const usage: Usage = { [meter]: inputTokens, output_tokens: outputTokens };
      for (const call of calls) usage[call] = 3;
      expect(priceUsage(deployment, usage, 'high')).toBeLessThanOrEqual(amount);
    }
  },
);
