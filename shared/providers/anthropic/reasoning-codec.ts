import type {
  BetaRedactedThinkingBlockParam,
  BetaThinkingBlockParam,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { type JsonObject, parseJson } from '../../api/json.ts';
import { SEAL_PREFIX } from '../reasoning-seal.ts';

/** A thinking block as it goes back to the provider: unchanged, first in its turn. */
export type ThinkingBlock = BetaThinkingBlockParam | BetaRedactedThinkingBlockParam;

/** `format` of our `reasoning_details` entries: says whose signatures they carry. */
export const REASONING_FORMAT = 'anthropic-claude-v1';

function encode(content: readonly [kind: 'thinking' | 'redacted', ...fields: string[]]): string {
  // JSON escapes what UTF-8 cannot hold (lone surrogates), so every text comes back byte for byte.
  return SEAL_PREFIX + Buffer.from(JSON.stringify(content), 'utf8').toString('base64url');
}

/** A signed thinking block as the `encrypted_content` of a reasoning item. */
export function encodeThinking(block: {
  readonly thinking: string;
  readonly signature: string;
}): string {
  return encode(['thinking', block.thinking, block.signature]);
}

/** A redacted thinking block's `data` as the `encrypted_content` of a reasoning item. */
export function encodeRedacted(data: string): string {
  return encode(['redacted', data]);
}

/**
 * The thinking block that `encodeThinking` or `encodeRedacted` wrote; undefined for any other
 * text, such as another provider's encrypted reasoning.
 */
export function decodeReasoning(encrypted: string): ThinkingBlock | undefined {
  if (!encrypted.startsWith(SEAL_PREFIX)) return undefined;
  const json = Buffer.from(encrypted.slice(SEAL_PREFIX.length), 'base64url').toString('utf8');
  const fields = parseJson(json);
  const [kind, first, second] = Array.isArray(fields) ? fields : [];
  if (kind === 'redacted' && typeof first === 'string') {
    return { type: 'redacted_thinking', data: first };
  }
  if (kind === 'thinking' && typeof first === 'string' && typeof second === 'string') {
    return { type: 'thinking', thinking: first, signature: second };
  }
  return undefined;
}

/** A thinking block as an entry of a chat message's `reasoning_details`; `index` counts them. */
export function reasoningDetail(block: ThinkingBlock, index: number): JsonObject {
  if (block.type === 'redacted_thinking') {
    return { type: 'reasoning.encrypted', data: block.data, format: REASONING_FORMAT, index };
  }
  const { thinking: text, signature } = block;
  return { type: 'reasoning.text', text, signature, format: REASONING_FORMAT, index };
}
