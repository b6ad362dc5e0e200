export const FUNCTION = {
  type: 'function',
  name: 'look',
  parameters: { type: 'object', properties: {} },
  strict: false,
};
export const CUSTOM = { type: 'custom', name: 'write' };
export const SEARCH = { type: 'web_search' };
export const FETCH = { type: 'web_fetch' };
export const MCP = {
  type: 'mcp',
  server_label: 'docs',
  server_url: 'https://mcp.example/sse',
  allowed_tools: ['read'],
  require_approval: 'never',
};
export const MARK = { type: 'ephemeral' };
export const BUDGETED = 'claude-sonnet-4-6';
export const marked = (count: number) => [
  {
    role: 'user',
    content: Array.from({ length: count }, () => ({
      type: 'input_text',
      text: 'x',
      cache_control: MARK,
    })),
  },
];
