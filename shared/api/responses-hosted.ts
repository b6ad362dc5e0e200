import type { JsonObject } from './json.ts';
import { addItem, closeCurrent, emit, finishItem, type ItemState } from './responses-items.ts';
import type { PartOf } from './stream-part.ts';

/** A hosted call that waits for its result: other items may be written meanwhile. */
interface WaitingCall {
  /** The provider's own ID of the call. */
  readonly key: string;
  readonly index: number;
  readonly item: JsonObject & { readonly id: string };
}

/** Hosted calls without a result yet, in the order in which they were made. */
export type WaitingCalls = WaitingCall[];

/** Begins a search call item; it waits among the others until its result comes. */
export function openSearch(
  state: ItemState,
  waiting: WaitingCalls,
  { key, action }: PartOf<'search-call'>,
): void {
  closeCurrent(state, 'completed');
  const shown = action.type === 'search' ? { ...action, queries: [action.query] } : action;
  const id = `ws_${state.nextId()}`;
  const item = { id, type: 'web_search_call', status: 'in_progress', action: shown };
  const index = addItem(state, item);
  emit(state, 'response.web_search_call.in_progress', { item_id: id, output_index: index });
  emit(state, 'response.web_search_call.searching', { item_id: id, output_index: index });
  waiting.push({ key, index, item });
}

/** Ends the search call that a result is for, with its sources; a result without a call is passed over. */
export function closeSearch(
  state: ItemState,
  waiting: WaitingCalls,
  part: PartOf<'search-result'>,
): void {
  const call = takeCall(waiting, 'web_search_call', part.key);
  if (!call) return;
  const { index, item } = call;
  if (!part.failed) {
    emit(state, 'response.web_search_call.completed', { item_id: item.id, output_index: index });
  }
  const status = part.failed ? 'failed' : 'completed';
  const sources = part.sources.map((url) => ({ type: 'url', url }));
  // `openSearch` made it, with an object there.
  const action = { ...(item.action as JsonObject), ...(sources.length > 0 && { sources }) };
  finishItem(state, index, { ...item, status, action });
}

/** Begins a call of a remote MCP tool, its arguments whole; it waits until its result comes. */
export function openMcpCall(
  state: ItemState,
  waiting: WaitingCalls,
  part: PartOf<'mcp-call'>,
): void {
  closeCurrent(state, 'completed');
  const id = `mcp_${state.nextId()}`;
  const item = {
    id,
    type: 'mcp_call',
    status: 'in_progress',
    approval_request_id: null,
    arguments: '',
    error: null,
    name: part.name,
    output: null,
    server_label: part.serverLabel,
  };
  const index = addItem(state, item);
  const address = { item_id: id, output_index: index };
  emit(state, 'response.mcp_call.in_progress', address);
  emit(state, 'response.mcp_call_arguments.delta', { ...address, delta: part.arguments });
  emit(state, 'response.mcp_call_arguments.done', { ...address, arguments: part.arguments });
  waiting.push({ key: part.key, index, item: { ...item, arguments: part.arguments } });
}

/** Ends the MCP call that a result is for, with its output or its error. */
export function closeMcpCall(
  state: ItemState,
  waiting: WaitingCalls,
  part: PartOf<'mcp-result'>,
): void {
  const call = takeCall(waiting, 'mcp_call', part.key);
  if (!call) return;
  const status = part.failed ? 'failed' : 'completed';
  emit(state, `response.mcp_call.${status}`, { item_id: call.item.id, output_index: call.index });
  const error = { type: 'mcp_tool_execution_error', content: part.output };
  const outcome = part.failed ? { error } : { output: part.output };
  finishItem(state, call.index, { ...call.item, status, ...outcome });
}

/** Calls whose result never came end with the answer, as incomplete. */
export function closeWaiting(state: ItemState, waiting: WaitingCalls): void {
  for (const { index, item } of waiting.splice(0)) {
    finishItem(state, index, { ...item, status: 'incomplete' });
  }
}

/** The call that a result is for, which waits no longer; undefined for a result without a call. */
function takeCall(waiting: WaitingCalls, type: string, key: string): WaitingCall | undefined {
  const at = waiting.findIndex((call) => call.key === key && call.item.type === type);
  return at < 0 ? undefined : waiting.splice(at, 1)[0];
}
