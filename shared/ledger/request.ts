import type { LedgerContext } from './context.ts';
import {
  type Item,
  type ItemKey,
  type StoreCommand,
  StoreFailure,
  type StoreReply,
} from './store.ts';

/** How long one command may go unanswered where nobody waits for an answer. */
export const PATIENT_TIMEOUT_MS = 3_000;
const REPEATS = 4;
const FIRST_PAUSE_MS = 20;

/**
 * Sends a command that may safely be repeated, until it is answered.
 * Throws the last StoreFailure when the tries or the time are used up.
 */
export async function sendRepeatedly(
  context: LedgerContext,
  command: StoreCommand,
  timeMs = PATIENT_TIMEOUT_MS,
): Promise<StoreReply & { readonly repeated: boolean }> {
  const deadline = context.monotonicNow() + timeMs;
  for (let tries = 0; ; tries += 1) {
    try {
      const left = Math.max(1, Math.ceil(deadline - context.monotonicNow()));
      return { ...(await context.send(command, left)), repeated: tries > 0 };
    } catch (error) {
      const pause = FIRST_PAUSE_MS * 2 ** tries;
      const outOfTime = context.monotonicNow() + pause >= deadline;
      if (!(error instanceof StoreFailure) || tries >= REPEATS || outOfTime) throw error;
      await context.wait(pause);
    }
  }
}

/** Reads one item, strongly consistent; undefined where there is none. */
export async function readItem(
  context: LedgerContext,
  table: string,
  key: ItemKey,
  timeMs?: number,
): Promise<Item | undefined> {
  const reply = await sendRepeatedly(context, { operation: 'get', table, key }, timeMs);
  return reply.item;
}

/** Reads every item of a partition, or of a range of it, page by page. */
export async function queryAll(
  context: LedgerContext,
  range: { table: string; pk: string; from?: string; to?: string },
): Promise<Item[]> {
  const found: Item[] = [];
  let after: ItemKey | undefined;
  do {
    const command = { operation: 'query' as const, ...range, ...(after ? { after } : {}) };
    const reply = await sendRepeatedly(context, command);
    if (reply.outcome === 'refused') throw new TypeError('a query has no condition to refuse');
    found.push(...(reply.items ?? []));
    after = reply.next;
  } while (after);
  return found;
}
