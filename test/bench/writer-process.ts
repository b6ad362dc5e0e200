/**
 * One process of several that write to the same database: holds placed and settled by the ledger's
 * own code, or plain conditional updates of items, so many at once for so long.
 */

import { createDynamoDbClient, createDynamoDbSend } from '../../shared/ledger/dynamodb.ts';
import { createLedger, type Ledger } from '../../shared/ledger/ledger.ts';
import type { ItemKey, Send } from '../../shared/ledger/store.ts';
import { LOCAL_TABLES } from '../../shared/ledger/tables.ts';
import type { KeyRecord } from '../../shared/ledger/types.ts';
import { DETAILS } from '../support/ledger.ts';
import { serveParent } from './child.ts';

interface Work {
  readonly concurrency: number;
  /** Work begun within this time counts; what runs then is still finished. */
  readonly forMs: number;
}

export type WriterJob =
  | (Work & { readonly kind: 'holds'; readonly apiKeys: readonly string[] })
  | (Work & { readonly kind: 'updates'; readonly items: readonly ItemKey[] });

export interface WriterResult {
  readonly done: number;
  /** What was refused or failed, by the error's code or message. */
  readonly refused: Readonly<Record<string, number>>;
  readonly elapsedMs: number;
}

const HOLD = 1_000_000_000n;
const CHARGE = 400_000_000n;
const UPDATE_WITHIN_MS = 30_000;

const send = createDynamoDbSend(createDynamoDbClient({ endpoint: process.argv[2] ?? '' }));
const ledger = createLedger({ send, tables: LOCAL_TABLES });

async function run(job: WriterJob): Promise<WriterResult> {
  const tasks =
    job.kind === 'holds' ? await holdTasks(ledger, job.apiKeys) : updateTasks(send, job.items);
  const refused: Record<string, number> = {};
  const startedMs = performance.now();
  let done = 0;
  const writer = async (index: number) => {
    const task = tasks[index % tasks.length];
    while (task && performance.now() - startedMs < job.forMs) {
      try {
        await task();
        done += 1;
      } catch (error) {
        const name = nameOf(error);
        refused[name] = (refused[name] ?? 0) + 1;
      }
    }
  };
  await Promise.all(Array.from({ length: job.concurrency }, (_, index) => writer(index)));
  return { done, refused, elapsedMs: performance.now() - startedMs };
}

/** A request's way through the ledger without the request: placed, and settled at once. */
async function holdTasks(
  { authenticateKey, placeHold, settle }: Ledger,
  apiKeys: readonly string[],
): Promise<(() => Promise<unknown>)[]> {
  const keys: KeyRecord[] = [];
  for (const apiKey of apiKeys) keys.push(await authenticateKey(apiKey));
  return keys.map((key) => async () => {
    const hold = await placeHold({ key, amount: HOLD, fingerprint: 'bench' });
    await settle(hold, { amount: CHARGE, details: DETAILS });
  });
}

function updateTasks(sendCommand: Send, items: readonly ItemKey[]): (() => Promise<unknown>)[] {
  return items.map((key) => async () => {
    const reply = await sendCommand(
      {
        operation: 'update',
        table: LOCAL_TABLES.gateway,
        key,
        changes: { add: { available: -1n } },
        conditions: [{ path: 'available', is: '>=', value: 1n }],
      },
      UPDATE_WITHIN_MS,
    );
    if (reply.outcome !== 'done') throw new Error('refused');
  });
}

function nameOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code);
  return error instanceof Error ? error.message : String(error);
}

serveParent(undefined, run);
