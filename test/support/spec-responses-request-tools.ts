import { B, type Claims } from './spec-gateway.ts';
import { CUSTOM, FETCH, FUNCTION, MCP, SEARCH } from './spec-responses-request-fixtures.ts';

const withoutCaps = ['max_tool_calls'];

export const TOOLS: Claims = {
  accepted: [
    {
      claim: '2.7 tools: a function on family A',
      fields: { tools: [FUNCTION] },
      sent: { tools: [FUNCTION] },
      without: withoutCaps,
    },
    {
      claim: '2.7 tools: a function on family B',
      fields: { model: B, tools: [FUNCTION] },
      sent: { tools: [{ name: 'look', input_schema: { type: 'object' } }] },
    },
    {
      claim: '2.7 tools: a custom tool',
      fields: { tools: [CUSTOM] },
      sent: { tools: [CUSTOM] },
      without: withoutCaps,
    },
    {
      claim: '2.7 tools: MCP on family A',
      fields: { tools: [MCP] },
      sent: { tools: [MCP] },
      without: withoutCaps,
    },
    {
      claim: '2.7 tools: MCP on family B, narrowed',
      fields: { model: B, tools: [{ ...MCP, authorization: 'mcp-secret' }] },
      sent: {
        mcp_servers: [
          { type: 'url', url: MCP.server_url, name: 'docs', authorization_token: 'mcp-secret' },
        ],
        tools: [
          {
            type: 'mcp_toolset',
            mcp_server_name: 'docs',
            default_config: { enabled: false },
            configs: { read: { enabled: true } },
          },
        ],
      },
    },
    {
      claim: '2.7 tools: web search on family A',
      fields: { tools: [SEARCH] },
      sent: { tools: [SEARCH] },
    },
    {
      claim: '2.7 tools: web search on family B',
      fields: { model: B, tools: [{ ...SEARCH, filters: { allowed_domains: ['a.example'] } }] },
      sent: {
        tools: [
          { type: 'web_search_20260209', name: 'web_search', allowed_domains: ['a.example'] },
        ],
      },
    },
    {
      claim: '2.7 tools: web fetch on family B',
      fields: { model: B, tools: [{ ...FETCH, max_uses: 3 }] },
      sent: { tools: [{ type: 'web_fetch_20260309', name: 'web_fetch', max_uses: 3 }] },
    },
    {
      claim: '2.7 max_tool_calls: 50 where omitted for priced hosted tools, family A',
      fields: { tools: [SEARCH] },
      sent: { max_tool_calls: 50 },
    },
    {
      claim: '2.7 max_tool_calls: 50 where omitted for priced hosted tools, family B',
      fields: { model: B, tools: [SEARCH] },
      sent: { tools: [{ max_uses: 50 }] },
    },
    {
      claim: "2.7 max_tool_calls: the request's own on family A",
      fields: { tools: [SEARCH], max_tool_calls: 3 },
      sent: { max_tool_calls: 3 },
    },
    {
      claim: '2.7 max_tool_calls: becomes max_uses on family B',
      fields: { model: B, tools: [SEARCH], max_tool_calls: 3 },
      sent: { tools: [{ max_uses: 3 }] },
      without: withoutCaps,
    },
    {
      claim: '2.7 max_tool_calls: may agree with max_uses',
      fields: { model: B, tools: [{ ...SEARCH, max_uses: 3 }], max_tool_calls: 3 },
      sent: { tools: [{ max_uses: 3 }] },
    },
    {
      claim: '2.7 max_tool_calls: none where tool_choice rules hosted tools out',
      fields: { tools: [SEARCH], tool_choice: 'none' },
      without: withoutCaps,
    },
    ...['auto', 'none', 'required'].map((mode) => ({
      claim: `2.7 tool_choice: ${mode}`,
      fields: { tools: [FUNCTION], tool_choice: mode },
      sent: { tool_choice: mode },
    })),
    {
      claim: '2.7 tool_choice: a named function on family A',
      fields: { tools: [FUNCTION], tool_choice: { type: 'function', name: 'look' } },
      sent: { tool_choice: { type: 'function', name: 'look' } },
    },
    {
      claim: '2.7 tool_choice: a named function on family B',
      fields: { model: B, tools: [FUNCTION], tool_choice: { type: 'function', name: 'look' } },
      sent: { tool_choice: { type: 'tool', name: 'look' } },
    },
    {
      claim: '2.7 tool_choice: a hosted tool',
      fields: { tools: [SEARCH], tool_choice: { type: 'web_search' } },
      sent: { tool_choice: { type: 'web_search' } },
    },
    {
      claim: '2.7 parallel_tool_calls: false on family A',
      fields: { tools: [FUNCTION], parallel_tool_calls: false },
      sent: { parallel_tool_calls: false },
    },
    {
      claim: '2.7 parallel_tool_calls: false on family B',
      fields: { model: B, tools: [FUNCTION], parallel_tool_calls: false },
      sent: { tool_choice: { disable_parallel_tool_use: true } },
    },
  ],
  refused: [
    ...[
      'file_search',
      'code_interpreter',
      'computer_use_preview',
      'image_generation',
      'local_shell',
      'shell',
      'apply_patch',
      'tool_search',
      'bash_20250124',
    ].map((type) => ({
      claim: `2.7 tools: ${type} is not taken`,
      fields: { tools: [{ type }] },
      names: /^tools\[0\]\.type/,
    })),
    {
      claim: '2.7 tools: custom on family B',
      fields: { model: B, tools: [CUSTOM] },
      names: /^tools\[0\]/,
    },
    { claim: '2.7 tools: web fetch on family A', fields: { tools: [FETCH] }, names: /^tools\[0\]/ },
    {
      claim: '2.7 tools: web search where the provider has none',
      fields: { provider: 'azure', tools: [SEARCH] },
      names: /^tools\[0\]/,
    },
    {
      claim: '2.7 tools: MCP without allowed_tools',
      fields: { tools: [{ ...MCP, allowed_tools: undefined }] },
      names: /allowed_tools/,
    },
    {
      claim: '2.7 tools: MCP with an empty allowed_tools',
      fields: { tools: [{ ...MCP, allowed_tools: [] }] },
      names: /allowed_tools/,
    },
    {
      claim: '2.7 tools: MCP over http',
      fields: { tools: [{ ...MCP, server_url: 'http://mcp.example' }] },
      names: /server_url/,
    },
    {
      claim: '2.7 tools: MCP with a connector',
      fields: { tools: [{ ...MCP, connector_id: 'connector_gmail' }] },
      names: /connector_id/,
    },
    {
      claim: '2.7 tools: an MCP label twice',
      fields: { tools: [MCP, MCP] },
      names: /^tools\[1\]\.server_label/,
    },
    {
      claim: '2.7 tools: an unknown key',
      fields: { tools: [{ ...FUNCTION, other: 1 }] },
      names: /^tools\[0\]\.other/,
    },
    ...[FUNCTION, CUSTOM, MCP].map((tool) => ({
      claim: `2.7 max_tool_calls: with ${tool.type} tools alone`,
      fields: { tools: [tool], max_tool_calls: 3 },
      names: /^max_tool_calls/,
    })),
    {
      claim: '2.7 max_tool_calls: below 1',
      fields: { tools: [SEARCH], max_tool_calls: 0 },
      names: /^max_tool_calls must be at least 1/,
    },
    {
      claim: '2.7 max_tool_calls: another than max_uses',
      fields: { model: B, tools: [{ ...SEARCH, max_uses: 2 }], max_tool_calls: 3 },
      names: /max_tool_calls and the max_uses/,
    },
    {
      claim: '2.7 max_tool_calls: shared by two hosted tools of family B',
      fields: { model: B, tools: [SEARCH, FETCH], max_tool_calls: 3 },
      names: /^max_tool_calls/,
    },
    {
      claim: '2.7 max_tool_calls: must be an integer',
      fields: { tools: [SEARCH], max_tool_calls: 1.5 },
      names: /^max_tool_calls/,
    },
    {
      claim: '2.7 tool_choice: an undeclared tool',
      fields: { tools: [FUNCTION], tool_choice: { type: 'function', name: 'other' } },
      names: /^tool_choice\.name/,
    },
    {
      claim: '2.7 tool_choice: an unknown mode',
      fields: { tools: [FUNCTION], tool_choice: 'any' },
      names: /^tool_choice/,
    },
    {
      claim: '2.7 tool_choice: an undeclared hosted tool',
      fields: { tools: [FUNCTION], tool_choice: { type: 'web_search' } },
      names: /^tool_choice/,
    },
    {
      claim: '2.7 parallel_tool_calls: must be a boolean',
      fields: { parallel_tool_calls: 'x' },
      names: /^parallel_tool_calls/,
    },
  ],
};
