import type { BetaContentBlockParam } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { invalidRequest } from '../../api/error.ts';
import type { InputItem, MessageItem, MessagePart } from '../../api/input-item.ts';
import { responsesReasoning } from '../../api/reasoning.ts';
import type { ResponsesRequest } from '../../api/responses-request.ts';
import type { TranslationTarget, UpstreamRequest } from '../contract.ts';
import { buildConversation, type ConversationEntry } from './conversation.ts';
import { anthropicFacts } from './facts.ts';
import { mcpCallBlocks } from './mcp.ts';
import { reasoningItemBlocks } from './reasoning-replay.ts';
import { assembleRequest } from './request-body.ts';
import { responsesOutputFormat } from './structured-output.ts';
import { type TextPiece, textBlocks } from './text.ts';
import { toolResult, toolUse } from './tool-blocks.ts';
import { toolOutputBlocks } from './tool-output.ts';
import { responsesTools } from './tools.ts';

/**
 * A responses request (2.7) as a request to the Messages API. Pure: the same request gives the
 * same bytes. Throws a 400 for what the provider or the deployment's model cannot take.
 */
export function translateResponsesRequest(
  request: ResponsesRequest,
  target: TranslationTarget,
): UpstreamRequest {
  const facts = anthropicFacts(target.deployment);
  return assembleRequest(request, target, {
    conversation: buildConversation([...instructions(request), ...inputEntries(request)], {
      systemMessages: facts.systemMessages,
      field: 'input',
    }),
    toolSetup: responsesTools(request, facts),
    reasoning: responsesReasoning(request),
    format: responsesOutputFormat(request),
    stopSequences: request.stop_sequences,
  });
}

function instructions(request: ResponsesRequest): ConversationEntry[] {
  const blocks = textBlocks(request.instructions ?? '', { field: 'instructions' });
  return [{ role: 'system', blocks }];
}

function inputEntries({ input }: ResponsesRequest): ConversationEntry[] {
  if (typeof input === 'string') {
    return [{ role: 'user', blocks: textBlocks(input, { field: 'input' }) }];
  }
  return input.flatMap((item, index) => itemEntries(item, `input[${index}]`));
}

/**
 * What an item means to the model. IDs, statuses and annotations are the server's own and carry
 * nothing; neither do the records of hosted searches and of a server's list of tools, which the
 * provider makes anew.
 */
function itemEntries(item: InputItem, field: string): ConversationEntry[] {
  switch (item.type) {
    case 'message':
      return [messageEntry(item, field)];
    case 'reasoning':
      return assistant(reasoningItemBlocks(item, field));
    case 'function_call': {
      if (item.namespace !== undefined) {
        throw invalidRequest(`${field}.namespace is not taken by this model; leave it out`);
      }
      const call = { id: item.call_id, name: item.name, text: item.arguments };
      const fields = { id: `${field}.call_id`, arguments: `${field}.arguments` };
      return assistant([toolUse(call, fields)]);
    }
    case 'function_call_output': {
      const content = toolOutputBlocks(item.output, `${field}.output`);
      return [toolResult({ callId: item.call_id, content, field: `${field}.call_id` })];
    }
    case 'mcp_call':
      return assistant(mcpCallBlocks(item, field));
    case 'web_search_call':
    case 'mcp_list_tools':
      return [];
    default:
      throw invalidRequest(`${field} is of type "${item.type}", which this model does not take`);
  }
}

function assistant(blocks: readonly BetaContentBlockParam[]): ConversationEntry[] {
  return [{ role: 'assistant', blocks }];
}

function messageEntry({ role, content }: MessageItem, field: string): ConversationEntry {
  const pieces = typeof content === 'string' ? content : content.map(textPiece);
  const blocks = textBlocks(pieces, { field: `${field}.content` });
  return { role: role === 'developer' ? 'system' : role, blocks };
}

function textPiece(part: MessagePart): TextPiece {
  if (part.type === 'refusal') return { text: part.refusal };
  const { text, cache_control } = part;
  return { text, ...(cache_control && { cache_control }) };
}
