import { invalidRequest } from './error.ts';
import { isJsonObject } from './json.ts';
import { findMedia, TEXT_ONLY } from './media.ts';
import { formatPath } from './schema-error.ts';

/** What a text part is called, by who said it: providers refuse the other side's name. */
const TEXT_PART_NAMES = ['text', 'input_text', 'output_text'];

/**
 * Brings the forms in which clients send input items into the one that the schema knows: a message
 * without a type, a `refusal` item, a text part under another side's name. Everything else is left
 * for the schema to judge. Throws a 400 where a tool's output holds an image, audio or a file.
 */
export function prepareItem(item: unknown, index: number): unknown {
  if (!isJsonObject(item)) return item;
  checkToolOutput(item, index);
  if (item.type === 'refusal') return refusalMessage(item);
  if (item.type === undefined && item.role !== undefined) {
    return withPartNames({ type: 'message', ...item });
  }
  if (item.type === undefined && item.id !== undefined) return { ...item, type: 'item_reference' };
  return item.type === 'message' ? withPartNames(item) : item;
}

function checkToolOutput(item: Record<string, unknown>, index: number): void {
  const media = findMedia(item.output);
  if (!media) return;
  const path = formatPath(['input', index, 'output', ...media]);
  throw invalidRequest(`${path} ${TEXT_ONLY} (data may be sent as a JSON string)`);
}

/** The message that says what a `refusal` item says (2.8). */
function refusalMessage(item: Record<string, unknown>): Record<string, unknown> {
  const { refusal, content, ...others } = item;
  const said = refusal ?? content;
  const parts = Array.isArray(said) ? said : [{ type: 'refusal', refusal: said }];
  return { role: 'assistant', ...others, type: 'message', content: parts };
}

function withPartNames(message: Record<string, unknown>): Record<string, unknown> {
  const { content, role } = message;
  if (!Array.isArray(content)) return message;
  const name = role === 'assistant' ? 'output_text' : 'input_text';
  const misnamed = content.some((part) => isMisnamed(part, name));
  if (!misnamed) return message;
  const parts = content.map((part) => (isMisnamed(part, name) ? renamed(part, name) : part));
  return { ...message, content: parts };
}

function isMisnamed(part: unknown, name: string): part is Record<string, unknown> {
  if (!isJsonObject(part) || part.type === name) return false;
  return typeof part.type === 'string' && TEXT_PART_NAMES.includes(part.type);
}

function renamed(part: Record<string, unknown>, type: string): Record<string, unknown> {
  const { annotations, logprobs, ...input } = part;
  return type === 'input_text' ? { ...input, type } : { ...part, type };
}
