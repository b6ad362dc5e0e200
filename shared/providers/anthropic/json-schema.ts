import { invalidRequest } from '../../api/error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { quoted } from '../../api/quoted.ts';

/** Keywords that the provider's constrained decoding refuses. Each would change what is valid. */
const REFUSED_KEYWORDS: readonly string[] = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  ...['maxItems', 'uniqueItems', 'prefixItems', 'contains', 'minContains', 'maxContains'],
  ...['additionalItems', 'unevaluatedItems', 'unevaluatedProperties'],
  ...['minProperties', 'maxProperties', 'patternProperties', 'propertyNames'],
  ...['oneOf', 'not', 'if', 'then', 'else'],
  ...['dependencies', 'dependentRequired', 'dependentSchemas', '$dynamicRef', '$recursiveRef'],
];

const FORMATS: readonly string[] = [
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'],
];

/** Keywords that belong to one type where a list of types is split up. */
const KEYWORDS_OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems'],
  string: ['pattern', 'format'],
};

/** Which types a value of an `enum` or a `const` can stand under. */
const TYPE_TESTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
};

/**
 * The schema in the form that the provider's constrained decoding takes, saying the same: lists of
 * types become `anyOf`, objects are closed where the schema leaves that unsaid (what it then
 * allows is valid under the client's schema too). What cannot be said is a 400 naming its path.
 */
export function carrySchema(schema: JsonObject, path: string): JsonObject {
  checkKeywords(schema, path);
  if (Array.isArray(schema.type) && !('anyOf' in schema)) {
    return carrySchema(splitTypes(schema, schema.type), path);
  }
  // `$schema` names the dialect and constrains nothing.
  const { $schema: _dialect, ...keywords } = schema;
  const carried = Object.fromEntries(
    Object.entries(keywords).map(([key, value]) => [key, carryKeyword(key, value, path)]),
  );
  return mustBeClosed(schema, path) ? { ...carried, additionalProperties: false } : carried;
}

function checkKeywords(schema: JsonObject, path: string): void {
  for (const keyword of REFUSED_KEYWORDS) {
    if (keyword in schema) throw refused(`${path}.${keyword}`, 'is a keyword');
  }
  const { minItems, format, $ref, additionalProperties } = schema;
  if (minItems !== undefined && minItems !== 0 && minItems !== 1) {
    throw refused(`${path}.minItems`, 'above 1 is a constraint');
  }
  if (typeof format === 'string' && !FORMATS.includes(format)) {
    throw refused(`${path}.format`, `${quoted(format)} is a format`);
  }
  if (typeof $ref === 'string' && !$ref.startsWith('#')) {
    throw refused(`${path}.$ref`, 'to another document is a reference');
  }
  if (additionalProperties !== undefined && additionalProperties !== false) {
    throw refused(`${path}.additionalProperties`, 'other than false is a setting');
  }
  checkLiterals(schema, path);
}

function checkLiterals(schema: JsonObject, path: string): void {
  for (const keyword of ['enum', 'const']) {
    const value = schema[keyword];
    const values = keyword === 'enum' && Array.isArray(value) ? value : [value];
    if (values.some((literal) => typeof literal === 'object' && literal !== null)) {
      throw refused(`${path}.${keyword}`, 'with an object or a list is a constraint');
    }
  }
}

function refused(path: string, what: string): Error {
  return invalidRequest(
    `${path} ${what} that this model cannot enforce; remove it, or say it in the description`,
  );
}

function carryKeyword(key: string, value: JsonValue | undefined, parent: string) {
  const path = `${parent}.${key}`;
  switch (key) {
    case 'properties':
    case '$defs':
    case 'definitions':
      return carryNamed(value, path);
    case 'anyOf':
    case 'allOf':
      return carryListed(value, path);
    case 'items':
      return carryOne(value, path);
    default:
      return value;
  }
}

function carryOne(value: JsonValue | undefined, path: string): JsonObject {
  if (!isJsonObject(value)) throw invalidRequest(`${path} must be a JSON Schema object`);
  return carrySchema(value, path);
}

function carryNamed(value: JsonValue | undefined, path: string): JsonObject {
  if (!isJsonObject(value)) throw invalidRequest(`${path} must be an object of JSON Schemas`);
  return Object.fromEntries(
    Object.entries(value).map(([name, schema]) => [name, carryOne(schema, `${path}.${name}`)]),
  );
}

function carryListed(value: JsonValue | undefined, path: string): JsonObject[] {
  if (!Array.isArray(value)) throw invalidRequest(`${path} must be a list of JSON Schemas`);
  return value.map((schema, index) => carryOne(schema, `${path}[${index}]`));
}

/** The provider takes only closed objects. One without named properties is meant to be open. */
function mustBeClosed(schema: JsonObject, path: string): boolean {
  const { type, properties, additionalProperties } = schema;
  if (additionalProperties === false || (type !== 'object' && !isJsonObject(properties))) {
    return false;
  }
  const isCombined = ['anyOf', 'allOf', '$ref'].some((keyword) => keyword in schema);
  const hasNames = isJsonObject(properties) && Object.keys(properties).length > 0;
  if (isCombined || !hasNames) {
    throw invalidRequest(
      `${path}.additionalProperties must be false: this model takes only objects whose properties are named`,
    );
  }
  return true;
}

function splitTypes(schema: JsonObject, types: readonly JsonValue[]): JsonObject {
  const typed = Object.values(KEYWORDS_OF_TYPE).flat().concat('type', 'enum', 'const');
  const common = Object.entries(schema).filter(([key]) => !typed.includes(key));
  const anyOf = types.flatMap((type) => branchOf(schema, String(type)));
  return { ...Object.fromEntries(common), anyOf };
}

/** What the schema says of one of its types; none where its literals leave nothing for the type. */
function branchOf(schema: JsonObject, type: string): JsonObject[] {
  const own = KEYWORDS_OF_TYPE[type] ?? [];
  const keywords = Object.entries(schema).filter(([key]) => own.includes(key));
  const isOfType = TYPE_TESTS[type] ?? (() => false);
  if ('const' in schema && !isOfType(schema.const)) return [];
  const literals = Array.isArray(schema.enum) ? schema.enum.filter(isOfType) : undefined;
  if (literals?.length === 0) return [];
  return [
    {
      type,
      ...('const' in schema && { const: schema.const }),
      ...(literals && { enum: literals }),
      ...Object.fromEntries(keywords),
    },
  ];
}
