import type { ScriptedAnswer } from './scripted-upstream.ts';

/** What a scripted provider says in one turn: a text, or a call of a function tool. */
export type Turn =
  | { readonly text: string }
  | { readonly call: { readonly id: string; readonly name: string; readonly arguments: string } };

/** Tokens as the provider reports them; `input` includes what was read from its cache. */
export interface Counted {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export interface AnswerOptions {
  readonly turn: Turn;
  readonly counted: Counted;
  readonly stream: boolean;
}

/** A text in pieces that end within words and characters' neighbours, as providers stream them. */
function pieces(text: string): string[] {
  return text.match(/.{1,4}/gsu) ?? [];
}

const CHAT_BASE = {
  id: 'chatcmpl-scripted',
  created: 1_790_000_000,
  model: 'gpt-5.6-sol',
  service_tier: 'default',
};

/** The answer of OpenAI's or Azure's chat completions. */
export function chatAnswer({ turn, counted, stream }: AnswerOptions): ScriptedAnswer {
  const usage = chatUsage(counted);
  const finish = 'call' in turn ? 'tool_calls' : 'stop';
  if (!stream) {
    const choices = [
      { index: 0, message: chatMessage(turn), logprobs: null, finish_reason: finish },
    ];
    return { json: { ...CHAT_BASE, object: 'chat.completion', choices, usage } };
  }
  const content = 'text' in turn ? '' : null;
  return {
    sse: 'openai',
    events: [
      chatChunk({ role: 'assistant', content, refusal: null }),
      ...chatDeltas(turn).map((delta) => chatChunk(delta)),
      chatChunk({}, finish),
      { ...CHAT_BASE, object: 'chat.completion.chunk', choices: [], usage },
      '[DONE]',
    ],
  };
}

function chatUsage({ input, cached, output }: Counted) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
}

function chatMessage(turn: Turn) {
  const message = { role: 'assistant', content: null, refusal: null };
  if ('text' in turn) return { ...message, content: turn.text };
  const { id, ...called } = turn.call;
  return { ...message, tool_calls: [{ id, type: 'function', function: called }] };
}

function chatChunk(delta: object, finishReason: string | null = null) {
  return {
    ...CHAT_BASE,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    usage: null,
  };
}

/** The text in pieces, or the call: named first, its arguments in pieces. */
function chatDeltas(turn: Turn): object[] {
  if ('text' in turn) return pieces(turn.text).map((content) => ({ content }));
  const { id, name, arguments: text } = turn.call;
  const opening = { index: 0, id, type: 'function', function: { name, arguments: '' } };
  return [
    { tool_calls: [opening] },
    ...pieces(text).map((part) => ({
      tool_calls: [{ index: 0, function: { arguments: part } }],
    })),
  ];
}

/** The answer of OpenAI's or Azure's responses. */
export function responsesAnswer({ turn, counted, stream }: AnswerOptions): ScriptedAnswer {
  const item = responsesItem(turn);
  const completed = { ...responseObject('completed', [item]), usage: responsesUsage(counted) };
  if (!stream) return { json: completed };
  const begun = responseObject('in_progress', []);
  const empty = 'text' in turn ? { content: [] } : { arguments: '' };
  const events = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, status: 'in_progress', ...empty },
    },
    ...itemEvents(turn, { item_id: item.id, output_index: 0 }),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: completed },
  ];
  return {
    sse: 'openai',
    events: events.map((event, sequence) => ({ ...event, sequence_number: sequence })),
  };
}

function responsesUsage({ input, cached, output }: Counted) {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}

function textPart(text: string) {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function responsesItem(turn: Turn) {
  if ('text' in turn) {
    const content = [textPart(turn.text)];
    return { id: 'msg_scripted', type: 'message', status: 'completed', role: 'assistant', content };
  }
  const { id: call_id, ...called } = turn.call;
  return { id: 'fc_scripted', type: 'function_call', status: 'completed', call_id, ...called };
}

function responseObject(status: string, output: readonly object[]) {
  return {
    id: 'resp_scripted',
    object: 'response',
    created_at: 1_790_000_000,
    status,
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    model: 'gpt-5.6-sol',
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: 'none', summary: null },
    service_tier: 'default',
    store: false,
    temperature: 1,
    text: { format: { type: 'text' }, verbosity: 'medium' },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: null,
    user: null,
    metadata: {},
  };
}

function itemEvents(turn: Turn, place: object): object[] {
  if ('call' in turn) return callEvents(turn.call, place);
  const { text } = turn;
  const at = { ...place, content_index: 0 };
  return [
    { type: 'response.content_part.added', ...at, part: textPart('') },
    ...pieces(text).map((delta) => ({
      type: 'response.output_text.delta',
      ...at,
      delta,
      logprobs: [],
    })),
    { type: 'response.output_text.done', ...at, text, logprobs: [] },
    { type: 'response.content_part.done', ...at, part: textPart(text) },
  ];
}

function callEvents({ name, arguments: text }: { name: string; arguments: string }, place: object) {
  const type = 'response.function_call_arguments';
  return [
    ...pieces(text).map((delta) => ({ type: `${type}.delta`, ...place, delta })),
    { type: `${type}.done`, ...place, name, arguments: text },
  ];
}

/** The answer of Anthropic's messages. */
export function messagesAnswer({ turn, counted, stream }: AnswerOptions): ScriptedAnswer {
  const usage = {
    input_tokens: counted.input - counted.cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: counted.cached,
    output_tokens: counted.output,
  };
  const base = {
    id: 'msg_scripted',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-5',
    stop_sequence: null,
  };
  const stopReason = 'text' in turn ? 'end_turn' : 'tool_use';
  if (!stream) {
    const block =
      'text' in turn
        ? { type: 'text', text: turn.text }
        : {
            type: 'tool_use',
            id: turn.call.id,
            name: turn.call.name,
            input: JSON.parse(turn.call.arguments),
          };
    return { json: { ...base, content: [block], stop_reason: stopReason, usage } };
  }
  const start =
    'text' in turn
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: turn.call.id, name: turn.call.name, input: {} };
  const deltas =
    'text' in turn
      ? pieces(turn.text).map((text) => ({ type: 'text_delta', text }))
      : pieces(turn.call.arguments).map((part) => ({
          type: 'input_json_delta',
          partial_json: part,
        }));
  return {
    sse: 'anthropic',
    events: [
      {
        type: 'message_start',
        message: { ...base, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
      },
      { type: 'content_block_start', index: 0, content_block: start },
      { type: 'ping' },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: stopReason, stop_sequence: null },
        usage: { output_tokens: counted.output },
      },
      { type: 'message_stop' },
    ],
  };
}
