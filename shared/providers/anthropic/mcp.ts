import type {
  BetaContentBlockParam,
  BetaMCPToolset,
  BetaRequestMCPServerURLDefinition,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { InputItem } from '../../api/input-item.ts';
import type { McpTool } from '../../api/tools.ts';
import { textBlocks } from './text.ts';
import { parseArguments } from './tool-arguments.ts';

/** The server behind a remote MCP tool (2.7). */
export function mcpServer(tool: McpTool): BetaRequestMCPServerURLDefinition {
  const { server_url, server_label, authorization } = tool;
  return {
    type: 'url',
    url: server_url,
    name: server_label,
    ...(authorization !== undefined && { authorization_token: authorization }),
  };
}

/** The toolset of that server, narrowed to the allowed tools: every other one is off. */
export function mcpToolset(tool: McpTool): BetaMCPToolset {
  const { allowed_tools, server_label, cache_control } = tool;
  const names = Array.isArray(allowed_tools) ? allowed_tools : allowed_tools.tool_names;
  return {
    type: 'mcp_toolset',
    mcp_server_name: server_label,
    default_config: { enabled: false },
    configs: Object.fromEntries(names.map((name) => [name, { enabled: true }])),
    ...(cache_control && { cache_control }),
  };
}

type McpCall = Extract<InputItem, { type: 'mcp_call' }>;

const PROVIDER_CALL_ID = /^mcptoolu_\w+$/;

/** A call that the provider made to an MCP server in an earlier turn, with what came back. */
export function mcpCallBlocks(call: McpCall, field: string): BetaContentBlockParam[] {
  const id = PROVIDER_CALL_ID.test(call.id ?? '') && call.id ? call.id : madeUpId(field);
  const failure = call.error === undefined || call.error === null ? undefined : call.error;
  const text = failure === undefined ? (call.output ?? '') : errorText(failure);
  return [
    {
      type: 'mcp_tool_use',
      id,
      name: call.name,
      server_name: call.server_label,
      input: parseArguments(call.arguments, `${field}.arguments`),
    },
    {
      type: 'mcp_tool_result',
      tool_use_id: id,
      is_error: failure !== undefined,
      content: textBlocks(text, { field: `${field}.output` }),
    },
  ];
}

/** Ties call and result together where the client sends no ID of the provider's: by position. */
function madeUpId(field: string): string {
  return `mcptoolu_${field.replace(/\W+/g, '_')}`;
}

function errorText(error: unknown): string {
  return typeof error === 'string' ? error : JSON.stringify(error);
}
