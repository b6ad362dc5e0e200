import { type BoundedMap, createBoundedMap } from './bounded-map.ts';
import { createGate, type Gate } from './gate.ts';
import type { KeyState } from './key-state.ts';
import type { ChargeSpool } from './spool.ts';
import type { Send } from './store.ts';
import type { TableNames } from './tables.ts';

/** Everything the ledger needs of the world. Clock, randomness and traffic are all in here. */
export interface LedgerContext {
  readonly send: Send;
  readonly tables: TableNames;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly monotonicNow: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly wait: (ms: number) => Promise<unknown>;
  readonly spool: ChargeSpool | undefined;
  readonly memory: ProcessMemory;
}

/** What a process saw last of an item: a guess that saves a round trip, never a decision. */
type KeyHint = Pick<KeyState, 'tat' | 'lifetimeRoom' | 'periodRoom' | 'period'>;

/** A refusal that may be repeated without asking, until then by the monotonic clock. */
interface RememberedRefusal {
  readonly untilMs: number;
}

interface RememberedShortage extends RememberedRefusal {
  /** What was refused: as much or more is refused again. */
  readonly amount: bigint;
  readonly message: string;
}

export interface ProcessMemory {
  readonly keysByHash: BoundedMap<{ readonly state: KeyState; readonly readAtMs: number }>;
  readonly unknownHashes: BoundedMap<RememberedRefusal>;
  readonly keyHints: BoundedMap<KeyHint>;
  /** Last seen `available` by account. */
  readonly balanceHints: BoundedMap<bigint>;
  /** By key: its bucket is empty until then. */
  readonly emptyBuckets: BoundedMap<RememberedRefusal & { readonly seenMs: number }>;
  /** By account or key. */
  readonly shortages: BoundedMap<RememberedShortage>;
  /** Holds that this process placed: their reservations are not about to be undone. By short ID. */
  readonly placed: BoundedMap<true>;
  /** Accounts that were named to the sweep for an orphan: until then not again. */
  readonly namedOrphans: BoundedMap<{ readonly untilMs: number }>;
  /** Undo work that no answer waits for. */
  readonly pending: Set<Promise<unknown>>;
  /** How many holds are being placed at once: three writes each, below the client's connections. */
  readonly placing: Gate;
}

const REMEMBERED_KEYS = 10_000;
const PLACED_AT_ONCE = 16;

export function createProcessMemory(): ProcessMemory {
  return {
    keysByHash: createBoundedMap(REMEMBERED_KEYS),
    unknownHashes: createBoundedMap(REMEMBERED_KEYS),
    keyHints: createBoundedMap(REMEMBERED_KEYS),
    balanceHints: createBoundedMap(REMEMBERED_KEYS),
    emptyBuckets: createBoundedMap(REMEMBERED_KEYS),
    shortages: createBoundedMap(REMEMBERED_KEYS),
    placed: createBoundedMap(REMEMBERED_KEYS),
    namedOrphans: createBoundedMap(REMEMBERED_KEYS),
    pending: new Set(),
    placing: createGate(PLACED_AT_ONCE),
  };
}

/** Lets work go on while the answer leaves; `finishPending` waits for it. */
export function continueInBackground(context: LedgerContext, work: Promise<unknown>): void {
  const { pending } = context.memory;
  const tracked: Promise<unknown> = work
    .catch(() => undefined) // what fails here is left to the sweep, by design
    .finally(() => pending.delete(tracked));
  pending.add(tracked);
}
