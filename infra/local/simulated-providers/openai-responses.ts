import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/api/json.ts';
import { checkResponses } from './check-openai-responses.ts';
import type { SimulatedApi, SimulatedFrame } from './exchange.ts';
import { contentText, objectsIn, textIn } from './json-parts.ts';
import {
  OPENAI_REASONING_EFFORTS,
  openaiErrorBody,
  SIMULATED_ENCRYPTION,
} from './openai-common.ts';
import { type DeclaredTool, type Prompt, type Reply, replyTo } from './reply.ts';
import { countTokens } from './words.ts';

/** OpenAI's responses API, which Azure has too. */
export const SIMULATED_RESPONSES: SimulatedApi = {
  check: checkResponses,
  whole: (body) => finishedResponse(body, replyTo(responsesPrompt(body))),
  stream: (body) => responseFrames(body, replyTo(responsesPrompt(body))),
  errorBody: openaiErrorBody,
};

const DEFAULT_MAX_TOKENS = 4096;

function responsesPrompt(body: JsonObject): Prompt {
  const items = inputItems(body.input);
  const last = items.at(-1);
  const answered = ['function_call_output', 'custom_tool_call_output'].includes(textIn(last?.type));
  const text = isJsonObject(body.text) ? body.text : {};
  return {
    model: textIn(body.model),
    lastUserText: contentText(items.findLast(({ role }) => role === 'user')?.content),
    toolResult: answered ? contentText(last?.output) : undefined,
    tools: objectsIn(body.tools).flatMap(declaredTool),
    toolChoice: toolChoice(body.tool_choice),
    outputSchema: outputSchema(text.format),
    reasons: isJsonObject(body.reasoning) && reasons(body.reasoning),
    maxTokens:
      typeof body.max_output_tokens === 'number' ? body.max_output_tokens : DEFAULT_MAX_TOKENS,
    stopSequences: [],
  };
}

function inputItems(input: JsonValue | undefined): JsonObject[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : objectsIn(input);
}

function declaredTool(tool: JsonObject): DeclaredTool[] {
  if (tool.type !== 'function' && tool.type !== 'custom') return [];
  return [{ name: textIn(tool.name), kind: tool.type, schema: tool.parameters }];
}

function toolChoice(choice: JsonValue | undefined): Prompt['toolChoice'] {
  if (choice === 'none' || choice === 'required') return choice;
  return isJsonObject(choice) && choice.name !== undefined ? { name: textIn(choice.name) } : 'auto';
}

function outputSchema(format: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(format)) return undefined;
  if (format.type === 'json_object') return { properties: { answer: { type: 'string' } } };
  return format.schema;
}

function reasons({ effort, summary, mode }: JsonObject): boolean {
  if (effort === 'none') return false;
  return OPENAI_REASONING_EFFORTS.includes(textIn(effort)) || Boolean(summary) || Boolean(mode);
}

function itemId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`;
}

function reasoningItem(body: JsonObject, reply: Reply): JsonObject[] {
  if (reply.reasoning.length === 0) return [];
  const text = reply.reasoning.join('');
  const summarised = isJsonObject(body.reasoning) && Boolean(body.reasoning.summary);
  const include = Array.isArray(body.include) ? body.include : [];
  return [
    {
      id: itemId('rs'),
      type: 'reasoning',
      summary: summarised ? [{ type: 'summary_text', text }] : [],
      ...(include.includes('reasoning.encrypted_content') && {
        encrypted_content: SIMULATED_ENCRYPTION + Buffer.from(text).toString('base64url'),
      }),
    },
  ];
}

function callItem({ call }: Reply): JsonObject[] {
  if (call === undefined) return [];
  const shared = { status: 'completed', call_id: itemId('call'), name: call.name };
  return call.kind === 'custom'
    ? [{ id: itemId('ctc'), type: 'custom_tool_call', ...shared, input: call.input }]
    : [{ id: itemId('fc'), type: 'function_call', ...shared, arguments: call.input }];
}

function messageItem(reply: Reply): JsonObject[] {
  if (reply.call !== undefined || reply.text.length === 0) return [];
  const text = reply.text.join('');
  return [
    {
      id: itemId('msg'),
      type: 'message',
      status: reply.end === 'length' ? 'incomplete' : 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
    },
  ];
}

function outputItems(body: JsonObject, reply: Reply): JsonObject[] {
  return [...reasoningItem(body, reply), ...callItem(reply), ...messageItem(reply)];
}

function usageOf(body: JsonObject, reply: Reply): JsonObject {
  const items = inputItems(body.input);
  const input =
    3 +
    items.length * 4 +
    countTokens(items) +
    countTokens(body.instructions) +
    countTokens(body.tools);
  const reasoning = reply.reasoning.length;
  const output = reasoning + reply.text.length + countTokens(reply.call?.input);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

function startedResponse(body: JsonObject): JsonObject {
  return {
    id: itemId('resp'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    model: body.model,
    output: [],
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: { effort: null, summary: null, ...(isJsonObject(body.reasoning) && body.reasoning) },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: body.service_tier ?? 'default',
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: { format: { type: 'text' }, ...(isJsonObject(body.text) && body.text) },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    usage: null,
    user: body.user ?? null,
    metadata: {},
  };
}

function ended(
  started: JsonObject,
  body: JsonObject,
  reply: Reply,
  output: JsonObject[],
): JsonObject {
  const cut = reply.end === 'length';
  return {
    ...started,
    status: cut ? 'incomplete' : 'completed',
    completed_at: cut ? null : Math.floor(Date.now() / 1000),
    incomplete_details: cut ? { reason: 'max_output_tokens' } : null,
    output,
    usage: usageOf(body, reply),
  };
}

function finishedResponse(body: JsonObject, reply: Reply): JsonObject {
  return ended(startedResponse(body), body, reply, outputItems(body, reply));
}

function responseFrames(body: JsonObject, reply: Reply): SimulatedFrame[] {
  const started = startedResponse(body);
  const output = outputItems(body, reply);
  const last = ended(started, body, reply, output);
  const events: JsonObject[] = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...output.flatMap((item, index) => itemEvents(item, index, reply)),
    { type: `response.${textIn(last.status)}`, response: last },
  ];
  return events.map(({ type, ...event }, sequence_number) => ({
    event: textIn(type),
    data: { type, sequence_number, ...event },
  }));
}

function itemEvents(item: JsonObject, output_index: number, reply: Reply): JsonObject[] {
  const place = { item_id: item.id, output_index };
  return [
    { type: 'response.output_item.added', output_index, item: itemBeginning(item) },
    ...innerEvents(item, place, reply),
    { type: 'response.output_item.done', output_index, item },
  ];
}

function itemBeginning(item: JsonObject): JsonObject {
  switch (item.type) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'reasoning':
      return { ...item, summary: [] };
    case 'custom_tool_call':
      return { ...item, status: 'in_progress', input: '' };
    default:
      return { ...item, status: 'in_progress', arguments: '' };
  }
}

function innerEvents(item: JsonObject, place: JsonObject, reply: Reply): JsonObject[] {
  switch (item.type) {
    case 'message':
      return messageEvents(item, { ...place, content_index: 0 }, reply.text);
    case 'reasoning':
      return summaryEvents(item, { ...place, summary_index: 0 }, reply.reasoning);
    case 'custom_tool_call':
      return callEvents('response.custom_tool_call_input', 'input', item, place);
    default:
      return callEvents('response.function_call_arguments', 'arguments', item, place);
  }
}

function messageEvents(
  item: JsonObject,
  place: JsonObject,
  words: readonly string[],
): JsonObject[] {
  const [part = {}] = objectsIn(item.content);
  return [
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    ...words.map((delta) => ({
      type: 'response.output_text.delta',
      ...place,
      delta,
      logprobs: [],
    })),
    { type: 'response.output_text.done', ...place, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
  ];
}

function summaryEvents(
  item: JsonObject,
  place: JsonObject,
  words: readonly string[],
): JsonObject[] {
  const [part] = objectsIn(item.summary);
  if (part === undefined) return [];
  return [
    { type: 'response.reasoning_summary_part.added', ...place, part: { ...part, text: '' } },
    ...words.map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, delta })),
    { type: 'response.reasoning_summary_text.done', ...place, text: part.text },
    { type: 'response.reasoning_summary_part.done', ...place, part },
  ];
}

function callEvents(
  type: string,
  field: string,
  item: JsonObject,
  place: JsonObject,
): JsonObject[] {
  const text = textIn(item[field]);
  const pieces = text.match(/.{1,8}/gsu) ?? [];
  const name = field === 'arguments' ? { name: item.name } : {};
  return [
    ...pieces.map((delta) => ({ type: `${type}.delta`, ...place, delta })),
    { type: `${type}.done`, ...place, ...name, [field]: text },
  ];
}
