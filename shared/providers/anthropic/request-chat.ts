import type {
  BetaContentBlockParam,
  BetaToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { AssistantMessage, ChatMessage, ChatToolCall } from '../../api/chat-message.ts';
import type { ChatCompletionRequest } from '../../api/chat-request.ts';
import { invalidRequest } from '../../api/error.ts';
import { chatReasoning } from '../../api/reasoning.ts';
import type { TranslationTarget, UpstreamRequest } from '../contract.ts';
import { buildConversation, type ConversationEntry } from './conversation.ts';
import { anthropicFacts } from './facts.ts';
import { detailBlocks } from './reasoning-replay.ts';
import { assembleRequest } from './request-body.ts';
import { chatOutputFormat } from './structured-output.ts';
import { textBlocks } from './text.ts';
import { toolResult, toolUse } from './tool-blocks.ts';
import { chatTools } from './tools.ts';

/**
 * A chat completion request (2.4) as a request to the Messages API. Pure: the same request gives
 * the same bytes. Throws a 400 for what the provider or the deployment's model cannot take.
 */
export function translateChatRequest(
  request: ChatCompletionRequest,
  target: TranslationTarget,
): UpstreamRequest {
  const facts = anthropicFacts(target.deployment);
  const entries = request.messages.map((message, index) => entryOf(message, `messages[${index}]`));
  return assembleRequest(request, target, {
    conversation: buildConversation(entries, {
      systemMessages: facts.systemMessages,
      field: 'messages',
    }),
    toolSetup: chatTools(request, facts),
    reasoning: chatReasoning(request),
    format: chatOutputFormat(request),
    stopSequences: request.stop ?? request.stop_sequences,
  });
}

function entryOf(message: ChatMessage, field: string): ConversationEntry {
  const { name } = message;
  switch (message.role) {
    case 'system':
    case 'developer':
    case 'user': {
      const role = message.role === 'user' ? 'user' : 'system';
      return { role, blocks: textBlocks(message.content, { field: `${field}.content`, name }) };
    }
    case 'assistant':
      return { role: 'assistant', blocks: assistantBlocks(message, field) };
    case 'tool': {
      const content = textBlocks(message.content, { field: `${field}.content` });
      return toolResult({ callId: message.tool_call_id, content, field: `${field}.tool_call_id` });
    }
  }
}

/**
 * Thinking first, then what was said, then the calls. `reasoning` (a copy of the details' text)
 * and `annotations` were shown to people; the model's own state is in `reasoning_details`.
 */
function assistantBlocks(message: AssistantMessage, field: string): BetaContentBlockParam[] {
  const { content = [], refusal = '', name } = message;
  return [
    ...detailBlocks(message.reasoning_details ?? [], `${field}.reasoning_details`),
    ...textBlocks(content, { field: `${field}.content`, name }),
    ...textBlocks(refusal, { field: `${field}.refusal` }),
    ...(message.tool_calls ?? []).map((call, index) =>
      toolCallBlock(call, `${field}.tool_calls[${index}]`),
    ),
  ];
}

function toolCallBlock(call: ChatToolCall, field: string): BetaToolUseBlockParam {
  if (call.type === 'custom') {
    throw invalidRequest(`${field}.type "custom" is not taken by this model; use a function call`);
  }
  const { name, arguments: text } = call.function;
  return toolUse(
    { id: call.id, name, text },
    { id: `${field}.id`, arguments: `${field}.function.arguments` },
  );
}
