import {
  type AccountModel,
  type Attributes,
  amountIn,
  type Books,
  demand,
  holdChanges,
  numberIn,
  openHoldsIn,
  requestIn,
  takenBy,
  transferIn,
  type Written,
} from './auditor-model.ts';

/** Judges a write to a stripe of a balance: every step of it is one of a few, and each is exact. */
export function auditBalance(books: Books, written: Written, nowMs: number): void {
  const { before, after, key } = written;
  const [accountId = '', stripe] = stripeIn(key);
  demand(after !== undefined, () => `the balance of ${key.pk} was deleted`);
  if (before === undefined) {
    demand(amountIn(after, 'available') === 0n, () => `${key.pk} begins with money`);
    const account = books.accounts.get(accountId) ?? newAccount(accountId, nowMs);
    books.accounts.set(accountId, account);
    account.stripes.set(stripe, 0n);
    return;
  }
  const account = books.accounts.get(accountId);
  demand(account !== undefined, () => `${key.pk} is changed before it is made`);
  const delta = amountIn(after, 'available') - amountIn(before, 'available');
  const available = (account.stripes.get(stripe) ?? 0n) + delta;
  account.stripes.set(stripe, available);
  auditStep(books, account, { stripe, before, after, delta });
  account.history.push({ atMs: nowMs, value: account.total, open: new Map(account.open) });
  demand(available >= 0n, () => `${key.pk}: available is negative`);
  const inAll = sum(account.stripes.values()) + inTransfer(books, accountId);
  demand(inAll === account.total, () => `${accountId}: stripes hold ${inAll} of ${account.total}`);
}

/** The account and the stripe whose item this is. */
function stripeIn({ pk, sk }: Written['key']): [string, number] {
  return [pk.split('#')[0] ?? '', Number(sk.split('#')[1])];
}

interface Step {
  readonly stripe: number;
  readonly before: Attributes;
  readonly after: Attributes;
  readonly delta: bigint;
}

/** Judges what one write has done: a hold or a transfer's marker opens or closes, or a row is applied. */
function auditStep(books: Books, account: AccountModel, step: Step): void {
  const { stripe, before, after, delta } = step;
  const hold = holdChanges(openHoldsIn(before), openHoldsIn(after));
  const marker = holdChanges(openHoldsIn(before, 'transfers'), openHoldsIn(after, 'transfers'));
  const steps = amountIn(after, 'seq') - amountIn(before, 'seq');
  const done = [hold.opened, hold.closed, marker.opened, marker.closed].filter(Boolean).length;
  const { accountId } = account;
  demand(done + Number(steps) <= 1, () => `${accountId}: one write does several things`);
  if (hold.opened) auditOpening(books, account, hold.opened, delta);
  else if (hold.closed) auditClosing(books, account, hold.closed[0], delta);
  else if (marker.opened) auditMarkerOpening(books, account, step, marker.opened);
  else if (marker.closed) auditMarkerClosing(books, account, step, marker.closed[0]);
  else if (after.stripes !== before.stripes) auditRaise(account, step);
  else auditSequence(account, steps, delta);
  if (steps > 0n) demand(stripe === 0, () => `${accountId}: a row is applied to stripe ${stripe}`);
  // A transfer moves money within the account.
  if (!marker.opened && !marker.closed) account.total += delta;
}

function auditRaise(account: AccountModel, { before, after, delta }: Step): void {
  const [from, to] = [numberIn(before, 'stripes') ?? 1n, amountIn(after, 'stripes')];
  const { accountId, stripes } = account;
  demand(to > from, () => `${accountId}: ${from} stripes become ${to}`);
  demand(stripes.size >= Number(to), () => `${accountId}: ${to} stripes are named before they are`);
  demand(delta === 0n, () => `${accountId}: a raise of the stripes moves ${delta}`);
}

function newAccount(accountId: string, nowMs: number): AccountModel {
  return {
    accountId,
    total: 0n,
    stripes: new Map(),
    sequence: 0n,
    open: new Map(),
    sequencedRows: new Map(),
    history: [{ atMs: nowMs, value: 0n, open: new Map() }],
  };
}

function auditMarkerOpening(
  books: Books,
  { accountId }: AccountModel,
  { stripe, delta }: Step,
  [transferId, marker]: readonly [string, bigint],
): void {
  const { sides } = transferIn(books, accountId, transferId);
  demand(!sides.has(stripe), () => `${transferId}: its marker is opened again on stripe ${stripe}`);
  demand(marker !== 0n, () => `${transferId} moves nothing`);
  const reserved = marker > 0n ? marker : 0n;
  demand(delta === -reserved, () => `${transferId} sets ${marker} aside and moves ${delta}`);
  sides.set(stripe, { state: 'open', marker });
}

function auditMarkerClosing(
  books: Books,
  { accountId }: AccountModel,
  { stripe, delta }: Step,
  transferId: string,
): void {
  const { sides, moved = 0n } = transferIn(books, accountId, transferId);
  const side = sides.get(stripe);
  demand(side?.state === 'open', () => `${transferId} is closed on ${stripe} but was not open`);
  const { marker } = side;
  const comes = marker < 0n;
  const due = comes === moved > 0n ? (comes ? -marker : marker) : 0n;
  demand(
    delta === due,
    () => `${transferId}: stripe ${stripe} is given ${delta} instead of ${due}`,
  );
  side.state = 'closed';
}

/** What is in no stripe available because it is on its way: still to come, or to be given back. */
function inTransfer(books: Books, accountId: string): bigint {
  const open = [...books.transfers.values()]
    .filter((transfer) => transfer.accountId === accountId)
    .flatMap(({ sides, moved = 0n }) =>
      [...sides.values()]
        .filter(({ state, marker }) => state === 'open' && marker < 0n === moved > 0n)
        .map(({ marker }) => (marker < 0n ? -marker : marker)),
    );
  return sum(open);
}

function sum(amounts: Iterable<bigint>): bigint {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
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

/**
 * `available on all stripes + open holds + transfers in flight = credits - charges` over the applied
 * rows, from scratch.
 */
export function auditTotals(books: Books): void {
  for (const account of books.accounts.values()) {
    const { accountId } = account;
    const open = sum(account.open.values());
    const available = sum(account.stripes.values());
    const moving = inTransfer(books, accountId);
    const given = [...account.sequencedRows].reduce(
      (total, [number, row]) => (number <= account.sequence ? total - row.taken : total),
      0n,
    );
    const taken = [...books.requests.values()]
      .filter(({ row, balance }) => row?.accountId === accountId && balance.state !== 'open')
      .reduce((total, request) => total + takenBy(request), 0n);
    demand(
      available + open + moving === given - taken,
      () => `${accountId}: ${available} + ${open} + ${moving} is not ${given} - ${taken}`,
    );
  }
}
