import { invalidRequest } from '../../api/error.ts';
import { isJsonObject, parseJson } from '../../api/json.ts';

/** Deeper arguments than any tool has; a limit, because JSON is written by recursion. */
const DEEPEST_NESTING = 128;
const INTEGER_LIKE = /^(?:0|[1-9]\d*)$/;
const BRACKETS_AND_COMMAS = '{}[],:';

/**
 * A tool call's arguments as the provider takes them: an object, in the original key order, with
 * every number as it was written. No text at all means no arguments. Anything that is not the
 * text of a JSON object is a 400 that names `field`.
 */
export function parseArguments(text: string, field: string): object {
  if (text.trim() === '') return {};
  if (!isJsonObject(parseJson(text))) {
    throw invalidRequest(`${field} must be the text of a JSON object`);
  }
  const reader: Reader = { tokens: tokensOf(text), field };
  reader.tokens.next();
  return readObject(reader, 1);
}

interface Reader {
  readonly tokens: Iterator<string, undefined>;
  readonly field: string;
}

/** Tokens of a text that is known to be JSON. No regular expression: strings may be megabytes. */
function* tokensOf(text: string): Generator<string, undefined> {
  for (let start = skipSpace(text, 0); start < text.length; ) {
    const end = tokenEnd(text, start);
    yield text.slice(start, end);
    start = skipSpace(text, end);
  }
}

function skipSpace(text: string, from: number): number {
  let position = from;
  while (position < text.length && text.charCodeAt(position) <= 0x20) position += 1;
  return position;
}

function tokenEnd(text: string, start: number): number {
  const first = text.charAt(start);
  if (first === '"') return stringEnd(text, start);
  if (BRACKETS_AND_COMMAS.includes(first)) return start + 1;
  let end = start + 1;
  while (end < text.length && /[\w.+-]/.test(text.charAt(end))) end += 1;
  return end;
}

function stringEnd(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

function isEscaped(text: string, position: number): boolean {
  let backslashes = 0;
  while (text.charAt(position - 1 - backslashes) === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

function readValue(token: string, reader: Reader, depth: number): unknown {
  if (depth > DEEPEST_NESTING) {
    throw invalidRequest(`${reader.field} nests deeper than ${DEEPEST_NESTING} levels; flatten it`);
  }
  if (token === '{') return readObject(reader, depth + 1);
  if (token === '[') return readArray(reader, depth + 1);
  const value: unknown = JSON.parse(token);
  // Identifiers beyond 2^53 would come out as another number.
  return typeof value === 'number' && JSON.stringify(value) !== token ? rawNumber(token) : value;
}

function readObject(reader: Reader, depth: number): object {
  const { tokens } = reader;
  const entries = new Map<string, unknown>();
  for (let token = tokens.next().value; token !== undefined && token !== '}'; ) {
    if (token !== ',') {
      tokens.next();
      const value = readValue(tokens.next().value ?? 'null', reader, depth);
      entries.set(String(JSON.parse(token)), value);
    }
    token = tokens.next().value;
  }
  const object = Object.fromEntries(entries);
  const keys = [...entries.keys()];
  return keys.some((key) => INTEGER_LIKE.test(key)) ? inKeyOrder(object, keys) : object;
}

function readArray(reader: Reader, depth: number): unknown[] {
  const { tokens } = reader;
  const items: unknown[] = [];
  for (let token = tokens.next().value; token !== undefined && token !== ']'; ) {
    if (token !== ',') items.push(readValue(token, reader, depth));
    token = tokens.next().value;
  }
  return items;
}

/** Engines list integer-like keys first; this view of the object lists the keys as written. */
function inKeyOrder(object: object, keys: readonly string[]): object {
  return new Proxy(object, { ownKeys: () => [...keys] });
}

/** Of ES2026 and Node 24; TypeScript's library does not declare it yet. */
interface RawJson {
  readonly rawJSON: (text: string) => object;
}

function rawNumber(token: string): unknown {
  // The cast adds the one function that the declared type of JSON lacks.
  return (JSON as unknown as RawJson).rawJSON(token);
}
