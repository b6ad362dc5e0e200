import * as z from 'zod/mini';
import {
  cacheControl,
  nonEmptyText,
  openObject,
  placeFields,
  positiveInteger,
  rule,
  searchContextSize,
} from './common-fields.ts';

function isHttps(url: string): boolean {
  return URL.parse(url)?.protocol === 'https:';
}

const cacheMarker = z.exactOptional(cacheControl);
const httpsUrl = z
  .string()
  .check(rule((url) => (isHttps(url) ? undefined : 'must be an https:// address')));
const functionFields = {
  name: nonEmptyText,
  description: z.exactOptional(z.string()),
  parameters: z.exactOptional(openObject),
  strict: z.exactOptional(z.boolean()),
};
const customFields = {
  name: nonEmptyText,
  description: z.exactOptional(z.string()),
  format: z.exactOptional(openObject),
};

/** Tools of the chat route (2.4): function, custom, and family B's `mcp_toolset`. */
export const chatTool = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('function'),
    function: z.strictObject(functionFields),
    cache_control: cacheMarker,
  }),
  z.strictObject({
    type: z.literal('custom'),
    custom: z.strictObject(customFields),
    cache_control: cacheMarker,
  }),
  z.strictObject({
    type: z.literal('mcp_toolset'),
    mcp_server_name: nonEmptyText,
    default_config: z.exactOptional(openObject),
    configs: z.exactOptional(openObject),
    cache_control: cacheMarker,
  }),
]);
export type ChatTool = z.output<typeof chatTool>;

const domains = z.exactOptional(z.array(z.string()));
const maxUses = z.exactOptional(positiveInteger);

const userLocation = z.strictObject({ type: z.literal('approximate'), ...placeFields });

const webSearchFields = {
  search_context_size: z.exactOptional(searchContextSize),
  user_location: z.exactOptional(userLocation),
  filters: z.exactOptional(z.strictObject({ allowed_domains: domains, blocked_domains: domains })),
  external_web_access: z.exactOptional(z.boolean()),
  name: z.exactOptional(z.literal('web_search')),
  allowed_domains: domains,
  blocked_domains: domains,
  max_uses: maxUses,
  cache_control: cacheMarker,
};

/** Every name that a hosted web search tool may go by on the responses route. */
export const WEB_SEARCH_TYPES = [
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
  'web_search_20250305',
  'web_search_20260209',
] as const;
export const WEB_FETCH_TYPES = ['web_fetch', 'web_fetch_20250910', 'web_fetch_20260309'] as const;

const webSearchTool = z.strictObject({ type: z.enum(WEB_SEARCH_TYPES), ...webSearchFields });
export type WebSearchTool = z.output<typeof webSearchTool>;

const webFetchTool = z.strictObject({
  type: z.enum(WEB_FETCH_TYPES),
  name: z.exactOptional(z.literal('web_fetch')),
  allowed_domains: domains,
  blocked_domains: domains,
  max_uses: maxUses,
  max_content_tokens: z.exactOptional(positiveInteger),
  citations: z.exactOptional(z.strictObject({ enabled: z.boolean() })),
  cache_control: cacheMarker,
});
export type WebFetchTool = z.output<typeof webFetchTool>;

const toolNames = z.array(nonEmptyText).check(z.minLength(1));

const mcpTool = z.strictObject({
  type: z.literal('mcp'),
  server_label: nonEmptyText,
  server_url: httpsUrl,
  server_description: z.exactOptional(z.string()),
  authorization: z.exactOptional(z.string()),
  headers: z.exactOptional(z.record(z.string(), z.string())),
  allowed_tools: z.union([toolNames, z.strictObject({ tool_names: toolNames })]),
  require_approval: z.literal('never'),
  cache_control: cacheMarker,
});
export type McpTool = z.output<typeof mcpTool>;

const responsesFunctionTool = z.strictObject({
  type: z.literal('function'),
  ...functionFields,
  cache_control: cacheMarker,
});
const responsesCustomTool = z.strictObject({
  type: z.literal('custom'),
  ...customFields,
  cache_control: cacheMarker,
});

/** Tools of the responses route (2.7). */
export const responsesTool = z.discriminatedUnion('type', [
  responsesFunctionTool,
  responsesCustomTool,
  webSearchTool,
  webFetchTool,
  mcpTool,
]);
export type ResponsesTool = z.output<typeof responsesTool>;

const choiceMode = z.enum(['auto', 'none', 'required']);

/** `tool_choice` of the chat route: a mode, or one declared function or custom tool. */
export const chatToolChoice = z.union([
  choiceMode,
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('function'),
      function: z.strictObject({ name: nonEmptyText }),
    }),
    z.strictObject({ type: z.literal('custom'), custom: z.strictObject({ name: nonEmptyText }) }),
  ]),
]);
export type ChatToolChoice = z.output<typeof chatToolChoice>;

/** `tool_choice` of the responses route: a mode, or one declared tool by type and name. */
export const responsesToolChoice = z.union([
  choiceMode,
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('function'), name: nonEmptyText }),
    z.strictObject({ type: z.literal('custom'), name: nonEmptyText }),
    z.strictObject({
      type: z.literal('mcp'),
      server_label: nonEmptyText,
      name: z.exactOptional(nonEmptyText),
    }),
    z.strictObject({ type: z.enum([...WEB_SEARCH_TYPES, ...WEB_FETCH_TYPES]) }),
  ]),
]);
export type ResponsesToolChoice = z.output<typeof responsesToolChoice>;

/** Remote MCP server of the chat route (2.4), paired with an `mcp_toolset` by name. */
export const mcpServer = z.strictObject({
  type: z.literal('url'),
  url: httpsUrl,
  name: nonEmptyText,
  authorization_token: z.exactOptional(z.string()),
});
