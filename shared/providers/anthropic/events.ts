import type { GatewayError } from '../../api/error.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../api/json.ts';
import type { StreamPart } from '../../api/stream-part.ts';
import { brokenAnswer } from '../failure.ts';
import {
  abandonBlock,
  type BlockMemory,
  type OpenBlock,
  openBlock,
  readBlockDelta,
  startBlock,
  stopBlock,
} from './blocks.ts';
import { readErrorEvent } from './error.ts';
import { finishOf, refusalText } from './finish.ts';
import { answerUsage, createUsageState, readUsage, servedTier, type UsageState } from './usage.ts';

/** Everything that is known of one answer while it is read. */
export interface ReaderState extends BlockMemory {
  /** Named where the provider does not name its model. */
  readonly defaultModel: string;
  readonly usage: UsageState;
  messageId: JsonValue | undefined;
  started: boolean;
  open: OpenBlock | undefined;
  /** Blocks come in order: an index that is not above this one has been seen. */
  lastIndex: number;
  /** The last `stop_reason` that is one, and what came with it. */
  stopped: JsonObject | undefined;
  /** The terminal event (or the whole body) was seen. */
  complete: boolean;
  /** The last part was given; nothing that still comes can be part of the answer. */
  closed: boolean;
  /** An error in place of the answer, before anything of it. */
  earlyFailure: GatewayError | undefined;
}

type Parts = readonly StreamPart[];

const NOTHING: Parts = [];

type EventReader = (event: JsonObject, state: ReaderState) => Parts;

/** One reader for each type of event; `ping` and types yet unknown give nothing. */
const READERS: ReadonlyMap<JsonValue | undefined, EventReader> = new Map<
  JsonValue | undefined,
  EventReader
>([
  ['message_start', startMessage],
  ['content_block_start', startContentBlock],
  ['content_block_delta', readContentDelta],
  ['content_block_stop', stopContentBlock],
  ['message_delta', readMessageDelta],
  ['message_stop', stopMessage],
  ['error', (event, state) => failAnswer(state, readErrorEvent(event))],
]);

/** The state before the first event; `defaultModel` is named where the provider names none. */
export function createReaderState(defaultModel: string): ReaderState {
  return {
    defaultModel,
    usage: createUsageState(),
    fetchedUrls: [],
    messageId: undefined,
    started: false,
    open: undefined,
    lastIndex: -1,
    stopped: undefined,
    complete: false,
    closed: false,
    earlyFailure: undefined,
  };
}

/**
 * The parts that the `data` of one upstream event gives. After a failure events still count for
 * usage, for the provider charges what it says there; after the terminal event nothing does.
 */
export function readEvent(state: ReaderState, data: string): Parts {
  const event = parseJson(data);
  if (state.complete) return NOTHING;
  if (!isJsonObject(event)) return data.trim() === '' ? NOTHING : failAnswer(state, brokenAnswer());
  return READERS.get(event.type)?.(event, state) ?? NOTHING;
}

/** A message that came whole: the same blocks, each in one piece. Throws what stands in its place. */
export function readMessage(state: ReaderState, message: unknown): Parts {
  if (isJsonObject(message) && message.type === 'error') throw readErrorEvent(message);
  if (!isJsonObject(message) || !Array.isArray(message.content)) throw brokenAnswer();
  const parts = [...startMessage({ message }, state)];
  for (const [index, block] of message.content.entries()) {
    parts.push(...startContentBlock({ index, content_block: block }, state));
  }
  parts.push(...readMessageDelta({ delta: message, usage: message.usage }, state));
  return [...parts, ...stopMessage(message, state)];
}

/** The upstream has ended: nothing where the answer has too, else its failure. */
export function endReading(state: ReaderState, failure?: GatewayError): Parts {
  return state.closed
    ? NOTHING
    : closeFailed(state, state.earlyFailure ?? failure ?? brokenAnswer());
}

/** A repeated start says nothing new; another message's start in this stream means it is spliced. */
function startMessage(event: JsonObject, state: ReaderState): Parts {
  const message = isJsonObject(event.message) ? event.message : {};
  if (state.started) {
    return message.id === state.messageId ? NOTHING : failAnswer(state, brokenAnswer());
  }
  if (state.earlyFailure) return NOTHING;
  state.started = true;
  state.messageId = message.id;
  readUsage(state.usage, message.usage, false);
  const model = typeof message.model === 'string' ? message.model : state.defaultModel;
  return [{ type: 'start', model }];
}

function startContentBlock(event: JsonObject, state: ReaderState): Parts {
  const { index, content_block: block } = event;
  if (state.closed || !state.started || !isJsonObject(block)) return NOTHING;
  if (typeof index !== 'number' || index <= state.lastIndex) return NOTHING;
  const parts = closeBlock(state);
  state.lastIndex = index;
  state.open = openBlock(index, block);
  return [...parts, ...startBlock(state.open, state)];
}

function readContentDelta(event: JsonObject, state: ReaderState): Parts {
  const { open } = state;
  if (!open || event.index !== open.index || !isJsonObject(event.delta)) return NOTHING;
  return readBlockDelta(open, event.delta);
}

function stopContentBlock(event: JsonObject, state: ReaderState): Parts {
  return event.index === state.open?.index ? closeBlock(state) : NOTHING;
}

function closeBlock(state: ReaderState): Parts {
  const { open } = state;
  state.open = undefined;
  return open ? stopBlock(open, state) : [];
}

function readMessageDelta(event: JsonObject, state: ReaderState): Parts {
  readUsage(state.usage, event.usage, true);
  const { delta } = event;
  if (isJsonObject(delta) && typeof delta.stop_reason === 'string') state.stopped = delta;
  return NOTHING;
}

/** The terminal event. A message that stops without a reason is not known to be whole. */
function stopMessage(_event: JsonObject, state: ReaderState): Parts {
  state.complete = state.started;
  if (state.closed || !state.started) return NOTHING;
  const parts = [...closeBlock(state)];
  const stopped = state.stopped ?? {};
  const refusal = refusalText(stopped);
  if (refusal !== undefined) parts.push({ type: 'refusal', text: refusal });
  const serviceTier = servedTier(state.usage);
  parts.push({
    type: 'finish',
    ...finishOf(typeof stopped.stop_reason === 'string' ? stopped.stop_reason : ''),
    usage: answerUsage(state.usage),
    ...(serviceTier !== undefined && { serviceTier }),
  });
  state.closed = true;
  return parts;
}

/** A failure before anything of the answer is kept, to be told as a status. */
function failAnswer(state: ReaderState, error: GatewayError): Parts {
  if (state.closed) return NOTHING;
  if (state.started) return closeFailed(state, error);
  state.earlyFailure ??= error;
  return NOTHING;
}

function closeFailed(state: ReaderState, error: GatewayError): Parts {
  const parts = state.open ? abandonBlock(state.open, state) : [];
  state.open = undefined;
  state.closed = true;
  return [...parts, { type: 'failure', error }];
}
