import {
  type Attributes,
  amountIn,
  type Books,
  demand,
  holdChanges,
  type KeyModel,
  numberIn,
  openHoldsIn,
  requestIn,
  takenBy,
  textIn,
  type Written,
} from './auditor-model.ts';

export interface KeyAuditOptions {
  readonly nowMs: number;
  /** When the write was sent, by true time. */
  readonly sentAtMs: number;
  /** How far a host's clock may be off, and how long a write may be held back before it is sent. */
  readonly toleranceMs: number;
}

/** Judges a write to a key: its limits are never exceeded, and its room is exact after every step. */
export function auditKey(books: Books, written: Written, options: KeyAuditOptions): void {
  const { before, after } = written;
  const keyId = written.key.pk;
  demand(after !== undefined, () => `key ${keyId} was deleted`);
  const key = books.keys.get(keyId) ?? newKey(keyId);
  books.keys.set(keyId, key);
  if (!before) {
    key.periods.add(textIn(after, 'period') ?? '-');
  } else {
    const { opened, closed } = holdChanges(openHoldsIn(before), openHoldsIn(after));
    noteLimits(key, before, after);
    if (closed) auditClosing(books, { key, before, after }, closed[0]);
    if (opened) auditOpening(books, { key, before, after }, opened);
    auditPeriod(key, before, after);
    if (before.tat !== after.tat) auditToken(key, { before, after }, options);
  }
  auditRooms(key, after);
  note(key, after, options.nowMs);
}

function newKey(keyId: string): KeyModel {
  return {
    keyId,
    charged: 0n,
    open: 0n,
    lifetimeBase: 0n,
    usedInPeriod: new Map(),
    periods: new Set(),
    admissions: [],
    roomHistory: [],
    tatHistory: [],
    closedHistory: [],
    expiriesMs: new Set(),
    rotated: false,
  };
}

/** A lifetime limit counts from where it begins; the holds that are open then count in it. */
function noteLimits(key: KeyModel, before: Attributes, after: Attributes): void {
  const begins = before.life_limit === undefined && after.life_limit !== undefined;
  if (begins) key.lifetimeBase = key.charged;
  if (textsOf(before) !== textsOf(after)) key.rotated = true;
  if (before.burst !== after.burst || before.rate !== after.rate) key.admissions = [];
}

interface Step {
  readonly key: KeyModel;
  readonly before: Attributes;
  readonly after: Attributes;
}

/** The hashes of a key's secrets, as one text. */
function textsOf(item: Attributes): string {
  return typeof item.hashes === 'object' ? Object.keys(item.hashes).sort().join(' ') : '';
}

function auditOpening(
  books: Books,
  step: Step,
  [requestId, amount]: readonly [string, bigint],
): void {
  const { key, before, after } = step;
  const request = requestIn(books, requestId);
  const { state } = request.key;
  demand(state === 'never', () => `${requestId}: its hold is opened again on the key (${state})`);
  demand(
    request.record !== 'deleted',
    () => `${requestId} is held by its key after its record was deleted`,
  );
  demand(before.version === after.version, () => `${requestId} changes the key's version`);
  const period = after.period_limit === undefined ? undefined : textIn(after, 'period');
  Object.assign(request.key, { state: 'open', amount, period });
  key.open += amount;
  if (period !== undefined) use(key, period, amount);
  auditLimit(
    key,
    'lifetime',
    key.charged - key.lifetimeBase + key.open,
    numberIn(after, 'life_limit'),
  );
  const used = key.usedInPeriod.get(period ?? '') ?? 0n;
  auditLimit(key, 'recurring', used, numberIn(after, 'period_limit'));
}

function auditLimit(key: KeyModel, kind: string, used: bigint, limit: bigint | undefined): void {
  const within = limit === undefined || used <= limit;
  demand(within, () => `key ${key.keyId} exceeds its ${kind} limit: ${used} of ${limit}`);
}

function use(key: KeyModel, period: string, amount: bigint): void {
  key.usedInPeriod.set(period, (key.usedInPeriod.get(period) ?? 0n) + amount);
}

function auditClosing(books: Books, step: Step, requestId: string): void {
  const { key, before, after } = step;
  const request = requestIn(books, requestId);
  const { amount, period } = request.key;
  if (!request.row) {
    demand(!request.dispatched, () => `${requestId} was dispatched and its key's hold is undone`);
  }
  request.key.state = request.row ? 'closed' : 'undone';
  key.open -= amount;
  key.charged += takenBy(request);
  // Nobody knows the period of a hold that never had a record: its refund may be forgone.
  const forgone = request.record !== 'present' && before.period_room === after.period_room;
  if (period !== undefined && !forgone) use(key, period, takenBy(request) - amount);
}

/** A period that has begun never begins again, so that no boundary refills the room twice. */
function auditPeriod(key: KeyModel, before: Attributes, after: Attributes): void {
  const period = textIn(after, 'period') ?? '-';
  if (period === textIn(before, 'period') || period === '-') return;
  demand(!key.periods.has(period), () => `key ${key.keyId}: period ${period} begins a second time`);
  key.periods.add(period);
}

/** What the key says it has left is its limit less what is charged and open. */
function auditRooms(key: KeyModel, item: Attributes): void {
  const lifetime = numberIn(item, 'life_limit');
  const recurring = numberIn(item, 'period_limit');
  if (lifetime !== undefined) {
    const left = lifetime - (key.charged - key.lifetimeBase + key.open);
    const room = amountIn(item, 'life_room');
    demand(room === left, () => `key ${key.keyId}: lifetime room is ${room}, not ${left}`);
  }
  if (recurring !== undefined) {
    const period = textIn(item, 'period') ?? '';
    const left = recurring - (key.usedInPeriod.get(period) ?? 0n);
    const room = amountIn(item, 'period_room');
    demand(room === left, () => `key ${key.keyId}: room of ${period} is ${room}, not ${left}`);
  }
}

/** The bucket never admits more than its burst and what its rate refills, within the clocks' skew. */
function auditToken(
  key: KeyModel,
  { before, after }: { before: Attributes; after: Attributes },
  options: KeyAuditOptions,
): void {
  demand(before.enabled === true, () => `key ${key.keyId} is disabled and takes a token`);
  const admission = { sentAtMs: options.sentAtMs };
  key.admissions.push(admission);
  key.admissions.sort((one, other) => one.sentAtMs - other.sentAtMs);
  const at = key.admissions.indexOf(admission);
  const burst = Number(amountIn(after, 'burst'));
  const perMs = Number(textIn(after, 'rate')) / 1000;
  for (const [first, from] of key.admissions.slice(0, at + 1).entries()) {
    for (const [beyond, to] of key.admissions.slice(at).entries()) {
      const admitted = at + beyond - first + 1;
      const lastedMs = to.sentAtMs - from.sentAtMs;
      const allowed = burst + (lastedMs + options.toleranceMs) * perMs;
      demand(admitted <= allowed, () => `key ${key.keyId} admits ${admitted} in ${lastedMs} ms`);
    }
  }
}

/** What refusals will be held against. */
function note(key: KeyModel, item: Attributes, atMs: number): void {
  const rooms = [
    ...(item.life_limit === undefined ? [] : [amountIn(item, 'life_room')]),
    ...(item.period_limit === undefined ? [] : [amountIn(item, 'period_room')]),
  ];
  const least = rooms.reduce((one, other) => (one < other ? one : other), 2n ** 100n);
  const open = openHoldsIn(item);
  key.roomHistory.push({ atMs, value: least, open });
  key.tatHistory.push({ atMs, value: amountIn(item, 'tat'), open });
  const expires = numberIn(item, 'expires');
  if (expires !== undefined) key.expiriesMs.add(Number(expires));
  key.closedHistory.push({ atMs, value: item.enabled === true ? 0n : 1n, open });
}
