import type { Deployment } from '../../../shared/catalog/types.ts';
import { catalogDeployment } from '../../support/deployments.ts';

/** A deployment with the prices of the case at hand; nothing else of it bears on pricing. */
export function deploymentWith(overrides: Partial<Deployment>): Deployment {
  return catalogDeployment('openai-gpt-5.6-sol', {
    id: 'openai-example',
    slugFamily: 'example',
    prices: {
      input_tokens: { perMillion: '5', perMillionOver272k: '10' },
      cached_input_tokens: { perMillion: '0.5', perMillionOver272k: '1' },
      cache_write_input_tokens: { perMillion: '6.25', perMillionOver272k: '12.5' },
      output_tokens: { perMillion: '30', perMillionOver272k: '45' },
      openai_responses_web_search_calls: { per1kCalls: '10' },
    },
    ...overrides,
  });
}

export const ANTHROPIC_OPUS = catalogDeployment('anthropic-claude-opus-5', {
  slugFamily: 'example',
  prices: {
    input_tokens: { perMillion: '5' },
    cached_input_tokens: { perMillion: '0.5' },
    cache_write_5m_input_tokens: { perMillion: '6.25' },
    cache_write_1h_input_tokens: { perMillion: '10' },
    output_tokens: { perMillion: '25' },
    anthropic_web_search_calls: { per1kCalls: '10' },
  },
});
