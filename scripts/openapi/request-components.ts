import * as z from 'zod/mini';
import { chatMessage, textBlock, toolCall } from '../../shared/api/chat-message.ts';
import { CHAT_REQUEST } from '../../shared/api/chat-request.ts';
import {
  cacheControl,
  METADATA_LIMITS,
  PROMPT_CACHE_KEY_BYTES,
} from '../../shared/api/common-fields.ts';
import { inputItem, messagePart } from '../../shared/api/input-item.ts';
import { REFUSED } from '../../shared/api/refused-fields.ts';
import { RESPONSES_REQUEST } from '../../shared/api/responses-request.ts';
import {
  chatTool,
  chatToolChoice,
  mcpServer,
  responsesTool,
  responsesToolChoice,
} from '../../shared/api/tools.ts';
import { withNulls } from './absent.ts';
import { withClientForms } from './client-forms.ts';
import { describeComponents } from './describe.ts';
import { type Components, componentsOf, type Keywords, type Schema } from './schema.ts';
import { CHAT_TEXTS } from './texts/chat.ts';
import { ITEM_TEXTS } from './texts/items.ts';
import { RESPONSES_TEXTS } from './texts/responses.ts';
import { SHARED_TEXTS } from './texts/shared.ts';
import { TOOL_TEXTS } from './texts/tools.ts';

const TEXTS = { ...SHARED_TEXTS, ...CHAT_TEXTS, ...TOOL_TEXTS, ...RESPONSES_TEXTS, ...ITEM_TEXTS };

const chat = CHAT_REQUEST.schema.shape;
const responses = RESPONSES_REQUEST.schema.shape;

/** The schema inside an optional one: the instance that other schemas use as well. */
function inner<Inner extends z.core.$ZodType>(optional: z.ZodMiniExactOptional<Inner>): Inner {
  return optional.def.innerType;
}

const registry = z.registry<{ id: string }>();

const NAMED: Readonly<Record<string, z.core.$ZodType>> = {
  ChatCompletionRequest: CHAT_REQUEST.schema,
  ChatMessage: chatMessage,
  ChatTextBlock: textBlock,
  ChatToolCall: toolCall,
  ChatTool: chatTool,
  ChatToolChoice: chatToolChoice,
  ChatReasoning: inner(chat.reasoning),
  McpServer: mcpServer,
  ResponseFormat: inner(chat.response_format),
  WebSearchOptions: inner(chat.web_search_options),
  ResponsesRequest: RESPONSES_REQUEST.schema,
  InputItem: inputItem,
  MessagePart: messagePart,
  ResponsesTool: responsesTool,
  ResponsesToolChoice: responsesToolChoice,
  ResponsesReasoning: inner(responses.reasoning),
  TextOptions: inner(responses.text),
  RoutingPreference: inner(chat.provider),
  CacheControl: cacheControl,
  Metadata: inner(chat.metadata),
};
for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });

/** Names the branches of a union by what their discriminating field says. */
function nameBranches(
  union: { readonly def: { readonly options: readonly z.core.$ZodType[] } },
  field: string,
  names: Readonly<Record<string, string>>,
): void {
  for (const option of union.def.options) {
    const [value] = option._zod.propValues?.[field] ?? [];
    const id = names[String(value)];
    if (id === undefined) throw new Error(`the branch with ${field} ${String(value)} has no name`);
    registry.add(option, { id });
  }
}

nameBranches(chatMessage, 'role', {
  system: 'SystemMessage',
  developer: 'DeveloperMessage',
  user: 'UserMessage',
  assistant: 'AssistantMessage',
  tool: 'ToolMessage',
});
nameBranches(toolCall, 'type', { function: 'ChatFunctionCall', custom: 'ChatCustomCall' });
nameBranches(chatTool, 'type', {
  function: 'ChatFunctionTool',
  custom: 'ChatCustomTool',
  mcp_toolset: 'McpToolset',
});
nameBranches(responsesTool, 'type', {
  function: 'FunctionTool',
  custom: 'CustomTool',
  web_search: 'WebSearchTool',
  web_fetch: 'WebFetchTool',
  mcp: 'McpTool',
});
nameBranches(messagePart, 'type', {
  input_text: 'InputTextPart',
  output_text: 'OutputTextPart',
  refusal: 'RefusalPart',
});
nameBranches(inputItem, 'type', {
  message: 'MessageInput',
  reasoning: 'ReasoningInput',
  function_call: 'FunctionCallInput',
  function_call_output: 'FunctionCallOutputInput',
  custom_tool_call: 'CustomToolCallInput',
  custom_tool_call_output: 'CustomToolCallOutputInput',
  web_search_call: 'WebSearchCallInput',
  mcp_call: 'McpCallInput',
  mcp_list_tools: 'McpListToolsInput',
  mcp_approval_request: 'McpApprovalRequestInput',
  mcp_approval_responses: 'McpApprovalResponseInput',
});

/** Rules that zod checks in code and JSON Schema can say. */
const KEYWORDS: Keywords = new Map<z.core.$ZodType, Schema>([
  [
    inner(chat.metadata),
    {
      maxProperties: METADATA_LIMITS.properties,
      propertyNames: { minLength: 1, maxLength: METADATA_LIMITS.key },
      additionalProperties: { type: 'string', maxLength: METADATA_LIMITS.value },
    },
  ],
  [
    inner(chat.prompt_cache_key),
    { minLength: 1, maxLength: PROMPT_CACHE_KEY_BYTES, pattern: '^[^\\u0000\\r\\n]*$' },
  ],
  [inner(chat.modalities), { minItems: 1, maxItems: 1, items: { const: 'text' } }],
  [inner(chat.provider).def.options[1], { minProperties: 1 }],
  [mcpServer.shape.url, { format: 'uri', pattern: '^https://' }],
]);

/** Fields that the specification lists only to refuse them: nothing but an explicit null is taken. */
function withRefused(
  components: Components,
  name: string,
  refused: Readonly<Record<string, string>>,
): Components {
  const schema = components[name] ?? {};
  const fields = Object.entries(refused).flatMap(([field, reason]): [string, Schema][] =>
    reason.startsWith('is not supported') ? [[field, refusedField(reason)]] : [],
  );
  return {
    ...components,
    [name]: { ...schema, properties: { ...schema.properties, ...Object.fromEntries(fields) } },
  };
}

function refusedField(reason: string): Schema {
  return { type: 'null', deprecated: true, description: `**Refused**: it ${reason}.` };
}

/** What clients send, as components. */
export function requestComponents(): Components {
  const written = withClientForms(componentsOf(registry, 'input', KEYWORDS));
  const chatNulls = withNulls(written, 'ChatCompletionRequest', CHAT_REQUEST.absent);
  const nulls = withNulls(chatNulls, 'ResponsesRequest', RESPONSES_REQUEST.absent);
  const described = describeComponents(nulls, TEXTS);
  return withRefused(
    withRefused(described, 'ChatCompletionRequest', REFUSED['chat-completions']),
    'ResponsesRequest',
    REFUSED.responses,
  );
}
