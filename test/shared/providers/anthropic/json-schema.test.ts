import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../shared/api/json.ts';
import { carrySchema } from '../../../../shared/providers/anthropic/json-schema.ts';

describe('schemas carried whole', () => {
  test('everything that the provider takes stays as it stands, at any depth', () => {
    const schema: JsonObject = {
      title: 'T',
      type: 'object',
      properties: {
        list: { type: 'array', minItems: 1, items: { $ref: '#/$defs/leaf' } },
        when: { type: 'string', format: 'date-time', pattern: '^2', default: 'x' },
        kind: { enum: ['a', 1, null] },
        format: { anyOf: [{ const: 'k' }, { type: 'integer' }] },
      },
      required: ['list'],
      additionalProperties: false,
      $defs: { leaf: { type: 'boolean', description: 'd' } },
    };
    expect(carrySchema(schema, 's')).toEqual(schema);
    expect(JSON.stringify(carrySchema(schema, 's'))).toBe(JSON.stringify(schema));
  });

  test('a list of types becomes anyOf; each keyword and literal goes to its own type', () => {
    const schema: JsonObject = {
      description: 'd',
      type: ['string', 'null', 'array', 'integer'],
      enum: ['a', null, 2],
      format: 'email',
      items: { type: ['string', 'null'] },
    };
    expect(carrySchema(schema, 's')).toEqual({
      description: 'd',
      anyOf: [
        { type: 'string', enum: ['a'], format: 'email' },
        { type: 'null', enum: [null] },
        { type: 'integer', enum: [2] },
      ],
    });
    expect(
      carrySchema({ type: ['array', 'null'], items: { type: ['string', 'null'] } }, 's'),
    ).toEqual({
      anyOf: [
        { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
        { type: 'null' },
      ],
    });
  });

  test('objects with named properties are closed, and the dialect is left unsaid', () => {
    const schema: JsonObject = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: { a: { type: 'object', properties: { b: { type: 'string' } } } },
    };
    expect(carrySchema(schema, 's')).toEqual({
      properties: {
        a: {
          type: 'object',
          properties: { b: { type: 'string' } },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    });
  });
});

describe('schemas refused, naming the path', () => {
  const inside = (schema: JsonValue): JsonObject => ({
    type: 'object',
    properties: { a: { anyOf: [{ type: 'array', items: schema }] } },
    additionalProperties: false,
  });

  test.each<[JsonValue, string]>([
    [{ type: 'integer', minimum: 1 }, '.minimum'],
    [{ type: 'string', maxLength: 3 }, '.maxLength'],
    [{ type: 'array', items: {}, minItems: 2 }, '.minItems'],
    [{ oneOf: [{ type: 'string' }] }, '.oneOf'],
    [{ type: 'string', format: 'color' }, '.format'],
    [{ $ref: 'https://x.test/s' }, '.$ref'],
    [{ enum: [{ a: 1 }] }, '.enum'],
    [{ type: 'object' }, '.additionalProperties'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, '.additionalProperties'],
    [{ type: 'object', properties: { b: {} }, allOf: [{}] }, '.additionalProperties'],
    [true, ''],
  ])('%j', (schema, keyword) => {
    expect(() => carrySchema(inside(schema), 'f.schema')).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: expect.stringContaining(`f.schema.properties.a.anyOf[0].items${keyword} `),
      }),
    );
  });
});
