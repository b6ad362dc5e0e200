import type { Texts } from '../describe.ts';
import { OPENAI_ONLY } from './families.ts';
import { SHARED_FIELDS } from './shared.ts';

/** What the schemas of the responses route say, by the name of their component. */
export const RESPONSES_TEXTS: Texts = {
  ResponsesRequest: {
    title: 'Responses request',
    about:
      'Body of `POST /v1/responses`. No other fields are taken: an unknown field is a 400 that names it. For an optional field, an explicit `null` reads as absent.',
    fields: {
      ...SHARED_FIELDS,
      input:
        'What to answer: a text, or the items of the conversation so far, oldest first; at least one. The service stores nothing: send all of it with each request, and the output items of earlier answers as they came.',
      stream_options: 'Settings of the stream. Requires `stream` to be true.',
      'stream_options.include_obfuscation':
        'Whether the provider pads events so that their sizes tell nothing. True only on OpenAI and Azure models. `include_usage` is refused on this route: usage always comes.',
      instructions: 'Instructions for the whole conversation, before all of `input`.',
      max_output_tokens:
        'The most tokens that the answer may have, reasoning included; at most what the model can write. The hold is as large as this allows: a cap makes it smaller. Zero only warms a prompt cache: on Anthropic models, with a `cache_control` marker, without streaming, reasoning, a forced tool or a structured format.',
      max_tool_calls:
        'The most calls of priced hosted tools in one request; at least 1. Left out beside such tools: 50. On Anthropic models it becomes the `max_uses` of the one hosted tool of the request. Function, custom and MCP tools are priced by tokens: with those alone, leave it out.',
      tools:
        'Tools that the model may call: functions and custom tools of the client, remote MCP servers, hosted web search, and web fetch on Anthropic models. An empty list reads as absent.',
      tool_choice:
        'Whether and which tool must be called. `required` needs a tool in `tools`; a named tool must be declared there.',
      reasoning:
        'How the model reasons before it answers. The catalog says which efforts and budgets a model takes; others are a 400.',
      'reasoning.effort':
        'A top-level property of this very name, with a dot in it: the same as `effort` inside `reasoning`. Where both are sent they must be equal.',
      text: 'The form of the answer, and how wordy it should be.',
      truncation:
        '`disabled`, the default, or on OpenAI and Azure models `auto`: whether a conversation that is too long may be cut.',
      include: `What else the answer should have, for example \`reasoning.encrypted_content\`; the values are the provider's own. An empty list reads as absent. ${OPENAI_ONLY}`,
    },
  },
  ResponsesReasoning: {
    title: 'Reasoning (responses)',
    about: 'How the model reasons before it answers.',
    fields: {
      effort:
        'How much the model reasons, for example `low`, `medium` or `high`: the values that the catalog lists for the model, and `none` where reasoning is optional.',
      summary:
        "Whether and how the reasoning is summarised, for example `auto`; the values are the provider's own.",
      generate_summary:
        'Deprecated: the older name of `summary`. Where both are sent they must be equal.',
      max_tokens:
        'Tokens that the model may spend on reasoning, at least 1. Only models whose `reasoning.budget` is set in the catalog take it, within that range, and below the output cap.',
    },
  },
  TextOptions: {
    title: 'Text options',
    about: 'The form of the answer. Further keys are passed to the provider, which judges them.',
    fields: {
      format: 'Plain text, or a JSON Schema that the answer must follow.',
      'format.type': '`text`, `json_schema`, or on OpenAI and Azure models `json_object`.',
      'format.name': 'Name of the schema.',
      'format.schema':
        'A JSON Schema. Keywords that Anthropic models cannot be held to are refused there.',
      'format.strict': 'Whether the provider must hold the answer to the schema exactly.',
      verbosity:
        'How wordy the answer should be, for example `low`, `medium` or `high`. Only models whose `capabilities.verbosity` is true in the catalog take it.',
    },
  },
};
