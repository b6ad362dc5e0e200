import { describe, expect, test } from 'vitest';
import { parseChatRequest } from '../../../../shared/api/chat-request.ts';
import { parseResponsesRequest } from '../../../../shared/api/responses-request.ts';
import { encodeThinking } from '../../../../shared/providers/anthropic/reasoning-codec.ts';
import { translateChatRequest } from '../../../../shared/providers/openai/request-chat.ts';
import { translateResponsesRequest } from '../../../../shared/providers/openai/request-responses.ts';
import { AZURE, deployment } from './support.ts';

const IDENTITY = 'f'.repeat(64);
const TARGET = { deployment: deployment(), identity: IDENTITY };
const MESSAGES = [{ role: 'user', content: 'Hi' }];

const chat = (fields: object, target = TARGET) =>
  translateChatRequest(parseChatRequest({ model: 'm', messages: MESSAGES, ...fields }), target);
const responses = (fields: object, target = TARGET) =>
  translateResponsesRequest(parseResponsesRequest({ model: 'm', input: 'Hi', ...fields }), target);

const on = (changes: Parameters<typeof deployment>[0]) => ({
  deployment: deployment(changes),
  identity: IDENTITY,
});

describe('chat', () => {
  test('the smallest request carries the forced fields and nothing else', () => {
    expect(chat({})).toEqual({
      api: 'chat-completions',
      headers: {},
      body: {
        model: 'gpt-5.6-sol',
        store: false,
        safety_identifier: IDENTITY,
        service_tier: 'default',
        messages: MESSAGES,
      },
    });
  });

  test('every field that the provider takes arrives as the client sent it', () => {
    const tools = [
      { type: 'function', function: { name: 'f', parameters: { b: { a: 1 }, type: 'object' } } },
    ];
    const relayed = {
      tools,
      tool_choice: { type: 'function', function: { name: 'f' } },
      parallel_tool_calls: false,
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { x: null } } },
      verbosity: 'low',
      temperature: 0.5,
      top_p: 0.9,
      stop: ['a', 'b'],
      seed: 7,
      frequency_penalty: 1,
      presence_penalty: -1,
      logit_bias: { '50256': -100 },
      logprobs: true,
      top_logprobs: 3,
      prediction: { type: 'content', content: 'x' },
      web_search_options: { search_context_size: 'low' },
      prompt_cache_key: 'k',
    };

    expect(chat(relayed).body).toMatchObject(relayed);
  });

  test('the gateway’s own fields stay behind', () => {
    const { body } = chat({
      provider: 'openai',
      metadata: { a: 'b' },
      n: 1,
      modalities: ['text'],
      service_tier: 'priority',
      stream: false,
    });

    expect(Object.keys(body).sort()).toEqual(Object.keys(chat({}).body).sort());
  });

  test.each([
    [{ stop: 'x' }, { stop: ['x'] }],
    [{ max_tokens: 99 }, { max_completion_tokens: 99 }],
    [{ max_completion_tokens: 98 }, { max_completion_tokens: 98 }],
    [{ reasoning: { effort: 'high' } }, { reasoning_effort: 'high' }],
    [{ reasoning_effort: 'low' }, { reasoning_effort: 'low' }],
    [{ reasoning: { enabled: false } }, { reasoning_effort: 'none' }],
    [{ prompt_cache_retention: 'in-memory' }, { prompt_cache_retention: 'in_memory' }],
    [{ prompt_cache_retention: '24h' }, { prompt_cache_retention: '24h' }],
    [
      { stream: true, stream_options: { include_usage: false } },
      { stream: true, stream_options: { include_usage: true, include_obfuscation: false } },
    ],
  ])('%j becomes %j', (fields, expected) => {
    const { body } = chat(fields);

    expect(body).toMatchObject(expected);
    expect(body).not.toHaveProperty('max_tokens');
    expect(body).not.toHaveProperty('reasoning');
  });

  test('what only answers carry does not go back, and no other message is touched', () => {
    const turn = {
      role: 'assistant',
      content: 'Hm',
      reasoning: 'thought',
      reasoning_details: [{ type: 'reasoning.text' }],
      annotations: [{ type: 'url_citation' }],
      audio: null,
      refusal: null,
    };
    const request = parseChatRequest({
      model: 'm',
      messages: [...MESSAGES, turn, { role: 'assistant', reasoning: 'only' }, ...MESSAGES],
    });

    const messages = translateChatRequest(request, TARGET).body.messages as unknown[];

    expect(messages).toEqual([
      ...MESSAGES,
      { role: 'assistant', content: 'Hm' },
      { role: 'assistant', content: '' },
      ...MESSAGES,
    ]);
    expect(messages[0]).toBe(request.messages[0]);
  });
});

describe('responses', () => {
  test('the smallest request asks for reasoning that can be sent back', () => {
    expect(responses({})).toEqual({
      api: 'responses',
      headers: {},
      body: {
        model: 'gpt-5.6-sol',
        store: false,
        safety_identifier: IDENTITY,
        service_tier: 'default',
        input: 'Hi',
        include: ['reasoning.encrypted_content'],
      },
    });
  });

  test('a model that does not reason is not asked for reasoning', () => {
    const reasoning = { availability: 'unsupported', efforts: [], budget: null } as const;

    expect(responses({}, on({ reasoning })).body).not.toHaveProperty('include');
  });

  test('the client’s include comes first, nothing twice', () => {
    const include = ['web_search_call.action.sources', 'reasoning.encrypted_content'];

    expect(responses({ include }).body.include).toEqual(include);
  });

  test('reasoning, its shortcut, the old name of its summary, and the mode of the deployment', () => {
    const pro = on({ upstream: { model: 'gpt-5.6-sol', reasoningMode: 'pro' } });

    expect(responses({ 'reasoning.effort': 'low' }).body.reasoning).toEqual({ effort: 'low' });
    expect(
      responses({ reasoning: { generate_summary: 'auto', effort: 'high' } }, pro).body.reasoning,
    ).toEqual({ mode: 'pro', effort: 'high', summary: 'auto' });
    expect(responses({}, pro).body.reasoning).toEqual({ mode: 'pro' });
  });

  test('obfuscation is as the client says', () => {
    expect(responses({ stream: true }).body).not.toHaveProperty('stream_options');
    expect(
      responses({ stream: true, stream_options: { include_obfuscation: false } }).body,
    ).toMatchObject({ stream: true, stream_options: { include_obfuscation: false } });
  });

  test('priced hosted tools get a cap, others none', () => {
    const search = { tools: [{ type: 'web_search' }] };
    const tools = [{ type: 'function', name: 'f', parameters: {} }];

    expect(responses(search).body.max_tool_calls).toBe(50);
    expect(responses({ ...search, max_tool_calls: 3 }).body.max_tool_calls).toBe(3);
    expect(responses({ tools }).body).not.toHaveProperty('max_tool_calls');
  });

  test('search filters go where this family has them', () => {
    const tool = { type: 'web_search', name: 'web_search', allowed_domains: ['a.example'] };

    expect(responses({ tools: [tool] }).body.tools).toEqual([
      { type: 'web_search', filters: { allowed_domains: ['a.example'] } },
    ]);
  });

  test('items that our answers gave go back without what the provider does not keep', () => {
    const input = [
      { role: 'user', content: 'Weather?' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAx' },
      { type: 'reasoning', id: 'rs_2', summary: [{ type: 'summary_text', text: 's' }] },
      {
        type: 'reasoning',
        id: 'rs_3',
        summary: [],
        encrypted_content: encodeThinking({ thinking: 't', signature: 's' }),
      },
      {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'c1',
        name: 'f',
        arguments: '{}',
        status: 'completed',
      },
      { type: 'function_call_output', call_id: 'c1', output: { degrees: 7 } },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Cold', annotations: [] }],
      },
    ];

    expect(responses({ input }).body.input).toEqual([
      { type: 'message', role: 'user', content: 'Weather?' },
      { type: 'reasoning', summary: [], encrypted_content: 'gAAAAx' },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}', status: 'completed' },
      { type: 'function_call_output', call_id: 'c1', output: '{"degrees":7}' },
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Cold', annotations: [] }],
      },
    ]);
  });

  test('items of remote tools keep the IDs by which they refer to each other', () => {
    const input = [
      { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 's', name: 'n', arguments: '{}' },
      { type: 'mcp_approval_responses', approval_request_id: 'mcpr_1', approve: true },
    ];

    expect(responses({ input }).body.input).toEqual([
      input[0],
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
    ]);
  });

  test('large contents are shared with the request, not copied', () => {
    const request = parseResponsesRequest({
      model: 'm',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'long' }] }],
      tools: [{ type: 'function', name: 'f', parameters: { type: 'object' } }],
    });
    const { body } = translateResponsesRequest(request, TARGET);

    expect((body.input as unknown[])[0]).toBe(request.input[0]);
    expect((body.tools as unknown[])[0]).toBe(request.tools?.[0]);
  });
});

describe.each([
  ['chat', chat],
  ['responses', responses],
])('%s', (_route, translate) => {
  test('Azure gets the identity as user, and no tier', () => {
    const { body } = translate({ service_tier: 'auto' }, { deployment: AZURE, identity: IDENTITY });

    expect(body).toMatchObject({ model: 'gpt-5.6-sol', store: false, user: IDENTITY });
    expect(body).not.toHaveProperty('safety_identifier');
    expect(body).not.toHaveProperty('service_tier');
  });

  test('the tier is the deployment’s', () => {
    const flex = on({ upstream: { model: 'gpt-5.6-sol', serviceTier: 'flex' } });

    expect(translate({ service_tier: 'auto' }, flex).body.service_tier).toBe('flex');
  });

  test('the same request gives the same bytes, whatever the order of its fields', () => {
    const fields = { temperature: 1, top_p: 0.5, tool_choice: 'auto', prompt_cache_key: 'k' };
    const reversed = Object.fromEntries(Object.entries(fields).reverse());

    expect(JSON.stringify(translate(reversed))).toBe(JSON.stringify(translate(fields)));
  });
});
