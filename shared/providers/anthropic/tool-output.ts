import type { BetaTextBlockParam } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import * as z from 'zod/mini';
import { cacheControl } from '../../api/common-fields.ts';
import { type TextPiece, textBlocks } from './text.ts';

const textPart = z.object({
  type: z.enum(['input_text', 'output_text', 'text']),
  text: z.string(),
  cache_control: z.exactOptional(cacheControl),
});
const textParts = z.array(textPart);

/** The `output` of a tool call (2.8), any JSON value: texts stay texts, data becomes JSON text. */
export function toolOutputBlocks(output: unknown, field: string): BetaTextBlockParam[] {
  return textBlocks(outputPieces(output), { field });
}

function outputPieces(output: unknown): string | TextPiece[] {
  if (typeof output === 'string') return output;
  if (output === undefined || output === null) return '';
  const parts = textParts.safeParse(output);
  return parts.success ? parts.data : JSON.stringify(output);
}
