import { parseChatRequest } from '../../../../shared/api/chat-request.ts';
import type { JsonObject } from '../../../../shared/api/json.ts';
import { parseResponsesRequest } from '../../../../shared/api/responses-request.ts';
import type { Deployment } from '../../../../shared/catalog/types.ts';
import { translateChatRequest } from '../../../../shared/providers/anthropic/request-chat.ts';
import { translateResponsesRequest } from '../../../../shared/providers/anthropic/request-responses.ts';
import type { UpstreamRequest } from '../../../../shared/providers/contract.ts';
import { catalogDeployment } from '../../../support/deployments.ts';

/** A deployment of the newest kind: adaptive thinking, system messages in place. */
export const NEWEST = catalogDeployment('anthropic-claude-opus-5', {
  model: 'claude-new',
  upstream: {
    model: 'claude-new',
    serviceTier: 'standard_only',
    speed: 'standard',
    inferenceGeo: 'global',
  },
});

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

/** What the user's side says, as the provider takes it. */
export function user(text: string) {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** What the assistant says, as the provider takes it. */
export function assistant(text: string) {
  return { role: 'assistant', content: [{ type: 'text', text }] };
}
