import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../shared/api/json.ts';
import type { Deployment } from '../../../../shared/catalog/types.ts';
import {
  encodeRedacted,
  encodeThinking,
} from '../../../../shared/providers/anthropic/reasoning-codec.ts';
import { assistant, EVERY_BODY, NEWEST, OLDEST, responses, user } from './request-fixtures.ts';

const OLD_BODY = {
  ...EVERY_BODY,
  model: 'claude-old-20251101',
  max_tokens: 64_000,
  inference_geo: undefined,
};
const THINKING = encodeThinking({ thinking: 'two\u2028plus \ud800two', signature: 'sig==' });

interface Row {
  readonly name: string;
  readonly request: JsonObject;
  readonly expected: object;
  readonly deployment?: Deployment;
}

const ROWS: readonly Row[] = [
  {
    name: 'a text input with instructions',
    request: { input: 'Hello', instructions: 'Be brief', max_output_tokens: 50 },
    expected: {
      max_tokens: 50,
      system: [{ type: 'text', text: 'Be brief' }],
      messages: [user('Hello')],
    },
  },
  {
    name: 'instructions lead, and later texts of the system follow where places are not taken',
    deployment: OLDEST,
    request: {
      instructions: 'One',
      input: [
        { role: 'developer', content: 'Two' },
        { role: 'user', content: 'Hello' },
        { role: 'system', content: 'Three' },
      ],
    },
    expected: {
      ...OLD_BODY,
      system: ['One', 'Two', 'Three'].map((text) => ({ type: 'text', text })),
      messages: [user('Hello')],
    },
  },
  {
    name: 'our own output comes back with the results of its calls: thinking first, calls gathered',
    request: {
      input: [
        { role: 'user', content: 'Hello' },
        {
          type: 'reasoning',
          id: 'rs_1',
          status: 'completed',
          summary: [{ type: 'summary_text', text: 'two' }],
          encrypted_content: THINKING,
        },
        { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: encodeRedacted('r==') },
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' } },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [
            {
              type: 'output_text',
              text: 'Looking. ',
              annotations: [{ type: 'url_citation' }],
              logprobs: [],
            },
            { type: 'refusal', refusal: 'Not that.' },
          ],
        },
        { type: 'function_call', id: 'fc_1', call_id: 'call_a', name: 'f', arguments: '' },
        {
          type: 'function_call',
          id: 'fc_2',
          call_id: 'call_b',
          name: 'g',
          arguments: '{"z":1,"a":[{}]}',
          status: 'completed',
        },
        { type: 'function_call_output', call_id: 'call_b', output: { rows: [1, null] } },
        {
          type: 'function_call_output',
          call_id: 'call_a',
          output: [{ type: 'input_text', text: 'done' }],
        },
        { type: 'reasoning', id: 'rs_3', summary: [{ type: 'summary_text', text: 'bare' }] },
        { role: 'assistant', content: 'Done. ' },
      ],
    },
    expected: {
      messages: [
        user('Hello'),
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'two\u2028plus \ud800two', signature: 'sig==' },
            { type: 'redacted_thinking', data: 'r==' },
            { type: 'text', text: 'Looking. ' },
            { type: 'text', text: 'Not that.' },
            { type: 'tool_use', id: 'call_a', name: 'f', input: {} },
            { type: 'tool_use', id: 'call_b', name: 'g', input: { z: 1, a: [{}] } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'call_a',
              content: [{ type: 'text', text: 'done' }],
            },
            {
              type: 'tool_result',
              tool_use_id: 'call_b',
              content: [{ type: 'text', text: '{"rows":[1,null]}' }],
            },
          ],
        },
        assistant('Done.'),
      ],
    },
  },
  {
    name: 'what the provider did at an MCP server comes back as its call and result',
    request: {
      input: [
        { role: 'user', content: 'Hello' },
        { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 'x', tools: [] },
        {
          type: 'mcp_call',
          id: 'mcptoolu_1',
          server_label: 'x',
          name: 'echo',
          arguments: '{"m":1}',
          output: 'hi',
        },
        {
          type: 'mcp_call',
          server_label: 'x',
          name: 'echo',
          arguments: '{}',
          error: 'gone',
        },
        { role: 'user', content: 'More' },
      ],
    },
    expected: {
      messages: [
        user('Hello'),
        {
          role: 'assistant',
          content: [
            {
              type: 'mcp_tool_use',
              id: 'mcptoolu_1',
              name: 'echo',
              server_name: 'x',
              input: { m: 1 },
            },
            {
              type: 'mcp_tool_result',
              tool_use_id: 'mcptoolu_1',
              is_error: false,
              content: [{ type: 'text', text: 'hi' }],
            },
            {
              type: 'mcp_tool_use',
              id: 'mcptoolu_input_3_',
              name: 'echo',
              server_name: 'x',
              input: {},
            },
            {
              type: 'mcp_tool_result',
              tool_use_id: 'mcptoolu_input_3_',
              is_error: true,
              content: [{ type: 'text', text: 'gone' }],
            },
          ],
        },
        user('More'),
      ],
    },
  },
  {
    name: 'a summary shows the thinking; text.format is the output format',
    request: {
      input: 'Hello',
      reasoning: { effort: 'low', summary: 'auto' },
      text: { format: { type: 'json_schema', name: 'n', schema: { type: 'string' } } },
      stop_sequences: ['END'],
      cache_control: { type: 'ephemeral', ttl: '1h' },
    },
    expected: {
      messages: [user('Hello')],
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: {
        effort: 'low',
        format: { type: 'json_schema', schema: { type: 'string' } },
      },
      cache_control: { type: 'ephemeral', ttl: '1h' },
      stop_sequences: ['END'],
    },
  },
];

describe('a responses request as a request to the Messages API', () => {
  test.each(ROWS)('$name', ({ request, expected, deployment = NEWEST }) => {
    const { body } = responses(request, deployment);
    expect(body).toEqual({ ...EVERY_BODY, ...expected });
  });

  test('the calls at an MCP server that come back ask for the beta too', () => {
    const call = { type: 'mcp_call', server_label: 'x', name: 'echo', arguments: '{}' };
    const { headers } = responses({ input: [{ role: 'user', content: 'Hi' }, call] });
    expect(headers).toEqual({ 'anthropic-beta': 'mcp-client-2025-11-20' });
  });
});

describe('refused with a message that names the field', () => {
  const HELLO = { role: 'user', content: 'Hello' };

  test.each<[string, JsonObject, RegExp]>([
    ['an empty input', { input: '' }, /input/],
    [
      'encrypted reasoning of another provider',
      { input: [HELLO, { type: 'reasoning', encrypted_content: 'gAAAAB' }] },
      /input\[1\]\.encrypted_content/,
    ],
    [
      'a changed piece of our own',
      { input: [HELLO, { type: 'reasoning', encrypted_content: `${THINKING.slice(0, -9)}` }] },
      /input\[1\]\.encrypted_content/,
    ],
    [
      'a call of a custom tool',
      { input: [HELLO, { type: 'custom_tool_call', call_id: 'c', name: 'x', input: '' }] },
      /input\[1\].*custom_tool_call/,
    ],
    [
      'a call of a tool from a namespace',
      {
        input: [
          HELLO,
          { type: 'function_call', call_id: 'c', name: 'x', arguments: '', namespace: 'n' },
        ],
      },
      /input\[1\]\.namespace/,
    ],
    [
      'a call whose result comes too late',
      {
        input: [
          HELLO,
          { type: 'function_call', call_id: 'c', name: 'x', arguments: '' },
          HELLO,
          { role: 'assistant', content: 'Hi' },
          { type: 'function_call_output', call_id: 'c', output: '' },
        ],
      },
      /"c"/,
    ],
    ['an unknown key of text', { input: 'Hello', text: { other: 1 } }, /text\.other/],
    [
      'a forced MCP tool',
      {
        input: 'Hello',
        tools: [
          {
            type: 'mcp',
            server_label: 'x',
            server_url: 'https://x.test',
            allowed_tools: ['echo'],
            require_approval: 'never',
          },
        ],
        tool_choice: { type: 'mcp', server_label: 'x' },
      },
      /tool_choice\.type/,
    ],
  ])('%s', (_name, request, message) => {
    expect(() => responses(request)).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(message) }),
    );
  });
});
