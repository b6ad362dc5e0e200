import { describe, expect, it } from 'vitest';
import { parseChatRequest } from '../../../shared/api/chat-request.ts';
import type { Deployment } from '../../../shared/catalog/types.ts';
import { checkChatRequest } from '../../../shared/gateway/check-chat.ts';
import { AZURE, CLAUDE, CLAUDE_THINKER, GPT, GPT_4, GPT_NANO, SEARCH } from './check-fixtures.ts';

type Fields = Readonly<Record<string, unknown>>;

function check(fields: Fields, deployment: Deployment): void {
  const messages = [{ role: 'user', content: 'Hello' }];
  checkChatRequest(parseChatRequest({ model: 'm', messages, ...fields }), deployment);
}

const MARKER = { type: 'ephemeral' };
const FUNCTION_TOOL = { type: 'function', function: { name: 'look' } };
const CUSTOM_TOOL = { type: 'custom', custom: { name: 'sql' } };
const MCP = {
  mcp_servers: [{ type: 'url', url: 'https://a.b', name: 's' }],
  tools: [{ type: 'mcp_toolset', mcp_server_name: 's' }],
};
const SCHEMA = { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' } } };
const marked = (count: number) => [
  { role: 'user', content: Array(count).fill({ type: 'text', text: 'x', cache_control: MARKER }) },
];

describe('fields of one family (2.4)', () => {
  const ofOpenai: readonly Fields[] = [
    { frequency_penalty: 0 },
    { presence_penalty: 0 },
    { logit_bias: {} },
    { logprobs: false },
    { top_logprobs: 0 },
    { prompt_cache_key: 'k' },
    { prompt_cache_retention: '24h' },
    { verbosity: 'low' },
  ];
  it.each(ofOpenai)('%j: OpenAI alone', (fields) => {
    expect(() => check(fields, GPT)).not.toThrow();
    expect(() => check(fields, CLAUDE)).toThrow(new RegExp(`^${Object.keys(fields)[0]} `));
  });

  const ofAnthropic: readonly Fields[] = [
    { top_k: 5 },
    { stop_sequences: ['x'] },
    { cache_control: MARKER },
    { task_budget: {} },
    { context_management: {} },
    { inference_geo: 'global' },
    { speed: 'standard' },
    MCP,
  ];
  it.each(ofAnthropic)('%j: Anthropic alone', (fields) => {
    expect(() => check(fields, CLAUDE)).not.toThrow();
    for (const deployment of [GPT, AZURE]) {
      expect(() => check(fields, deployment)).toThrow(new RegExp(`^${Object.keys(fields)[0]} `));
    }
  });

  const ofBoth: readonly Fields[] = [
    { temperature: 1 },
    { top_p: 1 },
    { stop: 'x' },
    { seed: 1 },
    { n: 1 },
    { parallel_tool_calls: false, tools: [FUNCTION_TOOL] },
    { response_format: { type: 'text' } },
    { response_format: SCHEMA },
    { metadata: { a: 'b' } },
    { reasoning: { effort: 'low' } },
    { reasoning: { enabled: false } },
    { reasoning_effort: 'none' },
    { max_tokens: 64_000 },
  ];
  it.each(ofBoth)('%j: both', (fields) => {
    for (const deployment of [GPT, AZURE, CLAUDE]) {
      expect(() => check(fields, deployment)).not.toThrow();
    }
  });
});

describe('what a model cannot take is refused (2.4)', () => {
  const refused: readonly (readonly [Fields, Deployment, RegExp])[] = [
    [{ temperature: 1, top_p: 1 }, CLAUDE, /^temperature and top_p/],
    [{ max_tokens: 64_001 }, CLAUDE, /^max_tokens is 64001.*at most 64000/],
    [{ max_completion_tokens: 128_001 }, GPT, /^max_completion_tokens is 128001/],
    [{ prediction: { type: 'content', content: 'x' } }, GPT, /^prediction /],
    [{ prediction: { type: 'content', content: 'x' } }, CLAUDE, /^prediction /],
    [{ verbosity: 'low' }, GPT_4, /^verbosity /],
    [{ tools: [FUNCTION_TOOL] }, SEARCH, /tools\[0\]/],
    [{ tools: [FUNCTION_TOOL, CUSTOM_TOOL] }, CLAUDE, /^tools\[1\]\.type "custom"/],
    [{ response_format: SCHEMA }, SEARCH, /^response_format /],
    [{ web_search_options: {} }, GPT, /^web_search_options /],
    [{ web_search_options: {} }, AZURE, /^web_search_options /],
    [{ reasoning_effort: 'max' }, GPT, /^reasoning\.effort "max".*none, low, medium, high/],
    [{ reasoning_effort: 'none' }, GPT_NANO, /^reasoning cannot be switched off/],
    [{ reasoning: { enabled: false } }, CLAUDE_THINKER, /^reasoning cannot be switched off/],
    [{ reasoning_effort: 'low' }, SEARCH, /^reasoning is not available/],
    [{ reasoning: { enabled: true } }, GPT_4, /^reasoning is not available/],
    [{ reasoning_max_tokens: 2048 }, GPT, /^reasoning\.max_tokens is not taken/],
    [{ reasoning_max_tokens: 2048 }, CLAUDE_THINKER, /^reasoning\.max_tokens is not taken/],
    [{ reasoning_max_tokens: 1023 }, CLAUDE, /^reasoning\.max_tokens must be 1024 to 63999/],
    [{ reasoning_max_tokens: 64_000 }, CLAUDE, /^reasoning\.max_tokens must be 1024 to 63999/],
    [{ reasoning_max_tokens: 2000, max_tokens: 2000 }, CLAUDE, /must be below the output cap/],
    [{ reasoning_display: 'omitted' }, GPT, /^reasoning\.display is not taken/],
    [{ reasoning: { effort: 'low' }, reasoning_effort: 'high' }, CLAUDE, /reasoning_effort/],
  ];
  it.each(refused)('%j', (fields, deployment, message) => {
    expect(() => check(fields, deployment)).toThrow(message);
  });

  const accepted: readonly (readonly [Fields, Deployment])[] = [
    [{ prediction: { type: 'content', content: 'x' } }, GPT_4],
    [{ tools: [CUSTOM_TOOL] }, GPT],
    [{ web_search_options: { search_context_size: 'high' } }, SEARCH],
    [{ web_search_options: {} }, CLAUDE],
    [{ response_format: { type: 'json_object' } }, GPT],
    [{ reasoning: { enabled: false } }, SEARCH],
    [{ reasoning_effort: 'none' }, GPT_4],
    [{ reasoning_max_tokens: 2000, max_tokens: 2001, reasoning_display: 'summarized' }, CLAUDE],
    [{ reasoning: { effort: 'low', max_tokens: 1024 } }, CLAUDE],
  ];
  it.each(accepted)('accepted: %j', (fields, deployment) => {
    expect(() => check(fields, deployment)).not.toThrow();
  });
});

describe('cache markers (2.4)', () => {
  it('anywhere on Anthropic, nowhere on the OpenAI family', () => {
    const tools = [FUNCTION_TOOL, { ...FUNCTION_TOOL, cache_control: MARKER }];
    expect(() => check({ messages: marked(1) }, CLAUDE)).not.toThrow();
    expect(() => check({ messages: marked(1) }, GPT)).toThrow(
      /^messages\[0\]\.content\[0\]\.cache_control is not taken/,
    );
    expect(() => check({ tools }, GPT)).toThrow(/^tools\[1\]\.cache_control is not taken/);
  });

  it('a cap of zero only warms a cache', () => {
    const prewarm = { max_tokens: 0, messages: marked(1) };
    expect(() => check(prewarm, CLAUDE)).not.toThrow();
    expect(() => check({ max_completion_tokens: 0, cache_control: MARKER }, CLAUDE)).not.toThrow();
    const obstacles: readonly (readonly [Fields, Deployment])[] = [
      [{ max_tokens: 0 }, CLAUDE],
      [{ max_tokens: 0 }, GPT],
      [{ ...prewarm, stream: true }, CLAUDE],
      [{ ...prewarm, reasoning_effort: 'low' }, CLAUDE],
      [{ ...prewarm, response_format: SCHEMA }, CLAUDE],
      [{ ...prewarm, tools: [FUNCTION_TOOL], tool_choice: 'required' }, CLAUDE],
    ];
    for (const [fields, deployment] of obstacles) {
      expect(() => check(fields, deployment)).toThrow(/^max_tokens may be 0 only to warm/);
    }
  });
});
