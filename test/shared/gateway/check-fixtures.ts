import type { Deployment } from '../../../shared/catalog/types.ts';
import { catalogDeployment } from '../../support/deployments.ts';

/** A reasoning model of the OpenAI family. */
export const GPT: Deployment = catalogDeployment('openai-gpt-5.6-sol', {
  model: 'gpt',
  reasoning: { availability: 'optional', efforts: ['low', 'medium', 'high'], budget: null },
});

const { capabilities: CAPABILITIES } = GPT;

/** The same where reasoning cannot be switched off. */
export const GPT_NANO: Deployment = {
  ...GPT,
  model: 'gpt-nano',
  reasoning: { availability: 'required', efforts: ['minimal', 'low'], budget: null },
};

export const AZURE: Deployment = {
  ...GPT,
  provider: 'azure',
  capabilities: { ...CAPABILITIES, webSearch: false, explicitPromptCaching: false },
};

/** A search model: no reasoning, no tools, no verbosity. */
export const SEARCH: Deployment = {
  ...GPT,
  model: 'gpt-search',
  reasoning: { availability: 'unsupported', efforts: [], budget: null },
  capabilities: {
    ...CAPABILITIES,
    functionCalling: false,
    customTools: false,
    structuredOutputs: false,
    verbosity: false,
    searchModel: true,
  },
  prices: { openai_chat_completion_search_model_calls: { per1kCalls: '10' } },
};

/** A model that takes predictions and does not reason. */
export const GPT_4: Deployment = {
  ...SEARCH,
  model: 'gpt-4',
  capabilities: { ...CAPABILITIES, verbosity: false, prediction: true },
  prices: {},
};

/** A model of the Anthropic family with a budget for thinking and the older hosted tools. */
export const CLAUDE: Deployment = {
  ...GPT,
  id: 'anthropic-claude',
  provider: 'anthropic',
  family: 'anthropic',
  model: 'claude',
  upstream: { model: 'claude', serviceTier: 'standard_only' },
  maxOutput: 64_000,
  routes: ['messages'],
  reasoning: {
    availability: 'optional',
    efforts: ['low', 'high'],
    budget: { minimum: 1024, maximum: 63_999 },
  },
  capabilities: { ...CAPABILITIES, customTools: false, verbosity: false },
  anthropic: {
    thinking: 'adaptive',
    systemMessages: false,
    webSearchTool: 'web_search_20250305',
    webFetchTool: 'web_fetch_20250910',
  },
};

/** Always thinks, by effort alone; takes the newest hosted tools. */
export const CLAUDE_THINKER: Deployment = {
  ...CLAUDE,
  model: 'claude-thinker',
  reasoning: { availability: 'required', efforts: ['low', 'high'], budget: null },
  anthropic: {
    thinking: 'adaptive',
    systemMessages: true,
    webSearchTool: 'web_search_20260209',
    webFetchTool: 'web_fetch_20260309',
  },
};
