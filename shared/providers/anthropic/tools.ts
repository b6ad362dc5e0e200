import type {
  BetaMCPToolset,
  BetaRequestMCPServerURLDefinition,
  BetaTool,
  BetaToolUnion,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { ChatCompletionRequest } from '../../api/chat-request.ts';
import type { CacheControl } from '../../api/common-fields.ts';
import { invalidRequest } from '../../api/error.ts';
import { isWebFetchTool, isWebSearchTool } from '../../api/hosted-tools.ts';
import type { JsonObject } from '../../api/json.ts';
import type { ResponsesRequest } from '../../api/responses-request.ts';
import type { ChatTool, ResponsesTool } from '../../api/tools.ts';
import type { AnthropicFacts } from '../../catalog/types.ts';
import { chatWebSearch, webFetch, webSearch } from './hosted-tools.ts';
import { carrySchema } from './json-schema.ts';
import { mcpServer, mcpToolset } from './mcp.ts';

/** Tool definitions and the MCP servers that some of them stand for. */
export interface ToolSetup {
  readonly tools: readonly BetaToolUnion[];
  readonly mcpServers: readonly BetaRequestMCPServerURLDefinition[];
}

interface FunctionDefinition {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly strict?: boolean;
  readonly cache_control?: CacheControl;
}

/** The tools of a chat request, in its order; `web_search_options` is one more. Throws a 400. */
export function chatTools(request: ChatCompletionRequest, facts: AnthropicFacts): ToolSetup {
  const declared = (request.tools ?? []).map(chatTool);
  const search = request.web_search_options ? [chatWebSearch(request, facts)] : [];
  return { tools: [...declared, ...search], mcpServers: request.mcp_servers ?? [] };
}

function chatTool(tool: ChatTool, index: number): BetaToolUnion {
  const field = `tools[${index}]`;
  if (tool.type === 'custom') throw customTool(field);
  // The cast: the toolset's settings are open objects (2.4), forwarded as the client wrote them.
  if (tool.type === 'mcp_toolset') return { ...tool } as BetaMCPToolset;
  const { cache_control } = tool;
  const definition = { ...tool.function, ...(cache_control && { cache_control }) };
  return functionTool(definition, `${field}.function.parameters`);
}

/** The tools of a responses request, in its order. Throws a 400. */
export function responsesTools(request: ResponsesRequest, facts: AnthropicFacts): ToolSetup {
  const declared = request.tools ?? [];
  return {
    tools: declared.map((tool, index) =>
      responsesTool(tool, { request, facts, field: `tools[${index}]` }),
    ),
    mcpServers: declared.flatMap((tool) => (tool.type === 'mcp' ? [mcpServer(tool)] : [])),
  };
}

interface ToolSource {
  readonly request: ResponsesRequest;
  readonly facts: AnthropicFacts;
  readonly field: string;
}

function responsesTool(tool: ResponsesTool, source: ToolSource): BetaToolUnion {
  if (isWebSearchTool(tool)) return webSearch(tool, source);
  if (isWebFetchTool(tool)) return webFetch(tool, source);
  if (tool.type === 'mcp') return mcpToolset(tool);
  if (tool.type === 'custom') throw customTool(source.field);
  return functionTool(tool, `${source.field}.parameters`);
}

function customTool(field: string): Error {
  return invalidRequest(`${field}.type "custom" is not taken by this model; declare a function`);
}

function functionTool(definition: FunctionDefinition, path: string): BetaTool {
  const { name, description, parameters, strict, cache_control } = definition;
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: inputSchema(parameters ?? {}, path, strict === true),
    ...(strict !== undefined && { strict }),
    ...(cache_control && { cache_control }),
  };
}

/** A function without parameters, or with `{}`, takes none: the provider asks for an object schema. */
function inputSchema(
  parameters: Readonly<Record<string, unknown>>,
  path: string,
  isStrict: boolean,
): BetaTool.InputSchema {
  const { type = 'object', ...rest } = parameters;
  if (type !== 'object') throw invalidRequest(`${path}.type must be "object"`);
  if (!isStrict) return { type, ...rest };
  // The cast: parameters are JSON that the schema of the request left open.
  const schema = { type, properties: {}, ...rest } as JsonObject;
  const hasNames = Object.keys(schema.properties ?? {}).length > 0;
  const closed = hasNames ? schema : { additionalProperties: false, ...schema };
  return { ...carrySchema(closed, path), type };
}
