import { describe, expect, test } from 'vitest';
import { chat, OLDEST } from './request-fixtures.ts';

const HELLO = [{ role: 'user', content: 'Hello' }];
const ADD = { name: 'add', parameters: { type: 'object', properties: { a: { type: 'number' } } } };
const ADD_TOOL = { type: 'function', function: ADD };

describe('beta headers', () => {
  const EDITS = {
    clear: { type: 'clear_thinking_20251015' },
    compact: { type: 'compact_20260112' },
  };
  test.each([
    [{}, undefined],
    [{ task_budget: { type: 'tokens', total: 1 } }, 'task-budgets-2026-03-13'],
    [{ context_management: { edits: [EDITS.clear] } }, 'context-management-2025-06-27'],
    [{ context_management: { edits: [EDITS.compact] } }, 'compact-2026-01-12'],
    [
      { context_management: { edits: [EDITS.clear, EDITS.compact] } },
      'compact-2026-01-12,context-management-2025-06-27',
    ],
    [
      {
        mcp_servers: [{ type: 'url', url: 'https://x.test', name: 'x' }],
        tools: [{ type: 'mcp_toolset', mcp_server_name: 'x' }],
      },
      'mcp-client-2025-11-20',
    ],
  ])('of %j', (fields, expected) => {
    expect(chat({ messages: HELLO, ...fields }).headers['anthropic-beta']).toBe(expected);
  });

  test('a budget for thinking beside tools asks for thinking between them', () => {
    const fields = { messages: HELLO, tools: [ADD_TOOL], reasoning: { max_tokens: 2000 } };
    const { headers } = chat(fields, OLDEST);
    expect(headers['anthropic-beta']).toBe('interleaved-thinking-2025-05-14');
  });
});
