import { createHash, randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/api/json.ts';
import { checkMessages } from './check-anthropic.ts';
import type { SimulatedApi, SimulatedFrame } from './exchange.ts';
import { contentText, objectsIn, textIn } from './json-parts.ts';
import { type DeclaredTool, type Prompt, type Reply, replyTo } from './reply.ts';
import { signThinking } from './thinking-signature.ts';
import { countTokens } from './words.ts';

/** Anthropic's messages API. */
export const SIMULATED_MESSAGES: SimulatedApi = {
  check: checkMessages,
  whole: (body) => wholeMessage(body, replyTo(messagesPrompt(body))),
  stream: (body) => messageFrames(body, replyTo(messagesPrompt(body))),
  errorBody: ({ status, message }) => ({
    type: 'error',
    error: { type: errorType(status), message },
    request_id: `req_${requestHash(message)}`,
  }),
};

function errorType(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 404) return 'not_found_error';
  return status < 500 ? 'invalid_request_error' : 'api_error';
}

function requestHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

function messagesPrompt(body: JsonObject): Prompt {
  const messages = objectsIn(body.messages);
  const last = messages.at(-1);
  const result = objectsIn(last?.content).findLast(({ type }) => type === 'tool_result');
  const config = isJsonObject(body.output_config) ? body.output_config : {};
  return {
    model: textIn(body.model),
    lastUserText: contentText(messages.findLast(({ role }) => role === 'user')?.content),
    toolResult: result && contentText(result.content),
    tools: objectsIn(body.tools).flatMap(declaredTool),
    toolChoice: toolChoice(body.tool_choice),
    outputSchema: isJsonObject(config.format) ? config.format.schema : undefined,
    reasons: isJsonObject(body.thinking) && body.thinking.type !== 'disabled',
    maxTokens: typeof body.max_tokens === 'number' ? body.max_tokens : 0,
    stopSequences: [body.stop_sequences].flat().map(textIn),
  };
}

function declaredTool(tool: JsonObject): DeclaredTool[] {
  // Tools without a schema of their own run at the provider; this one runs none.
  if (tool.input_schema === undefined) return [];
  return [{ name: textIn(tool.name), kind: 'function', schema: tool.input_schema }];
}

function toolChoice(choice: JsonValue | undefined): Prompt['toolChoice'] {
  if (!isJsonObject(choice)) return 'auto';
  if (choice.type === 'tool') return { name: textIn(choice.name) };
  if (choice.type === 'any') return 'required';
  return choice.type === 'none' ? 'none' : 'auto';
}

function contentBlocks(body: JsonObject, reply: Reply): JsonObject[] {
  const text = reply.text.join('');
  return [
    ...thinkingBlock(body, reply),
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...(reply.call === undefined
      ? []
      : [
          {
            type: 'tool_use',
            id: `toolu_${randomUUID().replaceAll('-', '').slice(0, 24)}`,
            name: reply.call.name,
            input: JSON.parse(reply.call.input),
          },
        ]),
  ];
}

/** Its text is left out where that is asked for; the signature stands for it. */
function thinkingBlock(body: JsonObject, reply: Reply): JsonObject[] {
  if (reply.reasoning.length === 0) return [];
  const omitted = isJsonObject(body.thinking) && body.thinking.display === 'omitted';
  const thinking = omitted ? '' : reply.reasoning.join('');
  return [{ type: 'thinking', thinking, signature: signThinking(thinking) }];
}

function stopReason({ end }: Reply): JsonObject {
  if (typeof end === 'object') {
    return { stop_reason: 'stop_sequence', stop_sequence: end.stopSequence };
  }
  const reasons = { stop: 'end_turn', length: 'max_tokens', tool: 'tool_use' } as const;
  return { stop_reason: reasons[end], stop_sequence: null };
}

function inputUsage(body: JsonObject): JsonObject {
  const messages = objectsIn(body.messages);
  const texts = countTokens(messages) + countTokens(body.system) + countTokens(body.tools);
  return {
    input_tokens: 8 + messages.length * 4 + texts,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    service_tier: 'standard',
  };
}

function outputTokens(reply: Reply): number {
  return reply.reasoning.length + reply.text.length + countTokens(reply.call?.input);
}

function messageHead(body: JsonObject): JsonObject {
  return {
    id: `msg_${randomUUID().replaceAll('-', '').slice(0, 24)}`,
    type: 'message',
    role: 'assistant',
    model: body.model,
  };
}

function wholeMessage(body: JsonObject, reply: Reply): JsonObject {
  return {
    ...messageHead(body),
    content: contentBlocks(body, reply),
    ...stopReason(reply),
    usage: { ...inputUsage(body), output_tokens: outputTokens(reply) },
  };
}

function messageFrames(body: JsonObject, reply: Reply): SimulatedFrame[] {
  const opening = {
    ...messageHead(body),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...inputUsage(body), output_tokens: 1 },
  };
  const events: JsonObject[] = [
    { type: 'message_start', message: opening },
    { type: 'ping' },
    ...contentBlocks(body, reply).flatMap((block, index) => blockEvents(block, index, reply)),
    {
      type: 'message_delta',
      delta: stopReason(reply),
      usage: { ...inputUsage(body), output_tokens: outputTokens(reply) },
    },
    { type: 'message_stop' },
  ];
  return events.map((data) => ({ event: textIn(data.type), data }));
}

function blockEvents(block: JsonObject, index: number, reply: Reply): JsonObject[] {
  return [
    { type: 'content_block_start', index, content_block: blockBeginning(block) },
    ...blockDeltas(block, reply).map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function blockBeginning(block: JsonObject): JsonObject {
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  return block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
}

function blockDeltas(block: JsonObject, reply: Reply): JsonObject[] {
  if (block.type === 'text') return reply.text.map((text) => ({ type: 'text_delta', text }));
  if (block.type === 'thinking') {
    const words = block.thinking === '' ? [] : reply.reasoning;
    return [
      ...words.map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: block.signature },
    ];
  }
  const pieces = JSON.stringify(block.input).match(/.{1,8}/gsu) ?? [];
  return ['', ...pieces].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
}
