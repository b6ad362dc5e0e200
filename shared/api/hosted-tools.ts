import type { Deployment } from '../catalog/types.ts';
import type { HostedToolPlan } from '../pricing/hold-plan.ts';
import { type CallMeter, SEARCH_MODEL_METERS } from '../pricing/usage.ts';
import type { ChatCompletionRequest } from './chat-request.ts';
import { effectiveOutputCap } from './output-cap.ts';
import type { ResponsesRequest } from './responses-request.ts';
import {
  type ResponsesTool,
  WEB_FETCH_TYPES,
  WEB_SEARCH_TYPES,
  type WebFetchTool,
  type WebSearchTool,
} from './tools.ts';

/** Calls that priced hosted tools may make in a request that names no cap (part 8). */
const DEFAULT_TOOL_CALLS = 50;
/** The same where the request asks for little search context: fewer searches bring less of it. */
const LOW_CONTEXT_SEARCHES = 10;

const PREVIEW_SEARCH_TYPES: readonly string[] = [
  'web_search_preview',
  'web_search_preview_2025_03_11',
];

/** Whether a tool is the hosted web search, under whichever of its names. */
export function isWebSearchTool(tool: ResponsesTool): tool is WebSearchTool {
  return WEB_SEARCH_TYPES.some((type) => type === tool.type);
}

/** Whether a tool is the hosted web fetch, under whichever of its names. */
export function isWebFetchTool(tool: ResponsesTool): tool is WebFetchTool {
  return WEB_FETCH_TYPES.some((type) => type === tool.type);
}

/** Tools that run at the provider, within the answer. */
function isHosted(tool: ResponsesTool): boolean {
  return isWebSearchTool(tool) || isWebFetchTool(tool) || tool.type === 'mcp';
}

/** Whether hosted tools can run at all: not when a choice rules them out, nor without output. */
function canRunHosted(request: ChatCompletionRequest | ResponsesRequest): boolean {
  const choice = request.tool_choice;
  if (choice === 'none' || effectiveOutputCap(request) === 0) return false;
  return typeof choice !== 'object' || (choice.type !== 'function' && choice.type !== 'custom');
}

/**
 * The cap on hosted calls to send to the OpenAI family: the request's own, or the default where
 * priced hosted tools can run. Undefined: send none (2.7).
 */
export function effectiveMaxToolCalls(request: ResponsesRequest): number | undefined {
  if (request.max_tool_calls !== undefined) return request.max_tool_calls;
  const priced = request.tools?.some(isWebSearchTool) ?? false;
  return priced && canRunHosted(request) ? DEFAULT_TOOL_CALLS : undefined;
}

/**
 * `max_uses` of a hosted tool on the Anthropic family: its own, else the request's
 * `max_tool_calls`, else the default of web search. Undefined: web fetch without a cap.
 */
export function effectiveMaxUses(
  tool: WebSearchTool | WebFetchTool,
  request: ResponsesRequest,
): number | undefined {
  const asked = tool.max_uses ?? request.max_tool_calls;
  if (asked !== undefined || !isWebSearchTool(tool)) return asked;
  return defaultSearches(tool.search_context_size);
}

/** `max_uses` of the web search tool that `web_search_options` becomes on the Anthropic family. */
export function chatSearchMaxUses(request: ChatCompletionRequest): number {
  return defaultSearches(request.web_search_options?.search_context_size);
}

function defaultSearches(contextSize: string | undefined): number {
  return contextSize === 'low' ? LOW_CONTEXT_SEARCHES : DEFAULT_TOOL_CALLS;
}

/** What hosted tools the request may run on the deployment: what to cap, to hold and to charge. */
export function planHostedTools(
  request: ChatCompletionRequest | ResponsesRequest,
  deployment: Deployment,
): HostedToolPlan {
  return 'messages' in request ? planChat(request, deployment) : planResponses(request, deployment);
}

function planChat(request: ChatCompletionRequest, deployment: Deployment): HostedToolPlan {
  if (deployment.capabilities.searchModel) return planSearchModel(request, deployment);
  if (!canRunHosted(request)) return { callCaps: {}, feedsInput: false };
  if (request.web_search_options) {
    const searches = chatSearchMaxUses(request);
    return { callCaps: { anthropic_web_search_calls: searches }, feedsInput: true };
  }
  return { callCaps: {}, feedsInput: (request.mcp_servers ?? []).length > 0 };
}

/** Search models search once a request, with or without `web_search_options`. */
function planSearchModel(request: ChatCompletionRequest, deployment: Deployment): HostedToolPlan {
  const meter =
    SEARCH_MODEL_METERS.find((name) => deployment.prices[name]) ?? SEARCH_MODEL_METERS[0];
  return {
    callCaps: { [meter]: 1 },
    feedsInput: true,
    searchContextSize: request.web_search_options?.search_context_size ?? 'medium',
  };
}

function planResponses(request: ResponsesRequest, deployment: Deployment): HostedToolPlan {
  const hosted = canRunHosted(request) ? (request.tools ?? []).filter(isHosted) : [];
  const callCaps: Partial<Record<CallMeter, number>> = {};
  for (const tool of hosted.filter(isWebSearchTool)) {
    callCaps[searchMeter(tool, deployment)] = searchCap(tool, request, deployment);
  }
  return { callCaps, feedsInput: hosted.length > 0 };
}

/** The OpenAI family caps all hosted calls of a request together, Anthropic each tool's own. */
function searchCap(tool: WebSearchTool, request: ResponsesRequest, deployment: Deployment): number {
  const cap =
    deployment.family === 'openai'
      ? effectiveMaxToolCalls(request)
      : effectiveMaxUses(tool, request);
  return cap ?? DEFAULT_TOOL_CALLS;
}

function searchMeter(tool: WebSearchTool, deployment: Deployment): CallMeter {
  if (deployment.family === 'anthropic') return 'anthropic_web_search_calls';
  if (!PREVIEW_SEARCH_TYPES.includes(tool.type)) return 'openai_responses_web_search_calls';
  return deployment.reasoning.availability === 'unsupported'
    ? 'openai_responses_web_search_preview_non_reasoning_calls'
    : 'openai_responses_web_search_preview_calls';
}
