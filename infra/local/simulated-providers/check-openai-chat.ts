import { isJsonObject, type JsonObject } from '../../../shared/api/json.ts';
import { objectsIn, textIn } from './json-parts.ts';
import { ProviderRefusal, refuseUnknown } from './refusal.ts';

const FIELDS = [
  'model messages store user safety_identifier service_tier max_completion_tokens reasoning_effort',
  'tools tool_choice temperature top_p stop seed frequency_penalty presence_penalty logit_bias',
  'logprobs top_logprobs parallel_tool_calls prediction response_format verbosity metadata n',
  'web_search_options prompt_cache_key prompt_cache_retention stream stream_options modalities',
]
  .join(' ')
  .split(' ');

const MESSAGE_FIELDS = [
  'role',
  'content',
  'name',
  'refusal',
  'tool_calls',
  'tool_call_id',
  'audio',
];

/** Refuses what OpenAI's chat completions API refuses, in its words. */
export function checkChat(body: JsonObject): void {
  refuseUnknown(body, FIELDS, (name) => `Unrecognized request argument supplied: ${name}`);
  if (textIn(body.model) === '') throw new ProviderRefusal('you must provide a model parameter');
  const messages = objectsIn(body.messages);
  if (messages.length === 0) {
    throw new ProviderRefusal("Invalid 'messages': empty array.", { param: 'messages' });
  }
  const { max_completion_tokens: cap } = body;
  if (cap !== undefined && !(typeof cap === 'number' && Number.isInteger(cap) && cap >= 1)) {
    throw new ProviderRefusal("Invalid 'max_completion_tokens': integer below minimum value.");
  }
  if (body.stream_options !== undefined && body.stream !== true) {
    throw new ProviderRefusal("The 'stream_options' parameter is only allowed with 'stream'.");
  }
  for (const [index, message] of messages.entries()) checkMessage(message, `messages[${index}]`);
  checkToolAnswers(messages);
  for (const tool of objectsIn(body.tools)) checkTool(tool);
}

function checkMessage(message: JsonObject, path: string): void {
  refuseUnknown(
    message,
    MESSAGE_FIELDS,
    (name) => `Additional properties are not allowed ('${name}' was unexpected) - '${path}'`,
  );
  const hasContent = typeof message.content === 'string' || Array.isArray(message.content);
  const speaksOtherwise = objectsIn(message.tool_calls).length > 0 || message.refusal !== undefined;
  if (!hasContent && !(message.role === 'assistant' && speaksOtherwise)) {
    throw new ProviderRefusal(`Invalid value for 'content': expected a string, got null.`, {
      param: `${path}.content`,
    });
  }
  for (const part of objectsIn(message.content)) {
    refuseUnknown(
      part,
      ['type', 'text', 'refusal'],
      (name) => `Unknown parameter: '${path}.content.${name}'.`,
    );
  }
}

/** Each call is answered right after its turn, and nothing else is. */
function checkToolAnswers(messages: readonly JsonObject[]): void {
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(textIn(message.tool_call_id))) {
        throw new ProviderRefusal(
          "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        );
      }
      continue;
    }
    refuseOpenCalls(open);
    open = new Set(objectsIn(message.tool_calls).map(({ id }) => textIn(id)));
  }
  refuseOpenCalls(open);
}

function refuseOpenCalls(open: ReadonlySet<string>): void {
  if (open.size === 0) return;
  throw new ProviderRefusal(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
  );
}

function checkTool(tool: JsonObject): void {
  refuseUnknown(
    tool,
    ['type', 'function', 'custom'],
    (name) => `Unknown parameter: 'tools.${name}'.`,
  );
  const declared = tool.function ?? tool.custom;
  if (!isJsonObject(declared) || textIn(declared.name) === '') {
    throw new ProviderRefusal("Missing required parameter: 'tools[0].function.name'.");
  }
}
