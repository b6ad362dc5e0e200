import { isJsonObject, type JsonObject } from '../../api/json.ts';
import type { FinishReason } from '../../api/stream-part.ts';

/** How an answer ended, in the words of both routes. */
export interface Finish {
  readonly reason: FinishReason;
  /** Absent where the answer is complete. */
  readonly incompleteReason?: string;
}

const COMPLETE: Finish = { reason: 'stop' };
const LENGTH: Finish = { reason: 'length', incompleteReason: 'max_output_tokens' };

const FINISHES: ReadonlyMap<string, Finish> = new Map([
  ['end_turn', COMPLETE],
  ['stop_sequence', COMPLETE],
  ['tool_use', { reason: 'tool_calls' }],
  ['max_tokens', LENGTH],
  ['model_context_window_exceeded', LENGTH],
  // The provider paused its own tool loop or compacted the context: more was to come.
  ['pause_turn', { reason: 'length', incompleteReason: 'pause_turn' }],
  ['compaction', { reason: 'length', incompleteReason: 'compaction' }],
  ['refusal', { reason: 'content_filter', incompleteReason: 'content_filter' }],
]);

/** A stop reason that is not known is never passed off as a natural stop. */
const UNKNOWN: Finish = { reason: 'length', incompleteReason: 'other' };

const UNEXPLAINED = 'The model declined to answer.';

/** What a `stop_reason` means on both routes; one that is not known is an incomplete answer. */
export function finishOf(stopReason: string): Finish {
  return FINISHES.get(stopReason) ?? UNKNOWN;
}

/** The text of a refusal; undefined where the answer was not refused. */
export function refusalText(stopped: JsonObject): string | undefined {
  if (stopped.stop_reason !== 'refusal') return undefined;
  const details = stopped.stop_details;
  const explanation = isJsonObject(details) ? details.explanation : undefined;
  return typeof explanation === 'string' && explanation !== '' ? explanation : UNEXPLAINED;
}
