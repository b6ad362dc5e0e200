import type { Deployment } from '../../../shared/catalog/types.ts';

/** A deployment with the prices of the case at hand; nothing else of it bears on pricing. */
export function deploymentWith(overrides: Partial<Deployment>): Deployment {
  return {
    id: 'openai-example',
    provider: 'openai',
    family: 'openai',
    model: 'example',
    aliases: [],
    slugFamily: 'example',
    upstream: { model: 'example', serviceTier: 'default' },
    contextWindow: 1_050_000,
    maxOutput: 128_000,
    retiredOn: null,
    routes: ['chat-completions', 'responses'],
    reasoning: { availability: 'unsupported', efforts: [], budget: null },
    capabilities: {
      functionCalling: true,
      parallelFunctionCalling: true,
      customTools: true,
      webSearch: true,
      explicitPromptCaching: false,
      structuredOutputs: true,
      verbosity: true,
      prediction: false,
      searchModel: false,
    },
    prices: {
      input_tokens: { perMillion: '5', perMillionOver272k: '10' },
      cached_input_tokens: { perMillion: '0.5', perMillionOver272k: '1' },
      cache_write_input_tokens: { perMillion: '6.25', perMillionOver272k: '12.5' },
      output_tokens: { perMillion: '30', perMillionOver272k: '45' },
      openai_responses_web_search_calls: { per1kCalls: '10' },
    },
    ...overrides,
  };
}

export const ANTHROPIC_OPUS = deploymentWith({
  id: 'anthropic-opus',
  provider: 'anthropic',
  family: 'anthropic',
  upstream: {
    model: 'opus',
    serviceTier: 'standard_only',
    speed: 'standard',
    inferenceGeo: 'global',
  },
  contextWindow: 1_000_000,
  routes: ['messages'],
  prices: {
    input_tokens: { perMillion: '5' },
    cached_input_tokens: { perMillion: '0.5' },
    cache_write_5m_input_tokens: { perMillion: '6.25' },
    cache_write_1h_input_tokens: { perMillion: '10' },
    output_tokens: { perMillion: '25' },
    anthropic_web_search_calls: { per1kCalls: '10' },
  },
});
