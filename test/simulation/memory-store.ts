import {
  type Changes,
  type Condition,
  type Item,
  type ItemKey,
  type Path,
  type QueryCommand,
  type StoreCommand,
  StoreFailure,
  type StoreReply,
  type UpdateCommand,
  type Value,
} from '../../shared/ledger/store.ts';

/** What a command made of one item; absent for reads and for what was refused. */
export interface Change {
  readonly table: string;
  readonly key: ItemKey;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

export interface Execution {
  readonly reply: StoreReply;
  readonly change?: Change;
}

export interface MemoryStore {
  /** Executes one command at once. Throws StoreFailure `no` for what DynamoDB calls invalid. */
  readonly execute: (command: StoreCommand) => Execution;
  readonly read: (table: string, key: ItemKey) => Item | undefined;
  /** Every item of a table whose keys pass. */
  readonly scan: (table: string, wanted: (key: ItemKey) => boolean) => (Item & ItemKey)[];
}

export interface MemoryStoreOptions {
  /** Items in one page of a query. */
  readonly pageSize: number;
  /** Whether a refusal brings the item that stands there; the embedded database brings none. */
  readonly refusalBringsItem: boolean;
}

type Partition = Map<string, Item & ItemKey>;
type Table = Map<string, Partition>;

/** The database that `dynamodb.ts` talks to, in memory: the same conditions, changes and queries. */
export function createMemoryStore(options: MemoryStoreOptions): MemoryStore {
  const tables = new Map<string, Table>();
  const partition = (table: string, pk: string): Partition => {
    const partitions = tables.get(table) ?? new Map<string, Partition>();
    tables.set(table, partitions);
    const found = partitions.get(pk) ?? new Map<string, Item & ItemKey>();
    partitions.set(pk, found);
    return found;
  };
  const read = (table: string, { pk, sk }: ItemKey) => tables.get(table)?.get(pk)?.get(sk);
  const refused = (item: Item | undefined): Execution => ({
    reply: { outcome: 'refused', ...(item && options.refusalBringsItem ? { item } : {}) },
  });
  const store = (table: string, item: Item & ItemKey): Change => {
    const key = { pk: item.pk, sk: item.sk };
    const before = read(table, key);
    partition(table, item.pk).set(item.sk, item);
    return { table, key, before, after: item };
  };
  const execute = (command: StoreCommand): Execution => {
    const { table } = command;
    switch (command.operation) {
      case 'get': {
        const item = read(table, command.key);
        return { reply: { outcome: 'done', ...(item ? { item } : {}) } };
      }
      case 'put': {
        const standing = read(table, command.item);
        if (command.ifAbsent && standing) return refused(standing);
        return { reply: { outcome: 'done' }, change: store(table, structuredClone(command.item)) };
      }
      case 'delete': {
        const before = read(table, command.key);
        partition(table, command.key.pk).delete(command.key.sk);
        const change = { table, key: command.key, before, after: undefined };
        return { reply: { outcome: 'done' }, ...(before ? { change } : {}) };
      }
      case 'update': {
        assertApart(command.changes);
        const item = read(table, command.key);
        if (!command.conditions.every((condition) => holds(condition, item))) return refused(item);
        const after = { ...updated(item ?? {}, command), ...command.key };
        return { reply: { outcome: 'done', item: after }, change: store(table, after) };
      }
      case 'query':
        return { reply: page(tables.get(table)?.get(command.pk), command, options.pageSize) };
    }
  };
  const scan = (table: string, wanted: (key: ItemKey) => boolean) =>
    [...(tables.get(table)?.values() ?? [])].flatMap((items) => [...items.values()].filter(wanted));
  return { execute, read, scan };
}

function page(items: Partition | undefined, query: QueryCommand, size: number): StoreReply {
  const { from, to, after } = query;
  const found = [...(items?.values() ?? [])]
    .filter(({ sk }) => from === undefined || to === undefined || (sk >= from && sk <= to))
    .filter(({ sk }) => after === undefined || sk > after.sk)
    .sort((one, other) => (one.sk < other.sk ? -1 : 1));
  const last = found.length > size ? found[size - 1] : undefined;
  return {
    outcome: 'done',
    items: found.slice(0, size),
    ...(last ? { next: { pk: last.pk, sk: last.sk } } : {}),
  };
}

function valueAt(item: Item | undefined, path: Path): Value | undefined {
  let value: Value | undefined = item;
  for (const part of path.split('.')) {
    if (typeof value !== 'object') return undefined;
    value = value[part];
  }
  return value;
}

function holds(condition: Condition, item: Item | undefined): boolean {
  const found = valueAt(item, condition.path);
  if (condition.is === 'present') return found !== undefined;
  if (condition.is === 'absent') return found === undefined;
  const { value } = condition;
  // A comparison with what is not there, or is of another type, is false; `<>` alone is then true.
  if (condition.is === '<>') return found !== value;
  if (found === undefined || typeof found !== typeof value || typeof found === 'object')
    return false;
  switch (condition.is) {
    case '=':
      return found === value;
    case '<':
      return found < value;
    case '<=':
      return found <= value;
    case '>':
      return found > value;
    case '>=':
      return found >= value;
  }
}

/** All changes read the item as it was; paths that overlap are refused, as DynamoDB does. */
function updated(item: Item, command: UpdateCommand): Item {
  const { changes } = command;
  const sets = Object.entries(changes.set ?? {}).map(([path, value]) => ({
    path,
    value: structuredClone(value),
  }));
  const additions = Object.entries(changes.add ?? {}).map(([path, amount]) => {
    const number = valueAt(item, path);
    if (typeof number !== 'bigint') throw invalid(`adds to "${path}", which is no number`);
    return { path, value: number + amount };
  });
  const removals = (changes.remove ?? []).map((path) => ({ path, value: undefined }));
  let after = item;
  for (const { path, value } of [...sets, ...additions, ...removals]) {
    after = withValue(after, path.split('.'), value);
  }
  return after;
}

function assertApart(changes: Changes): void {
  const paths = [
    ...Object.keys(changes.set ?? {}),
    ...Object.keys(changes.add ?? {}),
    ...(changes.remove ?? []),
  ];
  if (paths.length === 0) throw invalid('changes nothing');
  for (const path of paths) {
    const overlaps = paths.filter((other) => other === path || other.startsWith(`${path}.`));
    if (overlaps.length > 1) throw invalid(`changes "${path}" twice`);
  }
}

function withValue(item: Item, path: readonly string[], value: Value | undefined): Item {
  const [name, ...rest] = path;
  if (name === undefined) throw invalid('names an empty path');
  if (rest.length > 0) {
    const inner = item[name];
    if (typeof inner !== 'object') throw invalid(`changes within "${name}", which is no map`);
    return { ...item, [name]: withValue(inner, rest, value) };
  }
  if (value !== undefined) return { ...item, [name]: value };
  const { [name]: _, ...others } = item;
  return others;
}

function invalid(what: string): StoreFailure {
  const cause = new Error(`The command ${what}`);
  cause.name = 'ValidationException';
  return new StoreFailure('no', cause);
}
