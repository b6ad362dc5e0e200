import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type SimulatedProviders,
  startSimulatedProviders,
} from '../../../../infra/local/simulated-providers/server.ts';
import { parseChatRequest } from '../../../../shared/api/chat-request.ts';
import type { JsonObject } from '../../../../shared/api/json.ts';
import { parseResponsesRequest } from '../../../../shared/api/responses-request.ts';
import type { UpstreamRequest } from '../../../../shared/providers/contract.ts';
import { readChatAnswer, readResponsesAnswer } from '../../../../shared/providers/openai/answer.ts';
import { translateChatRequest } from '../../../../shared/providers/openai/request-chat.ts';
import { translateResponsesRequest } from '../../../../shared/providers/openai/request-responses.ts';
import { AZURE, context, deployment } from './support.ts';

let providers: SimulatedProviders;

beforeAll(async () => {
  providers = await startSimulatedProviders({ wordDelayMs: 0 });
});
afterAll(() => providers.close());

/** Sends to a provider that refuses what the real one refuses. */
async function send({ api, body }: UpstreamRequest, azure: boolean): Promise<unknown> {
  const base = azure ? providers.azureUrl : providers.openaiUrl;
  const path = api === 'responses' ? '/responses' : '/chat/completions';
  const answer = await fetch(base + path, { method: 'POST', body: JSON.stringify(body) });
  const text = await answer.text();
  expect([answer.status, text]).toEqual([200, text]);
  return JSON.parse(text);
}

const TARGETS = [
  ['OpenAI', deployment()],
  ['Azure', AZURE],
] as const;
const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } } };

test.each(TARGETS)('chat on %s: call, result, answer', async (_name, served) => {
  const target = { deployment: served, identity: 'i' };
  const turn = async (messages: JsonObject[]) => {
    const tools = [{ type: 'function', function: { name: 'weather', parameters: PARAMETERS } }];
    const request = parseChatRequest({ model: 'm', messages, tools, reasoning_effort: 'low' });
    const body = await send(translateChatRequest(request, target), served === AZURE);
    return readChatAnswer(body, context({ deployment: served })).body as {
      choices: [{ message: { content: string; tool_calls: [{ id: string }] } }];
    };
  };
  const user = { role: 'user', content: 'Weather?' };

  const first = (await turn([user])).choices[0].message;
  const result = { role: 'tool', tool_call_id: first.tool_calls[0].id, content: '7 degrees' };
  // The client sends our message back as it came, and its own of other models with it.
  const second = await turn([user, { ...first, reasoning: 'so', annotations: [] }, result]);

  expect(second.choices[0].message.content).toContain('7 degrees');
});

test.each(TARGETS)('responses on %s: reasoning, call, result, answer', async (_name, served) => {
  const target = { deployment: served, identity: 'i' };
  const turn = async (input: unknown) => {
    const tools = [{ type: 'function', name: 'weather', parameters: PARAMETERS }];
    const reasoning = { effort: 'low', summary: 'auto' };
    const request = parseResponsesRequest({ model: 'm', input, tools, reasoning });
    const body = await send(translateResponsesRequest(request, target), served === AZURE);
    return readResponsesAnswer(body, context({ deployment: served }), {}).body as {
      output: { type: string; call_id?: string }[];
      output_text: string;
    };
  };
  const user = { role: 'user', content: 'Weather?' };

  const first = await turn([user]);
  const call = first.output.at(-1);
  const result = { type: 'function_call_output', call_id: call?.call_id, output: '7 degrees' };
  const second = await turn([user, ...first.output, result]);

  expect(first.output.map(({ type }) => type)).toEqual(['reasoning', 'function_call']);
  expect(second.output_text).toContain('7 degrees');
});
