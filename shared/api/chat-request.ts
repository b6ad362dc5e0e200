import * as z from 'zod/mini';
import type { AbsencePlan } from './absent.ts';
import { chatMessage, textBlock } from './chat-message.ts';
import {
  openObject,
  outputCap,
  placeFields,
  positiveInteger,
  rule,
  searchContextSize,
  sharedFields,
} from './common-fields.ts';
import { invalidRequest } from './error.ts';
import { checkSharedRules, EMPTY_IS_ABSENT, parseRequest } from './parse-request.ts';
import { checkChatToolChoice } from './tool-choice.ts';
import { chatTool, chatToolChoice, mcpServer } from './tools.ts';

const webSearchOptions = z.strictObject({
  search_context_size: z.exactOptional(searchContextSize),
  user_location: z.exactOptional(
    z.strictObject({
      type: z.literal('approximate'),
      approximate: z.exactOptional(z.strictObject(placeFields)),
    }),
  ),
});

const responseFormat = z.looseObject({
  type: z.string(),
  json_schema: z.exactOptional(
    z.looseObject({
      name: z.exactOptional(z.string()),
      schema: z.exactOptional(openObject),
      strict: z.exactOptional(z.boolean()),
    }),
  ),
});

/** Body of `POST /v1/chat/completions` (2.4) without the fields that are refused by name. */
const chatCompletionRequest = z.strictObject({
  ...sharedFields,
  messages: z.array(chatMessage).check(z.minLength(1)),
  stream_options: z.exactOptional(z.strictObject({ include_usage: z.exactOptional(z.boolean()) })),
  max_tokens: z.exactOptional(outputCap),
  max_completion_tokens: z.exactOptional(outputCap),
  n: z.exactOptional(z.literal(1)),
  stop: z.exactOptional(
    z.union([
      z.pipe(
        z.string(),
        z.transform((text) => [text]),
      ),
      z.array(z.string()),
    ]),
  ),
  seed: z.exactOptional(z.int()),
  logit_bias: z.exactOptional(z.record(z.string(), z.number())),
  logprobs: z.exactOptional(z.boolean()),
  prediction: z.exactOptional(
    z.strictObject({
      type: z.literal('content'),
      content: z.union([z.string(), z.array(textBlock)]),
    }),
  ),
  tools: z.exactOptional(z.array(chatTool)),
  tool_choice: z.exactOptional(chatToolChoice),
  mcp_servers: z.exactOptional(z.array(mcpServer)),
  response_format: z.exactOptional(responseFormat),
  reasoning: z.exactOptional(
    z.strictObject({
      enabled: z.exactOptional(z.boolean()),
      effort: z.exactOptional(z.string()),
      display: z.exactOptional(z.string()),
      max_tokens: z.exactOptional(positiveInteger),
    }),
  ),
  reasoning_effort: z.exactOptional(z.string()),
  reasoning_max_tokens: z.exactOptional(positiveInteger),
  reasoning_display: z.exactOptional(z.string()),
  verbosity: z.exactOptional(z.string()),
  modalities: z.exactOptional(
    z
      .array(z.string())
      .check(
        rule((modalities) =>
          modalities.length === 1 && modalities[0] === 'text'
            ? undefined
            : 'must be exactly ["text"]: the service is text-only',
        ),
      ),
  ),
  web_search_options: z.exactOptional(webSearchOptions),
});
export type ChatCompletionRequest = z.output<typeof chatCompletionRequest>;

const TEXT_PARTS: AbsencePlan = { nested: { cache_control: {} } };

const ABSENT: AbsencePlan = {
  emptyIsAbsent: EMPTY_IS_ABSENT,
  nested: {
    provider: {},
    rules: {},
    stream_options: {},
    cache_control: {},
    reasoning: {},
    mcp_servers: {},
    messages: {
      ignored: ['parsed'],
      nested: {
        content: TEXT_PARTS,
        tool_calls: {
          ignored: ['index'],
          nested: { function: { ignored: ['parsed_arguments'] }, custom: {} },
        },
      },
    },
    prediction: { nested: { content: TEXT_PARTS } },
    tools: { nested: { function: {}, custom: {}, cache_control: {} } },
    response_format: { nested: { json_schema: {} } },
    web_search_options: { nested: { user_location: { nested: { approximate: {} } } } },
  },
};

/** How a body of `POST /v1/chat/completions` is read. */
export const CHAT_REQUEST = {
  route: 'chat-completions',
  schema: chatCompletionRequest,
  absent: ABSENT,
  prepare: (body: Record<string, unknown>) => body,
} as const;

/**
 * Reads the body of `POST /v1/chat/completions`. Nulls and empty lists that read as absent are
 * gone, `stop` is a list. Throws a 400 that names the field at fault; knows nothing of models.
 */
export function parseChatRequest(value: unknown): ChatCompletionRequest {
  const request = parseRequest(value, CHAT_REQUEST);
  checkSharedRules(request);
  checkExclusiveFields(request);
  checkMcpPairs(request);
  const hasHostedSearch = request.web_search_options !== undefined;
  checkChatToolChoice(request.tool_choice, request.tools ?? [], hasHostedSearch);
  return request;
}

function checkExclusiveFields(request: ChatCompletionRequest): void {
  const { max_tokens: legacy, max_completion_tokens: current } = request;
  if (legacy !== undefined && current !== undefined && legacy !== current) {
    throw invalidRequest('max_tokens and max_completion_tokens differ; send only one of them');
  }
  if (request.stop !== undefined && request.stop_sequences !== undefined) {
    throw invalidRequest('stop and stop_sequences are the same setting; send only one of them');
  }
}

/** Servers and toolsets come in pairs, each name once (2.4). */
function checkMcpPairs({ mcp_servers: servers = [], tools = [] }: ChatCompletionRequest): void {
  const unpaired = new Set<string>();
  servers.forEach(({ name }, index) => {
    if (unpaired.has(name)) {
      throw invalidRequest(`mcp_servers[${index}].name is used twice; names must be unique`);
    }
    unpaired.add(name);
  });
  tools.forEach((tool, index) => {
    if (tool.type !== 'mcp_toolset' || unpaired.delete(tool.mcp_server_name)) return;
    throw invalidRequest(
      `tools[${index}].mcp_server_name must name one entry of mcp_servers that no other tool names`,
    );
  });
  const index = servers.findIndex(({ name }) => unpaired.has(name));
  if (index >= 0) {
    throw invalidRequest(
      `mcp_servers[${index}] needs an entry of tools with type "mcp_toolset" and its name as mcp_server_name`,
    );
  }
}
