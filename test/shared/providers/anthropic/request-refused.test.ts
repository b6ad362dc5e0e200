import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../shared/api/json.ts';
import { chat } from './request-fixtures.ts';

const HELLO = [{ role: 'user', content: 'Hello' }];
const CALLS = [
  { id: 'call_a', type: 'function', function: { name: 'add', arguments: '{"b":1,"a":2}' } },
  { id: 'call_b', type: 'function', function: { name: 'now', arguments: '' } },
];
const ADD = { name: 'add', parameters: { type: 'object', properties: { a: { type: 'number' } } } };
const ADD_TOOL = { type: 'function', function: ADD };
const MINUTES = { type: 'ephemeral' };

describe('refused with a message that names the field', () => {
  const asks = { role: 'assistant', tool_calls: CALLS };
  const answer = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'x' });
  const says = (fields: JsonObject) => [...HELLO, { role: 'assistant', ...fields }, ...HELLO];
  const calls = (name: string, id: string) =>
    says({ tool_calls: [{ id, type: 'function', function: { name: 'add', arguments: name } }] });
  const marked = (text: string, ttl?: string) => ({
    type: 'text',
    text,
    cache_control: { type: 'ephemeral', ...(ttl && { ttl }) },
  });

  test.each<[string, JsonObject, RegExp]>([
    ['a call without its result', { messages: [...HELLO, asks, answer('call_a')] }, /"call_b"/],
    ['calls at the end', { messages: [...HELLO, asks] }, /"call_a"/],
    ['a result without a call', { messages: [...HELLO, answer('call_a')] }, /messages\[1\]/],
    [
      'two results of one call',
      { messages: [...HELLO, asks, answer('call_a'), answer('call_a'), answer('call_b')] },
      /messages\[3\].*again/,
    ],
    ['broken arguments', { messages: calls('{"a":', 'c') }, /tool_calls\[0\]\.function\.arguments/],
    ['arguments that are a list', { messages: calls('[1]', 'c') }, /function\.arguments/],
    ['an ID that the provider refuses', { messages: calls('{}', 'a:0') }, /tool_calls\[0\]\.id/],
    ['nothing but system texts', { messages: [{ role: 'system', content: 'x' }] }, /messages/],
    [
      'a marker on an empty text',
      { messages: [...HELLO, { role: 'user', content: [marked('')] }] },
      /messages\[1\]\.content\[0\]\.cache_control/,
    ],
    [
      'a longer marker after a shorter',
      { messages: [{ role: 'user', content: [marked('a'), marked('b', '1h')] }] },
      /cache_control/,
    ],
    [
      'five markers, the automatic one counted',
      {
        messages: [{ role: 'user', content: ['a', 'b', 'c', 'd'].map((text) => marked(text)) }],
        cache_control: MINUTES,
      },
      /cache_control/,
    ],
    [
      'reasoning that another provider encrypted',
      {
        messages: says({
          reasoning_details: [
            { type: 'reasoning.encrypted', data: 'x', format: 'openai-responses-v1' },
          ],
        }),
      },
      /reasoning_details\[0\]/,
    ],
    [
      'a forced tool while thinking',
      { messages: HELLO, tools: [ADD_TOOL], tool_choice: 'required', reasoning_effort: 'low' },
      /tool_choice/,
    ],
    [
      'a format without an equivalent',
      { messages: HELLO, response_format: { type: 'json_object' } },
      /response_format\.type/,
    ],
    [
      'a custom tool',
      { messages: HELLO, tools: [{ type: 'custom', custom: { name: 'x' } }] },
      /tools\[0\]\.type/,
    ],
    [
      'a call of a custom tool',
      {
        messages: says({
          tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'x', input: '' } }],
        }),
      },
      /messages\[1\]\.tool_calls\[0\]/,
    ],
  ])('%s', (_name, request, message) => {
    expect(() => chat(request)).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(message) }),
    );
  });
});
