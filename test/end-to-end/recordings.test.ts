import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RecordedCase, recorded, recordedCases } from '../support/recording-cases.ts';
import { CLIENTS } from '../support/recording-clients.ts';
import type { AnswerFacts } from '../support/recording-facts.ts';
import { type ScriptedGateway, startScriptedGateway } from '../support/recording-gateway.ts';
import { declaredFor, factsOf, play } from '../support/recording-play.ts';

let scripted: ScriptedGateway;
let apiKey: string;

beforeAll(async () => {
  scripted = await startScriptedGateway();
  ({ apiKey } = await scripted.newKey());
});

afterAll(() => scripted?.stop());

type Route = 'chat' | 'responses';

const MODELS = { messages: 'claude-sonnet-5', chat: 'gpt-5.6-sol', responses: 'gpt-5.6-sol' };
const ROUTES: Readonly<Record<RecordedCase['api'], readonly Route[]>> = {
  messages: ['chat', 'responses'],
  chat: ['chat'],
  responses: ['responses'],
};

/** Each recording on each route that it fits, to each client, whole and streamed where it has both. */
const PLAYS = recordedCases().flatMap((recording) =>
  ROUTES[recording.api].flatMap((route) =>
    (['openai', 'ai-sdk'] as const).flatMap((client) => [
      { recording, route, client, stream: true, name: recording.name },
      ...(recording.present && recording.body === undefined
        ? []
        : [{ recording, route, client, stream: false, name: recording.name }]),
    ]),
  ),
);

describe.each(PLAYS)('$name', ({ recording, route, client, stream }) => {
  const title = `on ${route} to ${client}, ${stream ? 'streamed' : 'whole'}`;
  test.skipIf(!recording.present)(title, async () => {
    const facts = factsOf(recording, stream);
    const helped = client === 'openai' && route === 'responses';
    const known = helped ? { ...recording, events: recording.events.filter(isKnown) } : recording;
    scripted.upstream.enqueue(play(known, stream));

    const seen = await CLIENTS[route][client]({
      baseURL: `${scripted.gateway.url}/v1`,
      apiKey,
      model: MODELS[recording.api],
      stream,
      declared: declaredFor(facts, recording),
    });

    expect(seen).toEqual(visible(facts, route, client));
  });
});

const UNKNOWN_EVENT = 'response.unheard_of.delta';

/** The client's stream helper throws on event types that it does not know, whoever sends them. */
function isKnown(event: string): boolean {
  return !event.includes(`"${UNKNOWN_EVENT}"`);
}

test('an event type that is not known yet reaches the client as it came', async () => {
  const recording = recordedCases().find(({ name }) => name === 'own responses-full');
  const unknown = recording?.events.find((event) => !isKnown(event)) ?? '{}';
  if (recording) scripted.upstream.enqueue(play(recording, true));
  const client = new OpenAI({ baseURL: `${scripted.gateway.url}/v1`, apiKey, maxRetries: 0 });
  const request = { model: MODELS.responses, input: 'Please go on.' };
  const events: unknown[] = [];
  for await (const event of await client.responses.create({ ...request, stream: true })) {
    events.push(event);
  }
  expect(events).toContainEqual(JSON.parse(unknown));
});

test.skipIf(!recorded('openai', 'responses-error.1').present)(
  'a recorded failure after the start ends in one response.failed',
  async () => {
    const recording = recorded('openai', 'responses-error.1');
    const ask = CLIENTS.responses['ai-sdk'];
    const asking = {
      baseURL: `${scripted.gateway.url}/v1`,
      apiKey,
      model: 'openai/gpt-5.6-sol',
      declared: { functions: [], customTools: [], search: false, remote: [] },
    };
    scripted.upstream.enqueue(play(recording, true));
    // What went wrong with our account at the provider is nobody else's business.
    const neutral = expect.stringMatching(/^(?!.*quota).*try again/i);
    await expect(ask({ ...asking, stream: true })).rejects.toMatchObject({ message: neutral });
    scripted.upstream.enqueue({ ...play(recording, false), status: 429 });
    await expect(ask({ ...asking, stream: false })).rejects.toMatchObject({
      statusCode: 500,
      message: neutral,
    });
  },
);

/** What of an answer the route, and the client on it, can show. */
function visible(facts: AnswerFacts, route: Route, client: 'openai' | 'ai-sdk'): AnswerFacts {
  const onRoute = route === 'chat' ? { ...facts, searches: 0, remoteCalls: [] } : facts;
  if (client === 'openai') return onRoute;
  // The SDK shows a refusal as text, a citation without its span, and on chat no reasoning.
  const { text, refusal } = facts;
  const reasoning = route === 'chat' ? '' : facts.reasoning;
  const cited = facts.cited.map(({ url }) => ({ url }));
  return { ...onRoute, text: text + refusal, refusal: '', reasoning, cited };
}
