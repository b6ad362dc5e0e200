import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseChatRequest } from '../../../shared/api/chat-request.ts';
import { GatewayError } from '../../../shared/api/error.ts';
import { parseResponsesRequest } from '../../../shared/api/responses-request.ts';
import { checkChatRequest } from '../../../shared/gateway/check-chat.ts';
import { checkResponsesRequest } from '../../../shared/gateway/check-responses.ts';
import { AZURE, CLAUDE, GPT } from '../gateway/check-fixtures.ts';

const CHAT = {
  model: 'm',
  messages: [
    {
      role: 'system',
      content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }],
    },
    {
      role: 'assistant',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'x' },
  ],
  tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
  tool_choice: { type: 'function', function: { name: 'f' } },
  stop: ['x'],
  reasoning: { effort: 'low' },
  provider: { only: ['a'] },
  metadata: { a: 'b' },
  logit_bias: { 1: 2 },
  response_format: { type: 'json_schema', json_schema: { name: 'n', schema: {} } },
};
const RESPONSES = {
  model: 'm',
  input: [
    { role: 'user', content: [{ type: 'input_text', text: 'a' }] },
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'x' }] },
    { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'x' }] },
    { type: 'mcp_call', server_label: 's', name: 'n', arguments: '{}' },
  ],
  tools: [
    {
      type: 'mcp',
      server_label: 's',
      server_url: 'https://a.b',
      allowed_tools: ['t'],
      require_approval: 'never',
    },
    { type: 'web_search', filters: { allowed_domains: ['a'] } },
  ],
  text: { format: { type: 'text' } },
  reasoning: { summary: 'auto' },
  include: ['x'],
};

type Mutable = Record<string, unknown> | unknown[];

/** Every place of a value: the object that holds it, and its key. */
function places(value: unknown): [Mutable, string][] {
  if (typeof value !== 'object' || value === null) return [];
  // A JSON object or list: both are written through their keys.
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [
    [holder, key] satisfies [Mutable, string],
    ...places(holder[key]),
  ]);
}

const oddValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', '__proto__', null, [], {}, 0, -1, 1.5, 2 ** 60, { type: 'image' }),
);
const oddKey = fc.oneof(
  fc.constantFrom('type', 'role', 'content', '__proto__', 'constructor', 'image_url', 'toString'),
  fc.string({ unit: 'binary' }),
);

/** A valid request with a few of its values replaced and odd keys added. */
function mutated(valid: object) {
  const change = fc.record({ at: fc.nat(), key: fc.option(oddKey), value: oddValue });
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const body = structuredClone(valid);
    for (const { at, key, value } of changes) {
      const all = places(body);
      const place = all[at % all.length];
      if (!place) continue;
      const [holder, own] = place;
      Object.defineProperty(holder, Array.isArray(holder) ? own : (key ?? own), {
        value: structuredClone(value),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return JSON.parse(JSON.stringify(body)) as unknown;
  });
}

function isAnswered(read: () => unknown): 'accepted' | 'refused' {
  try {
    read();
    return 'accepted';
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ code: 'invalid_request' });
    // A message is one line for people, whatever the client wrote.
    expect((error as GatewayError).message).toMatch(/^[^\p{Cc}\p{Cs}]{5,1000}$/u);
    return 'refused';
  }
}

function flood<T>(value: T): T[] {
  return Array<T>(200_000).fill(value);
}

describe('any JSON is accepted or refused with a 400', () => {
  it('random values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        isAnswered(() => parseChatRequest(value));
        isAnswered(() => parseResponsesRequest(value));
      }),
      { numRuns: 300 },
    );
  });

  it('mutated requests', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(mutated(CHAT), mutated(RESPONSES), (chat, responses) => {
        for (const deployment of [GPT, AZURE, CLAUDE]) {
          seen.add(isAnswered(() => checkChatRequest(parseChatRequest(chat), deployment)));
          seen.add(
            isAnswered(() => checkResponsesRequest(parseResponsesRequest(responses), deployment)),
          );
        }
      }),
      { numRuns: 700 },
    );
    expect(seen).toEqual(new Set(['accepted', 'refused']));
  });

  it('the requests that are mutated are themselves accepted', () => {
    expect(isAnswered(() => parseChatRequest(CHAT))).toBe('accepted');
    expect(isAnswered(() => parseResponsesRequest(RESPONSES))).toBe('accepted');
  });

  it('bodies nested or split beyond reason', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    const split = Array.from({ length: 1_000_001 }, () => 0);
    for (const value of [deep, split]) {
      expect(isAnswered(() => parseChatRequest({ ...CHAT, messages: value }))).toBe('refused');
      expect(isAnswered(() => parseResponsesRequest({ ...RESPONSES, input: value }))).toBe(
        'refused',
      );
    }
  });

  const floods: readonly (readonly [
    typeof parseChatRequest | typeof parseResponsesRequest,
    object,
  ])[] = [
    [parseChatRequest, { messages: flood({}) }],
    [parseChatRequest, { messages: [{ role: 'user', content: flood({ type: 'image' }) }] }],
    [parseChatRequest, { messages: CHAT.messages, stop: flood(5) }],
    [parseChatRequest, { messages: CHAT.messages, provider: { only: flood('') } }],
    [
      parseChatRequest,
      { messages: CHAT.messages, mcp_servers: flood({ type: 'url', url: 'x', name: 'n' }) },
    ],
    [
      parseChatRequest,
      {
        messages: CHAT.messages,
        metadata: Object.fromEntries(flood(5).map((five, key) => [key, five])),
      },
    ],
    [
      parseChatRequest,
      {
        messages: CHAT.messages,
        logit_bias: Object.fromEntries(flood('x').map((x, key) => [key, x])),
      },
    ],
    [parseResponsesRequest, { input: flood({ type: 'mcp_call' }) }],
    [parseResponsesRequest, { input: 'x', tools: flood({ type: 'web_search', max_uses: 0 }) }],
    [parseResponsesRequest, { input: 'x', tools: flood({ type: 'web_fetch', max_uses: 2 ** 60 }) }],
    [parseResponsesRequest, { input: 'x', tools: flood({ type: 'function', name: '' }) }],
  ];
  it.each(floods)('a flood of faults %#', (parse, fields) => {
    expect(isAnswered(() => parse({ model: 'm', ...fields }))).toBe('refused');
  });

  it('a large body is not copied', () => {
    const text = 'x'.repeat(30_000_000);
    const request = parseChatRequest({ model: 'm', messages: [{ role: 'user', content: text }] });
    expect(request.messages[0]?.content).toBe(text);
  });
});
