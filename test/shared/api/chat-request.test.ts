import { describe, expect, it } from 'vitest';
import {
  assistant,
  FUNCTION_TOOL,
  MCP_SERVER,
  MCP_TOOLSET,
  MESSAGES,
  MINIMAL,
  parse,
  refusal,
  withMessage,
} from './chat-request-fixtures.ts';

describe('accepted chat requests (2.4, 2.5)', () => {
  const accepted: readonly (readonly [string, Record<string, unknown>])[] = [
    ['the smallest request', {}],
    ['provider by name', { provider: 'azure' }],
    ['provider by lists', { rules: { only: ['openai'], order: ['azure', 'openai'] } }],
    ['forced usage', { stream: true, stream_options: { include_usage: false } }],
    ['bounds of the provider', { temperature: 999, top_p: -3, stop: Array(7).fill('x') }],
    ['both caps alike', { max_tokens: 5, max_completion_tokens: 5 }],
    ['a cap of zero', { max_tokens: 0 }],
    ['n of one', { n: 1 }],
    ['sampling', { seed: -4, frequency_penalty: 3, presence_penalty: 1, logit_bias: { 5: -1 } }],
    ['log probabilities', { logprobs: true, top_logprobs: 99 }],
    ['a prediction', { prediction: { type: 'content', content: [{ type: 'text', text: 'a' }] } }],
    ['tools and a choice', { tools: [FUNCTION_TOOL], tool_choice: 'required' }],
    [
      'a named function',
      { tools: [FUNCTION_TOOL], tool_choice: { type: 'function', function: { name: 'look' } } },
    ],
    [
      'a custom tool',
      {
        tools: [{ type: 'custom', custom: { name: 'sql', format: { type: 'text' } } }],
        tool_choice: { type: 'custom', custom: { name: 'sql' } },
      },
    ],
    ['an MCP pair', { mcp_servers: [MCP_SERVER], tools: [MCP_TOOLSET] }],
    ['open response formats', { response_format: { type: 'grammar', grammar: 'x', more: {} } }],
    [
      'reasoning',
      { reasoning: { enabled: true, effort: 'low', display: 'omitted', max_tokens: 1 } },
    ],
    [
      'shortcuts',
      { reasoning_effort: 'low', reasoning_max_tokens: 1, reasoning_display: 'omitted' },
    ],
    ['text modality', { modalities: ['text'] }],
    [
      'web search options',
      {
        web_search_options: {
          search_context_size: 'low',
          user_location: { type: 'approximate', approximate: { city: 'Bern', country: 'CH' } },
        },
      },
    ],
    ['cache markers', { cache_control: { type: 'ephemeral', ttl: '1h' } }],
    [
      'open objects',
      { task_budget: { type: 'tokens', total: 5 }, context_management: { a: null } },
    ],
    ['siblings', { inference_geo: 'us', speed: 'fast', service_tier: 'standard_only' }],
    ['metadata at its limits', { metadata: { [`${'k'.repeat(64)}`]: '😀'.repeat(512), b: '' } }],
    ['a cache key at its limit', { prompt_cache_key: 'é'.repeat(128) }],
    ['lone surrogates in text', withMessage({ role: 'user', content: 'a\ud800b' })],
    ['a participant name', withMessage({ role: 'developer', content: 'x', name: 'ops' })],
    [
      'a custom tool call',
      withMessage(assistant([{ id: 'c', type: 'custom', custom: { name: 'sql', input: '' } }])),
    ],
  ];
  it.each(accepted)('%s', (_name, fields) => {
    expect(refusal(fields)).toBe('accepted');
  });

  it('takes back what the service and client libraries hand out', () => {
    const echoed = {
      ...assistant([
        {
          id: 'call_1',
          index: 0,
          type: 'function',
          function: { name: 'look', arguments: '{"b":1,"a":2}', parsed_arguments: { b: 1, a: 2 } },
        },
      ]),
      refusal: null,
      audio: null,
      function_call: null,
      annotations: [],
      parsed: null,
      reasoning: 'Thought.',
      reasoning_details: [{ type: 'reasoning.text', text: 'Thought.', signature: 's' }],
    };
    const result = {
      role: 'tool',
      tool_call_id: 'call_1',
      content: [{ type: 'text', text: 'ok' }],
    };
    const { messages } = parse({ messages: [...MESSAGES, echoed, result] });
    expect(messages).toEqual([
      ...MESSAGES,
      {
        role: 'assistant',
        annotations: [],
        reasoning: 'Thought.',
        reasoning_details: [{ type: 'reasoning.text', text: 'Thought.', signature: 's' }],
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'look', arguments: '{"b":1,"a":2}' },
          },
        ],
      },
      result,
    ]);
  });

  it('reads null on an optional field, and an empty list of the other family, as absent', () => {
    const optional = Object.keys(parse(everyField())).filter((key) => !(key in MINIMAL));
    const nulls = Object.fromEntries(optional.map((key) => [key, null]));
    expect(optional.length).toBeGreaterThan(35);
    expect(parse({ ...nulls, store: null, user: null })).toEqual(MINIMAL);
    expect(parse({ stop_sequences: [], mcp_servers: [], tools: [] })).toEqual(MINIMAL);
    expect(parse({ stop: 'x', stop_sequences: [] })).toEqual({ ...MINIMAL, stop: ['x'] });
  });

  it('drops nulls of its own objects but keeps those inside schemas', () => {
    const schema = { properties: { z: { default: null, enum: ['b', null] }, a: {} } };
    const { tools, reasoning } = parse({
      reasoning: { effort: null },
      tools: [{ type: 'function', function: { name: 'f', strict: null, parameters: schema } }],
    });
    expect(reasoning).toEqual({});
    expect(tools).toEqual([{ type: 'function', function: { name: 'f', parameters: schema } }]);
    expect(JSON.stringify(tools)).toContain(JSON.stringify(schema));
  });

  it('makes a list of stop', () => {
    expect(parse({ stop: 'END' }).stop).toEqual(['END']);
  });
});

function everyField(): Record<string, unknown> {
  return {
    provider: 'openai',
    stream: true,
    stream_options: {},
    temperature: 1,
    top_p: 1,
    top_k: 1,
    max_tokens: 1,
    max_completion_tokens: 1,
    n: 1,
    stop: 'x',
    seed: 1,
    frequency_penalty: 1,
    presence_penalty: 1,
    logit_bias: {},
    logprobs: true,
    top_logprobs: 1,
    parallel_tool_calls: true,
    prediction: { type: 'content', content: '' },
    tools: [FUNCTION_TOOL, MCP_TOOLSET],
    tool_choice: 'auto',
    mcp_servers: [MCP_SERVER],
    response_format: { type: 'text' },
    reasoning: {},
    reasoning_effort: 'low',
    reasoning_max_tokens: 1,
    reasoning_display: 'x',
    verbosity: 'low',
    modalities: ['text'],
    web_search_options: {},
    prompt_cache_key: 'k',
    prompt_cache_retention: '24h',
    cache_control: { type: 'ephemeral' },
    task_budget: {},
    context_management: {},
    inference_geo: 'us',
    speed: 'fast',
    service_tier: 'auto',
    metadata: {},
  };
}
