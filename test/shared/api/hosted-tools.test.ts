import { describe, expect, it } from 'vitest';
import { parseChatRequest } from '../../../shared/api/chat-request.ts';
import {
  chatSearchMaxUses,
  effectiveMaxToolCalls,
  effectiveMaxUses,
  isWebSearchTool,
  planHostedTools,
} from '../../../shared/api/hosted-tools.ts';
import { parseResponsesRequest } from '../../../shared/api/responses-request.ts';
import type { Deployment } from '../../../shared/catalog/types.ts';
import { CLAUDE, GPT, GPT_4, SEARCH } from '../gateway/check-fixtures.ts';

const NONE = { callCaps: {}, feedsInput: false };
const FUNCTION_TOOL = { type: 'function', name: 'look' };
const MCP_TOOL = {
  type: 'mcp',
  server_label: 's',
  server_url: 'https://a.b',
  allowed_tools: ['t'],
  require_approval: 'never',
};

const responses = (fields: object) => parseResponsesRequest({ model: 'm', input: 'x', ...fields });
const chat = (fields: object) =>
  parseChatRequest({ model: 'm', messages: [{ role: 'user', content: 'x' }], ...fields });
const plan = (fields: object, deployment: Deployment) =>
  planHostedTools(responses(fields), deployment);
const planChat = (fields: object, deployment: Deployment) =>
  planHostedTools(chat(fields), deployment);

describe('plan of hosted tools', () => {
  const SEARCH_TOOL = { type: 'web_search' };
  const capped = (meter: string, calls: number) => ({
    callCaps: { [meter]: calls },
    feedsInput: true,
  });
  const OPENAI = 'openai_responses_web_search_calls';
  const ANTHROPIC = 'anthropic_web_search_calls';

  it.each([
    [{}, GPT, NONE],
    [{ tools: [FUNCTION_TOOL] }, GPT, NONE],
    [{ tools: [SEARCH_TOOL] }, GPT, capped(OPENAI, 50)],
    [{ tools: [SEARCH_TOOL], max_tool_calls: 3 }, GPT, capped(OPENAI, 3)],
    [
      { tools: [{ type: 'web_search_preview' }] },
      GPT,
      capped('openai_responses_web_search_preview_calls', 50),
    ],
    [
      { tools: [{ type: 'web_search_preview' }] },
      GPT_4,
      capped('openai_responses_web_search_preview_non_reasoning_calls', 50),
    ],
    [{ tools: [MCP_TOOL] }, GPT, { callCaps: {}, feedsInput: true }],
    [{ tools: [SEARCH_TOOL] }, CLAUDE, capped(ANTHROPIC, 50)],
    [{ tools: [{ ...SEARCH_TOOL, search_context_size: 'low' }] }, CLAUDE, capped(ANTHROPIC, 10)],
    [{ tools: [{ ...SEARCH_TOOL, max_uses: 4 }] }, CLAUDE, capped(ANTHROPIC, 4)],
    [{ tools: [SEARCH_TOOL], max_tool_calls: 7 }, CLAUDE, capped(ANTHROPIC, 7)],
    [{ tools: [{ type: 'web_fetch' }] }, CLAUDE, { callCaps: {}, feedsInput: true }],
  ])('responses %j', (fields, deployment, expected) => {
    expect(plan(fields, deployment)).toEqual(expected);
  });

  it('is empty where the request rules hosted tools out', () => {
    const tools = [FUNCTION_TOOL, { type: 'web_search' }, MCP_TOOL];
    const ruledOut = [
      { tools, tool_choice: 'none' },
      { tools, tool_choice: { type: 'function', name: 'look' } },
      { tools, max_output_tokens: 0 },
    ];
    for (const fields of ruledOut) {
      expect(plan(fields, GPT)).toEqual(NONE);
      expect(plan(fields, CLAUDE)).toEqual(NONE);
      expect(effectiveMaxToolCalls(responses(fields))).toBeUndefined();
    }
    expect(plan({ tools, tool_choice: 'required' }, GPT).feedsInput).toBe(true);
    expect(plan({ tools, tool_choice: { type: 'web_search' } }, GPT).feedsInput).toBe(true);
    expect(planChat({ web_search_options: {}, tool_choice: 'none' }, CLAUDE)).toEqual(NONE);
  });

  it('holds one call of a search model, with and without options', () => {
    const meter = 'openai_chat_completion_search_model_calls';
    const one = { callCaps: { [meter]: 1 }, feedsInput: true, searchContextSize: 'medium' };
    expect(planChat({}, SEARCH)).toEqual(one);
    expect(planChat({ tool_choice: 'none' }, SEARCH)).toEqual(one);
    expect(planChat({ web_search_options: { search_context_size: 'high' } }, SEARCH)).toEqual({
      ...one,
      searchContextSize: 'high',
    });
    const preview = 'openai_chat_completion_search_preview_model_calls';
    const older = { ...SEARCH, prices: { [preview]: { per1kCalls: '35' } } };
    expect(planChat({}, older).callCaps).toEqual({ [preview]: 1 });
  });

  it('turns web_search_options into a capped search on the Anthropic family', () => {
    expect(planChat({ web_search_options: {} }, CLAUDE)).toEqual(capped(ANTHROPIC, 50));
    expect(planChat({}, CLAUDE)).toEqual(NONE);
    const mcp = {
      mcp_servers: [{ type: 'url', url: 'https://a.b', name: 's' }],
      tools: [{ type: 'mcp_toolset', mcp_server_name: 's' }],
    };
    expect(planChat(mcp, CLAUDE)).toEqual({ callCaps: {}, feedsInput: true });
  });

  it('holds what is sent: the caps of the plan are the caps of the upstream request', () => {
    for (const size of ['low', 'medium', 'high', undefined]) {
      const options = size === undefined ? {} : { search_context_size: size };
      const sent = chatSearchMaxUses(chat({ web_search_options: options }));
      expect(planChat({ web_search_options: options }, CLAUDE).callCaps[ANTHROPIC]).toBe(sent);
      for (const caps of [{}, { max_tool_calls: 3 }]) {
        const request = responses({ tools: [{ ...SEARCH_TOOL, ...options }], ...caps });
        const [tool] = (request.tools ?? []).filter(isWebSearchTool);
        expect(tool && effectiveMaxUses(tool, request)).toBe(
          planHostedTools(request, CLAUDE).callCaps[ANTHROPIC],
        );
        expect(effectiveMaxToolCalls(request)).toBe(planHostedTools(request, GPT).callCaps[OPENAI]);
      }
    }
  });
});
