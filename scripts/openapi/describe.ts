import { type Components, refName, type Schema } from './schema.ts';

/** What the document says of one component. */
export interface ComponentText {
  /** Shown in place of the name. */
  readonly title?: string;
  readonly about: string;
  /** By field; a dot leads into an object that is no component of its own. Markdown. */
  readonly fields?: Readonly<Record<string, string>>;
}
export type Texts = Readonly<Record<string, ComponentText>>;

/**
 * The components with their titles and descriptions. Throws where a component or field has no text,
 * and where a text has no component or field any more. A field that has a description keeps it.
 */
export function describeComponents(components: Components, texts: Texts): Components {
  const described = Object.entries(components).map(([name, schema]): [string, Schema] => {
    const text = texts[name];
    if (!text) throw new Error(`${name} has no text`);
    return [name, describeComponent(name, schema, text)];
  });
  const stale = Object.keys(texts).find((name) => !Object.hasOwn(components, name));
  if (stale) throw new Error(`the text of ${stale} has no component`);
  return Object.fromEntries(described);
}

function describeComponent(name: string, schema: Schema, text: ComponentText): Schema {
  const { title, about, fields = {} } = text;
  const unused = new Set(Object.keys(fields));
  const textOf = (path: string): string => {
    const found = fields[path];
    if (found === undefined) throw new Error(`${name}.${path} has no text`);
    unused.delete(path);
    return found;
  };
  const described = describeFields(schema, '', textOf);
  const [stale] = unused;
  if (stale !== undefined) throw new Error(`the text of ${name}.${stale} has no field`);
  return { ...(title !== undefined && { title }), description: about, ...described };
}

function describeFields(schema: Schema, path: string, textOf: (path: string) => string): Schema {
  if (refName(schema) !== undefined) return schema;
  const inside = (inner: Schema) => describeFields(inner, path, textOf);
  const { anyOf, oneOf, items, properties } = schema;
  return {
    ...schema,
    ...(anyOf && { anyOf: anyOf.map(inside) }),
    ...(oneOf && { oneOf: oneOf.map(inside) }),
    ...(items && { items: inside(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, field]) => {
          const at = path === '' ? key : `${path}.${key}`;
          const description = field.description ?? textOf(at);
          return [key, { description, ...describeFields(field, at, textOf) }];
        }),
      ),
    }),
  };
}
