import assert from 'node:assert/strict';

// biome-ignore lint/suspicious/noExplicitAny: chunks of every shape are read into here
type Loose = any;

const CHUNK_FIELDS = ['id', 'object', 'created', 'model', 'choices', 'usage'];
const DELTA_FIELDS = [
  'role',
  'content',
  'refusal',
  'reasoning',
  'reasoning_details',
  'annotations',
  'tool_calls',
];
const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter'];

interface Automaton {
  phase: 'before' | 'open' | 'finished' | 'ended';
  head: Loose;
  readonly message: Loose;
  finishReason: string | undefined;
  usage: Loose;
  error: Loose;
}

export interface CheckedChat {
  /** The chat completion that the chunks add up to; its choice lacks what an error cut off. */
  readonly completion: Loose;
  /** The error of an error frame. */
  readonly error: Loose;
}

/**
 * Checks the frames of one chat completion stream (without `[DONE]`) against the protocol and adds
 * them up as a client does. Knows nothing of the code that wrote them. Throws at the first fault.
 */
export function checkChatChunks(frames: readonly Loose[]): CheckedChat {
  const automaton: Automaton = {
    phase: 'before',
    head: undefined,
    message: { content: '', refusal: '', reasoning: '', details: [], calls: [], annotations: [] },
    finishReason: undefined,
    usage: undefined,
    error: undefined,
  };
  for (const frame of frames) {
    assert.notEqual(automaton.phase, 'ended', 'nothing follows the last frame');
    if (frame.error) endByError(automaton, frame);
    else readChunk(automaton, frame);
  }
  assert.equal(automaton.phase, 'ended', 'a stream ends by its usage or by an error');
  return { completion: completionOf(automaton), error: automaton.error };
}

function endByError(automaton: Automaton, frame: Loose): void {
  assert.deepEqual(Object.keys(frame), ['error']);
  assert.deepEqual(Object.keys(frame.error).sort(), ['message', 'type']);
  assert.notEqual(automaton.phase, 'finished', 'no error after the finish');
  automaton.error = frame.error;
  automaton.phase = 'ended';
}

function readChunk(automaton: Automaton, chunk: Loose): void {
  for (const field of Object.keys(chunk)) assert.ok(CHUNK_FIELDS.includes(field), field);
  assert.equal(chunk.object, 'chat.completion.chunk');
  const { id, created, model } = chunk;
  automaton.head ??= { id, created, model };
  assert.deepEqual({ id, created, model }, automaton.head, 'one ID, one time, one model');
  if (chunk.choices.length === 0) readUsage(automaton, chunk.usage);
  else readChoice(automaton, chunk);
}

function readUsage(automaton: Automaton, usage: Loose): void {
  assert.equal(automaton.phase, 'finished', 'usage comes after the finish, once');
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  for (const count of [prompt, completion, total]) {
    assert.ok(Number.isSafeInteger(count) && count >= 0);
  }
  assert.equal(total, prompt + completion);
  const { cached_tokens: cached, cache_write_tokens: written } = usage.prompt_tokens_details;
  assert.ok(cached + written <= prompt);
  automaton.usage = usage;
  automaton.phase = 'ended';
}

function readChoice(automaton: Automaton, chunk: Loose): void {
  assert.equal(chunk.choices.length, 1);
  assert.ok(!('usage' in chunk));
  const [{ index, delta, finish_reason: reason }] = chunk.choices;
  assert.equal(index, 0);
  assert.notEqual(automaton.phase, 'finished', 'no choice after the finish');
  for (const field of Object.keys(delta)) assert.ok(DELTA_FIELDS.includes(field), field);
  assert.equal(delta.role, automaton.phase === 'before' ? 'assistant' : undefined);
  automaton.phase = 'open';
  addDelta(automaton.message, delta);
  if (reason === null) return;
  assert.ok(FINISH_REASONS.includes(reason), reason);
  automaton.finishReason = reason;
  automaton.phase = 'finished';
}

function addDelta(message: Loose, delta: Loose): void {
  for (const field of ['content', 'refusal', 'reasoning']) message[field] += delta[field] ?? '';
  for (const annotation of delta.annotations ?? []) {
    const { start_index: start, end_index: end } = annotation.url_citation;
    assert.ok(0 <= start && start <= end && end <= message.content.length);
    message.annotations.push(annotation);
  }
  for (const piece of delta.tool_calls ?? []) addToolCall(message.calls, piece);
  for (const detail of delta.reasoning_details ?? []) addDetail(message.details, detail);
}

function addToolCall(calls: Loose[], { index, ...piece }: Loose): void {
  if (piece.id !== undefined) {
    assert.equal(index, calls.length, 'tool-call indexes are contiguous from 0');
    assert.ok(piece.id !== '' && piece.function.name !== '' && piece.type === 'function');
    calls.push(structuredClone(piece));
    return;
  }
  assert.equal(index, calls.length - 1, 'arguments belong to the newest call');
  calls[index].function.arguments += piece.function.arguments;
}

/** A detail is a whole block: its index comes once, and above the ones before it. */
function addDetail(details: Loose[], detail: Loose): void {
  assert.ok(detail.index > (details.at(-1)?.index ?? -1));
  if (detail.type === 'reasoning.text') assert.equal(typeof detail.text, 'string');
  else assert.ok(detail.type === 'reasoning.encrypted' && detail.data !== '');
  details.push(detail);
}

function completionOf({ head, message, finishReason, usage }: Automaton): Loose {
  const { content, refusal, reasoning, details, calls, annotations } = message;
  const folded = {
    role: 'assistant',
    content: content || null,
    refusal: refusal || null,
    ...(reasoning && { reasoning }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(annotations.length > 0 && { annotations }),
  };
  const choice = { index: 0, message: folded, logprobs: null, finish_reason: finishReason };
  return { ...head, object: 'chat.completion', choices: [choice], usage };
}
