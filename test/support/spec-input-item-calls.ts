import type { Claims } from './spec-gateway.ts';
import {
  APPROVED,
  ASKED,
  CALL,
  HI,
  list,
  MCP_CALL,
  MCP_LIST,
  RESULT,
  toB,
  WRITTEN,
  WROTE,
} from './spec-input-item-fixtures.ts';

export const CALLS: Claims = {
  accepted: [
    {
      claim: '2.8 function_call, function_call_output, call_id, name, arguments, output: family A',
      fields: list({ ...CALL, id: 'fc_1', status: 'completed' }, RESULT),
      sent: { input: [{}, CALL, RESULT] },
    },
    {
      claim: '2.8 function_call, function_call_output: family B',
      fields: toB(CALL, RESULT),
      sent: {
        messages: [
          {},
          {
            role: 'assistant',
            content: [{ type: 'tool_use', id: 'call_1', name: 'look', input: { a: 1 } }],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1' }] },
        ],
      },
    },
    {
      claim: '2.8 custom_tool_call, custom_tool_call_output: family A',
      fields: list(WROTE, WRITTEN),
      sent: { input: [{}, WROTE, WRITTEN] },
    },
    {
      claim: '2.8 output: any value becomes text, family A',
      fields: list(CALL, { ...RESULT, output: { a: [1, null] } }),
      sent: { input: [{}, {}, { output: '{"a":[1,null]}' }] },
    },
    {
      claim: '2.8 output: any value becomes text, family B',
      fields: toB(CALL, { ...RESULT, output: [1, 2] }),
      sent: { messages: [{}, {}, { content: [{ content: [{ type: 'text', text: '[1,2]' }] }] }] },
    },
    {
      claim: '2.8 web_search_call: family A',
      fields: list({
        type: 'web_search_call',
        id: 'ws_1',
        status: 'completed',
        action: { type: 'search', query: 'x' },
      }),
      sent: { input: [{}, { type: 'web_search_call' }] },
    },
    {
      claim: '2.8 web_search_call: says nothing to family B',
      fields: toB({
        type: 'web_search_call',
        id: 'ws_1',
        status: 'completed',
        action: { type: 'search', query: 'x' },
      }),
      sent: { messages: [{ role: 'user' }] },
    },
    { claim: '2.8 mcp_call: family A', fields: list(MCP_CALL), sent: { input: [{}, MCP_CALL] } },
    {
      claim: '2.8 mcp_call: family B',
      fields: toB(MCP_CALL, HI),
      sent: {
        messages: [
          {},
          {
            content: [
              { type: 'mcp_tool_use', name: 'read', server_name: 'docs' },
              { type: 'mcp_tool_result' },
            ],
          },
          {},
        ],
      },
    },
    {
      claim: '2.8 mcp_list_tools: family A',
      fields: list(MCP_LIST),
      sent: { input: [{}, MCP_LIST] },
    },
    {
      claim: '2.8 mcp_list_tools: says nothing to family B',
      fields: toB(MCP_LIST),
      sent: { messages: [{ role: 'user' }] },
    },
    {
      claim: '2.8 mcp_approval_request, mcp_approval_responses: family A',
      fields: list(ASKED, APPROVED),
      sent: {
        input: [
          {},
          ASKED,
          { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
        ],
      },
    },
  ],
  refused: [
    {
      claim: '2.8 call_id: is required',
      fields: list({ ...CALL, call_id: undefined }),
      names: /^input\[1\]\.call_id/,
    },
    {
      claim: '2.8 name: is required of a call',
      fields: list({ ...CALL, name: undefined }),
      names: /^input\[1\]\.name/,
    },
    {
      claim: '2.8 arguments: are text',
      fields: list({ ...CALL, arguments: {} }),
      names: /^input\[1\]\.arguments/,
    },
    {
      claim: '2.8 arguments: a JSON object on family B',
      fields: toB({ ...CALL, arguments: '[' }, RESULT),
      names: /^input\[1\]\.arguments/,
    },
    {
      claim: '2.8 output: is required',
      fields: list(CALL, { ...RESULT, output: undefined }),
      names: /^input\[2\]\.output/,
    },
    {
      claim: '2.8 function_call_output: without its call on family B',
      fields: toB(RESULT),
      names: /^input\[1\]\.call_id/,
    },
    { claim: '2.8 custom_tool_call: family B', fields: toB(WROTE, WRITTEN), names: /^input\[1\]/ },
    { claim: '2.8 custom_tool_call_output: family B', fields: toB(WRITTEN), names: /^input\[1\]/ },
    {
      claim: '2.8 mcp_approval_responses: without their request',
      fields: list(APPROVED),
      names: /^input\[1\]\.approval_request_id/,
    },
    { claim: '2.8 mcp_approval_request: family B', fields: toB(ASKED), names: /^input\[1\]/ },
  ],
};
