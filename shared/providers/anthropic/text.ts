import type { BetaTextBlockParam } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { CacheControl } from '../../api/common-fields.ts';
import { invalidRequest } from '../../api/error.ts';

/** A piece of client text with the cache marker that stands on it. */
export interface TextPiece {
  readonly text: string;
  readonly cache_control?: CacheControl;
}

export interface TextSource {
  /** Where the text stands in the client's request, for error messages. */
  readonly field: string;
  /** Participant's name (2.5): the provider has no field for it, so it leads the text. */
  readonly name?: string | undefined;
}

/**
 * Text blocks of the content. The provider refuses blocks without visible text, so those are left
 * out; one that carries a cache marker is a 400, since its marker would be lost.
 */
export function textBlocks(
  content: string | readonly TextPiece[],
  source: TextSource,
): BetaTextBlockParam[] {
  const pieces = typeof content === 'string' ? [{ text: content }] : content;
  const blocks = pieces.flatMap((piece, index) =>
    textBlock(piece, typeof content === 'string' ? source.field : `${source.field}[${index}]`),
  );
  return source.name === undefined ? blocks : withName(blocks, source.name);
}

function textBlock(piece: TextPiece, field: string): BetaTextBlockParam[] {
  const { text, cache_control } = piece;
  if (text.trim() !== '') {
    return [{ type: 'text', text, ...(cache_control && { cache_control }) }];
  }
  if (cache_control) {
    throw invalidRequest(
      `${field}.cache_control stands on a block without text; move it to a block that has text`,
    );
  }
  return [];
}

function withName(blocks: readonly BetaTextBlockParam[], name: string): BetaTextBlockParam[] {
  return blocks.map((block, index) =>
    index === 0 ? { ...block, text: `${name}: ${block.text}` } : block,
  );
}
