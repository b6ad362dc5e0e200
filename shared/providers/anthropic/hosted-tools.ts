import type {
  BetaUserLocation,
  BetaWebFetchTool20250910,
  BetaWebFetchTool20260309,
  BetaWebSearchTool20250305,
  BetaWebSearchTool20260209,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { ChatCompletionRequest } from '../../api/chat-request.ts';
import { chatSearchMaxUses, effectiveMaxUses } from '../../api/hosted-tools.ts';
import type { ResponsesRequest } from '../../api/responses-request.ts';
import type { WebFetchTool, WebSearchTool } from '../../api/tools.ts';
import type { AnthropicFacts } from '../../catalog/types.ts';

type SearchTool = BetaWebSearchTool20250305 | BetaWebSearchTool20260209;
type FetchTool = BetaWebFetchTool20250910 | BetaWebFetchTool20260309;

/** Versions that clients may ask for by name; every other name means the newest that the model takes. */
const SEARCH_VERSIONS: readonly SearchTool['type'][] = [
  'web_search_20250305',
  'web_search_20260209',
];
const FETCH_VERSIONS: readonly FetchTool['type'][] = ['web_fetch_20250910', 'web_fetch_20260309'];

export interface HostedToolSource {
  readonly request: ResponsesRequest;
  readonly facts: AnthropicFacts;
}

/** The hosted search that `web_search_options` asks for (2.4), capped. */
export function chatWebSearch(request: ChatCompletionRequest, facts: AnthropicFacts): SearchTool {
  const place = request.web_search_options?.user_location?.approximate;
  return {
    type: facts.webSearchTool,
    name: 'web_search',
    max_uses: chatSearchMaxUses(request),
    ...(place && { user_location: userLocation(place) }),
  };
}

/** A web search tool of the responses route (2.7), with its filters, location and cap. */
export function webSearch(tool: WebSearchTool, source: HostedToolSource): SearchTool {
  return {
    type: SEARCH_VERSIONS.find((version) => version === tool.type) ?? source.facts.webSearchTool,
    name: 'web_search',
    ...maxUses(tool, source),
    ...domainFilter(tool.filters ?? tool),
    ...(tool.user_location && { user_location: userLocation(tool.user_location) }),
    ...(tool.cache_control && { cache_control: tool.cache_control }),
  };
}

/** A web fetch tool of the responses route (2.7). It is priced by tokens, so it has no default cap. */
export function webFetch(tool: WebFetchTool, source: HostedToolSource): FetchTool {
  const { citations, max_content_tokens, cache_control } = tool;
  return {
    type: FETCH_VERSIONS.find((version) => version === tool.type) ?? source.facts.webFetchTool,
    name: 'web_fetch',
    ...maxUses(tool, source),
    ...domainFilter(tool),
    ...(citations && { citations }),
    ...(max_content_tokens !== undefined && { max_content_tokens }),
    ...(cache_control && { cache_control }),
  };
}

function maxUses(tool: WebSearchTool | WebFetchTool, source: HostedToolSource) {
  const uses = effectiveMaxUses(tool, source.request);
  return uses === undefined ? {} : { max_uses: uses };
}

interface DomainFields {
  readonly allowed_domains?: string[];
  readonly blocked_domains?: string[];
}

function domainFilter({ allowed_domains, blocked_domains }: DomainFields): DomainFields {
  return {
    ...(allowed_domains && { allowed_domains }),
    ...(blocked_domains && { blocked_domains }),
  };
}

function userLocation(place: Omit<BetaUserLocation, 'type'>): BetaUserLocation {
  const { city, region, country, timezone } = place;
  return {
    type: 'approximate',
    ...(city !== undefined && { city }),
    ...(region !== undefined && { region }),
    ...(country !== undefined && { country }),
    ...(timezone !== undefined && { timezone }),
  };
}
