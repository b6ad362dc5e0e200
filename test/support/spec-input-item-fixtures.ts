import { B } from './spec-gateway.ts';

export const HI = { role: 'user', content: 'Hi' };
export const CALL = {
  type: 'function_call',
  call_id: 'call_1',
  name: 'look',
  arguments: '{"a":1}',
};
export const RESULT = { type: 'function_call_output', call_id: 'call_1', output: '21 °C' };
export const WROTE = { type: 'custom_tool_call', call_id: 'call_2', name: 'write', input: 'x' };
export const WRITTEN = { type: 'custom_tool_call_output', call_id: 'call_2', output: 'done' };
export const MCP_CALL = {
  type: 'mcp_call',
  id: 'mcp_1',
  server_label: 'docs',
  name: 'read',
  arguments: '{}',
  output: 'text',
};
export const MCP_LIST = { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 'docs', tools: [] };
export const ASKED = {
  type: 'mcp_approval_request',
  id: 'mcpr_1',
  server_label: 'docs',
  name: 'read',
  arguments: '{}',
};
export const APPROVED = {
  type: 'mcp_approval_responses',
  approval_request_id: 'mcpr_1',
  approve: true,
};
export const THOUGHT = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 't' }],
};
export const list = (...items: unknown[]) => ({ input: [HI, ...items] });
export const toB = (...items: unknown[]) => ({ model: B, ...list(...items) });
