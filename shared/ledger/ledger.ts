import { randomBytes } from 'node:crypto';
import { setTimeout as waitMs } from 'node:timers/promises';
import { authenticateKey } from './authenticate.ts';
import { createProcessMemory, type LedgerContext } from './context.ts';
import { mayDispatch, placeHold } from './place.ts';
import { release, settle } from './settle.ts';
import type { ChargeSpool } from './spool.ts';
import type { Send } from './store.ts';
import { type SweepOptions, sweepHolds } from './sweep.ts';
import type { TableNames } from './tables.ts';
import { bucketOf, rateLimitState } from './token-bucket.ts';
import type {
  Charge,
  ChargeDetails,
  HoldRequest,
  KeyRecord,
  OpenHold,
  PlacedHold,
} from './types.ts';
import { verifyLedger } from './verify.ts';

export interface LedgerOptions {
  /** The one way to the database: `createDynamoDbSend(createDynamoDbClient(...))`. */
  readonly send: Send;
  readonly tables: TableNames;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  /** Milliseconds of a clock that never steps. */
  readonly monotonicNow?: () => number;
  readonly randomBytes?: (size: number) => Uint8Array;
  readonly wait?: (ms: number) => Promise<unknown>;
  /** Takes finished charges that the database would not; without one they are lost with an error. */
  readonly spool?: ChargeSpool;
}

/** One process's way to the ledger. All state that decides is in the database. */
export type Ledger = ReturnType<typeof createLedger>;

export function createLedger(options: LedgerOptions) {
  const context = createLedgerContext(options);
  return {
    context,
    /** The key behind a secret. Throws GatewayError: authentication, permission, ledger_unavailable. */
    authenticateKey: (secret: string) => authenticateKey(context, secret),
    /** Places a hold. Throws GatewayError: permission, rate_limit, billing, conflict, ledger_unavailable. */
    placeHold: (request: HoldRequest) => placeHold(context, request),
    /** The key's bucket as this process last saw it; undefined where it never did. No read. */
    rateLimitOf: (key: KeyRecord) => {
      const seen = context.memory.keyHints.get(key.keyId);
      return seen && rateLimitState(seen.tat, bucketOf(key), context.now());
    },
    /** Asked right before dispatch: false means release it and answer 503. */
    mayDispatch: (placed: PlacedHold) => mayDispatch(context, placed),
    /** Charges an open hold, once, never above it; safe to repeat. Throws only where nothing took the charge. */
    settle: (hold: OpenHold, charge: Charge) => settle(context, hold, charge),
    /** Gives the whole hold back and makes that final: a charge of zero. */
    release: (hold: OpenHold, details: ChargeDetails) => release(context, hold, details),
    /** Expires and re-applies what its time has come for, and drains the spool. */
    sweepHolds: (sweep: SweepOptions = {}) => sweepHolds(context, sweep),
    /** Recomputes every balance, or one account's. */
    verifyLedger: (accountId?: string) => verifyLedger(context, accountId),
    /** Resolves when what refusals left to undo is undone: awaited before an invocation ends. */
    finishPending: async () => {
      await Promise.allSettled(context.memory.pending);
    },
  };
}

/** The context that every function of the ledger takes first; clocks and randomness are the host's. */
export function createLedgerContext(options: LedgerOptions): LedgerContext {
  return {
    send: options.send,
    tables: options.tables,
    now: options.now ?? Date.now,
    monotonicNow: options.monotonicNow ?? (() => performance.now()),
    randomBytes: options.randomBytes ?? randomBytes,
    wait: options.wait ?? waitMs,
    spool: options.spool,
    memory: createProcessMemory(),
  };
}
