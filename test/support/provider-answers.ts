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

/** The answer of OpenAI's or Azure's chat completions. */
export function chatAnswer({ turn, counted, stream }: AnswerOptions): ScriptedAnswer {
  const usage = {
    prompt_tokens: counted.input,
    completion_tokens: counted.output,
    total_tokens: counted.input + counted.output,
    prompt_tokens_details: { cached_tokens: counted.cached, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
  const base = { id: 'chatcmpl-scripted', created: 1_790_000_000, model: 'gpt-5.6-sol' };
  const toolCall =
    'call' in turn
      ? {
          id: turn.call.id,
          type: 'function',
          function: { name: turn.call.name, arguments: turn.call.arguments },
        }
      : undefined;
  const finish = toolCall ? 'tool_calls' : 'stop';
  if (!stream) {
    const message = {
      role: 'assistant',
      content: 'text' in turn ? turn.text : null,
      refusal: null,
      ...(toolCall ? { tool_calls: [toolCall] } : {}),
    };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: finish }];
    return {
      json: { ...base, object: 'chat.completion', choices, usage, service_tier: 'default' },
    };
  }
  const chunk = (delta: object, finishReason: string | null = null) => ({
    ...base,
    object: 'chat.completion.chunk',
    service_tier: 'default',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    usage: null,
  });
  const deltas =
    'text' in turn
      ? pieces(turn.text).map((content) => chunk({ content }))
      : [
          chunk({
            tool_calls: [
              {
                index: 0,
                id: turn.call.id,
                type: 'function',
                function: { name: turn.call.name, arguments: '' },
              },
            ],
          }),
          ...pieces(turn.call.arguments).map((part) =>
            chunk({ tool_calls: [{ index: 0, function: { arguments: part } }] }),
          ),
        ];
  const last = {
    ...base,
    object: 'chat.completion.chunk',
    service_tier: 'default',
    choices: [],
    usage,
  };
  return {
    sse: 'openai',
    events: [
      chunk({ role: 'assistant', content: 'text' in turn ? '' : null, refusal: null }),
      ...deltas,
      chunk({}, finish),
      last,
      '[DONE]',
    ],
  };
}

/** The answer of OpenAI's or Azure's responses. */
export function responsesAnswer({ turn, counted, stream }: AnswerOptions): ScriptedAnswer {
  const usage = {
    input_tokens: counted.input,
    input_tokens_details: { cached_tokens: counted.cached },
    output_tokens: counted.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: counted.input + counted.output,
  };
  const item =
    'text' in turn
      ? {
          id: 'msg_scripted',
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: turn.text, annotations: [], logprobs: [] }],
        }
      : {
          id: 'fc_scripted',
          type: 'function_call',
          status: 'completed',
          call_id: turn.call.id,
          name: turn.call.name,
          arguments: turn.call.arguments,
        };
  const response = (status: string, output: object[]) => ({
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
    usage: status === 'completed' ? usage : null,
    user: null,
    metadata: {},
  });
  if (!stream) return { json: response('completed', [item]) };
  const place = { item_id: item.id, output_index: 0 };
  const inner =
    'text' in turn
      ? [
          {
            type: 'response.content_part.added',
            ...place,
            content_index: 0,
            part: { type: 'output_text', text: '', annotations: [], logprobs: [] },
          },
          ...pieces(turn.text).map((delta) => ({
            type: 'response.output_text.delta',
            ...place,
            content_index: 0,
            delta,
            logprobs: [],
          })),
          {
            type: 'response.output_text.done',
            ...place,
            content_index: 0,
            text: turn.text,
            logprobs: [],
          },
          {
            type: 'response.content_part.done',
            ...place,
            content_index: 0,
            part: { type: 'output_text', text: turn.text, annotations: [], logprobs: [] },
          },
        ]
      : [
          ...pieces(turn.call.arguments).map((delta) => ({
            type: 'response.function_call_arguments.delta',
            ...place,
            delta,
          })),
          {
            type: 'response.function_call_arguments.done',
            ...place,
            name: turn.call.name,
            arguments: turn.call.arguments,
          },
        ];
  const empty =
    'text' in turn
      ? { ...item, status: 'in_progress', content: [] }
      : { ...item, status: 'in_progress', arguments: '' };
  const events = [
    { type: 'response.created', response: response('in_progress', []) },
    { type: 'response.in_progress', response: response('in_progress', []) },
    { type: 'response.output_item.added', output_index: 0, item: empty },
    ...inner,
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: response('completed', [item]) },
  ];
  return {
    sse: 'openai',
    events: events.map((event, sequence) => ({ ...event, sequence_number: sequence })),
  };
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
