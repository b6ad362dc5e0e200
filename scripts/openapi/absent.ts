import type { AbsencePlan } from '../../shared/api/absent.ts';
import { type Components, refName, type Schema } from './schema.ts';

const NULL: Schema = { type: 'null' };

/**
 * The components with `null` allowed for every optional field of the objects that the plan names,
 * at any depth below the component `root`: an explicit null reads as absent. A required field that
 * takes anything does not take null.
 */
export function withNulls(components: Components, root: string, plan: AbsencePlan): Components {
  const changed = new Map(Object.entries(components));
  /** The schema under the plan; a component is changed where it stands, and stays a reference. */
  const visit = (schema: Schema, under: AbsencePlan): Schema => {
    const name = refName(schema);
    if (name !== undefined) {
      changed.set(name, visit(changed.get(name) ?? missing(name), under));
      return schema;
    }
    const { anyOf, oneOf, items, properties } = schema;
    return {
      ...schema,
      ...(anyOf && { anyOf: anyOf.map((branch) => visit(branch, under)) }),
      ...(oneOf && { oneOf: oneOf.map((branch) => visit(branch, under)) }),
      ...(items && { items: visit(items, under) }),
      ...(properties && {
        properties: mapValues(properties, (field, key) => {
          const nested = under.nested?.[key];
          const inner = nested ? visit(field, nested) : field;
          return schema.required?.includes(key) ? present(inner) : nullable(inner);
        }),
      }),
    };
  };
  visit({ $ref: `#/components/schemas/${root}` }, plan);
  return Object.fromEntries(changed);
}

function missing(name: string): never {
  throw new Error(`there is no component ${name}`);
}

function mapValues(
  fields: Readonly<Record<string, Schema>>,
  change: (field: Schema, name: string) => Schema,
): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, change(field, name)]),
  );
}

/** The schema of a required field: what may be anything must at least be there. */
function present(schema: Schema): Schema {
  const isOpen = Object.keys(schema).every((keyword) => keyword === 'description');
  return isOpen ? { ...schema, type: ['string', 'object', 'array', 'number', 'boolean'] } : schema;
}

/** The schema with `null` among what it takes; the schema itself where it takes it already. */
function nullable(schema: Schema): Schema {
  const { $ref, anyOf, oneOf, type } = schema;
  if (anyOf) {
    return anyOf.some((branch) => branch.type === 'null')
      ? schema
      : { ...schema, anyOf: [...anyOf, NULL] };
  }
  if ($ref !== undefined || oneOf) return { anyOf: [schema, NULL] };
  if (typeof type !== 'string' || type === 'null') return schema;
  const { const: only, enum: values = only === undefined ? undefined : [only], ...others } = schema;
  return { ...others, type: [type, 'null'], ...(values && { enum: [...values, null] }) };
}
