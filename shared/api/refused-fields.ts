import { invalidRequest } from './error.ts';

type Refusals = Readonly<Record<string, string>>;

const REFUSED_ON_BOTH: Refusals = {
  store: 'is not supported: the service stores nothing; leave it out',
  user: 'is not supported: the user identity is derived from the API key; leave it out',
  safety_identifier: 'is not supported: it is derived from the API key; leave it out',
  fallbacks: 'is not supported: fallback is decided by the service; leave it out',
  container: 'is not supported; leave it out',
};

const REFUSED_ON_CHAT: Refusals = {
  ...REFUSED_ON_BOTH,
  audio: 'is not supported: the service is text-only; leave it out',
  function_call: 'is not supported; use tool_choice',
  functions: 'is not supported; use tools',
  prompt_cache_isolation_key: 'is not supported; leave it out',
  input: 'belongs to POST /v1/responses; use messages',
  instructions: 'belongs to POST /v1/responses; send a system message',
  max_output_tokens: 'belongs to POST /v1/responses; use max_completion_tokens',
  text: 'belongs to POST /v1/responses; use response_format and verbosity',
  max_tool_calls: 'belongs to POST /v1/responses; leave it out',
  previous_response_id: 'is not supported: the service stores nothing; send the whole conversation',
};

const REFUSED_ON_RESPONSES: Refusals = {
  ...REFUSED_ON_BOTH,
  background: 'is not supported: every request is answered at once; leave it out',
  conversation: 'is not supported: the service stores nothing; send the whole conversation',
  previous_response_id: 'is not supported: the service stores nothing; send the whole conversation',
  messages: 'belongs to POST /v1/chat/completions; use input',
  max_tokens: 'belongs to POST /v1/chat/completions; use max_output_tokens',
  max_completion_tokens: 'belongs to POST /v1/chat/completions; use max_output_tokens',
  response_format: 'belongs to POST /v1/chat/completions; use text.format',
  verbosity: 'belongs to POST /v1/chat/completions; use text.verbosity',
  reasoning_effort: 'belongs to POST /v1/chat/completions; use reasoning.effort',
  stop: 'belongs to POST /v1/chat/completions; this route has none, Anthropic models take stop_sequences',
  web_search_options: 'belongs to POST /v1/chat/completions; use a web_search tool',
  mcp_servers: 'belongs to POST /v1/chat/completions; use an mcp tool',
};

/** Reasons for keys that are refused inside messages, items and tools. */
export const REFUSED_INSIDE: Refusals = {
  audio: 'is not supported: the service is text-only; leave it out',
  function_call: 'is not supported; use tool_calls',
  include_usage: 'is set by the service on this route; leave it out',
  connector_id: 'is not supported; name the server by server_url',
  tunnel_id: 'is not supported; name the server by server_url',
};

/** Reasons for `type` values that clients know from elsewhere. */
export const REFUSED_TYPES: Refusals = {
  item_reference: 'refers to stored items and the service stores none; send the item itself',
};

/** By route: fields that are never taken, and what to do instead. */
export const REFUSED = {
  'chat-completions': REFUSED_ON_CHAT,
  responses: REFUSED_ON_RESPONSES,
} as const;

/** Throws a 400 with the field's own reason where a request sets one that is never taken (2.4, 2.7). */
export function checkRefusedFields(
  body: Readonly<Record<string, unknown>>,
  route: keyof typeof REFUSED,
): void {
  for (const [field, reason] of Object.entries(REFUSED[route])) {
    if (Object.hasOwn(body, field)) throw invalidRequest(`${field} ${reason}`);
  }
}
