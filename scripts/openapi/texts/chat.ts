import type { Texts } from '../describe.ts';
import { ANTHROPIC_ONLY, OPENAI_ONLY } from './families.ts';
import { SHARED_FIELDS } from './shared.ts';

const ZERO_CAP =
  'Zero only warms a prompt cache: on Anthropic models, with a `cache_control` marker, without streaming, reasoning, a forced tool or a structured format.';

const TEXT_CONTENT =
  'Text, or a list of text blocks. Images, audio and files are refused: the service is text-only.';
const NAME = 'Name of the participant, to tell several of one role apart.';

/** What the schemas of the chat route say, by the name of their component. */
export const CHAT_TEXTS: Texts = {
  ChatCompletionRequest: {
    title: 'Chat completion request',
    about:
      'Body of `POST /v1/chat/completions`. No other fields are taken: an unknown field is a 400 that names it. For an optional field, an explicit `null` reads as absent.',
    fields: {
      ...SHARED_FIELDS,
      messages:
        'The conversation so far, oldest message first; at least one. Text only. The service stores nothing: send all of it with each request.',
      stream_options: 'Settings of the stream. Requires `stream` to be true.',
      'stream_options.include_usage':
        'Accepted and always read as true: every stream ends with the usage. `include_obfuscation` is refused on this route.',
      max_tokens: `Older name of \`max_completion_tokens\`, with the same meaning; where both are sent they must be equal. ${ZERO_CAP}`,
      max_completion_tokens: `The most tokens that the answer may have, reasoning included; at most what the model can write. The hold is as large as this allows: a cap makes it smaller. ${ZERO_CAP}`,
      n: 'How many answers to make: 1, or left out. Larger values are refused.',
      stop: "A text, or a list of texts, at which the model stops. How many there may be is the provider's own limit. Not together with `stop_sequences`.",
      seed: 'Asks for the same answer to the same request, as well as the provider can. Anthropic models have no such setting: there it is left aside.',
      logit_bias: `Changes the probability of tokens: from token IDs to numbers. ${OPENAI_ONLY}`,
      logprobs: `Whether to report the log probability of each token. ${OPENAI_ONLY}`,
      prediction: `Text of which much is expected to come back unchanged, so that it comes faster. ${OPENAI_ONLY} Of those, only models whose \`capabilities.prediction\` is true in the catalog take it.`,
      'prediction.type': 'The kind of prediction: always `content`.',
      'prediction.content': 'The expected text, or a list of text blocks.',
      tools:
        'Tools that the model may call. Function tools for every model that has them; custom tools on OpenAI and Azure models; `mcp_toolset`, each paired with one entry of `mcp_servers`, on Anthropic models. An empty list reads as absent. Hosted tools of other kinds are refused.',
      tool_choice:
        'Whether and which tool must be called. `required` needs a tool in `tools`; a named tool must be declared there.',
      mcp_servers: `Remote MCP servers whose tools the provider may call. Names are unique, and each server is paired with exactly one \`mcp_toolset\` entry of \`tools\`. ${ANTHROPIC_ONLY} Those have \`mcp\` tools on \`POST /v1/responses\`. An empty list reads as absent.`,
      response_format:
        'The form of the answer. `json_schema` needs a model with structured outputs; `json_object` is taken by OpenAI and Azure models only.',
      reasoning:
        'How the model reasons before it answers. The catalog says which efforts and budgets a model takes; others are a 400. Settings that contradict each other are refused.',
      reasoning_effort: 'Shortcut for `reasoning.effort`. Where both are sent they must be equal.',
      reasoning_max_tokens:
        'Shortcut for `reasoning.max_tokens`; at least 1. Where both are sent they must be equal.',
      reasoning_display:
        'Shortcut for `reasoning.display`. Where both are sent they must be equal. Anthropic models only.',
      verbosity:
        'How wordy the answer should be, for example `low`, `medium` or `high`. Only models whose `capabilities.verbosity` is true in the catalog take it.',
      modalities: 'Kinds of output: exactly `["text"]`. The service is text-only.',
      web_search_options:
        "Lets the model search the web: on OpenAI's search models, and on Anthropic models with web search, where it becomes the hosted search tool with at most 50 searches (10 with a low context size). Searches are priced by the call.",
    },
  },
  ChatMessage: {
    title: 'Chat message',
    about: 'One message of the conversation. Its role decides which fields it has. Text only.',
  },
  SystemMessage: {
    title: 'System message',
    about: 'Instructions for the whole conversation.',
    fields: { role: 'Always `system`.', content: TEXT_CONTENT, name: NAME },
  },
  DeveloperMessage: {
    title: 'Developer message',
    about: 'Instructions of the developer; the newer name of a system message.',
    fields: { role: 'Always `developer`.', content: TEXT_CONTENT, name: NAME },
  },
  UserMessage: {
    title: 'User message',
    about: 'What the user says.',
    fields: { role: 'Always `user`.', content: TEXT_CONTENT, name: NAME },
  },
  AssistantMessage: {
    title: 'Assistant message',
    about:
      'What the model said in an earlier turn. Send it back as it came: reasoning and tool calls keep their place.',
    fields: {
      role: 'Always `assistant`.',
      content: `${TEXT_CONTENT} May be left out beside tool calls.`,
      name: NAME,
      refusal: 'The text by which the model declined.',
      reasoning:
        'The reasoning in plain text. Says nothing to a provider by itself: `reasoning_details` carries it.',
      reasoning_details:
        'Reasoning blocks as they came. Anthropic models need them, signatures included, in turns that use tools.',
      annotations: 'Sources that the answer cites, as they came.',
      tool_calls: 'Tools that the model called. Each call is answered by one tool message.',
    },
  },
  ToolMessage: {
    title: 'Tool message',
    about: 'The result of one tool call of the assistant message before it.',
    fields: {
      role: 'Always `tool`.',
      content: TEXT_CONTENT,
      tool_call_id: 'ID of the tool call that this message answers.',
      name: 'Name of the tool.',
    },
  },
  ChatTextBlock: {
    title: 'Text block',
    about: 'A piece of text: the only kind of content that the service takes.',
    fields: {
      type: 'Always `text`.',
      text: 'The text.',
      cache_control: `Caches the prompt up to the end of this block. ${ANTHROPIC_ONLY}`,
    },
  },
  ChatToolCall: {
    title: 'Tool call',
    about: 'A call that the model made to a tool of the client.',
  },
  ChatFunctionCall: {
    title: 'Function call',
    about: 'A call of a function tool.',
    fields: {
      id: 'ID of the call, which its result repeats.',
      type: 'Always `function`.',
      function: 'The function and its arguments.',
      'function.name': 'Name of the function.',
      'function.arguments':
        'The arguments as a JSON text, as the model wrote it. Anthropic models need a JSON object.',
    },
  },
  ChatCustomCall: {
    title: 'Custom tool call',
    about: 'A call of a custom tool. OpenAI and Azure models only.',
    fields: {
      id: 'ID of the call, which its result repeats.',
      type: 'Always `custom`.',
      custom: 'The tool and its input.',
      'custom.name': 'Name of the tool.',
      'custom.input': 'The input as free text.',
    },
  },
  ChatReasoning: {
    title: 'Reasoning (chat)',
    about:
      'How the model reasons before it answers. An effort of `none` and `enabled: false` both switch it off, where the model allows that.',
    fields: {
      enabled:
        'False switches reasoning off; true asks for it. It must not contradict the other settings.',
      effort:
        'How much the model reasons, for example `low`, `medium` or `high`: the values that the catalog lists for the model, and `none` where reasoning is optional.',
      display:
        "Whether the reasoning is shown; the values are the provider's own, for example `summarized` or `omitted`. Anthropic models only.",
      max_tokens:
        'Tokens that the model may spend on reasoning, at least 1. Only models whose `reasoning.budget` is set in the catalog take it, within that range, and below the output cap.',
    },
  },
  ResponseFormat: {
    title: 'Response format',
    about: 'The form of the answer. Further keys are passed to the provider, which judges them.',
    fields: {
      type: '`text`, `json_schema`, or on OpenAI and Azure models `json_object`.',
      json_schema: 'The schema that the answer must follow, for the type `json_schema`.',
      'json_schema.name': 'Name of the schema.',
      'json_schema.schema':
        'A JSON Schema. Keywords that Anthropic models cannot be held to are refused there.',
      'json_schema.strict': 'Whether the provider must hold the answer to the schema exactly.',
    },
  },
  WebSearchOptions: {
    title: 'Web search options',
    about: 'How the model searches the web.',
    fields: {
      search_context_size:
        'How much of what the searches find is given to the model: `low`, `medium` (the default) or `high`.',
      user_location: 'Roughly where the user is, so that results fit the place.',
      'user_location.type': 'Always `approximate`.',
      'user_location.approximate': 'The place.',
      'user_location.approximate.city': 'City, for example `Bern`.',
      'user_location.approximate.country':
        'Two-letter country code of ISO 3166-1, for example `CH`.',
      'user_location.approximate.region': 'Region, for example `Bern`.',
      'user_location.approximate.timezone': 'IANA time zone, for example `Europe/Zurich`.',
    },
  },
};
