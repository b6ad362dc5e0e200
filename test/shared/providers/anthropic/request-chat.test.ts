import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../shared/api/json.ts';
import { assistant, chat, EVERY_BODY, NEWEST, user } from './request-fixtures.ts';

const HELLO = [{ role: 'user', content: 'Hello' }];
const CALLS = [
  { id: 'call_a', type: 'function', function: { name: 'add', arguments: '{"b":1,"a":2}' } },
  { id: 'call_b', type: 'function', function: { name: 'now', arguments: '' } },
];
const ADD = { name: 'add', parameters: { type: 'object', properties: { a: { type: 'number' } } } };
const ADD_TOOL = { type: 'function', function: ADD };
const ADD_DEFINITION = { name: 'add', input_schema: ADD.parameters };
const HOUR = { type: 'ephemeral', ttl: '1h' };

interface Row {
  readonly name: string;
  readonly request: JsonObject;
  readonly expected: object;
}

/** Fields of the body that each request gives, beside those of every request. */
const ROWS: readonly Row[] = [
  {
    name: 'a text goes as a text block, without anything that was not asked for',
    request: { messages: HELLO },
    expected: { messages: [user('Hello')] },
  },
  {
    name: 'leading system and developer messages keep their order and their markers',
    request: {
      messages: [
        { role: 'system', content: 'One' },
        { role: 'developer', content: [{ type: 'text', text: 'Two', cache_control: HOUR }] },
        ...HELLO,
      ],
    },
    expected: {
      system: [
        { type: 'text', text: 'One' },
        { type: 'text', text: 'Two', cache_control: HOUR },
      ],
      messages: [user('Hello')],
    },
  },
  {
    name: 'a later system message stays in place before an assistant turn and at the end',
    request: {
      messages: [
        ...HELLO,
        { role: 'system', content: 'Be brief' },
        { role: 'assistant', content: 'Hi' },
        { role: 'user', content: 'More' },
        { role: 'developer', content: 'Be kind' },
      ],
    },
    expected: {
      messages: [
        user('Hello'),
        { role: 'system', content: [{ type: 'text', text: 'Be brief' }] },
        assistant('Hi'),
        user('More'),
        { role: 'system', content: [{ type: 'text', text: 'Be kind' }] },
      ],
    },
  },
  {
    name: 'a later system message in a place that the provider refuses moves to system',
    request: {
      messages: [
        ...HELLO,
        { role: 'assistant', content: 'Hi' },
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: 'More' },
      ],
    },
    expected: {
      system: [{ type: 'text', text: 'Be brief' }],
      messages: [user('Hello'), assistant('Hi'), user('More')],
    },
  },
  {
    name: 'parallel results are gathered in call order before the text that came between them',
    request: {
      tools: [ADD_TOOL],
      messages: [
        ...HELLO,
        { role: 'assistant', content: 'Let me see', tool_calls: CALLS },
        { role: 'tool', tool_call_id: 'call_b', content: '' },
        { role: 'user', content: 'Hurry' },
        { role: 'tool', tool_call_id: 'call_a', content: [{ type: 'text', text: '3' }] },
      ],
    },
    expected: {
      messages: [
        user('Hello'),
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Let me see' },
            { type: 'tool_use', id: 'call_a', name: 'add', input: { b: 1, a: 2 } },
            { type: 'tool_use', id: 'call_b', name: 'now', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_a', content: [{ type: 'text', text: '3' }] },
            { type: 'tool_result', tool_use_id: 'call_b' },
            { type: 'text', text: 'Hurry' },
          ],
        },
      ],
      tools: [ADD_DEFINITION],
    },
  },
  {
    name: 'signed and redacted thinking comes first in its turn; display copies stay behind',
    request: {
      messages: [
        ...HELLO,
        {
          role: 'assistant',
          content: 'Hi',
          reasoning: 'hm',
          annotations: [{ type: 'url_citation' }],
          reasoning_details: [
            { type: 'reasoning.text', text: ' hm\n', signature: 's==', index: 0 },
            {
              type: 'reasoning.encrypted',
              data: 'r==',
              format: 'anthropic-claude-v1',
              index: 1,
            },
            { type: 'reasoning.summary', summary: 'for people' },
          ],
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
            { type: 'thinking', thinking: ' hm\n', signature: 's==' },
            { type: 'redacted_thinking', data: 'r==' },
            { type: 'text', text: 'Hi' },
          ],
        },
        user('More'),
      ],
    },
  },
  {
    name: 'turns alternate, empty texts and turns vanish, refusals stay, the last turn is trimmed',
    request: {
      messages: [
        { role: 'user', content: [{ type: 'text', text: ' \n' }], name: 'ann' },
        { role: 'user', content: 'Hello', name: 'bob' },
        { role: 'assistant', content: '' },
        { role: 'user', content: 'Please' },
        { role: 'assistant', refusal: 'No.' },
        { role: 'assistant', content: 'Sorry: \n' },
      ],
    },
    expected: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'bob: Hello' },
            { type: 'text', text: 'Please' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'No.' },
            { type: 'text', text: 'Sorry:' },
          ],
        },
      ],
    },
  },
  {
    name: 'tool definitions carry description, strictness and markers; no parameters mean none',
    request: {
      messages: HELLO,
      tools: [
        {
          type: 'function',
          function: { name: 'f', description: 'Does', parameters: {}, strict: true },
          cache_control: HOUR,
        },
        { type: 'function', function: { name: 'g', strict: false } },
      ],
      tool_choice: 'required',
      parallel_tool_calls: false,
    },
    expected: {
      messages: [user('Hello')],
      tools: [
        {
          name: 'f',
          description: 'Does',
          input_schema: { type: 'object', properties: {}, additionalProperties: false },
          strict: true,
          cache_control: HOUR,
        },
        { name: 'g', input_schema: { type: 'object' }, strict: false },
      ],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    },
  },
  {
    name: 'sampling, stops, caps, tier and stream go by their own names; seed and metadata stay',
    request: {
      messages: HELLO,
      max_completion_tokens: 100,
      temperature: 0.5,
      top_k: 3,
      stop: 'END',
      seed: 7,
      metadata: { team: 'x' },
      service_tier: 'priority',
      stream: true,
      parallel_tool_calls: false,
    },
    expected: {
      max_tokens: 100,
      messages: [user('Hello')],
      stop_sequences: ['END'],
      temperature: 0.5,
      top_k: 3,
      service_tier: 'auto',
      stream: true,
    },
  },
  {
    name: 'an effort and a display become adaptive thinking beside format and task budget',
    request: {
      messages: HELLO,
      reasoning: { effort: 'xhigh', display: 'summarized' },
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'city',
          strict: true,
          description: 'A city',
          schema: { type: 'object', properties: { name: { type: ['string', 'null'] } } },
        },
      },
      task_budget: { type: 'tokens', total: 9000 },
    },
    expected: {
      messages: [user('Hello')],
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: {
        effort: 'xhigh',
        format: {
          type: 'json_schema',
          schema: {
            type: 'object',
            properties: { name: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
            additionalProperties: false,
            description: 'A city',
          },
        },
        task_budget: { type: 'tokens', total: 9000 },
      },
    },
  },
  {
    name: 'web search options become the hosted tool, capped and placed',
    request: {
      messages: HELLO,
      web_search_options: {
        user_location: { type: 'approximate', approximate: { country: 'NL', city: 'Delft' } },
      },
      tool_choice: 'none',
    },
    expected: {
      messages: [user('Hello')],
      tools: [
        {
          type: 'web_search_20260209',
          name: 'web_search',
          max_uses: 50,
          user_location: { type: 'approximate', city: 'Delft', country: 'NL' },
        },
      ],
      tool_choice: { type: 'none' },
    },
  },
  {
    name: 'MCP servers and their toolsets pass as they stand',
    request: {
      messages: HELLO,
      mcp_servers: [{ type: 'url', url: 'https://x.test', name: 'x', authorization_token: 't' }],
      tools: [{ type: 'mcp_toolset', mcp_server_name: 'x', configs: { a: { enabled: false } } }],
    },
    expected: {
      messages: [user('Hello')],
      tools: [{ type: 'mcp_toolset', mcp_server_name: 'x', configs: { a: { enabled: false } } }],
      mcp_servers: [{ type: 'url', url: 'https://x.test', name: 'x', authorization_token: 't' }],
    },
  },
];

describe('a chat request as a request to the Messages API', () => {
  test.each(ROWS)('$name', ({ request, expected }) => {
    expect(chat(request).body).toEqual({ ...EVERY_BODY, ...expected });
  });

  test.each([
    ['auto', { type: 'auto' }],
    ['required', { type: 'any' }],
    ['none', { type: 'none' }],
    [
      { type: 'function', function: { name: 'add' } },
      { type: 'tool', name: 'add' },
    ],
  ])('tool_choice %j', (tool_choice, expected) => {
    const { body } = chat({ messages: HELLO, tools: [ADD_TOOL], tool_choice });
    expect(body.tool_choice).toEqual(expected);
  });

  test('the fast sibling is asked for by speed and its region', () => {
    const upstream = { model: 'claude-new', speed: 'fast', inferenceGeo: 'us' } as const;
    const { body, headers } = chat({ messages: HELLO }, { ...NEWEST, upstream });
    expect(body).toMatchObject({ speed: 'fast', inference_geo: 'us' });
    expect(headers).toEqual({ 'anthropic-beta': 'fast-mode-2026-02-01' });
  });
});
