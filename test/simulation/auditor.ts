import { auditBalance, auditTotals } from './audit-balance.ts';
import { auditKey } from './audit-key.ts';
import {
  auditAdjustmentRefusal,
  auditRefusal,
  auditShortages,
  type Shortage,
} from './audit-refusals.ts';
import {
  auditCredit,
  auditDispatch,
  auditPromises,
  auditSettlement,
  type Granted,
  type Settled,
} from './audit-replies.ts';
import { auditRow } from './audit-rows.ts';
import {
  type Books,
  createBooks,
  demand,
  type Refused,
  requestIn,
  type Written,
} from './auditor-model.ts';

export interface AuditorOptions {
  readonly tables: { readonly gateway: string; readonly ledger: string };
  readonly nowMs: () => number;
  /** How far apart two hosts' clocks may be, and how long a host may hold a write back. */
  readonly toleranceMs: number;
}

/**
 * Judges the ledger from outside, by a model of its own: each write as it is applied, each answer
 * as a client gets it, and what is left in the end. Every method throws a Violation.
 */
export type Auditor = ReturnType<typeof createAuditor>;

export function createAuditor(options: AuditorOptions) {
  const books = createBooks();
  const { nowMs, toleranceMs } = options;
  return {
    books,
    /** A write has been applied that was sent at that time. */
    applied(written: Written, sentAtMs: number): void {
      const { table, key } = written;
      if (table === options.tables.ledger) auditRow(books, written);
      else if (key.sk.startsWith('balance#')) auditBalance(books, written, nowMs());
      else if (key.sk === 'state') {
        auditKey(books, written, { nowMs: nowMs(), sentAtMs, toleranceMs });
      } else if (key.pk.startsWith('hold#')) auditRecord(books, written);
    },
    /** A client was granted a hold and sends its request to the provider. */
    dispatched: (granted: Granted) => auditDispatch(books, granted),
    /** A client was refused. */
    refused: (refused: Refused) => auditRefusal(books, refused, toleranceMs),
    /** An operator was told that a balance does not cover what should be taken from it. */
    adjustmentRefused: (refused: Omit<Shortage, 'toMs'>) =>
      auditAdjustmentRefusal(books, { ...refused, toMs: nowMs() }),
    /** A settlement or a release told what became of it. */
    settled: (requestId: string, outcome: Settled) => auditSettlement(books, requestId, outcome),
    /** A credit or an adjustment was acknowledged. */
    booked: (accountId: string, reference: string, amount: bigint) =>
      auditCredit(books, { accountId, reference, amount }),
    /** Every account adds up; once all is quiet, nothing may be reserved any more. */
    totals(quiet: boolean): void {
      auditTotals(books);
      if (!quiet) return;
      auditNothingReserved(books);
      auditPromises(books);
      auditShortages(books);
    },
  };
}

/** A hold record goes only once nothing of its request is open. */
function auditRecord(books: Books, { key, after }: Written): void {
  const request = requestIn(books, key.sk);
  if (after !== undefined) {
    request.record = 'present';
    return;
  }
  const open = [request.balance, request.key].some(({ state }) => state === 'open');
  demand(!open, () => `${key.sk}: the hold record is deleted while its hold is open`);
  demand(!request.dispatched, () => `${key.sk}: the hold record of a dispatched hold is deleted`);
  request.record = 'deleted';
}

function auditNothingReserved(books: Books): void {
  for (const { requestId, balance, key } of books.requests.values()) {
    demand(balance.state !== 'open', () => `${requestId} is reserved on its balance for ever`);
    demand(key.state !== 'open', () => `${requestId} is reserved on its key for ever`);
  }
  for (const { transferId, sides } of books.transfers.values()) {
    const open = [...sides.values()].some(({ state }) => state === 'open');
    demand(!open, () => `transfer ${transferId} is under way for ever`);
  }
}
