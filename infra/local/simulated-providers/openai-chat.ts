import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/api/json.ts';
import { checkChat } from './check-openai-chat.ts';
import type { SimulatedApi, SimulatedFrame } from './exchange.ts';
import { contentText, objectsIn, textIn } from './json-parts.ts';
import { OPENAI_REASONING_EFFORTS, openaiErrorBody } from './openai-common.ts';
import { type DeclaredTool, type Prompt, type Reply, replyTo } from './reply.ts';
import { countTokens } from './words.ts';

/** OpenAI's chat completions API, or Azure's, which adds content filter results to it. */
export function simulateChat(provider: 'openai' | 'azure'): SimulatedApi {
  return {
    check: checkChat,
    whole: (body) => wholeCompletion(body, replyTo(chatPrompt(body)), provider),
    stream: (body) => completionFrames(body, replyTo(chatPrompt(body)), provider),
    errorBody: openaiErrorBody,
  };
}

const FILTERED = { hate: { filtered: false, severity: 'safe' } };
const DEFAULT_MAX_TOKENS = 4096;

function chatPrompt(body: JsonObject): Prompt {
  const messages = objectsIn(body.messages);
  const last = messages.at(-1);
  return {
    model: textIn(body.model),
    lastUserText: contentText(messages.findLast(({ role }) => role === 'user')?.content),
    toolResult: last?.role === 'tool' ? contentText(last.content) : undefined,
    tools: objectsIn(body.tools).map(declaredTool),
    toolChoice: toolChoice(body.tool_choice),
    outputSchema: outputSchema(body.response_format),
    reasons: OPENAI_REASONING_EFFORTS.includes(textIn(body.reasoning_effort)),
    maxTokens:
      typeof body.max_completion_tokens === 'number'
        ? body.max_completion_tokens
        : DEFAULT_MAX_TOKENS,
    stopSequences: [body.stop].flat().map(textIn),
  };
}

function declaredTool(tool: JsonObject): DeclaredTool {
  const kind = tool.type === 'custom' ? 'custom' : 'function';
  const declared = tool[kind];
  if (!isJsonObject(declared)) return { name: '', kind };
  return { name: textIn(declared.name), kind, schema: declared.parameters };
}

function toolChoice(choice: JsonValue | undefined): Prompt['toolChoice'] {
  if (choice === 'none' || choice === 'required') return choice;
  if (!isJsonObject(choice)) return 'auto';
  const named = choice.function ?? choice.custom;
  return isJsonObject(named) ? { name: textIn(named.name) } : 'auto';
}

function outputSchema(format: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(format)) return undefined;
  if (format.type === 'json_object') return { properties: { answer: { type: 'string' } } };
  return isJsonObject(format.json_schema) ? format.json_schema.schema : undefined;
}

function completionHead(body: JsonObject, object: string): JsonObject {
  return {
    id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
    object,
    created: Math.floor(Date.now() / 1000),
    model: textIn(body.model),
    service_tier: body.service_tier ?? 'default',
    system_fingerprint: 'fp_simulated',
  };
}

function toolCalls({ call }: Reply): JsonObject[] {
  if (call === undefined) return [];
  const id = `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
  return call.kind === 'custom'
    ? [{ id, type: 'custom', custom: { name: call.name, input: call.input } }]
    : [{ id, type: 'function', function: { name: call.name, arguments: call.input } }];
}

function finishReason({ end }: Reply): string {
  if (end === 'tool') return 'tool_calls';
  return end === 'length' ? 'length' : 'stop';
}

function usageOf(body: JsonObject, reply: Reply): JsonObject {
  const reasoning = reply.reasoning.length;
  const completion = reasoning + reply.text.length + countTokens(reply.call?.input);
  const messages = objectsIn(body.messages);
  const prompt = 3 + messages.length * 4 + countTokens(messages) + countTokens(body.tools);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

function wholeCompletion(body: JsonObject, reply: Reply, provider: 'openai' | 'azure'): JsonObject {
  const calls = toolCalls(reply);
  const message: JsonObject = {
    role: 'assistant',
    content: calls.length > 0 ? null : reply.text.join(''),
    ...(calls.length > 0 && { tool_calls: calls }),
    refusal: null,
    annotations: [],
  };
  const filtered = provider === 'azure' ? { content_filter_results: FILTERED } : {};
  return {
    ...completionHead(body, 'chat.completion'),
    ...(provider === 'azure' && { prompt_filter_results: [{ prompt_index: 0, ...filtered }] }),
    choices: [
      { index: 0, message, logprobs: null, finish_reason: finishReason(reply), ...filtered },
    ],
    usage: usageOf(body, reply),
  };
}

function completionFrames(
  body: JsonObject,
  reply: Reply,
  provider: 'openai' | 'azure',
): SimulatedFrame[] {
  const head = completionHead(body, 'chat.completion.chunk');
  const wantsUsage =
    isJsonObject(body.stream_options) && body.stream_options.include_usage === true;
  const tail = wantsUsage ? { usage: null } : {};
  const chunk = (delta: JsonObject, finish_reason: string | null = null): JsonObject => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    ...tail,
  });
  const chunks: JsonObject[] = [
    ...(provider === 'azure' ? [azureOpening()] : []),
    chunk({ role: 'assistant', content: reply.call ? null : '', refusal: null }),
    ...reply.text.map((content) => chunk({ content })),
    ...toolCalls(reply).flatMap((call) => callDeltas(call).map((delta) => chunk(delta))),
    chunk({}, finishReason(reply)),
    ...(wantsUsage ? [{ ...head, choices: [], usage: usageOf(body, reply) }] : []),
  ];
  return [...chunks.map((data) => ({ data })), { data: '[DONE]' }];
}

/** Azure's first chunk says what its filters found in the prompt, and has nothing else in it. */
function azureOpening(): JsonObject {
  const results = [{ prompt_index: 0, content_filter_results: FILTERED }];
  return { choices: [], created: 0, id: '', model: '', object: '', prompt_filter_results: results };
}

/** A call's first delta names it; its arguments follow in pieces. */
function callDeltas(call: JsonObject): JsonObject[] {
  const kind = call.type === 'custom' ? 'custom' : 'function';
  const field = kind === 'custom' ? 'input' : 'arguments';
  const named = isJsonObject(call[kind]) ? call[kind] : {};
  const pieces = textIn(named[field]).match(/.{1,8}/gsu) ?? [];
  const opening = { ...call, index: 0, [kind]: { ...named, [field]: '' } };
  return [
    { tool_calls: [opening] },
    ...pieces.map((piece) => ({ tool_calls: [{ index: 0, [kind]: { [field]: piece } }] })),
  ];
}
