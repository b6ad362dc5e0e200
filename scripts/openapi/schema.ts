import * as z from 'zod';

/** A JSON Schema of dialect 2020-12, the one of OpenAPI 3.1: the keywords that are used here. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}
export type Components = Readonly<Record<string, Schema>>;

/** Schemas that become components of the document, by the name that they get there. */
export type ComponentRegistry = z.core.$ZodRegistry<{ id: string }>;

/** JSON Schema keywords for rules that zod checks in code, by the schema that has the rule. */
export type Keywords = ReadonlyMap<z.core.$ZodType, Schema>;

const COMPONENT_PREFIX = '#/components/schemas/';

/** A reference to a component. */
export function ref(name: string): Schema {
  return { $ref: COMPONENT_PREFIX + name };
}

/** The name of the component that a schema refers to; undefined where it refers to none. */
export function refName({ $ref }: Schema): string | undefined {
  return $ref?.startsWith(COMPONENT_PREFIX) ? $ref.slice(COMPONENT_PREFIX.length) : undefined;
}

/** The registered schemas as components: as clients send them (`input`) or get them (`output`). */
export function componentsOf(
  registry: ComponentRegistry,
  io: 'input' | 'output',
  keywords: Keywords = new Map(),
): Components {
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => COMPONENT_PREFIX + id,
    override: ({ zodSchema, jsonSchema }) => {
      tidy(jsonSchema);
      if (io === 'output') dropIntegerBounds(jsonSchema);
      Object.assign(jsonSchema, keywords.get(zodSchema));
    },
  });
  // zod writes objects wherever `Schema` has schemas; its type also allows booleans.
  const written = Object.entries(schemas) as unknown as [string, Schema][];
  return Object.fromEntries(written.map(([name, schema]) => [name, bare(schema)]));
}

function bare({ $schema: _dialect, $id: _address, ...schema }: Schema): Schema {
  return withShortNulls(schema);
}

/** Writes "this or null" as a list of two types where the one is a plain type: it reads better. */
function withShortNulls(schema: Schema): Schema {
  const { anyOf, items, properties } = schema;
  const [one, other, ...more] = anyOf ?? [];
  if (anyOf && one && other?.type === 'null' && more.length === 0 && isPlain(one)) {
    const { anyOf: _both, ...others } = schema;
    return { ...withShortNulls(one), ...others, type: [one.type, 'null'] };
  }
  return {
    ...schema,
    ...(anyOf && { anyOf: anyOf.map(withShortNulls) }),
    ...(items && { items: withShortNulls(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, withShortNulls(field)]),
      ),
    }),
  };
}

function isPlain(schema: Schema): schema is Schema & { readonly type: string } {
  return (
    typeof schema.type === 'string' &&
    !schema.properties &&
    !schema.enum &&
    schema.const === undefined
  );
}

/** Answers bring whole numbers; only of requests must be said how large they may be. */
function dropIntegerBounds(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** Takes out what says nothing: empty lists of properties, and empty schemas of further ones. */
function tidy(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.properties && Object.keys(schema.properties).length === 0) delete schema.properties;
  const { additionalProperties: others } = schema;
  if (typeof others === 'object' && Object.keys(others).length === 0) {
    schema.additionalProperties = true;
  }
}
