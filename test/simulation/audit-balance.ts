import {
  type AccountModel,
  amountIn,
  type Books,
  demand,
  holdChanges,
  openHoldsIn,
  requestIn,
  takenBy,
  type Written,
} from './auditor-model.ts';

/** Judges a write to an account's balance: every step of it is one of three, and each is exact. */
export function auditBalance(books: Books, written: Written, nowMs: number): void {
  const { before, after, key } = written;
  demand(after !== undefined, () => `the balance of ${key.pk} was deleted`);
  if (before === undefined) {
    demand(amountIn(after, 'available') === 0n, () => `${key.pk} begins with money`);
    books.accounts.set(key.pk, newAccount(key.pk, nowMs));
    return;
  }
  const account = books.accounts.get(key.pk);
  demand(account !== undefined, () => `${key.pk} is changed before it is made`);
  const delta = amountIn(after, 'available') - amountIn(before, 'available');
  const { opened, closed } = holdChanges(openHoldsIn(before), openHoldsIn(after));
  const steps = amountIn(after, 'seq') - account.sequence;
  if (opened) auditOpening(books, account, opened, delta);
  else if (closed) auditClosing(books, account, closed[0], delta);
  else auditSequence(account, steps, delta);
  if (opened || closed) demand(steps === 0n, () => `${key.pk}: a hold moves the sequence`);
  account.available += delta;
  account.history.push({ atMs: nowMs, value: account.available, open: new Map(account.open) });
  demand(account.available >= 0n, () => `${key.pk}: available is negative`);
}

function newAccount(accountId: string, nowMs: number): AccountModel {
  return {
    accountId,
    available: 0n,
    sequence: 0n,
    open: new Map(),
    sequencedRows: new Map(),
    history: [{ atMs: nowMs, value: 0n, open: new Map() }],
  };
}

function auditOpening(
  books: Books,
  account: AccountModel,
  [requestId, amount]: readonly [string, bigint],
  delta: bigint,
): void {
  const request = requestIn(books, requestId);
  const { state } = request.balance;
  demand(
    state === 'never',
    () => `${requestId}: its hold is opened again on the balance (${state})`,
  );
  demand(
    delta === -amount,
    () => `${requestId}: reserves ${amount} and moves available by ${delta}`,
  );
  demand(takenBy(request) === 0n, () => `${requestId} is reserved after it was charged`);
  demand(
    request.record !== 'deleted',
    () => `${requestId} is reserved after its hold record was deleted`,
  );
  request.balance.state = 'open';
  request.balance.amount = amount;
  account.open.set(requestId, amount);
}

function auditClosing(books: Books, account: AccountModel, requestId: string, delta: bigint): void {
  const request = requestIn(books, requestId);
  const refund = request.balance.amount - takenBy(request);
  demand(request.balance.state === 'open', () => `${requestId} is closed but was not open`);
  demand(delta === refund, () => `${requestId}: gives back ${delta} instead of ${refund}`);
  if (!request.row) {
    demand(!request.dispatched, () => `${requestId} was dispatched and its hold is undone`);
  }
  request.balance.state = request.row ? 'closed' : 'undone';
  account.open.delete(requestId);
}

function auditSequence(account: AccountModel, steps: bigint, delta: bigint): void {
  demand(steps === 1n, () => `${account.accountId}: the balance moves without hold or sequence`);
  account.sequence += 1n;
  const row = account.sequencedRows.get(account.sequence);
  demand(row !== undefined, () => `${account.accountId}: number ${account.sequence} has no row`);
  demand(
    delta === -row.taken,
    () => `${account.accountId}: a row gives ${-row.taken}, not ${delta}`,
  );
}

/** `available + open holds = credits - charges` over the applied rows, from scratch. */
export function auditTotals(books: Books): void {
  for (const account of books.accounts.values()) {
    const open = [...account.open.values()].reduce((sum, amount) => sum + amount, 0n);
    const given = [...account.sequencedRows].reduce(
      (sum, [number, row]) => (number <= account.sequence ? sum - row.taken : sum),
      0n,
    );
    const taken = [...books.requests.values()]
      .filter(
        ({ row, balance }) => row?.accountId === account.accountId && balance.state !== 'open',
      )
      .reduce((sum, request) => sum + takenBy(request), 0n);
    demand(
      account.available + open === given - taken,
      () => `${account.accountId}: ${account.available} + ${open} is not ${given} - ${taken}`,
    );
  }
}
