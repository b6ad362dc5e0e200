import { describe, expect, it } from 'vitest';
import {
  assistant,
  FUNCTION_TOOL,
  MCP_SERVER,
  MCP_TOOLSET,
  refusal,
  withMessage,
} from './chat-request-fixtures.ts';

describe('refused chat requests name the field (2.4, 2.5, 8)', () => {
  const refused: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ model: undefined }, 'model is required'],
    [{ model: 5 }, 'model must be a string'],
    [{ model: '' }, 'model must not be empty'],
    [{ messages: null }, 'messages is required'],
    [{ messages: [] }, 'messages must have at least 1 element'],
    [{ messages: 'hi' }, 'messages must be a list'],
    [{ provider: 'openai', rules: 'openai' }, 'provider and rules'],
    [{ provider: {} }, 'provider needs at least one of'],
    [{ provider: { only: [] } }, 'provider.only must have at least 1 element'],
    [{ rules: { order: [5] } }, 'rules.order[0] must be a string'],
    [{ rules: { only: ['a'], ignore: ['b'] } }, 'rules.ignore is not a known field'],
    [{ stream: 'yes' }, 'stream must be true or false'],
    [{ stream_options: { include_usage: true } }, 'stream_options requires stream'],
    [{ stream: true, stream_options: { include_obfuscation: true } }, 'stream_options.include_obf'],
    [{ temperature: '1' }, 'temperature must be a number'],
    [{ top_k: 1.5 }, 'top_k must be an integer'],
    [{ max_tokens: -1 }, 'max_tokens must be at least 0'],
    [{ max_tokens: 5, max_completion_tokens: 6 }, 'max_tokens and max_completion_tokens differ'],
    [{ n: 2 }, 'n must be 1'],
    [{ n: 0 }, 'n must be 1'],
    [{ stop: 5 }, 'stop must be a string or a list'],
    [{ stop: ['a', 5] }, 'stop[1] must be a string'],
    [{ stop: 'a', stop_sequences: ['a'] }, 'stop and stop_sequences'],
    [{ seed: 2 ** 60 }, 'seed must be at most'],
    [{ logit_bias: { a: '1' } }, 'logit_bias.a must be a number'],
    [{ prediction: { type: 'content', content: [{ type: 'image', image: '' }] } }, 'prediction'],
    [{ tools: [{ type: 'web_search' }] }, 'tools[0].type is "web_search", which is not supported'],
    [{ tools: [{ type: 'function', name: 'x' }] }, 'tools[0].function is required'],
    [{ tools: [{ type: 'function', function: { name: '' } }] }, 'tools[0].function.name'],
    [{ tools: [FUNCTION_TOOL], tool_choice: 'any' }, 'tool_choice must be one of "auto"'],
    [{ tool_choice: 'required' }, 'tool_choice is "required" but tools is empty'],
    [
      { tools: [FUNCTION_TOOL], tool_choice: { type: 'function', function: { name: 'other' } } },
      'tool_choice.function.name names "other"',
    ],
    [
      { tools: [FUNCTION_TOOL], tool_choice: { type: 'custom', custom: { name: 'look' } } },
      'tool_choice.custom.name names "look"',
    ],
    [{ tool_choice: { type: 'allowed_tools' } }, 'tool_choice.type is "allowed_tools"'],
    [{ mcp_servers: [MCP_SERVER] }, 'mcp_servers[0] needs an entry of tools'],
    [{ tools: [MCP_TOOLSET] }, 'tools[0].mcp_server_name must name one entry'],
    [
      { mcp_servers: [MCP_SERVER], tools: [MCP_TOOLSET, MCP_TOOLSET] },
      'tools[1].mcp_server_name must name one entry',
    ],
    [{ mcp_servers: [MCP_SERVER, MCP_SERVER], tools: [MCP_TOOLSET] }, 'mcp_servers[1].name'],
    [
      { mcp_servers: [{ ...MCP_SERVER, url: 'http://x.y' }] },
      'mcp_servers[0].url must be an https',
    ],
    [{ mcp_servers: [{ ...MCP_SERVER, headers: {} }] }, 'mcp_servers[0].headers is not a known'],
    [{ response_format: {} }, 'response_format.type is required'],
    [
      { response_format: { type: 'json_schema', json_schema: { strict: 'x' } } },
      'response_format.json_schema.strict',
    ],
    [{ reasoning: { summary: 'auto' } }, 'reasoning.summary is not a known field'],
    [{ reasoning: { max_tokens: 0 } }, 'reasoning.max_tokens must be at least 1'],
    [{ reasoning_max_tokens: 0 }, 'reasoning_max_tokens must be at least 1'],
    [{ modalities: ['text', 'audio'] }, 'modalities must be exactly ["text"]'],
    [{ modalities: ['image'] }, 'modalities must be exactly ["text"]'],
    [{ modalities: [] }, 'modalities must be exactly ["text"]'],
    [
      { web_search_options: { search_context_size: 'huge' } },
      'web_search_options.search_context_size must be one of "low", "medium", "high"',
    ],
    [
      { web_search_options: { user_location: { approximate: {} } } },
      'web_search_options.user_location.type',
    ],
    [
      { web_search_options: { user_location: { type: 'approximate', approximate: { zip: '1' } } } },
      'web_search_options.user_location.approximate.zip',
    ],
    [{ prompt_cache_key: '' }, 'prompt_cache_key must have 1 to 256 bytes'],
    [{ prompt_cache_key: 'é'.repeat(129) }, 'prompt_cache_key must have 1 to 256 bytes'],
    [{ prompt_cache_key: 'a\0' }, 'prompt_cache_key must not hold NUL'],
    [{ prompt_cache_key: 'a\n' }, 'prompt_cache_key must not hold NUL, CR or LF'],
    [{ prompt_cache_key: '\ud800' }, 'prompt_cache_key must be well-formed'],
    [{ cache_control: { type: 'persistent' } }, 'cache_control.type must be "ephemeral"'],
    [{ cache_control: { type: 'ephemeral', ttl: '2h' } }, 'cache_control.ttl must be one of "5m"'],
    [{ cache_control: { type: 'ephemeral', scope: 'x' } }, 'cache_control.scope is not a known'],
    [{ task_budget: [] }, 'task_budget must be an object'],
    [{ inference_geo: 'eu' }, 'inference_geo must be one of "global", "us"'],
    [{ speed: 'slow' }, 'speed must be one of "fast", "standard"'],
    [{ service_tier: 'scale' }, 'service_tier must be one of'],
    [{ service_tier: 'provisioned' }, 'service_tier must be one of'],
    [{ metadata: { a: 5 } }, 'metadata.a must be a string'],
    [{ metadata: { a: null } }, 'metadata.a must be a string'],
    [{ metadata: { '': 'x' } }, 'metadata keys must have 1 to 64'],
    [{ metadata: { ['k'.repeat(65)]: 'x' } }, 'metadata keys must have 1 to 64'],
    [{ metadata: { a: 'v'.repeat(513) } }, 'metadata values must have at most 512'],
    [
      { metadata: Object.fromEntries([...Array(17).keys()].map((key) => [`k${key}`, ''])) },
      'metadata may have at most 16',
    ],
    [{ metadata: { a: '\udfff' } }, 'metadata must hold well-formed'],
    [{ audio: { format: 'mp3', voice: 'x' } }, 'audio is not supported'],
    [{ fallbacks: [] }, 'fallbacks is not supported'],
    [{ function_call: 'auto' }, 'function_call is not supported; use tool_choice'],
    [{ functions: [] }, 'functions is not supported; use tools'],
    [{ container: 'x' }, 'container is not supported'],
    [{ prompt_cache_isolation_key: 'x' }, 'prompt_cache_isolation_key is not supported'],
    [{ safety_identifier: 'x' }, 'safety_identifier is not supported'],
    [{ user: 'x' }, 'user is not supported'],
    [{ store: false }, 'store is not supported'],
    [{ store: true }, 'store is not supported'],
    [{ max_output_tokens: 5 }, 'max_output_tokens belongs to POST /v1/responses'],
    [{ frobnicate: 1 }, 'frobnicate is not a known field'],
    [JSON.parse('{"__proto__": {"a": 1}}'), '__proto__ is not a known field'],
  ];
  it.each(refused)('%j', (fields, message) => {
    expect(refusal(fields).slice(0, message.length)).toBe(message);
  });

  const refusedMessages: readonly (readonly [unknown, string])[] = [
    ['hi', 'messages[1] must be an object'],
    [{ content: 'x' }, 'messages[1].role is required'],
    [{ role: 'function', content: 'x' }, 'messages[1].role is "function", which is not supported'],
    [{ role: 'toString', content: 'x' }, 'messages[1].role is "toString", which is not supported'],
    [{ role: 'user' }, 'messages[1].content is required and must be a string or a list'],
    [{ role: 'user', content: 5 }, 'messages[1].content must be a string or a list'],
    [{ role: 'user', content: [{ text: 'x' }] }, 'messages[1].content[0].type is required'],
    [
      { role: 'user', content: [{ type: 'refusal', refusal: '' }] },
      'messages[1].content[0].type must be "text"',
    ],
    [{ role: 'user', content: [{ type: 'text' }] }, 'messages[1].content[0].text is required'],
    [{ role: 'user', content: 'x', mood: 'good' }, 'messages[1].mood is not a known field'],
    [
      { role: 'user', content: [{ type: 'text', text: 'x', cache_control: { type: 'x' } }] },
      'messages[1].content[0].cache_control.type',
    ],
    [{ role: 'tool', content: 'x' }, 'messages[1].tool_call_id is required'],
    [
      { role: 'assistant', function_call: { name: 'f' } },
      'messages[1].function_call is not supported; use tool_calls',
    ],
    [
      { role: 'assistant', tool_calls: [{ type: 'function' }] },
      'messages[1].tool_calls[0].id is required',
    ],
    [
      assistant([{ id: 'x', type: 'function', function: { name: 'f', arguments: {} } }]),
      'messages[1].tool_calls[0].function.arguments must be a string',
    ],
  ];
  it.each(refusedMessages)('message %j', (message, start) => {
    expect(refusal(withMessage(message)).slice(0, start.length)).toBe(start);
  });
});

describe('text only (1.6)', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };
  const media: readonly unknown[] = [
    image,
    { image_url: { url: 'x' } },
    { type: 'text', text: 'x', image_url: { url: 'x' } },
    { type: 'input_audio', input_audio: { data: '', format: 'wav' } },
    { type: 'text', text: 'x', input_audio: {} },
    { type: 'file', file: { file_id: 'x' } },
    { file_data: 'x' },
    { type: 'image', source: { type: 'base64' } },
  ];
  it.each(media)('refuses the part %j in every role', (part) => {
    const roles = ['system', 'developer', 'user', 'assistant', 'tool'];
    for (const role of roles) {
      const content = [{ type: 'text', text: 'x' }, part];
      const message = role === 'tool' ? { role, content, tool_call_id: 'x' } : { role, content };
      expect(refusal(withMessage(message))).toMatch(/^messages\[1\]\.content\[1\] holds an image/);
    }
  });

  it('refuses it beside the content', () => {
    expect(refusal(withMessage({ role: 'user', content: 'x', image_url: 'x' }))).toMatch(
      /^messages\[1\] holds an image/,
    );
    expect(refusal(withMessage({ role: 'assistant', audio: { id: 'x' } }))).toMatch(
      /^messages\[1\]/,
    );
  });
});
