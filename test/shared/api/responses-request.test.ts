import { describe, expect, it } from 'vitest';
import { parseResponsesRequest } from '../../../shared/api/responses-request.ts';
import { refusalMessage } from '../../support/refusal-message.ts';

const MINIMAL = { model: 'gpt-5.6', input: 'Hello' };
const FUNCTION_TOOL = { type: 'function', name: 'look', parameters: { type: 'object' } };
const MCP_TOOL = {
  type: 'mcp',
  server_label: 'files',
  server_url: 'https://mcp.example/sse',
  allowed_tools: ['read'],
  require_approval: 'never',
};

function parse(fields: Record<string, unknown>) {
  return parseResponsesRequest({ ...MINIMAL, ...fields });
}

function refusal(fields: Record<string, unknown>): string {
  return refusalMessage(() => parse(fields));
}

const item = (value: unknown) => ({ input: [{ role: 'user', content: 'Hello' }, value] });

describe('accepted responses requests (2.7, 2.8)', () => {
  const accepted: readonly (readonly [string, Record<string, unknown>])[] = [
    ['the smallest request', {}],
    ['instructions and a cap', { instructions: 'Be brief.', max_output_tokens: 0 }],
    ['stream options', { stream: true, stream_options: { include_obfuscation: false } }],
    ['custom tool', { tools: [{ type: 'custom', name: 'sql', format: { type: 'grammar' } }] }],
    ['MCP by names', { tools: [MCP_TOOL] }],
    ['MCP by filter', { tools: [{ ...MCP_TOOL, allowed_tools: { tool_names: ['read'] } }] }],
    [
      'web search',
      {
        tools: [
          {
            type: 'web_search',
            filters: { allowed_domains: ['a.org'] },
            user_location: { type: 'approximate', city: 'Bern', country: null },
            search_context_size: 'low',
          },
        ],
        tool_choice: { type: 'web_search' },
        max_tool_calls: 3,
      },
    ],
    [
      'a dated search tool',
      { tools: [{ type: 'web_search_20260209', name: 'web_search', max_uses: 2 }] },
    ],
    ['web fetch', { tools: [{ type: 'web_fetch', max_uses: 1, citations: { enabled: true } }] }],
    [
      'a named function',
      { tools: [FUNCTION_TOOL], tool_choice: { type: 'function', name: 'look' } },
    ],
    [
      'a named MCP tool',
      { tools: [MCP_TOOL], tool_choice: { type: 'mcp', server_label: 'files', name: 'read' } },
    ],
    ['reasoning', { reasoning: { effort: 'low', summary: 'auto', generate_summary: 'auto' } }],
    ['the dotted property', { 'reasoning.effort': 'low' }],
    [
      'an open text format',
      {
        text: {
          format: { type: 'json_schema', name: 'x', schema: {}, more: 1 },
          verbosity: 'low',
          other: 1,
        },
      },
    ],
    ['unknown include', { include: ['anything'], truncation: 'anything' }],
    [
      'data as output',
      item({ type: 'function_call_output', call_id: 'c', output: { rows: [1, null] } }),
    ],
    [
      'parts as output',
      item({
        type: 'custom_tool_call_output',
        call_id: 'c',
        output: [{ type: 'input_text', text: 'x' }],
      }),
    ],
    ['empty output', item({ type: 'function_call_output', call_id: 'c', output: '' })],
    [
      'system item',
      item({ type: 'message', role: 'system', content: [{ type: 'input_text', text: 'x' }] }),
    ],
    [
      'MCP approval',
      item({ type: 'mcp_approval_responses', approval_request_id: 'a', approve: true }),
    ],
    ['media words in text', item({ role: 'user', content: '{"image_url": "x"}' })],
  ];
  it.each(accepted)('%s', (_name, fields) => {
    expect(refusal(fields)).toBe('accepted');
  });

  it('takes back what the service and client libraries hand out', () => {
    const echoed = [
      {
        type: 'reasoning',
        id: 'rs_1',
        status: null,
        summary: [{ type: 'summary_text', text: 'x' }],
        content: [{ type: 'reasoning_text', text: 'y' }],
        encrypted_content: 'e',
      },
      { type: 'reasoning', id: 'rs_2', summary: [] },
      {
        type: 'web_search_call',
        id: 'ws_1',
        status: 'completed',
        action: { type: 'search', query: 'q', sources: null },
      },
      {
        type: 'message',
        id: 'msg_1',
        status: 'completed',
        role: 'assistant',
        phase: 'final_answer',
        content: [
          {
            type: 'output_text',
            text: 'Hi',
            annotations: [{ type: 'url_citation', url: 'https://a.org', start_index: 0 }],
            logprobs: [],
            parsed: { a: 1 },
          },
          { type: 'refusal', refusal: 'No' },
        ],
      },
      {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'c',
        name: 'look',
        arguments: '{}',
        status: 'completed',
        parsed_arguments: {},
      },
      { type: 'function_call_output', call_id: 'c', output: 'ok', id: null, status: null },
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'd', name: 'sql', input: 'select' },
      {
        type: 'mcp_list_tools',
        id: 'mcpl_1',
        server_label: 'files',
        tools: [{ name: 'read', input_schema: {}, annotations: null }],
        error: null,
      },
      {
        type: 'mcp_call',
        id: 'mcp_1',
        server_label: 'files',
        name: 'read',
        arguments: '{}',
        output: 'text',
        error: null,
        approval_request_id: null,
      },
    ];
    const { input } = parse({ input: [{ role: 'user', content: 'x' }, ...echoed] });
    expect(Array.isArray(input) && input.map(({ type }) => type)).toEqual([
      'message',
      ...echoed.map(({ type }) => type),
    ]);
    expect(JSON.stringify(input)).not.toContain('parsed');
  });

  it('brings messages into one form', () => {
    const text = (type: string) => ({ type, text: 'x' });
    const { input } = parse({
      input: [
        { role: 'user', content: [text('text'), text('output_text')] },
        { type: 'message', role: 'assistant', content: [text('input_text')] },
        { type: 'refusal', id: 'r', refusal: 'No.' },
      ],
    });
    expect(input).toEqual([
      { type: 'message', role: 'user', content: [text('input_text'), text('input_text')] },
      { type: 'message', role: 'assistant', content: [text('output_text')] },
      {
        type: 'message',
        id: 'r',
        role: 'assistant',
        content: [{ type: 'refusal', refusal: 'No.' }],
      },
    ]);
  });

  it('reads null on an optional field, and an empty list of the other family, as absent', () => {
    const nulls = {
      instructions: null,
      store: null,
      conversation: null,
      reasoning: null,
      text: null,
    };
    expect(parse({ ...nulls, include: [], stop_sequences: [], tools: [] })).toEqual(MINIMAL);
    expect(parse({ tools: [{ ...FUNCTION_TOOL, strict: null, description: null }] }).tools).toEqual(
      [FUNCTION_TOOL],
    );
  });
});

describe('refused responses requests name the field (2.7, 2.8)', () => {
  const refused: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ input: undefined }, 'input is required'],
    [{ input: [] }, 'input must have at least 1 element'],
    [{ input: 5 }, 'input must be a string or a list'],
    [
      { stream: true, stream_options: { include_usage: true } },
      'stream_options.include_usage is set by the service',
    ],
    [{ stream_options: {} }, 'stream_options requires stream'],
    [{ max_output_tokens: -1 }, 'max_output_tokens must be at least 0'],
    [{ max_tool_calls: 0 }, 'max_tool_calls must be at least 1'],
    [{ tools: [{ type: 'code_interpreter' }] }, 'tools[0].type is "code_interpreter"'],
    [{ tools: [{ type: 'image_generation' }] }, 'tools[0].type is "image_generation"'],
    [{ tools: [{ type: 'file_search' }] }, 'tools[0].type is "file_search"'],
    [{ tools: [{ type: 'mcp_toolset' }] }, 'tools[0].type is "mcp_toolset"'],
    [{ tools: [{ type: 'function', function: { name: 'x' } }] }, 'tools[0].name is required'],
    [{ tools: [{ ...MCP_TOOL, allowed_tools: null }] }, 'tools[0].allowed_tools is required'],
    [
      { tools: [{ ...MCP_TOOL, allowed_tools: [] }] },
      'tools[0].allowed_tools must have at least 1',
    ],
    [
      { tools: [{ ...MCP_TOOL, allowed_tools: { read_only: true } }] },
      'tools[0].allowed_tools.tool_names is required',
    ],
    [
      { tools: [{ ...MCP_TOOL, require_approval: 'always' }] },
      'tools[0].require_approval must be "never"',
    ],
    [
      { tools: [{ ...MCP_TOOL, require_approval: null }] },
      'tools[0].require_approval is required and must be "never"',
    ],
    [
      { tools: [{ ...MCP_TOOL, server_url: 'http://a.b' }] },
      'tools[0].server_url must be an https',
    ],
    [{ tools: [{ ...MCP_TOOL, connector_id: 'x' }] }, 'tools[0].connector_id is not supported'],
    [{ tools: [MCP_TOOL, MCP_TOOL] }, 'tools[1].server_label is used twice'],
    [{ tools: [{ type: 'web_search', max_uses: 0 }] }, 'tools[0].max_uses must be at least 1'],
    [{ tool_choice: { type: 'function', name: 'x' } }, 'tool_choice.name names "x"'],
    [{ tool_choice: { type: 'web_search' } }, 'tool_choice.type names "web_search"'],
    [
      { tools: [MCP_TOOL], tool_choice: { type: 'mcp', server_label: 'x' } },
      'tool_choice.server_label names "x"',
    ],
    [{ tool_choice: 'required' }, 'tool_choice is "required" but tools is empty'],
    [{ reasoning: { enabled: true } }, 'reasoning.enabled is not a known field'],
    [{ reasoning: { max_tokens: 0 } }, 'reasoning.max_tokens must be at least 1'],
    [{ text: { format: {} } }, 'text.format.type is required'],
    [{ include: 'x' }, 'include must be a list'],
    [{ prompt_cache_key: '\r' }, 'prompt_cache_key must not hold'],
    [{ stop: ['x'] }, 'stop belongs to POST /v1/chat/completions'],
    [{ max_tokens: 1 }, 'max_tokens belongs to POST /v1/chat/completions; use max_output_tokens'],
    [{ messages: [] }, 'messages belongs to'],
    [{ background: false }, 'background is not supported'],
    [{ conversation: 'x' }, 'conversation is not supported'],
    [{ previous_response_id: 'x' }, 'previous_response_id is not supported'],
    [{ fallbacks: ['x'] }, 'fallbacks is not supported'],
    [{ container: {} }, 'container is not supported'],
    [{ store: false }, 'store is not supported'],
    [{ safety_identifier: 'x' }, 'safety_identifier is not supported'],
    [{ user: 'x' }, 'user is not supported'],
    [{ seed: 1 }, 'seed is not a known field'],
    [{ provider: 'a', rules: 'a' }, 'provider and rules'],
  ];
  it.each(refused)('%j', (fields, message) => {
    expect(refusal(fields).slice(0, message.length)).toBe(message);
  });

  const refusedItems: readonly (readonly [unknown, string])[] = [
    ['x', 'input[1] must be an object'],
    [{}, 'input[1].type is required'],
    [
      { type: 'item_reference', id: 'msg_1' },
      'input[1].type "item_reference" refers to stored items',
    ],
    [{ id: 'msg_1' }, 'input[1].type "item_reference" refers to stored items'],
    [{ type: 'code_interpreter_call' }, 'input[1].type is "code_interpreter_call"'],
    [{ role: 'tool', content: 'x' }, 'input[1].role must be one of'],
    [{ role: 'user' }, 'input[1].content is required'],
    [{ role: 'user', content: 'x', name: 'y' }, 'input[1].name is not a known field'],
    [{ role: 'user', content: [{ type: 'input_text' }] }, 'input[1].content[0].text is required'],
    [
      { role: 'user', content: [{ type: 'input_text', text: 'x', odd: 1 }] },
      'input[1].content[0].odd',
    ],
    [{ type: 'function_call', call_id: 'c', name: 'f' }, 'input[1].arguments is required'],
    [{ type: 'function_call_output', output: 'x' }, 'input[1].call_id is required'],
    [{ type: 'function_call_output', call_id: 'c' }, 'input[1].output is required'],
    [{ type: 'reasoning', summary: ['x'] }, 'input[1].summary[0] must be an object'],
  ];
  it.each(refusedItems)('item %j', (value, start) => {
    expect(refusal(item(value)).slice(0, start.length)).toBe(start);
  });
});

describe('text only (1.6)', () => {
  const media: readonly unknown[] = [
    { type: 'input_image', image_url: 'data:' },
    { image_url: 'x' },
    { type: 'input_text', text: 'x', image_url: 'x' },
    { type: 'input_file', file_id: 'x' },
    { file_data: 'x' },
    { type: 'input_audio', input_audio: {} },
  ];
  it.each(media)('refuses the part %j wherever it stands', (part) => {
    const output = { type: 'function_call_output', call_id: 'c' };
    expect(refusal(item({ role: 'user', content: [part] }))).toMatch(
      /^input\[1\]\.content\[0\] holds an image/,
    );
    expect(refusal(item({ ...output, output: [part] }))).toMatch(
      /^input\[1\]\.output\[0\] holds an image/,
    );
    expect(refusal(item({ ...output, output: { deep: [{ er: part }] } }))).toMatch(
      /^input\[1\]\.output\.deep\[0\]\.er holds an image/,
    );
  });
});
