import { CUSTOM, FUNCTION, SERVER, TOOLSET } from './spec-chat-request-fixtures.ts';
import { B, type Claims } from './spec-gateway.ts';

const named = { type: 'function', function: { name: 'look' } };

export const TOOLS: Claims = {
  accepted: [
    {
      claim: '2.4 tools: a function on family A',
      fields: { tools: [FUNCTION] },
      sent: { tools: [FUNCTION] },
    },
    {
      claim: '2.4 tools: a function on family B',
      fields: { model: B, tools: [FUNCTION] },
      sent: { tools: [{ name: 'look', input_schema: { type: 'object', properties: {} } }] },
    },
    {
      claim: '2.4 tools: a custom tool where supported',
      fields: { tools: [CUSTOM] },
      sent: { tools: [CUSTOM] },
    },
    { claim: '2.4 tools: an empty list is absent', fields: { tools: [] }, without: ['tools'] },
    {
      claim: '2.4 tools, mcp_servers: paired on family B',
      fields: {
        model: B,
        tools: [TOOLSET],
        mcp_servers: [{ ...SERVER, authorization_token: 'mcp-secret' }],
      },
      sent: { tools: [TOOLSET], mcp_servers: [{ ...SERVER, authorization_token: 'mcp-secret' }] },
    },
    {
      claim: '2.4 mcp_servers: an empty list is absent on family A',
      fields: { mcp_servers: [] },
      without: ['mcp_servers'],
    },
    ...(['auto', 'none', 'required'] as const).map((mode) => ({
      claim: `2.4 tool_choice: ${mode} on family A`,
      fields: { tools: [FUNCTION], tool_choice: mode },
      sent: { tool_choice: mode },
    })),
    ...(
      [
        ['auto', 'auto'],
        ['none', 'none'],
        ['required', 'any'],
      ] as const
    ).map(([mode, type]) => ({
      claim: `2.4 tool_choice: ${mode} on family B`,
      fields: { model: B, tools: [FUNCTION], tool_choice: mode },
      sent: { tool_choice: { type } },
    })),
    {
      claim: '2.4 tool_choice: a declared function on family A',
      fields: { tools: [FUNCTION], tool_choice: named },
      sent: { tool_choice: named },
    },
    {
      claim: '2.4 tool_choice: a declared function on family B',
      fields: { model: B, tools: [FUNCTION], tool_choice: named },
      sent: { tool_choice: { type: 'tool', name: 'look' } },
    },
    {
      claim: '2.4 tool_choice: a declared custom tool',
      fields: { tools: [CUSTOM], tool_choice: { type: 'custom', custom: { name: 'write' } } },
      sent: { tool_choice: { type: 'custom', custom: { name: 'write' } } },
    },
    {
      claim: '2.4 parallel_tool_calls: false on family A',
      fields: { tools: [FUNCTION], parallel_tool_calls: false },
      sent: { parallel_tool_calls: false },
    },
    {
      claim: '2.4 parallel_tool_calls: false on family B',
      fields: { model: B, tools: [FUNCTION], parallel_tool_calls: false },
      sent: { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    },
  ],
  refused: [
    {
      claim: '2.4 tools: a custom tool on family B',
      fields: { model: B, tools: [CUSTOM] },
      names: /^tools\[0\]/,
    },
    ...[
      'code_interpreter',
      'file_search',
      'computer_use_preview',
      'image_generation',
      'web_search',
      'bash_20250124',
    ].map((type) => ({
      claim: `2.4 tools: ${type} is not taken`,
      fields: { tools: [{ type }] },
      names: /^tools\[0\]\.type/,
    })),
    {
      claim: '2.4 tools: a function without a name',
      fields: { tools: [{ type: 'function', function: {} }] },
      names: /^tools\[0\]\.function\.name/,
    },
    {
      claim: '2.4 tools: an unknown key',
      fields: { tools: [{ ...FUNCTION, other: 1 }] },
      names: /^tools\[0\]\.other/,
    },
    {
      claim: '2.4 tools: a toolset on family A',
      fields: { tools: [TOOLSET], mcp_servers: [SERVER] },
      names: /^mcp_servers/,
    },
    {
      claim: '2.4 tools: a toolset without its server',
      fields: { model: B, tools: [TOOLSET] },
      names: /^tools\[0\]\.mcp_server_name/,
    },
    {
      claim: '2.4 mcp_servers: one without its toolset',
      fields: { model: B, mcp_servers: [SERVER] },
      names: /^mcp_servers\[0\]/,
    },
    {
      claim: '2.4 mcp_servers: a name twice',
      fields: { model: B, tools: [TOOLSET], mcp_servers: [SERVER, SERVER] },
      names: /^mcp_servers\[1\]\.name/,
    },
    {
      claim: '2.4 mcp_servers: only https',
      fields: {
        model: B,
        tools: [TOOLSET],
        mcp_servers: [{ ...SERVER, url: 'http://mcp.example' }],
      },
      names: /^mcp_servers\[0\]\.url/,
    },
    {
      claim: '2.4 mcp_servers: no other property',
      fields: { model: B, tools: [TOOLSET], mcp_servers: [{ ...SERVER, tool_configuration: {} }] },
      names: /^mcp_servers\[0\]\.tool_configuration/,
    },
    ...['type', 'url', 'name'].map((name) => ({
      claim: `2.4 mcp_servers: ${name} is required`,
      fields: { model: B, tools: [TOOLSET], mcp_servers: [{ ...SERVER, [name]: undefined }] },
      names: new RegExp(`^mcp_servers\\[0\\]\\.${name}|^tools`),
    })),
    {
      claim: '2.4 mcp_servers: family A',
      fields: { mcp_servers: [SERVER], tools: [TOOLSET] },
      names: /^mcp_servers/,
    },
    {
      claim: '2.4 tool_choice: an unknown mode',
      fields: { tools: [FUNCTION], tool_choice: 'any' },
      names: /^tool_choice/,
    },
    {
      claim: '2.4 tool_choice: an undeclared function',
      fields: { tools: [FUNCTION], tool_choice: { type: 'function', function: { name: 'other' } } },
      names: /^tool_choice\.function\.name/,
    },
    {
      claim: '2.4 tool_choice: required without tools',
      fields: { tool_choice: 'required' },
      names: /^tool_choice/,
    },
    {
      claim: '2.4 parallel_tool_calls: must be a boolean',
      fields: { parallel_tool_calls: 1 },
      names: /^parallel_tool_calls/,
    },
  ],
};
