import { A, B, PATHS, requestOf } from './spec-gateway.ts';

const FUNCTION = { name: 'look', parameters: { type: 'object', properties: {} } };
const MARK = { type: 'ephemeral', ttl: '5m' };

/** Good requests that use much of what each route takes: bases to mutate. */
export const BASES: readonly (readonly [path: string, body: Record<string, unknown>])[] = [
  [
    PATHS.chat,
    requestOf('chat', {
      seed: 1,
      stop: ['x'],
      logit_bias: { 1: 2 },
      tools: [{ type: 'function', function: FUNCTION }],
      tool_choice: 'auto',
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'n', schema: { type: 'object' } },
      },
    }),
  ],
  [
    PATHS.chat,
    requestOf('chat', {
      model: B,
      stream: true,
      stream_options: { include_usage: true },
      top_k: 3,
      cache_control: MARK,
      mcp_servers: [
        { type: 'url', url: 'https://mcp.example', name: 'docs', authorization_token: 't' },
      ],
      tools: [{ type: 'mcp_toolset', mcp_server_name: 'docs' }],
      web_search_options: { search_context_size: 'low' },
    }),
  ],
  [
    PATHS.chat,
    requestOf('chat', {
      model: B,
      reasoning: { effort: 'high', display: 'omitted' },
      max_tokens: 500,
      metadata: { a: 'b' },
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'a', cache_control: MARK }] },
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: null,
          reasoning_details: [{ type: 'reasoning.text', text: 't', signature: 's' }],
          tool_calls: [
            { id: 'c', type: 'function', function: { name: 'look', arguments: '{"a":[1,2e3]}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'x' }] },
      ],
    }),
  ],
  [
    PATHS.chat,
    requestOf('chat', {
      provider: { only: ['azure', 'openai'], order: ['azure'] },
      service_tier: 'default',
      n: 1,
      modalities: ['text'],
      verbosity: 'low',
      prompt_cache_key: 'k',
      prompt_cache_retention: '24h',
      reasoning_effort: 'low',
      stream: true,
    }),
  ],
  [
    PATHS.responses,
    requestOf('responses', {
      instructions: 'a',
      max_output_tokens: 50,
      truncation: 'auto',
      include: ['x'],
      tools: [
        { type: 'web_search', filters: { allowed_domains: ['a.example'] } },
        {
          type: 'mcp',
          server_label: 's',
          server_url: 'https://mcp.example',
          allowed_tools: ['t'],
          require_approval: 'never',
        },
      ],
      max_tool_calls: 3,
      'reasoning.effort': 'low',
    }),
  ],
  [
    PATHS.responses,
    requestOf('responses', {
      model: B,
      stream: true,
      text: {
        format: {
          type: 'json_schema',
          name: 'n',
          schema: { type: 'object', properties: { a: { type: 'string' } } },
        },
      },
      tools: [
        { type: 'web_fetch', max_uses: 2 },
        { type: 'function', ...FUNCTION },
      ],
      task_budget: { type: 'tokens', total: 20_000 },
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
    }),
  ],
  [
    PATHS.responses,
    requestOf('responses', {
      model: A,
      rules: 'openai',
      stream: true,
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'a' }] },
        {
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: 't' }],
          encrypted_content: 'gAAA',
        },
        { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: { a: [1] } },
        { type: 'mcp_approval_request', id: 'm', server_label: 's', name: 'n', arguments: '{}' },
        { type: 'mcp_approval_responses', approval_request_id: 'm', approve: true },
      ],
    }),
  ],
  [
    PATHS.responses,
    requestOf('responses', {
      model: B,
      input: [
        { role: 'user', content: 'a' },
        { type: 'function_call', call_id: 'c', name: 'look', arguments: '{"a":1}' },
        { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'x' }] },
        { type: 'mcp_call', server_label: 's', name: 'n', arguments: '{}', output: 'x' },
        { type: 'refusal', refusal: 'No.' },
      ],
    }),
  ],
];
