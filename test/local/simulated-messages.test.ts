import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type SimulatedProviders,
  startSimulatedProviders,
} from '../../infra/local/simulated-providers/server.ts';
import { ARGUMENTS, PARAMETERS } from '../support/weather-tool.ts';

let providers: SimulatedProviders;
let anthropic: Anthropic;

beforeAll(async () => {
  providers = await startSimulatedProviders({ wordDelayMs: 0 });
  // This client appends the version to its base address itself.
  const baseURL = providers.anthropicUrl.replace(/\/v1$/, '');
  anthropic = new Anthropic({ apiKey: 'unused', maxRetries: 0, baseURL });
});

afterAll(() => providers.close());

describe('messages', () => {
  const model = 'claude-opus-4-8';
  const smallest = {
    model,
    max_tokens: 2000,
    messages: [{ role: 'user' as const, content: 'Toll?' }],
  };
  const tools = [{ name: 'weather', input_schema: { ...PARAMETERS, type: 'object' as const } }];
  const thinking = { type: 'adaptive', display: 'summarized' } as const;

  test('a stream says what a whole answer says, thinking signed and first', async () => {
    const request = { ...smallest, thinking };
    const whole = await anthropic.messages.create(request);
    const streamed = await anthropic.messages.stream(request).finalMessage();

    expect(whole.content.map(({ type }) => type)).toEqual(['thinking', 'text']);
    expect(streamed.content).toEqual(whole.content);
    expect(streamed.stop_reason).toBe('end_turn');
    expect(streamed.usage.output_tokens).toBe(whole.usage.output_tokens);
  });

  test('a tool round trip replays its thinking; a changed signature is refused', async () => {
    const request = { ...smallest, tools, thinking };
    const first = await anthropic.messages.stream(request).finalMessage();
    const call = first.content.find((block) => block.type === 'tool_use');
    const second = (content: Anthropic.ContentBlockParam[]) =>
      anthropic.messages.create({
        ...request,
        messages: [
          ...smallest.messages,
          { role: 'assistant', content },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: call?.id ?? '', content: '7 degrees' }],
          },
        ],
      });

    expect(first.stop_reason).toBe('tool_use');
    expect(call?.input).toEqual(ARGUMENTS);
    const answer = await second(first.content);
    expect(JSON.stringify(answer.content)).toContain('7 degrees');
    const forged = first.content.map((block) =>
      block.type === 'thinking' ? { ...block, thinking: 'changed' } : block,
    );
    await expect(second(forged)).rejects.toThrow(/signature/);
  });

  test('stops at the cap and at a stop sequence', async () => {
    const cut = await anthropic.messages.create({ ...smallest, max_tokens: 2 });
    const stopped = await anthropic.messages.create({ ...smallest, stop_sequences: ['answer'] });

    expect(cut).toMatchObject({ stop_reason: 'max_tokens', usage: { output_tokens: 2 } });
    expect(stopped).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'answer' });
  });

  test.each<[object, RegExp]>([
    [{ max_tokens: undefined }, /max_tokens: Field required/],
    [{ messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] }, /non-whitespace/],
    [{ messages: [{ role: 'assistant', content: 'so ' }] }, /trailing whitespace/],
    [
      { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' }] }] },
      /unexpected `tool_use_id`/,
    ],
    [
      {
        messages: [
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
          { role: 'user', content: 'no result' },
        ],
      },
      /without `tool_result`/,
    ],
    [
      {
        messages: [
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'first' },
              { type: 'tool_result', tool_use_id: 't', content: '' },
            ],
          },
        ],
      },
      /must come first/,
    ],
    [{ thinking: { type: 'enabled', budget_tokens: 1000 } }, /budget_tokens/],
    [{ thinking, tools, tool_choice: { type: 'any' } }, /forces tool use/],
    [{ temperature: 1, top_p: 1 }, /cannot both/],
    [{ speed: 'fast' }, /speed: Extra inputs/],
    [{ reasoning_effort: 'low' }, /Extra inputs/],
    [
      { system: Array(5).fill({ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }) },
      /maximum of 4/,
    ],
  ])('refuses as the provider does: %j', async (fields, message) => {
    const answer = await post(
      '/messages',
      { ...smallest, ...fields },
      { 'anthropic-version': '2023-06-01' },
    );

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringMatching(message) },
    });
  });

  test('asks for the version header', async () => {
    const answer = await post('/messages', smallest, {});
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining('anthropic-version'),
    ]);
  });

  function post(path: string, body: object, headers: Record<string, string>): Promise<Response> {
    return fetch(`${providers.anthropicUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }
});
