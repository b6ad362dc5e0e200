import type { BetaJSONOutputFormat } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { ChatCompletionRequest } from '../../api/chat-request.ts';
import { invalidRequest } from '../../api/error.ts';
import { isJsonObject, type JsonObject } from '../../api/json.ts';
import type { ResponsesRequest } from '../../api/responses-request.ts';
import { carrySchema } from './json-schema.ts';

/** What both routes say of a format: the provider takes no name, and is always strict. */
const FORMAT_FIELDS: readonly string[] = ['type', 'name', 'schema', 'strict', 'description'];

/** `response_format` as the provider's output format; undefined for plain text. Throws a 400. */
export function chatOutputFormat(request: ChatCompletionRequest): BetaJSONOutputFormat | undefined {
  const format = request.response_format;
  if (!format || isPlainText(format.type, 'response_format')) return undefined;
  const { type: _type, json_schema, ...others } = format;
  checkExtraFields(others, 'response_format');
  return outputFormat(json_schema, 'response_format.json_schema');
}

/** `text.format` as the provider's output format; undefined for plain text. Throws a 400. */
export function responsesOutputFormat(request: ResponsesRequest): BetaJSONOutputFormat | undefined {
  const { format, verbosity: _verbosity, ...others } = request.text ?? {};
  checkExtraFields(others, 'text');
  if (!format || isPlainText(format.type, 'text.format')) return undefined;
  return outputFormat(format, 'text.format');
}

function isPlainText(type: string, path: string): boolean {
  if (type === 'text') return true;
  if (type === 'json_schema') return false;
  throw invalidRequest(
    `${path}.type must be "text" or "json_schema" on this model; "json_object" has no equivalent, describe the object by a schema`,
  );
}

function outputFormat(format: Readonly<Record<string, unknown>> | undefined, path: string) {
  const { schema, description } = format ?? {};
  if (!isJsonObject(schema))
    throw invalidRequest(`${path}.schema is required and must be an object`);
  checkExtraFields({ ...format }, path, FORMAT_FIELDS);
  const carried = carrySchema(schema, `${path}.schema`);
  return { type: 'json_schema' as const, schema: withDescription(carried, description) };
}

/** The format's description says what the answer is for: the schema is where the model reads it. */
function withDescription(schema: JsonObject, description: unknown): JsonObject {
  if (typeof description !== 'string') return schema;
  const own = typeof schema.description === 'string' ? `\n${schema.description}` : '';
  return { ...schema, description: `${description}${own}` };
}

function checkExtraFields(
  fields: Readonly<Record<string, unknown>>,
  path: string,
  known: readonly string[] = [],
): void {
  const extra = Object.keys(fields).find((key) => !known.includes(key));
  if (extra !== undefined) {
    throw invalidRequest(`${path}.${extra} is not taken by this model's provider; leave it out`);
  }
}
