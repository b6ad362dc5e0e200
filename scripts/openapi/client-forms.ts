import { type Components, ref, type Schema } from './schema.ts';

const IGNORED: Schema = {
  description: 'Ignored, whatever it holds: the OpenAI client library adds it to what it echoes.',
};

const REFUSED: Schema = {
  type: 'null',
  deprecated: true,
  description: '**Refused**, but for the null that the OpenAI client library echoes.',
};

/** Fields that client libraries add to what they echo: component, path within it, schema. */
const ECHOED: readonly (readonly [component: string, path: readonly string[], field: Schema])[] = [
  ['AssistantMessage', ['parsed'], IGNORED],
  ['AssistantMessage', ['audio'], REFUSED],
  ['AssistantMessage', ['function_call'], REFUSED],
  ['ChatFunctionCall', ['index'], IGNORED],
  ['ChatFunctionCall', ['function', 'parsed_arguments'], IGNORED],
  ['ChatCustomCall', ['index'], IGNORED],
  ['OutputTextPart', ['parsed'], IGNORED],
  ['MessageInput', ['created_by'], IGNORED],
  ['FunctionCallInput', ['created_by'], IGNORED],
  ['FunctionCallInput', ['parsed_arguments'], IGNORED],
  ['FunctionCallOutputInput', ['created_by'], IGNORED],
];

const SAID: Schema = {
  anyOf: [{ type: 'string' }, { type: 'array', items: ref('MessagePart') }],
};

/** A refusal as an item of its own (2.8); it becomes what the assistant said. */
const REFUSAL_ITEM: Schema = {
  type: 'object',
  properties: {
    type: { type: 'string', const: 'refusal' },
    id: { type: 'string' },
    status: { type: 'string' },
    role: { type: 'string', const: 'assistant' },
    refusal: SAID,
    content: {},
  },
  required: ['type'],
  anyOf: [
    { required: ['refusal'], properties: { refusal: SAID } },
    { required: ['content'], properties: { content: SAID } },
  ],
  additionalProperties: false,
};

/**
 * The components with the forms that clients may send beside those that the schemas know: what the
 * parser brings into form before it validates (`prepareItem`), and what it drops (`ignored`).
 */
export function withClientForms(components: Components): Components {
  const { MessageInput: message = {}, InputTextPart: part = {}, InputItem: item = {} } = components;
  const forms: Record<string, Schema> = {
    ...components,
    // A message may leave its type out, and call its text `text` whoever said it.
    MessageInput: {
      ...message,
      required: (message.required ?? []).filter((key) => key !== 'type'),
    },
    InputTextPart: withProperty(part, ['type'], { type: 'string', enum: ['input_text', 'text'] }),
    RefusalInput: REFUSAL_ITEM,
    InputItem: { ...item, oneOf: [...(item.oneOf ?? []), ref('RefusalInput')] },
  };
  for (const [name, path, field] of ECHOED) {
    forms[name] = withProperty(forms[name] ?? {}, path, field);
  }
  return forms;
}

function withProperty(
  schema: Schema,
  [name = '', ...rest]: readonly string[],
  field: Schema,
): Schema {
  const { properties } = schema;
  const changed = rest.length === 0 ? field : withProperty(properties?.[name] ?? {}, rest, field);
  return { ...schema, properties: { ...properties, [name]: changed } };
}
