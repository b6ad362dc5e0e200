import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { AnswerUsage } from '../../api/stream-part.ts';
import type { ProviderReport, Usage } from '../../pricing/usage.ts';

/** Counts of one sampling run, as the provider names them. */
interface Counts {
  input?: number;
  cacheRead?: number;
  /** All cache writes, of whatever lifetime. */
  cacheWrite?: number;
  cacheWrite5m?: number;
  cacheWrite1h?: number;
  output?: number;
}

/** The last value of every usage field seen so far. */
export interface UsageState extends Counts {
  thinking?: number;
  webSearches?: number;
  serviceTier?: string;
  speed?: string;
  inferenceGeo?: string;
  /** Runs that compacted the context: billed, but not part of the other fields. */
  compactions: readonly Counts[];
  /** The output count is the answer's own, not the first guess of the start event. */
  outputIsFinal: boolean;
}

/** No usage seen yet. */
export function createUsageState(): UsageState {
  return { compactions: [], outputIsFinal: false };
}

/**
 * Takes over the fields of one usage object. They are cumulative: a later value replaces an
 * earlier one and is never added to it. `final` is false for the start event's.
 */
export function readUsage(state: UsageState, usage: JsonValue | undefined, final: boolean): void {
  if (!isJsonObject(usage)) return;
  Object.assign(state, readCounts(usage));
  if (final && count(usage.output_tokens) !== undefined) state.outputIsFinal = true;
  setCount(state, 'thinking', nested(usage, 'output_tokens_details', 'thinking_tokens'));
  setCount(state, 'webSearches', nested(usage, 'server_tool_use', 'web_search_requests'));
  setText(state, 'serviceTier', usage.service_tier);
  setText(state, 'speed', usage.speed);
  setText(state, 'inferenceGeo', usage.inference_geo);
  if (Array.isArray(usage.iterations)) state.compactions = compactionCounts(usage.iterations);
}

/** What the client is told: integers that add up, compactions of the context included. */
export function answerUsage(state: UsageState): AnswerUsage {
  const total = totals(state);
  return {
    inputTokens: total.input + total.cacheRead + total.fiveMinutes + total.oneHour,
    cachedTokens: total.cacheRead,
    cacheWriteTokens: total.fiveMinutes + total.oneHour,
    outputTokens: total.output,
    reasoningTokens: reasoningTokens(state),
  };
}

/**
 * The meters, which do not overlap. Undefined where the provider sent no usable counts: none of the
 * input, or, for an answer that is complete, none of the output but the start event's guess.
 */
export function meteredUsage(state: UsageState, complete: boolean): Usage | undefined {
  if (state.input === undefined || (complete && !state.outputIsFinal)) return undefined;
  const total = totals(state);
  const searches = state.webSearches ?? 0;
  return {
    input_tokens: total.input,
    ...(total.cacheRead > 0 && { cached_input_tokens: total.cacheRead }),
    ...(total.fiveMinutes > 0 && { cache_write_5m_input_tokens: total.fiveMinutes }),
    ...(total.oneHour > 0 && { cache_write_1h_input_tokens: total.oneHour }),
    output_tokens: total.output,
    ...(searches > 0 && { anthropic_web_search_calls: searches }),
  };
}

/** Thinking is part of the output and never more than it. */
export function reasoningTokens(state: UsageState): number {
  return Math.min(state.thinking ?? 0, totals(state).output);
}

/** What the provider says it executed. It says `not_available` where it says nothing. */
export function executed(state: UsageState): ProviderReport['executed'] {
  const { serviceTier, speed, inferenceGeo } = state;
  return {
    ...(serviceTier !== undefined && { serviceTier }),
    ...(speed !== undefined && { speed }),
    ...(inferenceGeo !== undefined && inferenceGeo !== 'not_available' && { inferenceGeo }),
  };
}

/** The executed tier in the words of the responses route, where it has one. */
export function servedTier({ serviceTier }: UsageState): string | undefined {
  return serviceTier === 'standard' ? 'default' : serviceTier;
}

function totals(state: UsageState) {
  const total = { input: 0, cacheRead: 0, fiveMinutes: 0, oneHour: 0, output: 0 };
  for (const counts of [state, ...state.compactions]) {
    const written = splitWrites(counts);
    total.input += counts.input ?? 0;
    total.cacheRead += counts.cacheRead ?? 0;
    total.fiveMinutes += written.fiveMinutes;
    total.oneHour += written.oneHour;
    total.output += counts.output ?? 0;
  }
  return total;
}

/** What the split leaves open counts as a five-minute write. Later events carry only the total. */
function splitWrites({ cacheWrite, cacheWrite5m = 0, cacheWrite1h = 0 }: Counts) {
  const total = cacheWrite ?? cacheWrite5m + cacheWrite1h;
  const oneHour = Math.min(cacheWrite1h, total);
  return { oneHour, fiveMinutes: total - oneHour };
}

function readCounts(usage: JsonObject): Counts {
  const counts: Counts = {};
  setCount(counts, 'input', usage.input_tokens);
  setCount(counts, 'cacheRead', usage.cache_read_input_tokens);
  setCount(counts, 'cacheWrite', usage.cache_creation_input_tokens);
  setCount(counts, 'cacheWrite5m', nested(usage, 'cache_creation', 'ephemeral_5m_input_tokens'));
  setCount(counts, 'cacheWrite1h', nested(usage, 'cache_creation', 'ephemeral_1h_input_tokens'));
  setCount(counts, 'output', usage.output_tokens);
  return counts;
}

function compactionCounts(iterations: readonly JsonValue[]): Counts[] {
  return iterations
    .filter(isJsonObject)
    .filter((iteration) => iteration.type === 'compaction')
    .map(readCounts);
}

function nested(usage: JsonObject, field: string, name: string): JsonValue | undefined {
  const details = usage[field];
  return isJsonObject(details) ? details[name] : undefined;
}

function count(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Sets a field to a whole number; anything else leaves what was there. */
function setCount<Name extends string>(
  target: { [Key in Name]?: number },
  name: Name,
  value: JsonValue | undefined,
): void {
  const read = count(value);
  if (read !== undefined) target[name] = read;
}

function setText<Name extends string>(
  target: { [Key in Name]?: string },
  name: Name,
  value: JsonValue | undefined,
): void {
  if (typeof value === 'string') target[name] = value;
}
