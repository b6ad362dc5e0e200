import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { TextTally } from '../../pricing/tokens.ts';

/** What the provider, Azure above all, adds to chunks, bodies and choices that is not part of the route. */
const EXTRAS = [
  'obfuscation',
  'prompt_filter_results',
  'content_filter_results',
  'content_filter_result',
  'content_filter_offsets',
] as const;

/** The object itself, or a copy without the provider's extras where it has some. */
export function withoutChatExtras(source: JsonObject): JsonObject {
  if (!EXTRAS.some((name) => name in source)) return source;
  const copy = { ...source };
  for (const name of EXTRAS) delete copy[name];
  return copy;
}

/** Counts all text of a message or delta as output: text, refusal, names and arguments of calls. */
export function tallyChatMessage(tally: TextTally, message: JsonObject): void {
  addText(tally, message.content);
  addText(tally, message.refusal);
  for (const call of toolCalls(message)) {
    if (isJsonObject(call.function)) {
      addText(tally, call.function.name);
      addText(tally, call.function.arguments);
    }
    if (isJsonObject(call.custom)) {
      addText(tally, call.custom.name);
      addText(tally, call.custom.input);
    }
  }
}

/** Whether a message or delta holds anything that the client can use. */
export function hasChatOutput(message: JsonObject): boolean {
  return hasText(message.content) || hasText(message.refusal) || toolCalls(message).length > 0;
}

function toolCalls(message: JsonObject): JsonObject[] {
  return Array.isArray(message.tool_calls) ? message.tool_calls.filter(isJsonObject) : [];
}

function hasText(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value !== '';
}

function addText(tally: TextTally, value: JsonValue | undefined): void {
  if (typeof value === 'string' && value !== '') tally.add(value);
}
