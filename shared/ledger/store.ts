/**
 * The ledger's whole traffic with its database, as plain data: `dynamodb.ts` turns it into SDK
 * commands, a simulation can answer it from memory.
 */

/** Numbers are always BigInt: an attribute never changes its type at 2^53. */
export type Value = string | bigint | boolean | Item;
export interface Item {
  readonly [name: string]: Value;
}

export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

/** An attribute's name, or `map.entry` for an entry of a map. */
export type Path = string;

export type Condition =
  | { readonly path: Path; readonly is: 'present' }
  | { readonly path: Path; readonly is: 'absent' }
  | {
      readonly path: Path;
      readonly is: '=' | '<>' | '<' | '<=' | '>' | '>=';
      readonly value: string | bigint | boolean;
    };

/** What an update does to an item; it never creates one, for its conditions name what is there. */
export interface Changes {
  readonly set?: Readonly<Record<Path, Value>>;
  /** Adds to numbers that are there (a negative amount subtracts). */
  readonly add?: Readonly<Record<Path, bigint>>;
  readonly remove?: readonly Path[];
}

export interface UpdateCommand {
  readonly operation: 'update';
  readonly table: string;
  readonly key: ItemKey;
  readonly changes: Changes;
  /** All must hold. */
  readonly conditions: readonly Condition[];
}

export interface QueryCommand {
  readonly operation: 'query';
  readonly table: string;
  readonly pk: string;
  /** Bounds of the sort key, both inclusive. */
  readonly from?: string;
  readonly to?: string;
  /** `next` of the page before. */
  readonly after?: ItemKey;
}

export type StoreCommand =
  | { readonly operation: 'get'; readonly table: string; readonly key: ItemKey }
  | {
      readonly operation: 'put';
      readonly table: string;
      readonly item: Item & ItemKey;
      /** Refused where an item with this key exists. */
      readonly ifAbsent: boolean;
    }
  | { readonly operation: 'delete'; readonly table: string; readonly key: ItemKey }
  | UpdateCommand
  | QueryCommand;

/**
 * `done`: `item` is what `get` found or what `update` made; `items` and `next` are a query's page.
 * `refused`: a condition failed and nothing was written; `item` is what stands there, where the
 * database says so.
 */
export type StoreReply =
  | {
      readonly outcome: 'done';
      readonly item?: Item;
      readonly items?: readonly Item[];
      readonly next?: ItemKey;
    }
  | { readonly outcome: 'refused'; readonly item?: Item };

/** Sends one command once: no retry hides behind it. Reads are strongly consistent. */
export type Send = (command: StoreCommand, timeoutMs: number) => Promise<StoreReply>;

/** The database gave no answer that counts. `unknown`: the write may have happened, or may yet. */
export class StoreFailure extends Error {
  readonly applied: 'no' | 'unknown';

  constructor(applied: 'no' | 'unknown', cause: unknown) {
    super(cause instanceof Error ? cause.message : 'The database did not answer', { cause });
    this.name = 'StoreFailure';
    this.applied = applied;
  }
}

/** Reads a number of an item; a missing or wrongly typed one is a fault of the data. */
export function numberOf(item: Item, name: string): bigint {
  const value = item[name];
  if (typeof value !== 'bigint') throw new TypeError(`attribute "${name}" is not a number`);
  return value;
}

/** Reads a text of an item; a missing or wrongly typed one is a fault of the data. */
export function textOf(item: Item, name: string): string {
  const value = item[name];
  if (typeof value !== 'string') throw new TypeError(`attribute "${name}" is not a text`);
  return value;
}

export function optionalText(item: Item, name: string): string | undefined {
  return item[name] === undefined ? undefined : textOf(item, name);
}

export function optionalNumber(item: Item, name: string): bigint | undefined {
  return item[name] === undefined ? undefined : numberOf(item, name);
}

/** Reads a map of numbers, for example the open holds; an absent one is empty. */
export function numbersOf(item: Item, name: string): ReadonlyMap<string, bigint> {
  const value = item[name];
  if (typeof value !== 'object') return new Map();
  return new Map(Object.keys(value).map((entry) => [entry, numberOf(value, entry)]));
}
