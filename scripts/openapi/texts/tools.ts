import type { Texts } from '../describe.ts';
import { ANTHROPIC_ONLY, OPENAI_ONLY } from './families.ts';

const CACHE = `Caches the prompt up to the end of this tool. ${ANTHROPIC_ONLY}`;
const DESCRIPTION = 'What the tool does and when to use it, for the model to read.';
const PARAMETERS = 'A JSON Schema of the arguments. Left out: the function takes none.';
const STRICT = 'Whether the provider must hold the arguments to the schema exactly.';
const FORMAT = "How the input must look; the provider's own grammar formats.";
const DOMAINS = {
  allowed_domains: "Only these domains are searched. The provider's own limits apply.",
  blocked_domains: "These domains are left out. The provider's own limits apply.",
};
const MAX_USES = `The most calls that the tool may make in one request; at least 1. ${ANTHROPIC_ONLY} Those have \`max_tool_calls\`.`;
const SEARCH_TYPE =
  '`web_search`, or the name of one of its versions. The names with a date of eight digits are for Anthropic models, those with `preview` or dashes for OpenAI.';
const FETCH_TYPE = '`web_fetch`, or the name of one of its versions.';

/** What the schemas of tools say, by the name of their component. */
export const TOOL_TEXTS: Texts = {
  ChatTool: { title: 'Tool (chat)', about: 'A tool of a chat completion request.' },
  ChatFunctionTool: {
    title: 'Function tool (chat)',
    about: 'A function of the client, which runs it and sends the result in a tool message.',
    fields: {
      type: 'Always `function`.',
      function: 'The function.',
      'function.name': 'Name of the function; not empty.',
      'function.description': DESCRIPTION,
      'function.parameters': PARAMETERS,
      'function.strict': STRICT,
      cache_control: CACHE,
    },
  },
  ChatCustomTool: {
    title: 'Custom tool (chat)',
    about: `A tool that takes free text. ${OPENAI_ONLY}`,
    fields: {
      type: 'Always `custom`.',
      custom: 'The tool.',
      'custom.name': 'Name of the tool; not empty.',
      'custom.description': DESCRIPTION,
      'custom.format': FORMAT,
      cache_control: CACHE,
    },
  },
  McpToolset: {
    title: 'MCP toolset',
    about: `The tools of one entry of \`mcp_servers\`. The two come in pairs, each name once. ${ANTHROPIC_ONLY}`,
    fields: {
      type: 'Always `mcp_toolset`.',
      mcp_server_name: 'Name of the entry of `mcp_servers`; no other toolset names it.',
      default_config: "Settings of every tool of the server; the provider's own.",
      configs: "Settings of single tools by name; the provider's own.",
      cache_control: CACHE,
    },
  },
  McpServer: {
    title: 'MCP server',
    about: `A remote MCP server that the provider calls. ${ANTHROPIC_ONLY}`,
    fields: {
      type: 'Always `url`.',
      url: 'Address of the server; HTTPS only.',
      name: 'Name of the server; unique within the request, and named by one `mcp_toolset`.',
      authorization_token:
        'Credential for the server. Sent to the provider, and redacted wherever the gateway shows the request.',
    },
  },
  ChatToolChoice: {
    title: 'Tool choice (chat)',
    about:
      '`auto`: the model decides; `none`: no tool; `required`: some tool; or one declared function or custom tool.',
    fields: {
      type: 'Kind of the tool.',
      function: 'The function to call.',
      'function.name': 'Its name, as declared in `tools`.',
      custom: 'The custom tool to call.',
      'custom.name': 'Its name, as declared in `tools`.',
    },
  },
  ResponsesTool: {
    title: 'Tool (responses)',
    about:
      'A tool of a responses request. Other hosted tools (file search, code interpreter, computer use, image generation, shell) are refused.',
  },
  FunctionTool: {
    title: 'Function tool',
    about:
      'A function of the client, which runs it and sends the result as a `function_call_output` item.',
    fields: {
      type: 'Always `function`.',
      name: 'Name of the function; not empty.',
      description: DESCRIPTION,
      parameters: PARAMETERS,
      strict: STRICT,
      cache_control: CACHE,
    },
  },
  CustomTool: {
    title: 'Custom tool',
    about: `A tool that takes free text. ${OPENAI_ONLY}`,
    fields: {
      type: 'Always `custom`.',
      name: 'Name of the tool; not empty.',
      description: DESCRIPTION,
      format: FORMAT,
      cache_control: CACHE,
    },
  },
  WebSearchTool: {
    title: 'Web search tool',
    about:
      "The provider's hosted web search, priced by the call: at most `max_tool_calls` calls, or 50 where the request names no cap. OpenAI and Anthropic models with `capabilities.webSearch` in the catalog; Azure has none. Once a request on Anthropic models.",
    fields: {
      type: SEARCH_TYPE,
      search_context_size:
        'How much of what the searches find is given to the model: `low`, `medium` (the default) or `high`. `low` also lowers the default cap of Anthropic models to 10 searches.',
      user_location: 'Roughly where the user is, so that results fit the place.',
      'user_location.type': 'Always `approximate`.',
      'user_location.city': 'City, for example `Bern`.',
      'user_location.country': 'Two-letter country code of ISO 3166-1, for example `CH`.',
      'user_location.region': 'Region, for example `Bern`.',
      'user_location.timezone': 'IANA time zone, for example `Europe/Zurich`.',
      filters: 'Which domains are searched.',
      'filters.allowed_domains': DOMAINS.allowed_domains,
      'filters.blocked_domains': DOMAINS.blocked_domains,
      external_web_access: 'False: only what the provider has indexed is read. An OpenAI setting.',
      name: "The tool's name on Anthropic models: always `web_search`.",
      ...DOMAINS,
      max_uses: MAX_USES,
      cache_control: CACHE,
    },
  },
  WebFetchTool: {
    title: 'Web fetch tool',
    about: `The provider's hosted fetching of web pages, priced by the tokens that it brings. Once a request. ${ANTHROPIC_ONLY}`,
    fields: {
      type: FETCH_TYPE,
      name: "The tool's name: always `web_fetch`.",
      ...DOMAINS,
      max_uses: 'The most pages that may be fetched in one request; at least 1.',
      max_content_tokens: 'The most tokens of one page that are read; at least 1.',
      citations: 'Whether the answer cites the pages.',
      'citations.enabled': 'True: it does.',
      cache_control: CACHE,
    },
  },
  McpTool: {
    title: 'Remote MCP tool',
    about:
      'A remote MCP server whose tools the provider calls. The tools must be narrowed by name, and calls run without approval. Priced by tokens.',
    fields: {
      type: 'Always `mcp`.',
      server_label: 'Name of the server; unique within the request.',
      server_url: 'Address of the server; HTTPS only. Connectors and tunnels are refused.',
      server_description: 'What the server offers, for the model to read.',
      authorization:
        'Credential for the server. Sent to the provider, never repeated in an answer.',
      headers:
        'Further headers for the server. Never repeated in an answer. OpenAI and Azure models only.',
      allowed_tools:
        'The tools that may be called: a list of names, or an object with `tool_names`; at least one.',
      'allowed_tools.tool_names': 'Names of the tools; at least one.',
      require_approval: 'Always `never`: nothing is stored that an approval could continue.',
      cache_control: CACHE,
    },
  },
  ResponsesToolChoice: {
    title: 'Tool choice (responses)',
    about:
      '`auto`: the model decides; `none`: no tool; `required`: some tool; or one declared tool by type and name.',
    fields: {
      type: 'Kind of the tool, as declared in `tools`.',
      name: 'Name of the tool, as declared in `tools`.',
      server_label: 'Label of the MCP server, as declared in `tools`.',
    },
  },
};
