import type { Recording } from './recordings.ts';

// biome-ignore lint/suspicious/noExplicitAny: providers' answers of many shapes are read into here
type Loose = any;

/** What an answer says, whatever the wire format that said it. */
export interface AnswerFacts {
  readonly text: string;
  readonly refusal: string;
  /** Joined thinking, or joined summaries. */
  readonly reasoning: string;
  /** Calls of the client's own tools, in order; `arguments` parsed, or the text of a custom tool. */
  readonly calls: readonly { id: string; name: string; arguments: unknown }[];
  /** The citations in order: the address, and the piece of the text that it stands for. */
  readonly cited: readonly Cited[];
  /** How many hosted searches and page fetches the provider ran. */
  readonly searches: number;
  /** Names of the remote tools that the provider called. */
  readonly remoteCalls: readonly string[];
  readonly finish: 'stop' | 'length' | 'tool_calls' | 'content_filter';
  readonly usage: { input: number; cached: number; output: number; reasoning: number };
}

export interface Cited {
  readonly url: string;
  /** Absent where a client shows the address alone. */
  readonly text?: string;
}

export type RecordedApi = 'messages' | 'chat' | 'responses';

/** What a recording's whole body says. */
export function factsOfBody(api: RecordedApi, body: string): AnswerFacts {
  return READERS[api](JSON.parse(body));
}

/** What a recording's stream says once it is added up. */
export function factsOfEvents(api: RecordedApi, events: Recording['events']): AnswerFacts {
  return READERS[api](FOLDS[api](events.map((event) => JSON.parse(event))));
}

const READERS = { messages: readMessage, chat: readCompletion, responses: readResponse };
const FOLDS = { messages: foldMessage, chat: foldCompletion, responses: lastResponse };

const MESSAGE_FINISHES: Record<string, AnswerFacts['finish']> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  pause_turn: 'length',
};

/** What the client is told of a refusal that the provider does not explain. */
const UNEXPLAINED = 'The model declined to answer.';

function readMessage(message: Loose): AnswerFacts {
  const blocks: Loose[] = message.content;
  const ofType = (type: string) => blocks.filter((block) => block.type === type);
  const { usage, stop_reason, stop_details } = message;
  const cached = usage.cache_read_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? 0;
  return {
    text: ofType('text')
      .map(({ text }) => text)
      .join(''),
    refusal: stop_reason === 'refusal' ? (stop_details?.explanation ?? UNEXPLAINED) : '',
    reasoning: ofType('thinking')
      .map(({ thinking }) => thinking)
      .join(''),
    calls: ofType('tool_use').map(({ id, name, input }) => ({ id, name, arguments: input })),
    cited: citedBlocks(blocks),
    searches: ofType('server_tool_use').filter(({ name }) => name.startsWith('web_')).length,
    remoteCalls: ofType('mcp_tool_use').map(({ name }) => name),
    finish: MESSAGE_FINISHES[stop_reason] ?? 'length',
    usage: {
      input: usage.input_tokens + cached + written,
      cached,
      output: usage.output_tokens,
      reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
    },
  };
}

/** A citation is for its whole block, and names its address or the number of a fetched page. */
function citedBlocks(blocks: readonly Loose[]): Cited[] {
  const fetched = blocks
    .filter(({ type, content }) => type === 'web_fetch_tool_result' && content.url)
    .map(({ content }) => content.url);
  return blocks.flatMap(({ citations, text }) =>
    (citations ?? []).map(({ url, source, document_index }: Loose) => ({
      url: url ?? source ?? fetched[document_index],
      text,
    })),
  );
}

function foldMessage(events: readonly Loose[]): Loose {
  const message: Loose = { content: [] };
  const pieces: string[] = [];
  for (const event of events) {
    if (event.type === 'message_start') Object.assign(message, structuredClone(event.message));
    if (event.type === 'content_block_start') {
      message.content[event.index] = structuredClone(event.content_block);
      pieces[event.index] = '';
    }
    if (event.type === 'content_block_delta') {
      pieces[event.index] += event.delta.partial_json ?? '';
      addBlockDelta(message.content[event.index], event.delta);
    }
    if (event.type === 'message_delta') {
      Object.assign(message, event.delta);
      Object.assign(message.usage, event.usage);
    }
  }
  for (const [index, text] of pieces.entries()) {
    if (text) message.content[index].input = parseOr(text, text);
  }
  return message;
}

function addBlockDelta(block: Loose, delta: Loose): void {
  if (delta.type === 'text_delta') block.text += delta.text;
  if (delta.type === 'thinking_delta') block.thinking += delta.thinking;
  if (delta.type === 'citations_delta') {
    block.citations = [...(block.citations ?? []), delta.citation];
  }
}

/** What a chat completion says, the provider's own or the gateway's. */
export function readCompletion({ choices: [choice], usage }: Loose): AnswerFacts {
  const { message, finish_reason } = choice;
  return {
    text: message.content ?? '',
    refusal: message.refusal ?? '',
    reasoning: message.reasoning ?? '',
    calls: (message.tool_calls ?? []).map((call: Loose) => ({
      id: call.id,
      name: call.function.name,
      arguments: parseOr(call.function.arguments, call.function.arguments),
    })),
    cited: (message.annotations ?? []).map(({ url_citation }: Loose) =>
      citedSpan(message.content, url_citation),
    ),
    searches: 0,
    remoteCalls: [],
    finish: finish_reason,
    usage: {
      input: usage.prompt_tokens,
      cached: usage.prompt_tokens_details.cached_tokens,
      output: usage.completion_tokens,
      reasoning: usage.completion_tokens_details.reasoning_tokens,
    },
  };
}

/** Adds chunks up to a chat completion, reasoning and its details included. */
export function foldCompletion(chunks: readonly Loose[]): Loose {
  const lists = { tool_calls: [], annotations: [], reasoning_details: [] };
  const message: Loose = { role: 'assistant', content: '', refusal: '', reasoning: '', ...lists };
  let finish: string | undefined;
  for (const { delta = {}, finish_reason } of chunks.flatMap(({ choices }) => choices)) {
    message.content += delta.content ?? '';
    message.refusal += delta.refusal ?? '';
    message.reasoning += delta.reasoning ?? '';
    message.annotations.push(...(delta.annotations ?? []));
    message.reasoning_details.push(...(delta.reasoning_details ?? []));
    for (const { index, ...piece } of delta.tool_calls ?? []) {
      const known = message.tool_calls[index];
      if (known) known.function.arguments += piece.function.arguments;
      else message.tool_calls[index] = structuredClone(piece);
    }
    finish = finish_reason ?? finish;
  }
  const usage = chunks.findLast((chunk) => chunk.usage)?.usage;
  return { choices: [{ message, finish_reason: finish }], usage };
}

function lastResponse(events: readonly Loose[]): Loose {
  return events.at(-1)?.response;
}

/** What a response object says, the provider's own or the gateway's. */
export function readResponse({ output, usage, incomplete_details }: Loose): AnswerFacts {
  const items: Loose[] = output;
  const ofType = (...types: string[]) => items.filter(({ type }) => types.includes(type));
  const parts = ofType('message').flatMap(({ content }) => content);
  const calls = ofType('function_call', 'custom_tool_call').map((call) => ({
    id: call.call_id,
    name: call.name,
    arguments: call.input ?? parseOr(call.arguments, call.arguments),
  }));
  const refusal = parts.map(({ refusal: declined = '' }) => declined).join('');
  const reason = refusal === '' ? incomplete_details?.reason : 'content_filter';
  return {
    text: parts.map(({ text = '' }) => text).join(''),
    refusal,
    reasoning: ofType('reasoning')
      .flatMap(({ summary }) => summary)
      .map(({ text }) => text)
      .join(''),
    calls,
    cited: parts.flatMap(({ text, annotations = [] }) =>
      annotations.map((annotation: Loose) => citedSpan(text, annotation)),
    ),
    searches: ofType('web_search_call').length,
    remoteCalls: ofType('mcp_call').map(({ name }) => name),
    finish: responseFinish(reason, calls.length > 0),
    usage: {
      input: usage.input_tokens,
      cached: usage.input_tokens_details.cached_tokens,
      output: usage.output_tokens,
      reasoning: usage.output_tokens_details.reasoning_tokens,
    },
  };
}

function citedSpan(text: string, { url, start_index: start, end_index: end }: Loose): Cited {
  return { url, text: text.slice(start, end) };
}

function responseFinish(reason: string | undefined, hasCalls: boolean): AnswerFacts['finish'] {
  if (reason === undefined) return hasCalls ? 'tool_calls' : 'stop';
  return reason === 'content_filter' ? 'content_filter' : 'length';
}

function parseOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}
