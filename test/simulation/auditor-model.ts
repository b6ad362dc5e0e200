/**
 * The auditor's own picture of the books. It shares with the ledger nothing but the names of tables,
 * keys and attributes, which are the contract with finance.
 */

/** Plain data as the database holds it. */
export type Attribute = string | bigint | boolean | Attributes;
export interface Attributes {
  readonly [name: string]: Attribute;
}

export interface Written {
  readonly table: string;
  readonly key: { readonly pk: string; readonly sk: string };
  readonly before: Attributes | undefined;
  readonly after: Attributes | undefined;
}

/** Where a request's reservation stands on one item. */
export interface Side {
  state: 'never' | 'open' | 'closed' | 'undone';
  amount: bigint;
  /** Of the key's item: the recurring period that the reservation counts in. */
  period: string | undefined;
}

export interface RowModel {
  readonly accountId: string;
  readonly kind: string;
  /** What the row takes from the balance; negative: gives. */
  readonly taken: bigint;
  readonly hold: bigint;
  readonly keyId: string | undefined;
  readonly reference: string | undefined;
}

export interface RequestModel {
  readonly requestId: string;
  readonly balance: Side;
  readonly key: Side;
  row: RowModel | undefined;
  /** Its hold record, which leads the sweep to it. */
  record: 'never' | 'present' | 'deleted';
  /** A client was told that it may send the request to the provider, and did. */
  dispatched: boolean;
  /** A charge that a spool took over: it must be booked in the end. */
  promised: bigint | undefined;
  /** Committed to what expired unsettled: at most one such row. */
  lateRows: number;
}

/** One value over time, for "was it ever so low within this call?". */
export interface Moment {
  readonly atMs: number;
  readonly value: bigint;
  /** What was reserved then, by request. */
  readonly open: ReadonlyMap<string, bigint>;
}

/** The client's request and its refusal. */
export interface Refused {
  readonly code: string;
  readonly message: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly amount: bigint;
  /** The call was made under an ID of the caller's. */
  readonly isCopy: boolean;
  /** Nothing was lost, slow or refused by the database in this run. */
  readonly isCalm: boolean;
  /** When the call began and ended, by true time. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** One side of a transfer: its marker on a stripe; positive where the money leaves. */
export interface MarkerModel {
  state: 'open' | 'closed';
  readonly marker: bigint;
}

/** Money on its way between two stripes of a balance. */
export interface TransferModel {
  readonly transferId: string;
  readonly accountId: string;
  /** By stripe; one that was never opened is missing. */
  readonly sides: Map<number, MarkerModel>;
  /** What its row moves, nothing where it was abandoned; undefined: it has no row. */
  moved: bigint | undefined;
}

export interface AccountModel {
  readonly accountId: string;
  /** What is available on all stripes, and on its way between them. */
  total: bigint;
  /** What is available on each stripe. */
  readonly stripes: Map<number, bigint>;
  sequence: bigint;
  readonly open: Map<string, bigint>;
  readonly sequencedRows: Map<bigint, RowModel>;
  readonly history: Moment[];
}

export interface Admission {
  /** When the write that took the token was sent, by true time. */
  readonly sentAtMs: number;
}

export interface KeyModel {
  readonly keyId: string;
  /** Charges that were closed on the key, and amounts open on it. */
  charged: bigint;
  open: bigint;
  /** What had been charged when the lifetime limit began. */
  lifetimeBase: bigint;
  /** Charges and open amounts by period. */
  readonly usedInPeriod: Map<string, bigint>;
  /** Every period that ever began. */
  readonly periods: Set<string>;
  admissions: Admission[];
  /** The least that any limit of it left over time, its bucket and whether it opened, for refusals. */
  readonly roomHistory: Moment[];
  readonly tatHistory: Moment[];
  /** 1 while it is disabled. */
  readonly closedHistory: Moment[];
  /** When it expires, by any setting that it ever had. */
  readonly expiriesMs: Set<number>;
  /** Secrets were exchanged. */
  rotated: boolean;
}

/** Everything that was ever written, as the auditor understands it. */
export interface Books {
  readonly accounts: Map<string, AccountModel>;
  readonly keys: Map<string, KeyModel>;
  readonly requests: Map<string, RequestModel>;
  readonly transfers: Map<string, TransferModel>;
  /** Rows other than expiries by account and reference. */
  readonly references: Map<string, RowModel>;
  /** Refusals for money, to be judged once it is known what became of the reservations of then. */
  readonly shortages: Refused[];
}

export function createBooks(): Books {
  return {
    accounts: new Map(),
    keys: new Map(),
    requests: new Map(),
    transfers: new Map(),
    references: new Map(),
    shortages: [],
  };
}

export function requestIn(books: Books, requestId: string): RequestModel {
  const known = books.requests.get(requestId);
  if (known) return known;
  const side = (): Side => ({ state: 'never', amount: 0n, period: undefined });
  const request: RequestModel = {
    requestId,
    balance: side(),
    key: side(),
    row: undefined,
    record: 'never',
    dispatched: false,
    promised: undefined,
    lateRows: 0,
  };
  books.requests.set(requestId, request);
  return request;
}

export function transferIn(books: Books, accountId: string, transferId: string): TransferModel {
  const known = books.transfers.get(transferId);
  if (known) return known;
  const transfer = { transferId, accountId, sides: new Map(), moved: undefined };
  books.transfers.set(transferId, transfer);
  return transfer;
}

/** A fault that the auditor found: the message names the rule that was broken. */
export class Violation extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Violation';
  }
}

/** Throws a Violation unless the rule holds. */
export function demand(rule: boolean, message: () => string): asserts rule {
  if (!rule) throw new Violation(message());
}

export function amountIn(item: Attributes | undefined, name: string): bigint {
  const value = item?.[name];
  demand(typeof value === 'bigint', () => `attribute ${name} is not a number`);
  return value;
}

export function textIn(item: Attributes | undefined, name: string): string | undefined {
  const value = item?.[name];
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(item: Attributes | undefined, name: string): bigint | undefined {
  const value = item?.[name];
  return typeof value === 'bigint' ? value : undefined;
}

/** The open holds of an item, or its markers of transfers, by full ID: an item names them by their bytes in base64url. */
export function openHoldsIn(
  item: Attributes | undefined,
  name: 'holds' | 'transfers' = 'holds',
): Map<string, bigint> {
  const holds = item?.[name];
  if (typeof holds !== 'object') return new Map();
  return new Map(Object.keys(holds).map((short) => [fullId(short), amountIn(holds, short)]));
}

function fullId(short: string): string {
  const hex = Buffer.from(short, 'base64url').toString('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return [...parts, hex.slice(20)].join('-');
}

/** Epoch milliseconds that a UUIDv7 was minted at. */
export function mintTimeMs(requestId: string): number {
  return Number.parseInt(requestId.replaceAll('-', '').slice(0, 12), 16);
}

/** The one difference between two sets of open holds. */
export function holdChanges(before: Map<string, bigint>, after: Map<string, bigint>) {
  const opened = [...after].filter(([id]) => !before.has(id));
  const closed = [...before].filter(([id]) => !after.has(id));
  const altered = [...after].filter(([id, amount]) => (before.get(id) ?? amount) !== amount);
  demand(altered.length === 0, () => 'an open hold changed its amount');
  demand(opened.length + closed.length <= 1, () => 'one write opened or closed several holds');
  return { opened: opened[0], closed: closed[0] };
}

/** What the row that finalized a request charges it; nothing where there is none. */
export function takenBy(request: RequestModel): bigint {
  return request.row?.taken ?? 0n;
}
