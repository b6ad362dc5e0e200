import type { JsonObject } from './json.ts';
import type { PartOf } from './stream-part.ts';

export type ItemStatus = 'completed' | 'incomplete';

interface OpenMessage {
  readonly kind: 'message';
  readonly id: string;
  readonly index: number;
  /** Parts that are done. */
  readonly content: JsonObject[];
  /** The part being written; undefined between parts. */
  text: string | undefined;
  deltaHead: string;
  readonly annotations: JsonObject[];
}

interface OpenReasoning {
  readonly kind: 'reasoning';
  readonly id: string;
  readonly index: number;
  text: string;
  deltaHead: string;
  encryptedContent: string | null;
}

interface OpenFunctionCall {
  readonly kind: 'function_call';
  readonly id: string;
  readonly index: number;
  readonly callId: string;
  readonly name: string;
  readonly deltaHead: string;
  arguments: string;
}

export type OpenItem = OpenMessage | OpenReasoning | OpenFunctionCall;

/** The output items of one response while it is written. */
export interface ItemState {
  readonly nextId: () => string;
  /** JSON texts of the events since they were last taken; undefined where nobody reads them. */
  events: string[] | undefined;
  sequence: number;
  /** Every item that was added, by its `output_index`, in its newest state. */
  readonly output: JsonObject[];
  /** The item being written. It is done when the next begins or the answer ends. */
  current: OpenItem | undefined;
  outputText: string;
}

/** Gives one event its type and the next sequence number. */
export function emit(state: ItemState, type: string, fields: JsonObject): void {
  state.events?.push(JSON.stringify({ type, sequence_number: state.sequence, ...fields }));
  state.sequence += 1;
}

/** The constant beginning of the delta events of one part, for `emitDelta`. */
function deltaHead(type: string, address: JsonObject): string {
  return `${JSON.stringify({ type, ...address }).slice(0, -1)},"sequence_number":`;
}

/** Most events are deltas: of them only the sequence number and the text are written anew. */
function emitDelta(state: ItemState, head: string, delta: string, tail = '}'): void {
  state.events?.push(`${head}${state.sequence},"delta":${JSON.stringify(delta)}${tail}`);
  state.sequence += 1;
}

/** Adds an item to the output and announces it; returns its `output_index`. */
export function addItem(state: ItemState, item: JsonObject): number {
  const index = state.output.push(item) - 1;
  emit(state, 'response.output_item.added', { output_index: index, item });
  return index;
}

/** Puts an item's last state in its place of the output and announces that it is done. */
export function finishItem(state: ItemState, index: number, item: JsonObject): void {
  state.output[index] = item;
  emit(state, 'response.output_item.done', { output_index: index, item });
}

/** Ends the item being written, if there is one. */
export function closeCurrent(state: ItemState, status: ItemStatus): void {
  const item = state.current;
  state.current = undefined;
  if (item?.kind === 'message') closeMessage(state, item, status);
  else if (item?.kind === 'reasoning') closeReasoning(state, item, status);
  else if (item) closeFunctionCall(state, item, status);
}

function openMessage(state: ItemState): OpenMessage {
  if (state.current?.kind === 'message') return state.current;
  closeCurrent(state, 'completed');
  const id = `msg_${state.nextId()}`;
  const index = addItem(state, messageObject(id, 'in_progress', []));
  const message: OpenMessage = {
    kind: 'message',
    id,
    index,
    content: [],
    text: undefined,
    deltaHead: '',
    annotations: [],
  };
  state.current = message;
  return message;
}

function messageObject(id: string, status: string, content: JsonObject[]): JsonObject {
  return { id, type: 'message', status, role: 'assistant', content };
}

function textPart(text: string, annotations: JsonObject[]): JsonObject {
  return { type: 'output_text', text, annotations, logprobs: [] };
}

/** Where in the response a message's part being written is. */
function partAddress({ id, index, content }: OpenMessage) {
  return { item_id: id, output_index: index, content_index: content.length };
}

function openText(state: ItemState): OpenMessage & { text: string } {
  const message = openMessage(state);
  if (message.text === undefined) {
    message.text = '';
    const address = partAddress(message);
    message.deltaHead = deltaHead('response.output_text.delta', address);
    emit(state, 'response.content_part.added', { ...address, part: textPart('', []) });
  }
  // Set above where it was undefined.
  return message as OpenMessage & { text: string };
}

/** Adds a text to the message being written, which begins with it where there is none. */
export function writeText(state: ItemState, { text }: PartOf<'text-delta'>): void {
  const message = openText(state);
  message.text += text;
  state.outputText += text;
  emitDelta(state, message.deltaHead, text, ',"logprobs":[]}');
}

/** Annotates the end of the text so far; positions count UTF-16 units within the text part. */
export function writeCitation(state: ItemState, part: PartOf<'citation'>): void {
  const message = openText(state);
  const end = message.text.length;
  const annotation = {
    type: 'url_citation',
    start_index: Math.max(0, end - part.length),
    end_index: end,
    url: part.url,
    title: part.title,
  };
  const annotation_index = message.annotations.push(annotation) - 1;
  const address = partAddress(message);
  emit(state, 'response.output_text.annotation.added', {
    ...address,
    annotation_index,
    annotation,
  });
}

/** The refusal is a part of its own, after the text of its message if there was any. */
export function writeRefusal(state: ItemState, { text }: PartOf<'refusal'>): void {
  const message = openMessage(state);
  closeText(state, message);
  const address = partAddress(message);
  const part = { type: 'refusal', refusal: text };
  emit(state, 'response.content_part.added', { ...address, part: { ...part, refusal: '' } });
  emit(state, 'response.refusal.delta', { ...address, delta: text });
  emit(state, 'response.refusal.done', { ...address, refusal: text });
  emit(state, 'response.content_part.done', { ...address, part });
  message.content.push(part);
}

function closeText(state: ItemState, message: OpenMessage): void {
  if (message.text === undefined) return;
  const { text } = message;
  const address = partAddress(message);
  const part = textPart(text, message.annotations.splice(0));
  emit(state, 'response.output_text.done', { ...address, text, logprobs: [] });
  emit(state, 'response.content_part.done', { ...address, part });
  message.content.push(part);
  message.text = undefined;
}

function closeMessage(state: ItemState, message: OpenMessage, status: ItemStatus): void {
  closeText(state, message);
  finishItem(state, message.index, messageObject(message.id, status, message.content));
}

/** Begins a reasoning item; what was being written is done. */
export function openReasoning(state: ItemState): void {
  closeCurrent(state, 'completed');
  const id = `rs_${state.nextId()}`;
  const item = {
    id,
    type: 'reasoning',
    status: 'in_progress',
    summary: [],
    encrypted_content: null,
  };
  const index = addItem(state, item);
  const opened = { id, index, text: '', deltaHead: '', encryptedContent: null };
  state.current = { kind: 'reasoning', ...opened };
}

function summaryAddress({ id, index }: OpenReasoning) {
  return { item_id: id, output_index: index, summary_index: 0 };
}

/** Adds to the summary of the reasoning item being written; its part is announced at the first text. */
export function writeReasoning(state: ItemState, { text }: PartOf<'reasoning-delta'>): void {
  const item = state.current;
  if (item?.kind !== 'reasoning') return;
  if (item.text === '') {
    const address = summaryAddress(item);
    item.deltaHead = deltaHead('response.reasoning_summary_text.delta', address);
    const part = { type: 'summary_text', text: '' };
    emit(state, 'response.reasoning_summary_part.added', { ...address, part });
  }
  item.text += text;
  emitDelta(state, item.deltaHead, text);
}

/** Ends the reasoning item being written, with what the next turn hands back. */
export function sealReasoning(state: ItemState, { seal }: PartOf<'reasoning-end'>): void {
  if (state.current?.kind !== 'reasoning') return;
  state.current.encryptedContent = seal.encryptedContent;
  closeCurrent(state, 'completed');
}

function closeReasoning(state: ItemState, item: OpenReasoning, status: ItemStatus): void {
  const { id, text } = item;
  const summary = text === '' ? [] : [{ type: 'summary_text', text }];
  for (const part of summary) {
    const address = summaryAddress(item);
    emit(state, 'response.reasoning_summary_text.done', { ...address, text });
    emit(state, 'response.reasoning_summary_part.done', { ...address, part });
  }
  const encrypted_content = item.encryptedContent;
  finishItem(state, item.index, { id, type: 'reasoning', status, summary, encrypted_content });
}

/** Begins a function call item, its arguments still empty; what was being written is done. */
export function openFunctionCall(state: ItemState, part: PartOf<'tool-call-start'>): void {
  closeCurrent(state, 'completed');
  const call = { id: `fc_${state.nextId()}`, callId: part.callId, name: part.name, arguments: '' };
  const index = addItem(state, functionCallObject(call, 'in_progress'));
  const address = { item_id: call.id, output_index: index };
  const head = deltaHead('response.function_call_arguments.delta', address);
  state.current = { kind: 'function_call', index, deltaHead: head, ...call };
}

function functionCallObject(
  call: Pick<OpenFunctionCall, 'id' | 'callId' | 'name' | 'arguments'>,
  status: string,
): JsonObject {
  return {
    id: call.id,
    type: 'function_call',
    status,
    arguments: call.arguments,
    call_id: call.callId,
    name: call.name,
  };
}

/** Adds a piece of JSON text to the arguments of the function call being written. */
export function writeArguments(state: ItemState, part: PartOf<'tool-call-delta'>): void {
  const item = state.current;
  if (item?.kind !== 'function_call') return;
  item.arguments += part.arguments;
  emitDelta(state, item.deltaHead, part.arguments);
}

function closeFunctionCall(state: ItemState, item: OpenFunctionCall, status: ItemStatus): void {
  emit(state, 'response.function_call_arguments.done', {
    item_id: item.id,
    output_index: item.index,
    arguments: item.arguments,
  });
  finishItem(state, item.index, functionCallObject(item, status));
}
