import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { openapiText } from '../../scripts/openapi/document.ts';
import { METADATA_LIMITS } from '../../shared/api/common-fields.ts';
import { ERRORS } from '../../shared/api/error.ts';
import { DOCUMENT } from '../support/openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is JSON of many shapes
type Loose = any;

const METHODS = ['get', 'post', 'options'];
const OPERATIONS: [name: string, operation: Loose][] = Object.entries<Loose>(
  DOCUMENT.paths,
).flatMap(([path, operations]) =>
  METHODS.filter((method) => method in operations).map((method): [string, Loose] => [
    `${method.toUpperCase()} ${path}`,
    operations[method],
  ]),
);

/** Every object of the document with its JSON pointer, but for what stands in examples. */
function* objectsOf(part: Loose, pointer = '#'): Generator<[pointer: string, object: Loose]> {
  if (typeof part !== 'object' || part === null) return;
  if (!Array.isArray(part)) yield [pointer, part];
  for (const [key, inner] of Object.entries(part)) {
    if (key !== 'example' && key !== 'examples') yield* objectsOf(inner, `${pointer}/${key}`);
  }
}

function target($ref: string): Loose {
  return $ref
    .slice(2)
    .split('/')
    .reduce((part, key) => part?.[key.replaceAll('~1', '/')], DOCUMENT);
}

describe('the file', () => {
  test('is what `npm run openapi` writes', () => {
    const path = new URL('../../openapi.json', import.meta.url);
    expect(readFileSync(path, 'utf8'), 'run `npm run openapi`').toBe(openapiText());
  });

  test('is a valid OpenAPI 3.1 document of interface version 1.0.0', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(DOCUMENT));
    expect(errors).toBeUndefined();
    expect({ valid, version: validator.version }).toEqual({ valid: true, version: '3.1' });
    expect(DOCUMENT.info.version).toBe('1.0.0');
  });

  test('refers to nothing that is not there, and has no schema that nothing refers to', () => {
    const referred = new Set<string>();
    for (const [pointer, { $ref }] of objectsOf(DOCUMENT)) {
      if (typeof $ref !== 'string') continue;
      expect(target($ref), `${pointer} to ${$ref}`).toBeDefined();
      referred.add($ref);
    }
    const unused = Object.keys(DOCUMENT.components.schemas).filter(
      (name) => !referred.has(`#/components/schemas/${name}`),
    );
    expect(unused).toEqual([]);
  });
});

describe('what people read', () => {
  const described = (part: Loose): boolean =>
    /\w.*[.:`]$/s.test(part.description ?? (part.$ref ? target(part.$ref).description : '') ?? '');

  test('every property, wherever it stands, has a description', () => {
    const properties = [...objectsOf(DOCUMENT)].flatMap(([pointer, object]) =>
      Object.entries<Loose>(pointer.endsWith('/properties') ? {} : (object.properties ?? {})).map(
        ([name, property]): [string, Loose] => [`${pointer}/properties/${name}`, property],
      ),
    );
    expect(properties.length).toBeGreaterThan(500);
    expect(properties.filter(([, part]) => !described(part)).map(([at]) => at)).toEqual([]);
  });

  test('every component, parameter, header, response, tag and security scheme has a description', () => {
    const { schemas, parameters, headers, responses, securitySchemes } = DOCUMENT.components;
    const parts = [schemas, parameters, headers, responses, securitySchemes]
      .flatMap((group) => Object.entries<Loose>(group))
      .concat(DOCUMENT.tags.map((tag: Loose) => [tag.name, tag]));
    expect(parts.filter(([, part]) => !described(part)).map(([name]) => name)).toEqual([]);
    const untitled = Object.entries<Loose>(schemas).filter(([, { title }]) => !title);
    expect(untitled.map(([name]) => name)).toEqual([]);
  });

  test.each(OPERATIONS)('%s has a summary, a description and an ID of its own', (_, operation) => {
    expect(operation.summary).toMatch(/\w/);
    expect(described(operation) || operation.description.includes('curl')).toBe(true);
    const tags = DOCUMENT.tags.map(({ name }: Loose) => name);
    expect(tags).toEqual(expect.arrayContaining(operation.tags));
    const same = OPERATIONS.filter(([, other]) => other.operationId === operation.operationId);
    expect(same.length).toBe(1);
  });

  test('limits and families of part 8 stand in schema and text', () => {
    const { schemas } = DOCUMENT.components;
    expect(schemas.Metadata).toMatchObject({
      maxProperties: METADATA_LIMITS.properties,
      propertyNames: { minLength: 1, maxLength: METADATA_LIMITS.key },
      additionalProperties: { maxLength: METADATA_LIMITS.value },
    });
    expect(schemas.RoutingPreference.anyOf[1].properties.only.minItems).toBe(1);
    for (const name of ['ChatCompletionRequest', 'ResponsesRequest']) {
      const { properties } = schemas[name];
      expect(properties.prompt_cache_key).toMatchObject({ minLength: 1, maxLength: 256 });
      for (const field of ['top_logprobs', 'frequency_penalty', 'prompt_cache_key']) {
        expect(properties[field].description, field).toContain('OpenAI and Azure models only');
      }
      for (const field of ['top_k', 'stop_sequences', 'speed', 'inference_geo', 'task_budget']) {
        expect(properties[field].description, field).toContain('Anthropic models only');
      }
      for (const field of ['store', 'user', 'safety_identifier', 'fallbacks', 'container']) {
        expect(properties[field], field).toMatchObject({ type: 'null', deprecated: true });
      }
    }
  });
});

describe('routes and errors', () => {
  const resolved = (part: Loose): Loose => (part.$ref ? target(part.$ref) : part);

  test('are those of part 4', () => {
    const statuses = Object.fromEntries(
      OPERATIONS.map(([name, { responses }]) => [name, Object.keys(responses).map(Number)]),
    );
    const inference = [200, 400, 401, 402, 403, 404, 409, 413, 429, 500, 503];
    expect(statuses).toEqual({
      'POST /v1/chat/completions': inference,
      'POST /v1/responses': inference,
      'GET /v1/models': [200, 304, 500],
      'GET /v1/catalog': [200, 304, 500],
      'OPTIONS /v1/chat/completions': [204],
      'OPTIONS /v1/responses': [204],
      'OPTIONS /v1/models': [204],
      'OPTIONS /v1/catalog': [204],
    });
  });

  test('the two POST routes take a key in any of five headers, everything else takes none', () => {
    const schemes = Object.values<Loose>(DOCUMENT.components.securitySchemes);
    expect(schemes.map(({ scheme, name }) => scheme ?? name.toLowerCase()).sort()).toEqual(
      ['bearer', 'authorization', 'api-key', 'x-api-key', 'x-alt-api-key'].sort(),
    );
    for (const [name, { security }] of OPERATIONS) {
      expect(security, name).toEqual(name.startsWith('POST') ? undefined : []);
    }
    expect(DOCUMENT.security.flatMap((one: object) => Object.keys(one)).length).toBe(5);
  });

  test.each(Object.entries(ERRORS))('%s has an example wherever it may occur', (code, error) => {
    const methods = code === 'catalog_unavailable' ? 'GET' : 'POST';
    const places = OPERATIONS.filter(([name]) => name.startsWith(methods));
    for (const [name, { responses }] of places) {
      const { content } = resolved(responses[error.status]);
      const examples = Object.values<Loose>(content['application/json'].examples);
      const types = examples.map(({ value }) => value.error.type);
      expect(types, name).toContain(error.type);
      expect(new Set(types).size, `${name}: one type for the status`).toBe(1);
    }
  });
});
