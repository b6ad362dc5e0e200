import { describe, expect, it } from 'vitest';
import { parseResponsesRequest } from '../../../shared/api/responses-request.ts';
import type { Deployment } from '../../../shared/catalog/types.ts';
import { checkResponsesRequest } from '../../../shared/gateway/check-responses.ts';
import { AZURE, CLAUDE, CLAUDE_THINKER, GPT, GPT_4, GPT_NANO } from './check-fixtures.ts';

type Fields = Readonly<Record<string, unknown>>;

function check(fields: Fields, deployment: Deployment): void {
  checkResponsesRequest(parseResponsesRequest({ model: 'm', input: 'Hi', ...fields }), deployment);
}

const MARKER = { type: 'ephemeral' };
const FUNCTION_TOOL = { type: 'function', name: 'look' };
const MCP_TOOL = {
  type: 'mcp',
  server_label: 's',
  server_url: 'https://a.b',
  allowed_tools: ['t'],
  require_approval: 'never',
};
const search = (fields: object = {}) => ({ type: 'web_search', ...fields });
const fetchTool = (fields: object = {}) => ({ type: 'web_fetch', ...fields });

describe('what a model cannot take is refused (2.7)', () => {
  const refused: readonly (readonly [Fields, Deployment, RegExp])[] = [
    [{ include: ['x'] }, CLAUDE, /^include /],
    [{ top_logprobs: 1 }, CLAUDE, /^top_logprobs /],
    [{ frequency_penalty: 1 }, CLAUDE, /^frequency_penalty /],
    [{ prompt_cache_key: 'x' }, CLAUDE, /^prompt_cache_key .*cache_control/],
    [{ temperature: 1, top_p: 1 }, CLAUDE, /^temperature and top_p/],
    [{ truncation: 'auto' }, CLAUDE, /^truncation must be "disabled"/],
    [{ stream: true, stream_options: { include_obfuscation: true } }, CLAUDE, /^stream_options/],
    [{ text: { verbosity: 'low' } }, CLAUDE, /^text\.verbosity /],
    [{ text: { verbosity: 'low' } }, GPT_4, /^text\.verbosity /],
    [{ top_k: 1 }, GPT, /^top_k /],
    [{ stop_sequences: ['x'] }, GPT, /^stop_sequences /],
    [{ cache_control: MARKER }, GPT, /^cache_control /],
    [{ speed: 'fast' }, AZURE, /^speed /],
    [{ max_output_tokens: 64_001 }, CLAUDE, /^max_output_tokens is 64001/],
    [{ max_output_tokens: 0 }, GPT, /^max_output_tokens may be 0 only/],
    [{ max_output_tokens: 0 }, CLAUDE, /^max_output_tokens may be 0 only/],
    [{ reasoning: { effort: 'none' } }, GPT_NANO, /^reasoning cannot be switched off/],
    [{ reasoning: { summary: 'auto' } }, GPT_4, /^reasoning is not available/],
    [{ reasoning: { max_tokens: 2000 } }, GPT, /^reasoning\.max_tokens is not taken/],
    [{ tools: [{ type: 'custom', name: 'x' }] }, CLAUDE, /^tools\[0\]\.type "custom"/],
    [
      {
        input: [
          {
            type: 'function_call_output',
            call_id: 'c',
            output: [{ type: 'input_text', text: 'x', cache_control: MARKER }],
          },
        ],
      },
      GPT,
      /^input\[0\]\.output\[0\]\.cache_control/,
    ],
    [
      { input: [{ type: 'mcp_approval_response', approval_request_id: 'a', approve: true }] },
      GPT,
      /^input\[0\]\.approval_request_id/,
    ],
  ];
  it.each(refused)('%j', (fields, deployment, message) => {
    expect(() => check(fields, deployment)).toThrow(message);
  });

  const accepted: readonly (readonly [Fields, Deployment])[] = [
    [{ include: ['x'], top_logprobs: 1, truncation: 'auto', prompt_cache_key: 'x' }, GPT],
    [{ truncation: 'disabled', cache_control: MARKER, top_k: 1, task_budget: {} }, CLAUDE],
    [{ reasoning: { summary: 'detailed', effort: 'low' } }, CLAUDE],
    [{ max_output_tokens: 0, cache_control: MARKER }, CLAUDE],
    [{ text: { format: { type: 'json_schema', name: 'n', schema: {} } } }, CLAUDE],
  ];
  it.each(accepted)('accepted: %j', (fields, deployment) => {
    expect(() => check(fields, deployment)).not.toThrow();
  });
});

describe('hosted tools (2.7)', () => {
  const refused: readonly (readonly [Fields, Deployment, RegExp])[] = [
    [{ tools: [FUNCTION_TOOL, search()] }, AZURE, /^tools\[1\]: web search is not available/],
    [{ tools: [{ type: 'web_search_20250305' }] }, GPT, /^tools\[0\]\.type "web_search_20250305"/],
    [{ tools: [fetchTool()] }, GPT, /^tools\[0\]\.type "web_fetch" is not taken/],
    [{ tools: [search({ max_uses: 2 })] }, GPT, /^tools\[0\]\.max_uses .*max_tool_calls/],
    [
      { tools: [search(), { type: 'web_search_20250305' }] },
      CLAUDE,
      /^tools\[1\] repeats tools\[0\]/,
    ],
    [{ max_tool_calls: 3 }, GPT, /^max_tool_calls caps priced hosted tools/],
    [{ max_tool_calls: 3, tools: [FUNCTION_TOOL] }, GPT, /^max_tool_calls caps/],
    [{ max_tool_calls: 3, tools: [MCP_TOOL] }, GPT, /^max_tool_calls caps/],
    [{ max_tool_calls: 3, tools: [MCP_TOOL, FUNCTION_TOOL] }, CLAUDE, /^max_tool_calls caps/],
    [
      { max_tool_calls: 3, tools: [search(), fetchTool()] },
      CLAUDE,
      /^max_tool_calls cannot be shared/,
    ],
    [{ max_tool_calls: 3, tools: [search({ max_uses: 2 })] }, CLAUDE, /max_uses .* differ/],
  ];
  it.each(refused)('%j', (fields, deployment, message) => {
    expect(() => check(fields, deployment)).toThrow(message);
  });

  const accepted: readonly (readonly [Fields, Deployment])[] = [
    [{ tools: [search({ filters: { allowed_domains: ['a'] } })], max_tool_calls: 1 }, GPT],
    [{ tools: [{ type: 'web_search_preview' }, MCP_TOOL, FUNCTION_TOOL] }, GPT],
    [{ tools: [{ ...MCP_TOOL, headers: { a: 'b' } }] }, AZURE],
    [{ tools: [{ type: 'web_search_preview_2025_03_11' }], max_tool_calls: 1 }, CLAUDE],
    [{ tools: [search({ max_uses: 2 })], max_tool_calls: 2 }, CLAUDE],
    [{ tools: [fetchTool()], max_tool_calls: 2 }, CLAUDE],
    [{ tools: [search(), fetchTool({ blocked_domains: ['a'] }), MCP_TOOL] }, CLAUDE],
    [{ tools: [{ type: 'web_search_20250305' }, { type: 'web_fetch_20260309' }] }, CLAUDE_THINKER],
  ];
  it.each(accepted)('accepted: %j', (fields, deployment) => {
    expect(() => check(fields, deployment)).not.toThrow();
  });
});
