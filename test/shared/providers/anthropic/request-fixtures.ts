import { parseChatRequest } from '../../../../shared/api/chat-request.ts';
import type { JsonObject } from '../../../../shared/api/json.ts';
import { parseResponsesRequest } from '../../../../shared/api/responses-request.ts';
import type { AnthropicFacts, Deployment } from '../../../../shared/catalog/types.ts';
import { translateChatRequest } from '../../../../shared/providers/anthropic/request-chat.ts';
import { translateResponsesRequest } from '../../../../shared/providers/anthropic/request-responses.ts';
import type { UpstreamRequest } from '../../../../shared/providers/contract.ts';

const FACTS: AnthropicFacts = {
  thinking: 'adaptive',
  systemMessages: true,
  webSearchTool: 'web_search_20260209',
  webFetchTool: 'web_fetch_20260309',
};

/** A deployment of the newest kind: adaptive thinking, system messages in place. */
export const NEWEST: Deployment = {
  id: 'anthropic-claude-new',
  provider: 'anthropic',
  family: 'anthropic',
  model: 'claude-new',
  aliases: [],
  slugFamily: 'claude-new',
  upstream: {
    model: 'claude-new',
    serviceTier: 'standard_only',
    speed: 'standard',
    inferenceGeo: 'global',
  },
  contextWindow: 1_000_000,
  maxOutput: 128_000,
  retiredOn: null,
  routes: ['messages'],
  reasoning: {
    availability: 'optional',
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    budget: null,
  },
  capabilities: {
    functionCalling: true,
    parallelFunctionCalling: true,
    customTools: false,
    webSearch: true,
    explicitPromptCaching: true,
    structuredOutputs: true,
    verbosity: false,
    prediction: false,
    searchModel: false,
  },
  anthropic: FACTS,
  prices: {},
};

/** Thinking by budget and effort, no system messages, older hosted tools, no region or speed. */
export const OLDEST: Deployment = {
  ...NEWEST,
  id: 'anthropic-claude-old',
  model: 'claude-old',
  upstream: { model: 'claude-old-20251101', serviceTier: 'standard_only' },
  maxOutput: 64_000,
  reasoning: {
    availability: 'optional',
    efforts: ['low', 'medium', 'high'],
    budget: { minimum: 1024, maximum: 63_999 },
  },
  anthropic: {
    thinking: 'budget-and-effort',
    systemMessages: false,
    webSearchTool: 'web_search_20250305',
    webFetchTool: 'web_fetch_20250910',
  },
};

const IDENTITY = 'id-0123456789abcdef';

/** Translates the body of a chat request, read as the service reads it. */
export function chat(body: JsonObject, deployment: Deployment = NEWEST): UpstreamRequest {
  const request = parseChatRequest({ model: 'claude-new', ...body });
  return translateChatRequest(request, { deployment, identity: IDENTITY });
}

/** Translates the body of a responses request, read as the service reads it. */
export function responses(body: JsonObject, deployment: Deployment = NEWEST): UpstreamRequest {
  const request = parseResponsesRequest({ model: 'claude-new', ...body });
  return translateResponsesRequest(request, { deployment, identity: IDENTITY });
}

/** What every request to `NEWEST` says beyond what the client asks. */
export const EVERY_BODY = {
  model: 'claude-new',
  max_tokens: 128_000,
  inference_geo: 'global',
  service_tier: 'standard_only',
  metadata: { user_id: IDENTITY },
};

export function user(text: string) {
  return { role: 'user', content: [{ type: 'text', text }] };
}

export function assistant(text: string) {
  return { role: 'assistant', content: [{ type: 'text', text }] };
}
