import type { JsonObject } from '../../../shared/api/json.ts';
import { objectsIn, textIn } from './json-parts.ts';
import { SIMULATED_ENCRYPTION } from './openai-common.ts';
import { ProviderRefusal, refuseUnknown } from './refusal.ts';

const FIELDS = [
  'model input store user safety_identifier service_tier instructions max_output_tokens',
  'max_tool_calls parallel_tool_calls tools tool_choice reasoning text truncation include',
  'temperature top_p top_logprobs prompt_cache_key prompt_cache_retention stream stream_options',
  'metadata frequency_penalty presence_penalty',
]
  .join(' ')
  .split(' ');

/** Items that are kept nowhere cannot be found by their ID. */
const STORED_ID = /^(?:rs|msg|fc|ctc|ws)_/;
const CALLS: readonly string[] = ['function_call', 'custom_tool_call'];
const OUTPUTS: readonly string[] = ['function_call_output', 'custom_tool_call_output'];

/** Refuses what OpenAI's responses API refuses, in its words. */
export function checkResponses(body: JsonObject): void {
  refuseUnknown(body, FIELDS, (name) => `Unknown parameter: '${name}'.`);
  if (textIn(body.model) === '') {
    throw new ProviderRefusal("Missing required parameter: 'model'.", { param: 'model' });
  }
  if (typeof body.input !== 'string' && objectsIn(body.input).length === 0) {
    throw new ProviderRefusal("Missing required parameter: 'input'.", { param: 'input' });
  }
  const { max_output_tokens: cap } = body;
  if (cap !== undefined && !(typeof cap === 'number' && Number.isInteger(cap) && cap >= 1)) {
    throw new ProviderRefusal("Invalid 'max_output_tokens': integer below minimum value.");
  }
  const items = objectsIn(body.input);
  for (const item of items) checkItem(item);
  checkCallOutputs(items);
}

function checkItem(item: JsonObject): void {
  const id = textIn(item.id);
  if (STORED_ID.test(id)) {
    throw new ProviderRefusal(
      `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
      { status: 404, param: 'input' },
    );
  }
  const { encrypted_content: encrypted } = item;
  if (item.type === 'reasoning' && !textIn(encrypted).startsWith(SIMULATED_ENCRYPTION)) {
    throw new ProviderRefusal('The encrypted content of a reasoning item could not be verified.');
  }
  if (item.type === undefined || item.type === 'message') checkMessage(item);
}

function checkMessage(item: JsonObject): void {
  const wanted = item.role === 'assistant' ? ['output_text', 'refusal'] : ['input_text'];
  for (const { type, cache_control } of objectsIn(item.content)) {
    if (!wanted.includes(textIn(type))) {
      throw new ProviderRefusal(
        `Invalid value: '${textIn(type)}'. Supported values are: ${wanted.join(', ')}.`,
      );
    }
    if (cache_control !== undefined) {
      throw new ProviderRefusal("Unknown parameter: 'input[0].content[0].cache_control'.");
    }
  }
}

function checkCallOutputs(items: readonly JsonObject[]): void {
  const calls = new Set(items.filter(isOneOf(CALLS)).map(({ call_id }) => textIn(call_id)));
  const answered = new Set(items.filter(isOneOf(OUTPUTS)).map(({ call_id }) => textIn(call_id)));
  for (const id of answered) {
    if (calls.has(id)) continue;
    throw new ProviderRefusal(`No tool call found for function call output with call_id ${id}.`);
  }
  for (const id of calls) {
    if (answered.has(id)) continue;
    throw new ProviderRefusal(`No tool output found for function call ${id}.`);
  }
}

function isOneOf(types: readonly string[]): (item: JsonObject) => boolean {
  return ({ type }) => types.includes(textIn(type));
}
