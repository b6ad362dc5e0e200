import {
  type Attributes,
  amountIn,
  type Books,
  demand,
  mintTimeMs,
  numberIn,
  type RowModel,
  requestIn,
  textIn,
  transferIn,
  type Written,
} from './auditor-model.ts';

/** The lifetime of a hold, as the service promises it. */
const LIFETIME_MS = 30 * 60_000;
const FINAL_KINDS = ['charge', 'release', 'expiry', 'late_charge', 'adjustment'];

/** Judges a write to the ledger's table: rows are put once and never change. */
export function auditRow(books: Books, { before, after }: Written): void {
  demand(
    before === undefined,
    () => `row ${textIn(before, 'sk')} of the ledger was overwritten or deleted`,
  );
  if (after === undefined) return;
  if (textIn(after, 'kind') === 'transfer') auditTransferRow(books, after);
  else auditMoneyRow(books, after);
}

function auditMoneyRow(books: Books, after: Attributes): void {
  const row = readRow(after);
  const sequence = numberIn(after, 'sequence');
  if (sequence === undefined) auditFinalRow(books, after, row);
  else auditSequencedRow(books, row, sequence);
  auditReference(books, row);
}

function readRow(item: Attributes): RowModel {
  const kind = textIn(item, 'kind') ?? '';
  const amount = amountIn(item, 'amount_nano');
  const takes = kind === 'charge' || kind === 'late_charge';
  return {
    accountId: textIn(item, 'account_id') ?? '',
    kind,
    taken: takes ? amount : -amount,
    hold: numberIn(item, 'hold_nano') ?? 0n,
    keyId: textIn(item, 'key_id'),
    reference: textIn(item, 'reference'),
  };
}

function auditFinalRow(books: Books, item: Attributes, row: RowModel): void {
  const requestId = textIn(item, 'request_id') ?? '';
  const request = requestIn(books, requestId);
  demand(FINAL_KINDS.includes(row.kind), () => `${requestId} is finalized as "${row.kind}"`);
  demand(request.row === undefined, () => `${requestId} is finalized twice`);
  demand(row.taken >= 0n && row.taken <= row.hold, () => `${requestId} is charged above its hold`);
  if (row.taken > 0n) {
    demand(request.balance.state === 'open', () => `${requestId} is charged but not reserved`);
    demand(request.balance.amount === row.hold, () => `${requestId}: the row misstates its hold`);
  }
  if (row.kind === 'expiry' && row.reference === undefined) {
    const bookedMs = Number(amountIn(item, 'created_at_ms'));
    const early = bookedMs < mintTimeMs(requestId) + LIFETIME_MS;
    demand(!early, () => `${requestId} is expired before its time`);
  }
  request.row = row;
  const lateFor = textIn(item, 'late_for');
  if (lateFor !== undefined && row.kind !== 'expiry') auditLateCharge(books, lateFor, row);
}

/** A transfer moves what is set aside on one stripe and announced on another, and nothing else. */
function auditTransferRow(books: Books, item: Attributes): void {
  const transferId = textIn(item, 'transfer_id') ?? '';
  const transfer = transferIn(books, textIn(item, 'account_id') ?? '', transferId);
  const moved = amountIn(item, 'moved_nano');
  demand(transfer.moved === undefined, () => `transfer ${transferId} has two rows`);
  demand(amountIn(item, 'amount_nano') === 0n, () => `transfer ${transferId} changes the balance`);
  transfer.moved = moved;
  if (moved === 0n) return;
  const side = (name: string) => transfer.sides.get(Number(amountIn(item, name)));
  const isOpen = (name: string, marker: bigint) =>
    side(name)?.state === 'open' && side(name)?.marker === marker;
  demand(isOpen('stripe', moved), () => `transfer ${transferId}: its money is not set aside`);
  demand(isOpen('to_stripe', -moved), () => `transfer ${transferId} is not announced`);
}

function auditLateCharge(books: Books, lateFor: string, row: RowModel): void {
  const first = requestIn(books, lateFor);
  first.lateRows += 1;
  demand(first.row?.kind === 'expiry', () => `${lateFor} is charged late without having expired`);
  demand(first.lateRows === 1, () => `${lateFor} is charged late twice`);
  demand(row.taken <= first.row.hold, () => `${lateFor} is charged late above its hold`);
}

function auditSequencedRow(books: Books, row: RowModel, sequence: bigint): void {
  const account = books.accounts.get(row.accountId);
  demand(account !== undefined, () => `a row of an account "${row.accountId}" that is not there`);
  const next = account.sequence + 1n;
  demand(sequence === next, () => `row ${sequence} comes where ${next} is next`);
  account.sequencedRows.set(sequence, row);
}

function auditReference(books: Books, row: RowModel): void {
  if (row.reference === undefined || row.kind === 'expiry') return;
  const name = `${row.accountId} ${row.reference}`;
  demand(!books.references.has(name), () => `reference ${name} is booked twice`);
  books.references.set(name, row);
}
