import type { JsonObject } from './json.ts';
import { responsesReasoning } from './reasoning.ts';
import type { ResponsesRequest } from './responses-request.ts';
import type { ResponsesTool } from './tools.ts';

/** The fields of a response object that repeat the request, and those that the service fixes. */
export type ResponsesEcho = Readonly<JsonObject>;

/**
 * What a response object says of its request (2.8): defaults filled in, so that every field that
 * the Response schema requires is there. Credentials of remote tools are left out.
 */
export function responsesEcho(request: ResponsesRequest): ResponsesEcho {
  const { effort, summary } = responsesReasoning(request);
  return {
    background: false,
    conversation: null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    metadata: request.metadata ?? {},
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    reasoning: { effort: effort ?? null, summary: summary ?? null },
    safety_identifier: null,
    service_tier: request.service_tier ?? 'auto',
    store: false,
    temperature: request.temperature ?? 1,
    text: { format: { type: 'text' }, ...asJson(request.text ?? {}) },
    tool_choice: request.tool_choice ?? 'auto',
    tools: (request.tools ?? []).map(echoTool),
    top_logprobs: request.top_logprobs ?? 0,
    top_p: request.top_p ?? 1,
    presence_penalty: request.presence_penalty ?? 0,
    frequency_penalty: request.frequency_penalty ?? 0,
    truncation: request.truncation ?? 'disabled',
    access_programs: null,
  };
}

/** A function tool with every field of the schema; a remote server without its credentials. */
function echoTool(tool: ResponsesTool): JsonObject {
  if (tool.type === 'function') {
    return { description: null, parameters: null, strict: null, ...asJson(tool) };
  }
  if (tool.type !== 'mcp') return asJson(tool);
  const { authorization: _authorization, headers: _headers, ...shown } = tool;
  return asJson(shown);
}

/** A request is parsed JSON: where its schema leaves a value open, it is JSON all the same. */
function asJson(value: object): JsonObject {
  return value as JsonObject;
}
