export const FUNCTION = {
  type: 'function',
  function: { name: 'look', parameters: { type: 'object', properties: {} } },
};
export const CUSTOM = { type: 'custom', custom: { name: 'write' } };
export const SERVER = { type: 'url', url: 'https://mcp.example/sse', name: 'docs' };
export const TOOLSET = { type: 'mcp_toolset', mcp_server_name: 'docs' };
export const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
export const MARK = { type: 'ephemeral' };
/** Takes a token budget for its reasoning. */
export const BUDGETED = 'claude-sonnet-4-6';
export const SEARCHING = 'gpt-5-search-api';
export const marked = (count: number) => [
  {
    role: 'user',
    content: Array.from({ length: count }, () => ({
      type: 'text',
      text: 'x',
      cache_control: MARK,
    })),
  },
];
