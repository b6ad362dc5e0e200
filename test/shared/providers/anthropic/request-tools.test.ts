import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../shared/api/json.ts';
import type { Deployment } from '../../../../shared/catalog/types.ts';
import { EVERY_BODY, NEWEST, OLDEST, responses, user } from './request-fixtures.ts';

const OLD_BODY = {
  ...EVERY_BODY,
  model: 'claude-old-20251101',
  max_tokens: 64_000,
  inference_geo: undefined,
};

interface Row {
  readonly name: string;
  readonly request: JsonObject;
  readonly expected: object;
  readonly deployment?: Deployment;
}

const ROWS: readonly Row[] = [
  {
    name: 'hosted tools with filters, location and caps; MCP narrowed to the allowed tools',
    request: {
      input: 'Hello',
      tools: [
        {
          type: 'web_search',
          filters: { allowed_domains: ['a.test'] },
          user_location: { type: 'approximate', country: 'NL' },
          max_uses: 3,
        },
        { type: 'web_fetch_20250910', blocked_domains: ['b.test'], max_content_tokens: 1000 },
        {
          type: 'mcp',
          server_label: 'x',
          server_url: 'https://x.test',
          authorization: 't',
          allowed_tools: { tool_names: ['echo'] },
          require_approval: 'never',
        },
        { type: 'function', name: 'f', parameters: { type: 'object' }, strict: false },
      ],
      tool_choice: { type: 'web_search' },
    },
    expected: {
      messages: [user('Hello')],
      tools: [
        {
          type: 'web_search_20260209',
          name: 'web_search',
          max_uses: 3,
          allowed_domains: ['a.test'],
          user_location: { type: 'approximate', country: 'NL' },
        },
        {
          type: 'web_fetch_20250910',
          name: 'web_fetch',
          blocked_domains: ['b.test'],
          max_content_tokens: 1000,
        },
        {
          type: 'mcp_toolset',
          mcp_server_name: 'x',
          default_config: { enabled: false },
          configs: { echo: { enabled: true } },
        },
        { name: 'f', input_schema: { type: 'object' }, strict: false },
      ],
      tool_choice: { type: 'tool', name: 'web_search' },
      mcp_servers: [{ type: 'url', url: 'https://x.test', name: 'x', authorization_token: 't' }],
    },
  },
  {
    name: 'the cap on tool calls is the cap of the hosted search, on the version that is known',
    deployment: OLDEST,
    request: { input: 'Hello', tools: [{ type: 'web_search_preview' }], max_tool_calls: 7 },
    expected: {
      ...OLD_BODY,
      messages: [user('Hello')],
      tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 7 }],
    },
  },
];

test.each(ROWS)('$name', ({ request, expected, deployment = NEWEST }) => {
  expect(responses(request, deployment).body).toEqual({ ...EVERY_BODY, ...expected });
});
