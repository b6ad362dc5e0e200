import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/api/json.ts';

const DEPTH_LIMIT = 12;

/** A value that a JSON Schema accepts, made of its own defaults, enumerations and types. */
export function exampleOf(schema: JsonValue | undefined, root = schema, depth = 0): JsonValue {
  if (!isJsonObject(schema) || depth > DEPTH_LIMIT) return {};
  const given = schema.const ?? schema.default ?? firstOf(schema.enum) ?? firstOf(schema.examples);
  if (given !== undefined) return given;
  const branch =
    referenced(schema.$ref, root) ??
    firstOf(schema.anyOf) ??
    firstOf(schema.oneOf) ??
    firstOf(schema.allOf);
  if (branch !== undefined) return exampleOf(branch, root, depth + 1);
  return exampleOfType(schema, root, depth);
}

function exampleOfType(schema: JsonObject, root: JsonValue | undefined, depth: number): JsonValue {
  const type = firstOf(schema.type) ?? schema.type;
  switch (type) {
    case 'string':
      return exampleText(schema);
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(schema.items, root, depth + 1)];
    default:
      return exampleObject(schema, root, depth);
  }
}

function exampleObject(schema: JsonObject, root: JsonValue | undefined, depth: number): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, exampleOf(part, root, depth + 1)]),
  );
}

const TEXT_FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  email: 'someone@example.com',
  uri: 'https://example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
};

function exampleText({ format, minLength }: JsonObject): string {
  const text = (typeof format === 'string' ? TEXT_FORMATS[format] : undefined) ?? 'example';
  return typeof minLength === 'number' ? text.padEnd(minLength, 'x') : text;
}

function referenced(
  reference: JsonValue | undefined,
  root: JsonValue | undefined,
): JsonValue | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
  let place = root;
  for (const name of reference.split('/').slice(1)) {
    place = isJsonObject(place) ? place[name] : undefined;
  }
  return place;
}

function firstOf(list: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(list) ? list[0] : undefined;
}
