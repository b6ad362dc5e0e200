import { isJsonObject, type JsonValue } from '../../../shared/api/json.ts';

/** The words of a text, each with the space before it, and a space at the end: all of the text. */
export function wordsOf(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/**
 * Tokens of a JSON value's texts: a word is one. No tokenizer of a real provider makes fewer, so
 * that no usage reported here exceeds what a hold was placed for.
 */
export function countTokens(value: JsonValue | undefined): number {
  if (typeof value === 'string') return wordsOf(value).length;
  if (Array.isArray(value)) return value.reduce((sum: number, part) => sum + countTokens(part), 0);
  if (!isJsonObject(value)) return 0;
  return Object.values(value).reduce((sum: number, part) => sum + countTokens(part), 0);
}
