import { type Books, demand, requestIn, takenBy } from './auditor-model.ts';

export interface Granted {
  readonly requestId: string;
  readonly amount: bigint;
  readonly heldByKey: boolean;
  /** The call was made under an ID that another call was made under too. */
  readonly isCopy: boolean;
}

/** What is dispatched is reserved: on the balance, and on the key that has a limit. */
export function auditDispatch(books: Books, granted: Granted): void {
  const { requestId, amount } = granted;
  const request = requestIn(books, requestId);
  const { balance, key } = request;
  // A copy of a call under one ID may hear of its grant only after the first has been settled.
  const wasReserved = balance.state === 'open' || (balance.state === 'closed' && granted.isCopy);
  demand(wasReserved, () => `${requestId} is granted while its balance says "${balance.state}"`);
  demand(request.record === 'present', () => `${requestId} is granted without a hold record`);
  demand(balance.amount === amount, () => `${requestId} is granted ${amount} of ${balance.amount}`);
  const onKey = !granted.heldByKey || key.state === 'open' || request.row !== undefined;
  demand(onKey, () => `${requestId} is granted while its key says "${key.state}"`);
  request.dispatched = true;
}

export interface Settled {
  readonly status: string;
  readonly charged: bigint;
  /** Others may settle the same request, with charges of their own: the first one counts. */
  readonly isCopy: boolean;
}

/** What a settlement says is what the ledger holds. */
export function auditSettlement(books: Books, requestId: string, outcome: Settled): void {
  const request = requestIn(books, requestId);
  const { row } = request;
  switch (outcome.status) {
    case 'settled':
    case 'repeated':
      demand(
        row !== undefined && row.kind !== 'expiry' && takenBy(request) === outcome.charged,
        () => `${requestId} is said to be charged ${outcome.charged}, not ${takenBy(request)}`,
      );
      return;
    case 'late': {
      demand(row?.kind === 'expiry', () => `${requestId} is charged late but never expired`);
      const late = books.references.get(`${row.accountId} late#${requestId}`);
      const charged = late?.taken ?? 0n;
      demand(
        charged === outcome.charged,
        () => `${requestId}: late charge ${outcome.charged}, not ${charged}`,
      );
      return;
    }
    default:
      if (!outcome.isCopy) request.promised = outcome.charged;
  }
}

/** What a spool took over is booked: as it was promised, or late and at most that. */
export function auditPromises(books: Books): void {
  for (const { requestId, promised, row, lateRows } of books.requests.values()) {
    if (promised === undefined) continue;
    demand(row !== undefined, () => `${requestId} was spooled and never booked`);
    const inTime = row.kind !== 'expiry';
    const booked = inTime ? row.taken === promised : promised === 0n || lateRows === 1;
    demand(booked, () => `${requestId} was spooled with ${promised} and booked as ${row.kind}`);
  }
}

/** An acknowledged credit or adjustment stands in the ledger, once, with its amount. */
export function auditCredit(
  books: Books,
  credit: { accountId: string; reference: string; amount: bigint },
): void {
  const row = books.references.get(`${credit.accountId} ${credit.reference}`);
  const given = row === undefined ? 0n : -row.taken;
  demand(given === credit.amount, () => `${credit.reference} gave ${given}, not ${credit.amount}`);
}
