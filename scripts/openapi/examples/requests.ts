/** A request body to copy, by a name that says what it shows. */
export interface RequestExample {
  readonly summary: string;
  readonly value: Readonly<Record<string, unknown>>;
}
type Examples = Readonly<Record<string, RequestExample>>;

const WEATHER_PARAMETERS = {
  type: 'object',
  properties: { city: { type: 'string', description: 'Name of the city' } },
  required: ['city'],
  additionalProperties: false,
};
const CITY_SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' }, country: { type: 'string' } },
  required: ['city', 'country'],
  additionalProperties: false,
};
const HELLO = { role: 'user', content: 'Say hello.' };
const WEATHER = { role: 'user', content: 'What is the weather in Bern?' };
const CHAT_WEATHER_TOOL = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Current weather of a city',
    parameters: WEATHER_PARAMETERS,
    strict: true,
  },
};
const WEATHER_TOOL = {
  type: 'function',
  name: 'get_weather',
  description: 'Current weather of a city',
  parameters: WEATHER_PARAMETERS,
  strict: true,
};
const CALL = { name: 'get_weather', arguments: '{"city":"Bern"}' };

/** Bodies of `POST /v1/chat/completions`. */
export const CHAT_REQUESTS: Examples = {
  text: { summary: 'A text', value: { model: 'gpt-5.6-sol', messages: [HELLO] } },
  stream: {
    summary: 'A stream',
    value: { model: 'claude-sonnet-5', stream: true, messages: [HELLO] },
  },
  tools: {
    summary: 'A function to call',
    value: { model: 'claude-sonnet-5', messages: [WEATHER], tools: [CHAT_WEATHER_TOOL] },
  },
  'tool-result': {
    summary: "The function's result, in the next turn",
    value: {
      model: 'gpt-5.6-sol',
      messages: [
        WEATHER,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: CALL }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '{"celsius":21}' },
      ],
      tools: [CHAT_WEATHER_TOOL],
    },
  },
  schema: {
    summary: 'Structured output',
    value: {
      model: 'gpt-5.6-sol',
      messages: [{ role: 'user', content: 'Which city hosts the Federal Palace of Switzerland?' }],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'city', strict: true, schema: CITY_SCHEMA },
      },
    },
  },
  reasoning: {
    summary: 'Reasoning, with a cap on the output',
    value: {
      model: 'claude-opus-5',
      messages: [{ role: 'user', content: 'How many primes are below 100?' }],
      reasoning: { effort: 'high', display: 'summarized' },
      max_completion_tokens: 8_000,
    },
  },
  routing: {
    summary: 'A choice of providers, with labels for the ledger',
    value: {
      model: 'gpt-5.6-sol',
      messages: [HELLO],
      provider: { only: ['azure', 'openai'], order: ['azure'] },
      metadata: { team: 'search', cost_centre: '4711' },
    },
  },
  caching: {
    summary: 'A cached prompt prefix (Anthropic models)',
    value: {
      model: 'claude-sonnet-5',
      messages: [
        {
          role: 'system',
          content: [
            {
              type: 'text',
              text: 'A long handbook, the same in every request.',
              cache_control: { type: 'ephemeral', ttl: '1h' },
            },
          ],
        },
        HELLO,
      ],
    },
  },
};

/** Bodies of `POST /v1/responses`. */
export const RESPONSES_REQUESTS: Examples = {
  text: { summary: 'A text', value: { model: 'gpt-5.6-sol', input: 'Say hello.' } },
  stream: {
    summary: 'A stream',
    value: { model: 'claude-sonnet-5', stream: true, input: 'Say hello.' },
  },
  tools: {
    summary: 'A function to call',
    value: { model: 'claude-sonnet-5', input: [WEATHER], tools: [WEATHER_TOOL] },
  },
  'tool-result': {
    summary: "The function's result, in the next turn",
    value: {
      model: 'gpt-5.6-sol',
      input: [
        WEATHER,
        { type: 'function_call', call_id: 'call_1', ...CALL },
        { type: 'function_call_output', call_id: 'call_1', output: '{"celsius":21}' },
      ],
      tools: [WEATHER_TOOL],
    },
  },
  schema: {
    summary: 'Structured output',
    value: {
      model: 'gpt-5.6-sol',
      input: 'Which city hosts the Federal Palace of Switzerland?',
      text: { format: { type: 'json_schema', name: 'city', strict: true, schema: CITY_SCHEMA } },
    },
  },
  search: {
    summary: 'Web search, at most three calls',
    value: {
      model: 'claude-sonnet-5',
      input: 'What happened in Bern today?',
      tools: [
        { type: 'web_search', user_location: { type: 'approximate', city: 'Bern', country: 'CH' } },
      ],
      max_tool_calls: 3,
    },
  },
  mcp: {
    summary: 'A remote MCP server',
    value: {
      model: 'gpt-5.6-sol',
      input: 'What does the handbook say of holidays?',
      tools: [
        {
          type: 'mcp',
          server_label: 'handbook',
          server_url: 'https://mcp.example.com/sse',
          allowed_tools: ['read'],
          require_approval: 'never',
        },
      ],
    },
  },
  reasoning: {
    summary: 'Reasoning, with a summary and a cap on the output',
    value: {
      model: 'gpt-5.6-sol',
      input: 'How many primes are below 100?',
      reasoning: { effort: 'high', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      max_output_tokens: 8_000,
    },
  },
};
