import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/api/json.ts';

/** The objects of a list; none where the value is no list. */
export function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** A text as it is; an empty one where the value is no text. */
export function textIn(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** What a message's content says: a text, or the texts of its parts, a space between them. */
export function contentText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map(({ text }) => textIn(text))
    .join(' ');
}
