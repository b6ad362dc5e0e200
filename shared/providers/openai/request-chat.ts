import type { AssistantMessage, ChatMessage } from '../../api/chat-message.ts';
import type { ChatCompletionRequest } from '../../api/chat-request.ts';
import type { JsonObject } from '../../api/json.ts';
import { effectiveOutputCap } from '../../api/output-cap.ts';
import { chatReasoning } from '../../api/reasoning.ts';
import type { TranslationTarget, UpstreamRequest } from '../contract.ts';
import {
  forcedFields,
  mapChanged,
  pickFields,
  promptCacheRetention,
  reasoningEffort,
} from './forced-fields.ts';

/** Fields that pass as they stand; everything else is either translated or the gateway's own. */
const RELAYED = [
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'verbosity',
  'temperature',
  'top_p',
  'stop',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'prediction',
  'web_search_options',
  'prompt_cache_key',
] as const;

/**
 * Translates a checked chat request for the OpenAI family's chat completions API (2.4). What it
 * relays is shared with the request, never copied.
 */
export function translateChatRequest(
  request: ChatCompletionRequest,
  target: TranslationTarget,
): UpstreamRequest {
  const cap = effectiveOutputCap(request);
  const effort = reasoningEffort(chatReasoning(request), target);
  const body: JsonObject = {
    ...forcedFields(target),
    ...pickFields({ messages: mapChanged(request.messages, upstreamMessage) }, ['messages']),
    ...(cap !== undefined && { max_completion_tokens: cap }),
    ...(effort !== undefined && { reasoning_effort: effort }),
    ...pickFields(request, RELAYED),
    ...promptCacheRetention(request.prompt_cache_retention),
    ...streamFields(request),
  };
  return { api: 'chat-completions', headers: {}, body };
}

/** Usage is always asked for; padding against traffic analysis is unsupported on this route (2.4). */
function streamFields({ stream }: ChatCompletionRequest): JsonObject {
  if (!stream) return {};
  return { stream: true, stream_options: { include_usage: true, include_obfuscation: false } };
}

function upstreamMessage(message: ChatMessage): ChatMessage {
  return message.role === 'assistant' ? upstreamAssistant(message) : message;
}

/** A turn as the provider takes it back: without what only answers carry. */
function upstreamAssistant(message: AssistantMessage): AssistantMessage {
  const {
    reasoning: _reasoning,
    reasoning_details: _details,
    annotations: _annotations,
    ...turn
  } = message;
  const said = turn.content ?? turn.refusal ?? turn.tool_calls;
  // A turn of reasoning alone still needs something that the provider takes as a message.
  if (said === undefined) return { ...turn, content: '' };
  return Object.keys(turn).length === Object.keys(message).length ? message : turn;
}
