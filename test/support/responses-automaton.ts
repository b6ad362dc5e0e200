import assert from 'node:assert/strict';

// biome-ignore lint/suspicious/noExplicitAny: events of every shape are read into here
type Loose = any;

interface Item {
  readonly id: string;
  readonly type: string;
  /** The item as its added event has it, and then as the events change it. */
  built: Loose;
  part: { kind: string; text: string; textDone: boolean; annotations: Loose[] } | undefined;
  argumentsDone: boolean;
  phases: string[];
  done: boolean;
}

interface Automaton {
  phase: 'before' | 'created' | 'open' | 'ended';
  readonly items: Item[];
  responseId: string;
  final: Loose;
}

type Step = (automaton: Automaton, event: Loose) => void;

const TERMINAL = ['completed', 'incomplete', 'failed'] as const;
const ITEM_PREFIXES: Record<string, string> = {
  message: 'msg_',
  reasoning: 'rs_',
  function_call: 'fc_',
  web_search_call: 'ws_',
  mcp_call: 'mcp_',
};

const STEPS: Record<string, Step> = {
  'response.created': begin,
  'response.in_progress': proceed,
  'response.output_item.added': addItem,
  'response.output_item.done': finishItem,
  'response.content_part.added': addPart,
  'response.content_part.done': finishPart,
  'response.output_text.delta': appendText('output_text'),
  'response.output_text.done': finishText('output_text', 'text'),
  'response.output_text.annotation.added': annotate,
  'response.refusal.delta': appendText('refusal'),
  'response.refusal.done': finishText('refusal', 'refusal'),
  'response.reasoning_summary_part.added': addPart,
  'response.reasoning_summary_part.done': finishPart,
  'response.reasoning_summary_text.delta': appendText('summary_text'),
  'response.reasoning_summary_text.done': finishText('summary_text', 'text'),
  'response.function_call_arguments.delta': appendArguments('function_call'),
  'response.function_call_arguments.done': finishArguments('function_call'),
  'response.mcp_call_arguments.delta': appendArguments('mcp_call'),
  'response.mcp_call_arguments.done': finishArguments('mcp_call'),
  'response.mcp_call.in_progress': enter('mcp_call', []),
  'response.mcp_call.completed': enter('mcp_call', ['in_progress']),
  'response.mcp_call.failed': enter('mcp_call', ['in_progress']),
  'response.web_search_call.in_progress': enter('web_search_call', []),
  'response.web_search_call.searching': enter('web_search_call', ['in_progress']),
  'response.web_search_call.completed': enter('web_search_call', ['in_progress', 'searching']),
  'response.completed': end,
  'response.incomplete': end,
  'response.failed': end,
};

/**
 * Checks the events of one response (without `[DONE]`) against the protocol, and that the final
 * object is the one that the events build. Knows nothing of the code that wrote them. Throws at
 * the first fault; returns the final response.
 */
export function checkResponsesEvents(events: readonly Loose[]): Loose {
  const automaton: Automaton = { phase: 'before', items: [], responseId: '', final: undefined };
  for (const [position, event] of events.entries()) {
    assert.equal(event.sequence_number, position, 'sequence numbers are contiguous from 0');
    const step = STEPS[event.type];
    assert.ok(step, `unknown event type ${event.type}`);
    assert.notEqual(automaton.phase, 'ended', `${event.type} after the terminal event`);
    step(automaton, event);
  }
  assert.equal(automaton.phase, 'ended', 'there is exactly one terminal event');
  return automaton.final;
}

function begin(automaton: Automaton, { response }: Loose): void {
  assert.equal(automaton.phase, 'before');
  assert.equal(response.object, 'response');
  assert.equal(response.status, 'in_progress');
  assert.deepEqual(response.output, []);
  automaton.responseId = response.id;
  automaton.phase = 'created';
}

function proceed(automaton: Automaton, { response }: Loose): void {
  assert.equal(automaton.phase, 'created');
  assert.equal(response.id, automaton.responseId);
  automaton.phase = 'open';
}

function end(automaton: Automaton, { type, response }: Loose): void {
  assert.equal(automaton.phase, 'open');
  assert.equal(response.id, automaton.responseId);
  assert.equal(type, `response.${response.status}`);
  assert.ok(TERMINAL.includes(response.status));
  assert.equal(response.error !== null, response.status === 'failed');
  assert.equal(response.incomplete_details !== null, response.status === 'incomplete');
  assert.ok(
    automaton.items.every((item) => item.done),
    'every item is done before the end',
  );
  const built = automaton.items.map((item) => item.built);
  assert.deepEqual(response.output, built, 'the final output is the one that the events build');
  checkUsage(response.usage);
  automaton.final = response;
  automaton.phase = 'ended';
}

function checkUsage(usage: Loose): void {
  if (usage === null) return;
  const { input_tokens: input, output_tokens: output, total_tokens: total } = usage;
  for (const count of [input, output, total]) assert.ok(Number.isSafeInteger(count) && count >= 0);
  assert.equal(total, input + output);
}

function addItem(automaton: Automaton, { output_index, item }: Loose): void {
  assert.equal(automaton.phase, 'open');
  assert.equal(output_index, automaton.items.length, 'output indexes are contiguous');
  assert.equal(item.status, 'in_progress');
  const prefix = ITEM_PREFIXES[item.type];
  assert.ok(prefix, `unknown item type ${item.type}`);
  assert.ok(item.id.startsWith(prefix));
  assert.ok(!automaton.items.some((other) => other.id === item.id), 'item IDs are unique');
  automaton.items.push({
    id: item.id,
    type: item.type,
    built: structuredClone(item),
    part: undefined,
    argumentsDone: false,
    phases: [],
    done: false,
  });
}

/** The open item that an event names, its ID being the one that it was added with. */
function itemOf(automaton: Automaton, event: Loose, type?: string): Item {
  const item = automaton.items[event.output_index];
  assert.ok(item, `${event.type} names an unknown item`);
  assert.equal(event.item_id ?? event.item?.id, item.id);
  assert.ok(!item.done, `${event.type} after its item was done`);
  if (type) assert.equal(item.type, type);
  return item;
}

function finishItem(automaton: Automaton, event: Loose): void {
  const item = itemOf(automaton, event);
  const { status } = event.item;
  assert.equal(item.part, undefined, 'every part is done before its item');
  if (item.type === 'function_call') assert.ok(item.argumentsDone);
  if (item.type.endsWith('_call') && item.type !== 'function_call') checkOutcome(item, status);
  else assert.ok(['completed', 'incomplete'].includes(status));
  const { built } = item;
  // What only the end of an item tells: its status, and what a call or a seal came to.
  const late = { ...built, ...pick(event.item, LATE_FIELDS[item.type] ?? []), status };
  assert.deepEqual(event.item, late, 'an item is done as its events built it');
  item.built = event.item;
  item.done = true;
}

const LATE_FIELDS: Record<string, readonly string[]> = {
  reasoning: ['encrypted_content'],
  web_search_call: ['action'],
  mcp_call: ['output', 'error'],
};

function checkOutcome(item: Item, status: string): void {
  assert.ok(['completed', 'incomplete', 'failed'].includes(status));
  assert.equal(item.phases.includes('completed'), status === 'completed');
}

function pick(source: Loose, names: readonly string[]): Loose {
  return Object.fromEntries(names.map((name) => [name, source[name]]));
}

/** Where a part lies in its item: content of a message, summary of a reasoning item. */
function partsOf(item: Item, event: Loose): { list: Loose[]; index: number } {
  if (item.type === 'message') return { list: item.built.content, index: event.content_index };
  assert.equal(item.type, 'reasoning');
  return { list: item.built.summary, index: event.summary_index };
}

function addPart(automaton: Automaton, event: Loose): void {
  const item = itemOf(automaton, event);
  const { list, index } = partsOf(item, event);
  assert.equal(item.part, undefined, 'one part is open at a time');
  assert.equal(index, list.length, 'part indexes are contiguous');
  assert.equal(event.part.text ?? event.part.refusal, '', 'a part is added empty');
  item.part = { kind: event.part.type, text: '', textDone: false, annotations: [] };
}

function openPart(automaton: Automaton, event: Loose): Loose {
  const item = itemOf(automaton, event);
  const { list, index } = partsOf(item, event);
  assert.equal(index, list.length, `${event.type} names the open part`);
  assert.ok(item.part, `${event.type} without an open part`);
  return item.part;
}

function appendText(kind: string): Step {
  return (automaton, event) => {
    const part = openPart(automaton, event);
    assert.equal(part.kind, kind);
    assert.ok(!part.textDone);
    assert.equal(typeof event.delta, 'string');
    part.text += event.delta;
  };
}

function finishText(kind: string, field: string): Step {
  return (automaton, event) => {
    const part = openPart(automaton, event);
    assert.equal(part.kind, kind);
    assert.ok(!part.textDone);
    assert.equal(event[field], part.text, 'a done text equals its joined deltas');
    part.textDone = true;
  };
}

function annotate(automaton: Automaton, event: Loose): void {
  const part = openPart(automaton, event);
  assert.equal(part.kind, 'output_text');
  assert.equal(event.annotation_index, part.annotations.length);
  const { start_index: start, end_index: end } = event.annotation;
  assert.ok(0 <= start && start <= end && end <= part.text.length, 'inside the bounds of the text');
  part.annotations.push(event.annotation);
}

function finishPart(automaton: Automaton, event: Loose): void {
  const { kind, text, textDone, annotations } = openPart(automaton, event);
  assert.ok(textDone, 'the text is done before its part');
  assert.equal(event.part.type, kind);
  assert.equal(event.part.text ?? event.part.refusal, text);
  if (kind === 'output_text') assert.deepEqual(event.part.annotations, annotations);
  const item = itemOf(automaton, event);
  partsOf(item, event).list.push(event.part);
  item.part = undefined;
}

function appendArguments(type: string): Step {
  return (automaton, event) => {
    const item = itemOf(automaton, event, type);
    assert.ok(!item.argumentsDone);
    item.built.arguments += event.delta;
  };
}

function finishArguments(type: string): Step {
  return (automaton, event) => {
    const item = itemOf(automaton, event, type);
    assert.equal(event.arguments, item.built.arguments);
    item.argumentsDone = true;
  };
}

function enter(type: string, before: readonly string[]): Step {
  return (automaton, event) => {
    const item = itemOf(automaton, event, type);
    assert.deepEqual(item.phases, before, `${event.type} out of order`);
    item.phases.push(event.type.split('.').at(-1));
  };
}
