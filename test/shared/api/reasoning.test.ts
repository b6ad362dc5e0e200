import { describe, expect, it } from 'vitest';
import { parseChatRequest } from '../../../shared/api/chat-request.ts';
import {
  chatReasoning,
  type ReasoningIntent,
  responsesReasoning,
} from '../../../shared/api/reasoning.ts';
import { parseResponsesRequest } from '../../../shared/api/responses-request.ts';

const chat = (fields: object) =>
  chatReasoning(
    parseChatRequest({ model: 'm', messages: [{ role: 'user', content: 'x' }], ...fields }),
  );
const responses = (fields: object) =>
  responsesReasoning(parseResponsesRequest({ model: 'm', input: 'x', ...fields }));

describe('reasoning intent (2.4, 2.7)', () => {
  const merged: readonly (readonly [() => ReasoningIntent, ReasoningIntent])[] = [
    [() => chat({}), {}],
    [
      () =>
        chat({ reasoning: { enabled: true, effort: 'low', max_tokens: 5, display: 'omitted' } }),
      { enabled: true, effort: 'low', maxTokens: 5, display: 'omitted' },
    ],
    [
      () => chat({ reasoning_effort: 'high', reasoning_max_tokens: 7, reasoning_display: 'x' }),
      { effort: 'high', maxTokens: 7, display: 'x' },
    ],
    [() => chat({ reasoning: { effort: 'low' }, reasoning_effort: 'low' }), { effort: 'low' }],
    [
      () => chat({ reasoning: { enabled: false, effort: 'none' } }),
      { enabled: false, effort: 'none' },
    ],
    [() => responses({ 'reasoning.effort': 'low' }), { effort: 'low' }],
    [() => responses({ reasoning: { generate_summary: 'auto' } }), { summary: 'auto' }],
    [
      () => responses({ reasoning: { max_tokens: 9, summary: 'concise' } }),
      { maxTokens: 9, summary: 'concise' },
    ],
  ];
  it.each(merged)('%s', (read, intent) => {
    expect(read()).toEqual(intent);
  });

  const conflicts: readonly (readonly [() => ReasoningIntent, RegExp])[] = [
    [() => chat({ reasoning: { effort: 'low' }, reasoning_effort: 'high' }), /reasoning_effort/],
    [() => chat({ reasoning: { max_tokens: 1 }, reasoning_max_tokens: 2 }), /reasoning_max_tokens/],
    [() => chat({ reasoning: { display: 'a' }, reasoning_display: 'b' }), /reasoning_display/],
    [() => chat({ reasoning: { enabled: false }, reasoning_effort: 'low' }), /reasoning\.enabled/],
    [() => chat({ reasoning: { enabled: true, effort: 'none' } }), /reasoning\.enabled/],
    [() => chat({ reasoning: { enabled: false, max_tokens: 5 } }), /reasoning\.max_tokens/],
    [() => chat({ reasoning: { effort: 'none', max_tokens: 5 } }), /reasoning\.max_tokens/],
    [
      () => responses({ reasoning: { effort: 'a' }, 'reasoning.effort': 'b' }),
      /"reasoning\.effort"/,
    ],
    [() => responses({ reasoning: { summary: 'a', generate_summary: 'b' } }), /generate_summary/],
  ];
  it.each(conflicts)('conflict %s', (read, message) => {
    expect(read).toThrow(message);
  });
});
