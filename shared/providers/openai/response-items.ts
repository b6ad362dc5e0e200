import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { TextTally } from '../../pricing/tokens.ts';
import { elementAt } from './response-object.ts';

/** Where a delta event's text belongs: a field of the item, or of one element of a list in it. */
type DeltaPlace =
  | { readonly field: string }
  | {
      readonly list: string;
      readonly index: 'content_index' | 'summary_index';
      readonly pattern: JsonObject;
      readonly field: string;
    };

const CONTENT = { list: 'content', index: 'content_index' } as const;
const DELTAS: Readonly<Record<string, DeltaPlace>> = {
  'response.output_text.delta': {
    ...CONTENT,
    pattern: { type: 'output_text', text: '', annotations: [] },
    field: 'text',
  },
  'response.refusal.delta': {
    ...CONTENT,
    pattern: { type: 'refusal', refusal: '' },
    field: 'refusal',
  },
  'response.reasoning_text.delta': {
    ...CONTENT,
    pattern: { type: 'reasoning_text', text: '' },
    field: 'text',
  },
  'response.reasoning_summary_text.delta': {
    list: 'summary',
    index: 'summary_index',
    pattern: { type: 'summary_text', text: '' },
    field: 'text',
  },
  'response.function_call_arguments.delta': { field: 'arguments' },
  'response.mcp_call_arguments.delta': { field: 'arguments' },
  'response.custom_tool_call_input.delta': { field: 'input' },
};

/** The output items of a running response, by index, as far as their events have come. */
export type ItemsSeen = Map<number, JsonObject>;

/**
 * Takes over what one event says about the output items, and counts its text as output.
 * Returns whether the event brought something that the client can use.
 */
export function noteItemEvent(items: ItemsSeen, tally: TextTally, event: JsonObject): boolean {
  const { type, output_index: index } = event;
  if (typeof type !== 'string' || typeof index !== 'number') return false;
  if (type === 'response.output_item.added' || type === 'response.output_item.done') {
    return isJsonObject(event.item) && noteItem(items, index, event.item);
  }
  const place = DELTAS[type];
  const item = items.get(index);
  if (place === undefined || typeof event.delta !== 'string') return false;
  tally.add(event.delta);
  if (item !== undefined) appendDelta(item, place, event, event.delta);
  return event.delta !== '';
}

function noteItem(items: ItemsSeen, index: number, item: JsonObject): boolean {
  items.set(index, item);
  return item.type !== 'message' && item.type !== 'reasoning';
}

function appendDelta(item: JsonObject, place: DeltaPlace, event: JsonObject, delta: string): void {
  if (!('list' in place)) {
    item[place.field] = joined(item[place.field], delta);
    return;
  }
  const at = event[place.index];
  const { list, element } = elementAt(
    item[place.list],
    typeof at === 'number' ? at : 0,
    place.pattern,
  );
  element[place.field] = joined(element[place.field], delta);
  item[place.list] = list;
}

function joined(text: JsonValue | undefined, delta: string): string {
  return typeof text === 'string' ? text + delta : delta;
}

/** Counts all text of a whole answer's output items. Returns whether there is something to use. */
export function tallyItems(tally: TextTally, output: readonly JsonValue[]): boolean {
  let produced = false;
  for (const item of output.filter(isJsonObject)) {
    for (const text of textsOf(item)) {
      tally.add(text);
      produced = true;
    }
    produced ||= item.type !== 'message' && item.type !== 'reasoning';
  }
  return produced;
}

function textsOf(item: JsonObject): string[] {
  const parts = [item.content, item.summary].flatMap((list) => (Array.isArray(list) ? list : []));
  const texts = parts
    .filter(isJsonObject)
    .flatMap((part) => [part.text, part.refusal])
    .concat(item.arguments, item.input);
  return texts.filter((text): text is string => typeof text === 'string' && text !== '');
}
