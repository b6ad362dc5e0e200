import { invalidRequest } from '../../api/error.ts';
import type { ReasoningItem } from '../../api/input-item.ts';
import { decodeReasoning, REASONING_FORMAT, type ThinkingBlock } from './reasoning-codec.ts';

type Detail = Readonly<Record<string, unknown>>;

/**
 * Thinking blocks from a message's `reasoning_details`, byte for byte. An entry without a signature
 * is text for people, which no provider takes back: it is left out. Signed or encrypted reasoning
 * of another provider is a 400.
 */
export function detailBlocks(details: readonly Detail[], field: string): ThinkingBlock[] {
  return details.flatMap((detail, index) => detailBlock(detail, `${field}[${index}]`));
}

function detailBlock(detail: Detail, field: string): ThinkingBlock[] {
  const { type, text, signature, data, format } = detail;
  const isSealed = typeof signature === 'string' || typeof data === 'string';
  if (!isSealed) return [];
  if (format !== undefined && format !== null && format !== REASONING_FORMAT) throw foreign(field);
  if (type === 'reasoning.text' && typeof signature === 'string') {
    return [{ type: 'thinking', thinking: typeof text === 'string' ? text : '', signature }];
  }
  if (type === 'reasoning.encrypted' && typeof data === 'string') {
    return [{ type: 'redacted_thinking', data }];
  }
  throw foreign(field);
}

/** The thinking block of a reasoning item; none where the item is only a summary for people. */
export function reasoningItemBlocks(item: ReasoningItem, field: string): ThinkingBlock[] {
  const { encrypted_content } = item;
  if (encrypted_content === undefined || encrypted_content === '') return [];
  const block = decodeReasoning(encrypted_content);
  if (!block) throw foreign(`${field}.encrypted_content`);
  return [block];
}

function foreign(field: string): Error {
  return invalidRequest(
    `${field} is not reasoning that this model's provider signed; send it back unchanged to the model that gave it, or leave it out`,
  );
}
