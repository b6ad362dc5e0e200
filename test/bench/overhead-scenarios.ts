/** One kind of request, as each peer wants it. */
export interface Scenario {
  /** For example `chat openai streamed`. */
  readonly name: string;
  readonly streamed: boolean;
  /** What a client sends to a gateway. */
  readonly gatewayPath: string;
  readonly gatewayBody: string;
  /** What a client would send to the provider itself. */
  readonly directPath: string;
  readonly directBody: string;
  readonly family: 'openai' | 'anthropic';
  /** Whether Portkey offers this route for this family at all. */
  readonly portkeyOffers: boolean;
}

const SYSTEM =
  'You are a careful assistant. Answer briefly, name your sources, never guess. '.repeat(8);
const QUESTION = 'Explain how an authorization hold differs from a charge, in two sentences.';
const MODELS = { openai: 'gpt-5.6-sol', anthropic: 'claude-sonnet-5' } as const;
const OUTPUT_CAP = 100;

const CHAT = {
  messages: [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: QUESTION },
  ],
  max_completion_tokens: OUTPUT_CAP,
};
const RESPONSES = { instructions: SYSTEM, input: QUESTION, max_output_tokens: OUTPUT_CAP };
const MESSAGES = {
  system: SYSTEM,
  messages: [{ role: 'user', content: QUESTION }],
  max_tokens: OUTPUT_CAP,
};

function scenario(
  route: 'chat' | 'responses',
  family: Scenario['family'],
  streamed: boolean,
): Scenario {
  const model = MODELS[family];
  const json = (fields: object) => JSON.stringify({ model, ...fields, stream: streamed });
  const gatewayBody = json(route === 'chat' ? CHAT : RESPONSES);
  const routePath = route === 'chat' ? '/chat/completions' : '/responses';
  return {
    name: `${route} ${family} ${streamed ? 'streamed' : 'whole'}`,
    streamed,
    gatewayPath: `/v1${routePath}`,
    gatewayBody,
    directPath: family === 'openai' ? `/openai${routePath}` : '/anthropic/messages',
    directBody: family === 'openai' ? gatewayBody : json(MESSAGES),
    family,
    portkeyOffers: route === 'chat' || family === 'openai',
  };
}

/** Both routes on both families, whole and streamed. */
export const SCENARIOS: readonly Scenario[] = [false, true].flatMap((streamed) => [
  scenario('chat', 'openai', streamed),
  scenario('chat', 'anthropic', streamed),
  scenario('responses', 'openai', streamed),
  scenario('responses', 'anthropic', streamed),
]);
