import type { JsonObject } from './json.ts';
import type { PartOf, StreamPart } from './stream-part.ts';

/**
 * One entry of `reasoning_details`: a whole reasoning block, never a piece of one. Clients that
 * gather these lists, and those that keep the last, can hand back what they have in the next turn.
 */
export interface ReasoningDetail extends JsonObject {
  readonly type: string;
  readonly index: number;
  readonly format: string;
  readonly text?: string;
  readonly signature?: string;
  readonly data?: string;
}

/** The `delta` of a chunk. Clients append each text in it to what they have. */
export interface ChatDelta {
  readonly role?: 'assistant';
  readonly content?: string;
  readonly refusal?: string;
  readonly reasoning?: string;
  readonly reasoning_details?: readonly ReasoningDetail[];
  readonly annotations?: readonly JsonObject[];
  readonly tool_calls?: readonly ToolCallDelta[];
}

export interface ToolCallDelta {
  /** Counts tool calls only, from 0. */
  readonly index: number;
  readonly id?: string;
  readonly type?: 'function';
  readonly function: { readonly name?: string; readonly arguments: string };
}

/** What the deltas so far make the next ones depend on. */
export interface DeltaState {
  /** UTF-16 units of content: what citations count in. */
  contentLength: number;
  toolCalls: number;
  reasoningBlocks: number;
  reasoningFormat: string;
  /** Text of the reasoning block being written. */
  reasoningText: string;
}

/** The state before the first part of an answer. */
export function createDeltaState(): DeltaState {
  return {
    contentLength: 0,
    toolCalls: 0,
    reasoningBlocks: 0,
    reasoningFormat: '',
    reasoningText: '',
  };
}

type DeltaWriter<Part> = (part: Part, state: DeltaState) => ChatDelta | undefined;

const WRITERS: { readonly [Type in StreamPart['type']]?: DeltaWriter<PartOf<Type>> } = {
  // No content yet, not an empty one: clients add up an answer without text to `null`, as it is whole.
  start: () => ({ role: 'assistant' }),
  'text-delta': (part, state) => {
    state.contentLength += part.text.length;
    return { content: part.text };
  },
  citation: citationDelta,
  refusal: (part) => ({ refusal: part.text }),
  'reasoning-start': (part, state) => {
    state.reasoningBlocks += 1;
    state.reasoningFormat = part.format;
    state.reasoningText = '';
    return undefined;
  },
  'reasoning-delta': (part, state) => {
    state.reasoningText += part.text;
    return { reasoning: part.text };
  },
  'reasoning-end': sealDelta,
  'tool-call-start': (part, state) => {
    state.toolCalls += 1;
    const called = { name: part.name, arguments: '' };
    return {
      tool_calls: [
        { index: state.toolCalls - 1, id: part.callId, type: 'function', function: called },
      ],
    };
  },
  'tool-call-delta': (part, state) => ({
    tool_calls: [{ index: state.toolCalls - 1, function: { arguments: part.arguments } }],
  }),
};

/**
 * The delta that a part gives on the chat route. Undefined where the route has nothing to say of
 * it: hosted calls are the provider's own business and never client tool calls.
 */
export function deltaOf(part: StreamPart, state: DeltaState): ChatDelta | undefined {
  // The table pairs each type with the writer of its own part; an index access cannot say so.
  const write = WRITERS[part.type] as DeltaWriter<StreamPart> | undefined;
  return write?.(part, state);
}

function citationDelta(part: PartOf<'citation'>, { contentLength }: DeltaState): ChatDelta {
  const source = {
    start_index: Math.max(0, contentLength - part.length),
    end_index: contentLength,
    title: part.title,
    url: part.url,
  };
  return { annotations: [{ type: 'url_citation', url_citation: source }] };
}

function sealDelta({ seal }: PartOf<'reasoning-end'>, state: DeltaState): ChatDelta | undefined {
  const { redacted, signature } = seal;
  const { reasoningText: text, reasoningFormat: format, reasoningBlocks } = state;
  const place = { format, index: reasoningBlocks - 1 };
  if (redacted !== undefined) {
    return { reasoning_details: [{ type: 'reasoning.encrypted', data: redacted, ...place }] };
  }
  if (signature === undefined && text === '') return undefined;
  const signed = signature !== undefined && { signature };
  return { reasoning_details: [{ type: 'reasoning.text', text, ...signed, ...place }] };
}
