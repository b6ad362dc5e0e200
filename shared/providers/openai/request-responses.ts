import { effectiveMaxToolCalls, isWebSearchTool } from '../../api/hosted-tools.ts';
import type { InputItem, ReasoningItem } from '../../api/input-item.ts';
import { isJsonObject, type JsonObject } from '../../api/json.ts';
import { responsesReasoning } from '../../api/reasoning.ts';
import type { ResponsesRequest } from '../../api/responses-request.ts';
import type { ResponsesTool } from '../../api/tools.ts';
import type { TranslationTarget, UpstreamRequest } from '../contract.ts';
import { SEAL_PREFIX } from '../reasoning-seal.ts';
import {
  forcedFields,
  mapChanged,
  pickFields,
  promptCacheRetention,
  reasoningEffort,
} from './forced-fields.ts';

const ENCRYPTED_REASONING = 'reasoning.encrypted_content';

const RELAYED = [
  'instructions',
  'max_output_tokens',
  'parallel_tool_calls',
  'tool_choice',
  'text',
  'truncation',
  'temperature',
  'top_p',
  'top_logprobs',
  'frequency_penalty',
  'presence_penalty',
  'prompt_cache_key',
] as const;

/**
 * Translates a checked responses request for the OpenAI family's responses API (2.7). What it relays
 * is shared with the request, never copied.
 */
export function translateResponsesRequest(
  request: ResponsesRequest,
  target: TranslationTarget,
): UpstreamRequest {
  const { input, tools, stream, stream_options } = request;
  const cap = effectiveMaxToolCalls(request);
  const body: JsonObject = {
    ...forcedFields(target),
    ...pickFields({ input: typeof input === 'string' ? input : upstreamItems(input) }, ['input']),
    ...reasoningFields(request, target),
    ...includeFields(request, target),
    ...pickFields({ tools: tools && mapChanged(tools, upstreamTool) }, ['tools']),
    ...(cap !== undefined && { max_tool_calls: cap }),
    ...pickFields(request, RELAYED),
    ...promptCacheRetention(request.prompt_cache_retention),
    ...(stream && { stream: true, ...pickFields({ stream_options }, ['stream_options']) }),
  };
  return { api: 'responses', headers: {}, body };
}

function reasoningFields(request: ResponsesRequest, target: TranslationTarget): JsonObject {
  const intent = responsesReasoning(request);
  const effort = reasoningEffort(intent, target);
  const { reasoningMode } = target.deployment.upstream;
  const reasoning: JsonObject = {
    ...(reasoningMode !== undefined && { mode: reasoningMode }),
    ...(effort !== undefined && { effort }),
    ...(intent.summary !== undefined && { summary: intent.summary }),
  };
  return Object.keys(reasoning).length > 0 ? { reasoning } : {};
}

/** Nothing is stored, so reasoning can only return in the next turn if its content is handed out. */
function includeFields(
  { include }: ResponsesRequest,
  { deployment }: TranslationTarget,
): JsonObject {
  const reasons = deployment.reasoning.availability !== 'unsupported';
  const wanted = new Set(include);
  if (reasons) wanted.add(ENCRYPTED_REASONING);
  return wanted.size > 0 ? { include: [...wanted] } : {};
}

function upstreamItems(items: readonly InputItem[]): readonly InputItem[] {
  const kept = items.filter((item) => item.type !== 'reasoning' || isReplayable(item));
  return mapChanged(kept.length === items.length ? items : kept, upstreamItem);
}

/**
 * Reasoning without its encrypted content exists only in the memory that the provider does not
 * have, and what another family's model thought it cannot read.
 */
function isReplayable({ encrypted_content = '' }: ReasoningItem): boolean {
  return encrypted_content !== '' && !encrypted_content.startsWith(SEAL_PREFIX);
}

/** An item as a provider takes it that stores nothing: IDs would be read as references (`store: false`). */
function upstreamItem(item: InputItem): InputItem {
  switch (item.type) {
    case 'reasoning':
      return withoutId(item.summary ? item : { ...item, summary: [] });
    case 'function_call_output':
    case 'custom_tool_call_output':
      return withoutId({ ...item, output: outputValue(item.output) });
    case 'mcp_approval_responses':
      return { ...item, type: 'mcp_approval_response' };
    case 'mcp_call':
    case 'mcp_list_tools':
    case 'mcp_approval_request':
    case 'mcp_approval_response':
      // These refer to each other by ID within the request itself.
      return item;
    default:
      return withoutId(item);
  }
}

function withoutId<Item extends InputItem>(item: Item): Item {
  if (item.id === undefined) return item;
  const { id: _reference, ...others } = item;
  // The ID is optional in every kind of item.
  return others as Item;
}

/** The provider takes text or text parts; other data is handed over as its JSON text. */
function outputValue(output: unknown): unknown {
  if (typeof output === 'string') return output;
  return isPartList(output) ? output.map(inputText) : JSON.stringify(output ?? null);
}

type TextPart = { readonly type: string; readonly text: string };
const TEXT_PARTS: readonly unknown[] = ['input_text', 'output_text', 'text'];

function isPartList(output: unknown): output is TextPart[] {
  return (
    Array.isArray(output) &&
    output.length > 0 &&
    output.every(
      (part) =>
        isJsonObject(part) && TEXT_PARTS.includes(part.type) && typeof part.text === 'string',
    )
  );
}

function inputText({ text }: TextPart): TextPart {
  return { type: 'input_text', text };
}

/** Domain lists go where this family has them; the name belongs to the other family's tool. */
function upstreamTool(tool: ResponsesTool): ResponsesTool {
  if (!isWebSearchTool(tool)) return tool;
  const { name: _name, allowed_domains, blocked_domains, ...search } = tool;
  if (allowed_domains === undefined && blocked_domains === undefined) return search;
  const filters = {
    ...(allowed_domains && { allowed_domains }),
    ...(blocked_domains && { blocked_domains }),
    ...search.filters,
  };
  return { ...search, filters };
}
