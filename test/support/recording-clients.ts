import { createOpenAI, type OpenAIProvider } from '@ai-sdk/openai';
import { generateText, jsonSchema, streamText, type ToolSet, tool } from 'ai';
import OpenAI from 'openai';
import {
  type AnswerFacts,
  type Cited,
  foldCompletion,
  readCompletion,
  readResponse,
} from './recording-facts.ts';

// biome-ignore lint/suspicious/noExplicitAny: clients' answers of many shapes are read into here
type Loose = any;

/** What a request must declare so that the recorded answer can come. */
export interface Declared {
  readonly functions: readonly string[];
  readonly customTools: readonly string[];
  readonly search: boolean;
  readonly remote: readonly string[];
}

export interface Asking {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly model: string;
  readonly stream: boolean;
  readonly declared: Declared;
}

export type Ask = (asking: Asking) => Promise<AnswerFacts>;

const PROMPT = 'Please go on.';
const PARAMETERS = { type: 'object' as const, properties: {} };
const SERVER = { name: 'tools', url: 'https://mcp.example/sse' };

/** Every client that the answers are shown to, by route. */
export const CLIENTS: Readonly<
  Record<'chat' | 'responses', Readonly<Record<'openai' | 'ai-sdk', Ask>>>
> = {
  chat: { openai: askOpenaiChat, 'ai-sdk': askAiSdkChat },
  responses: { openai: askOpenaiResponses, 'ai-sdk': askAiSdkResponses },
};

/**
 * The AI SDK sends whole items, and not references to stored ones, only with `store: false`; the
 * service stores nothing in any case and refuses the field (2.7), so it is taken out on the way.
 */
export const withoutStore: typeof fetch = (url, init) => {
  if (typeof init?.body !== 'string') return fetch(url, init);
  const { store: _store, ...body } = JSON.parse(init.body);
  return fetch(url, { ...init, body: JSON.stringify(body) });
};

function openaiClient({ baseURL, apiKey }: Asking): OpenAI {
  return new OpenAI({ baseURL, apiKey, maxRetries: 0 });
}

/** Fields of the chat route that no client's types know: hosted search and remote tools. */
export function hostedChatFields({ search, remote }: Declared): Loose {
  return {
    ...(search && { web_search_options: {} }),
    ...(remote.length > 0 && { mcp_servers: [{ type: 'url', ...SERVER }] }),
  };
}

/** The tools of a request on the chat route. */
export function chatTools({ functions, remote }: Declared): Loose[] {
  return [
    ...functions.map((name) => ({ type: 'function', function: { name, parameters: PARAMETERS } })),
    ...(remote.length > 0 ? [{ type: 'mcp_toolset', mcp_server_name: SERVER.name }] : []),
  ];
}

async function askOpenaiChat(asking: Asking): Promise<AnswerFacts> {
  const { model, declared, stream } = asking;
  const client = openaiClient(asking);
  const tools = chatTools(declared);
  const body = {
    model,
    messages: [{ role: 'user' as const, content: PROMPT }],
    ...(tools.length > 0 && { tools }),
    ...hostedChatFields(declared),
  };
  if (!stream) return readCompletion(await client.chat.completions.create(body));
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  const runner = client.chat.completions.stream(body);
  for await (const chunk of runner) chunks.push(chunk);
  const completion = foldCompletion(chunks);
  const [{ finish_reason: finish, message }] = completion.choices;
  // The client's own sum throws, by design, where the answer was cut off or filtered.
  if (finish === 'stop' || finish === 'tool_calls') {
    const [choice] = (await runner.finalChatCompletion()).choices;
    const seen = {
      content: choice?.message.content ?? '',
      calls: choice?.message.tool_calls ?? [],
    };
    const added = seen.calls.map((call) => 'function' in call && call.function.arguments);
    const expected = message.tool_calls.map((call: Loose) => call.function.arguments);
    if (seen.content !== message.content || `${added}` !== `${expected}`) {
      throw new Error('the client adds the chunks up to something else');
    }
  }
  return readCompletion(completion);
}

/** The tools of a request on the responses route. */
export function responsesTools({ functions, customTools, search, remote }: Declared): Loose[] {
  return [
    ...functions.map((name) => ({
      type: 'function',
      name,
      parameters: PARAMETERS,
      strict: false,
    })),
    ...customTools.map((name) => ({ type: 'custom', name })),
    ...(search ? [{ type: 'web_search' }] : []),
    ...(remote.length > 0
      ? [
          {
            type: 'mcp',
            server_label: SERVER.name,
            server_url: SERVER.url,
            allowed_tools: remote,
            require_approval: 'never',
          },
        ]
      : []),
  ];
}

async function askOpenaiResponses(asking: Asking): Promise<AnswerFacts> {
  const { model, declared, stream } = asking;
  const client = openaiClient(asking);
  const tools = responsesTools(declared);
  const body = { model, input: PROMPT, ...(tools.length > 0 && { tools }) };
  const response = stream
    ? await client.responses.stream(body).finalResponse()
    : await client.responses.create(body);
  return readResponse(response);
}

function aiSdk({ baseURL, apiKey }: Asking, change?: (body: Loose) => Loose): OpenAIProvider {
  const send: typeof fetch = (url, init) => {
    if (!change || typeof init?.body !== 'string') return fetch(url, init);
    return fetch(url, { ...init, body: JSON.stringify(change(JSON.parse(init.body))) });
  };
  return createOpenAI({ baseURL, apiKey, fetch: send });
}

function functionTools({ functions }: Declared): ToolSet {
  const declare = (name: string) => [name, tool({ inputSchema: jsonSchema(PARAMETERS) })];
  return Object.fromEntries(functions.map(declare));
}

function askAiSdkChat(asking: Asking): Promise<AnswerFacts> {
  const { declared, model } = asking;
  // The SDK's chat model knows no hosted tools: they are put into the body on the way.
  const hosted = hostedChatFields(declared);
  const remote = chatTools({ ...declared, functions: [] });
  const provider = aiSdk(asking, (body) => ({
    ...body,
    ...hosted,
    ...(remote.length > 0 && { tools: [...(body.tools ?? []), ...remote] }),
  }));
  return askAiSdk(asking, provider.chat(model), functionTools(declared));
}

function askAiSdkResponses(asking: Asking): Promise<AnswerFacts> {
  const { declared, model } = asking;
  const provider = aiSdk(asking);
  const { webSearch, mcp, customTool } = provider.tools;
  const tools: ToolSet = functionTools(declared);
  for (const name of declared.customTools) tools[name] = customTool({});
  if (declared.search) tools.web_search = webSearch({});
  if (declared.remote.length > 0) {
    tools.mcp = mcp({
      serverLabel: SERVER.name,
      serverUrl: SERVER.url,
      allowedTools: [...declared.remote],
      requireApproval: 'never',
    });
  }
  return askAiSdk(asking, provider.responses(model), tools);
}

async function askAiSdk(
  { stream }: Asking,
  model: Parameters<typeof generateText>[0]['model'],
  tools: ToolSet,
): Promise<AnswerFacts> {
  const options = {
    model,
    prompt: PROMPT,
    tools,
    maxRetries: 0,
    // `include` is a field of the OpenAI family alone (2.7).
    providerOptions: { openai: { includeWebSearchSources: false } },
  };
  if (!stream) {
    const { content, finishReason, totalUsage } = await generateText(options);
    return aiSdkFacts(content, finishReason, totalUsage);
  }
  const errors: unknown[] = [];
  const result = streamText({ ...options, onError: ({ error }) => void errors.push(error) });
  let streamed = '';
  for await (const part of result.stream) {
    if (part.type === 'error') errors.push(part.error);
    if (part.type === 'text-delta') streamed += part.text;
  }
  if (errors.length > 0) throw errors[0];
  const facts = aiSdkFacts(
    await result.content,
    await result.finishReason,
    await result.totalUsage,
  );
  if (facts.text !== streamed) throw new Error('the deltas add up to another text');
  return facts;
}

function aiSdkFacts(content: readonly Loose[], finish: string, usage: Loose): AnswerFacts {
  const ofType = (type: string) => content.filter((part) => part.type === type);
  const texts = (type: string) =>
    ofType(type)
      .map(({ text }) => text)
      .join('');
  const called = ofType('tool-call').filter((call) => !call.providerExecuted);
  const hosted = ofType('tool-call').filter((call) => call.providerExecuted);
  return {
    text: texts('text'),
    refusal: '',
    reasoning: texts('reasoning'),
    calls: called.map((call) => ({
      id: call.toolCallId,
      name: call.toolName,
      arguments: call.input,
    })),
    cited: citedAddresses(content),
    searches: hosted.filter(({ toolName }) => toolName === 'web_search').length,
    remoteCalls: hosted
      .filter(({ toolName }) => toolName.startsWith('mcp.'))
      .map(({ toolName }) => toolName.slice('mcp.'.length)),
    finish: FINISHES[finish] ?? 'length',
    usage: {
      input: usage.inputTokens,
      cached: usage.inputTokenDetails.cacheReadTokens,
      output: usage.outputTokens,
      reasoning: usage.outputTokenDetails.reasoningTokens,
    },
  };
}

/** The responses model keeps citations on their texts, the chat model as sources of their own. */
function citedAddresses(content: readonly Loose[]): Cited[] {
  const onTexts = content
    .filter(({ type }) => type === 'text')
    .flatMap(({ providerMetadata }) => providerMetadata?.openai?.annotations ?? []);
  const sources = content.filter(({ type }) => type === 'source');
  return (onTexts.length > 0 ? onTexts : sources).map(({ url }) => ({ url }));
}

/** What the SDK does not know (`other`) is at least no natural stop. */
const FINISHES: Readonly<Record<string, AnswerFacts['finish']>> = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
};
