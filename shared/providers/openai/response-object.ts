import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { ResponsesEcho } from '../../api/responses-echo.ts';
import type { AnswerContext } from '../contract.ts';

/** Retention and identity are the gateway's (1.7), whatever the provider says of them. */
const OWNED: JsonObject = {
  background: false,
  store: false,
  previous_response_id: null,
  conversation: null,
  safety_identifier: null,
};

/** What Azure adds that is not part of the route. */
const EXTRAS = ['content_filters', 'prompt_filter_results'] as const;

/**
 * The provider's response object as the client gets it, with the fields set right that are the
 * gateway's (2.8: the ID; 1.7: identity and retention; the metadata that the provider never saw)
 * and every field that the schema requires, should the provider leave one out.
 */
export function ownResponse(
  response: JsonObject,
  context: AnswerContext,
  echo: ResponsesEcho,
): JsonObject {
  const { user: _identity, ...shown } = response;
  const owned: JsonObject = {
    ...beginning(context),
    ...echo,
    ...shown,
    id: context.id,
    metadata: echo.metadata ?? {},
    ...OWNED,
  };
  for (const name of EXTRAS) delete owned[name];
  if (owned.status === 'completed') owned.completed_at ??= context.now();
  if (owned.status !== 'in_progress') owned.output_text = outputText(owned.output);
  return owned;
}

/** A response of which nothing is known yet; the echo of the request adds what else the schema requires. */
function beginning({ id, createdAt, deployment }: AnswerContext): JsonObject {
  return {
    id,
    object: 'response',
    created_at: createdAt,
    status: 'in_progress',
    completed_at: null,
    error: null,
    incomplete_details: null,
    model: deployment.upstream.model,
    output: [],
    usage: null,
  };
}

function outputText(output: JsonValue | undefined): string {
  const items = Array.isArray(output) ? output.filter(isJsonObject) : [];
  const parts = items.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return parts
    .filter(isJsonObject)
    .map(({ type, text }) => (type === 'output_text' && typeof text === 'string' ? text : ''))
    .join('');
}

/** A response that failed, made from the last one seen and the items seen since. */
export function failedResponse(
  last: JsonObject,
  output: JsonValue[],
  error: { code: string; message: string },
): JsonObject {
  return {
    ...last,
    status: 'failed',
    completed_at: null,
    incomplete_details: null,
    error,
    output,
    output_text: outputText(output),
  };
}

/** Items in the order of their index, those that never ended marked `incomplete`. */
export function itemsSeen(items: ReadonlyMap<number, JsonObject>): JsonValue[] {
  return [...items.entries()]
    .sort(([first], [second]) => first - second)
    .map(([, item]) => (item.status === 'in_progress' ? { ...item, status: 'incomplete' } : item));
}

/** The child object at an index of a list, made from the pattern where the list has none. */
export function elementAt(
  list: JsonValue | undefined,
  index: number,
  pattern: JsonObject,
): { list: JsonValue[]; element: JsonObject } {
  const elements = Array.isArray(list) ? list : [];
  const present = elements[index];
  const element = isJsonObject(present) ? present : { ...pattern };
  elements[index] = element;
  return { list: elements, element };
}
