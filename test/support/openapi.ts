import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: the document is JSON of many shapes
type Loose = any;

/** `openapi.json` as it is checked in. */
export const DOCUMENT: Loose = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
);

/** The document as it stands, and with every object closed that the gateway itself makes for Anthropic models. */
type Reading = 'open' | 'closed';

const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  validateFormats: false,
});
// To ajv the document is one schema, whose own keys say nothing.
ajv.addVocabulary(['x-relayed', 'x-itemSchema', ...Object.keys(DOCUMENT)]);
ajv.addSchema(DOCUMENT, 'open');
ajv.addSchema(closed(DOCUMENT), 'closed');

function closed(part: Loose): Loose {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closed(value)]));
  return copy['x-relayed'] === true ? { ...copy, additionalProperties: false } : copy;
}

const compiled = new Map<string, ValidateFunction>();

/** The validator of the schema at a JSON pointer of the document. Compiled at its first use. */
function validatorAt(pointer: string, reading: Reading): ValidateFunction {
  const $ref = `${reading}#${pointer}`;
  const known = compiled.get($ref);
  if (known) return known;
  const validator = ajv.compile({ $ref });
  compiled.set($ref, validator);
  return validator;
}

/** Fails where the value is not as the schema at the pointer says. */
export function expectValid(value: unknown, pointer: string, reading: Reading = 'open'): void {
  const validate = validatorAt(pointer, reading);
  if (validate(value)) return;
  const faults = ajv.errorsText(validate.errors, { separator: '\n' }).slice(0, 1_500);
  expect.fail(`not as ${pointer} says:\n${faults}\n${JSON.stringify(value).slice(0, 1_500)}`);
}

/** A pointer to a component schema. */
function schemaPointer(name: string): string {
  return `/components/schemas/${name}`;
}

/** A JSON pointer that leads through the keys. */
export function pointerTo(...keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function at(pointer: string): Loose {
  const keys = pointer.split('/').slice(1);
  return keys.reduce(
    (part, key) => part?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
    DOCUMENT,
  );
}

/** Follows a reference; gives the pointer and what stands there. */
function follow(pointer: string): { pointer: string; part: Loose } {
  const part = at(pointer);
  return typeof part?.$ref === 'string' ? follow(part.$ref.slice(1)) : { pointer, part };
}

export interface Asked {
  readonly method: string;
  /** Without a query. */
  readonly path: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Fails where an answer is not as the document says: its status, every header, the whole body, each
 * frame of a stream. Read `closed` where the gateway itself made the answer.
 */
export function expectDocumented(asked: Asked, answer: Answered, reading: Reading = 'open'): void {
  const { pointer, part } = responseOf(asked, answer.status);
  expectHeaders(pointer, part, answer.headers);
  const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
  if (!part.content) {
    expect(answer.text).toBe('');
    return;
  }
  const media = part.content[type];
  expect(media, `${asked.method} ${asked.path} ${answer.status}: ${type}`).toBeDefined();
  const inContent = pointer + pointerTo('content', type);
  if (media['x-itemSchema']) {
    expectFrames(answer.text, `${inContent}/x-itemSchema`, reading);
    return;
  }
  const body = JSON.parse(answer.text);
  expectValid(body, `${inContent}/schema`, reading);
  if (answer.status >= 400) expectKnownError(media.examples, body);
}

/** What the document says of an answer; a path or method that is no route has the response `NotFound`. */
function responseOf({ method, path }: Asked, status: number): { pointer: string; part: Loose } {
  const operation = pointerTo('paths', path, method.toLowerCase());
  if (!at(operation)) {
    expect(status, `${method} ${path} is no route`).toBe(404);
    return follow('/components/responses/NotFound');
  }
  const found = follow(`${operation}/responses/${status}`);
  expect(found.part, `${method} ${path} is not documented to answer ${status}`).toBeDefined();
  return found;
}

/** Headers of HTTP itself, which say nothing of the interface. */
const TRANSPORT = [
  'content-type',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'date',
];

function expectHeaders(pointer: string, part: Loose, headers: Headers): void {
  const documented = Object.keys(part.headers);
  for (const name of documented) {
    const header = follow(pointer + pointerTo('headers', name));
    const value = headers.get(name);
    if (header.part.required) expect(value, `header ${name}`).not.toBeNull();
    if (value !== null) expectValid(value, `${header.pointer}/schema`);
  }
  const known = new Set([...documented, ...TRANSPORT]);
  const unknown = [...headers.keys()].filter((name) => !known.has(name));
  expect(unknown, 'headers that the document does not have').toEqual([]);
}

/** The type goes with the status, as in one of the examples. */
function expectKnownError(examples: Loose, { error }: Loose): void {
  const types = Object.values<Loose>(examples).map(({ value }) => value.error.type);
  expect(types).toContain(error.type);
}

/** Fails where a frame of a stream is not as the schema at the pointer says. */
export function expectFrames(text: string, pointer: string, reading: Reading): void {
  for (const frame of text.split('\n\n')) {
    if (frame === '' || frame.startsWith(':') || frame === 'data: [DONE]') continue;
    const value = JSON.parse(frame.slice('data: '.length));
    expectValid(value, eventPointer(value) ?? pointer, reading);
  }
}

/** The schema of an event of the responses route by its type: faults of one read better than a union's. */
function eventPointer({ type }: Loose): string | undefined {
  return EVENT_POINTERS.get(type);
}

const EVENT_POINTERS = new Map<string, string>(
  Object.entries<Loose>(DOCUMENT.components.schemas).flatMap(([name, { properties }]) =>
    name.endsWith('Event') && properties?.type?.const
      ? [[properties.type.const, schemaPointer(name)] as [string, string]]
      : [],
  ),
);

const requestPointer = (path: string) =>
  pointerTo('paths', path, 'post', 'requestBody', 'content', 'application/json', 'schema');

/** Fails where a body that the gateway takes is not one that the document allows. */
export function expectRequestDocumented(path: string, body: unknown): void {
  expectValid(body, requestPointer(path));
}

/** Whether the document allows a body on a POST route. */
export function isRequestDocumented(path: string, body: unknown): boolean {
  return validatorAt(requestPointer(path), 'open')(body);
}
