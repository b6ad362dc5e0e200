import {
  type Item,
  type ItemKey,
  type Send,
  type StoreCommand,
  StoreFailure,
  type Value,
} from '../../shared/ledger/store.ts';
import { createMemoryStore, type Execution } from './memory-store.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';

/** What DynamoDB gives a partition in a second. */
export interface PartitionLimits {
  readonly writeUnits: number;
  readonly readUnits: number;
}

export interface ScaleDatabase {
  readonly send: Send;
  /** Write units that were used, by the kind of item; and the writes that were throttled. */
  readonly used: Map<string, number>;
  readonly throttled: Map<string, number>;
  /** Write units that one partition used since `reset`, by its key. */
  readonly byPartition: Map<string, number>;
  readonly readUnits: () => number;
  readonly reset: () => void;
  readonly read: (table: string, key: ItemKey) => Item | undefined;
}

const WRITE_UNIT_BYTES = 1_024;
const READ_UNIT_BYTES = 4_096;
/** Round trips: most take some milliseconds, one in a hundred ten times that. */
const LATENCY_MS = { least: 2, mean: 3, slowShare: 0.01, slow: 40 };
const THROTTLED_AFTER_MS = 2;

/**
 * The memory store behind DynamoDB's limits: each partition key is a partition of its own, as
 * adaptive capacity makes it for what stays busy, and may save up the units of one second.
 */
export function createScaleDatabase(options: {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly limits: PartitionLimits;
}): ScaleDatabase {
  const { scheduler, random, limits } = options;
  const store = createMemoryStore({ pageSize: 1_000, refusalBringsItem: true });
  const used = new Map<string, number>();
  const throttled = new Map<string, number>();
  const byPartition = new Map<string, number>();
  const writes = createBuckets(limits.writeUnits, scheduler);
  const reads = createBuckets(limits.readUnits, scheduler);
  let readUnits = 0;
  /** Executes what its partition has units for; undefined: it is throttled. */
  const execute = (command: StoreCommand): Execution | undefined => {
    const partition = `${command.table} ${partitionOf(command)}`;
    const isRead = command.operation === 'get' || command.operation === 'query';
    const buckets = isRead ? reads : writes;
    if (!buckets.has(partition)) {
      add(throttled, kindOf(command), 1);
      return undefined;
    }
    const execution = store.execute(command);
    const bytes = bytesOf(command, execution);
    const units = Math.max(1, Math.ceil(bytes / (isRead ? READ_UNIT_BYTES : WRITE_UNIT_BYTES)));
    buckets.take(partition, units);
    if (isRead) readUnits += units;
    else {
      add(used, kindOf(command), units);
      add(byPartition, partition, units);
    }
    return execution;
  };
  const send: Send = (command) =>
    new Promise((resolve, reject) => {
      scheduler.after(latencyMs(random) / 2, () => {
        const execution = execute(command);
        const answer = execution ? () => resolve(execution.reply) : () => reject(throttle());
        scheduler.after(execution ? latencyMs(random) / 2 : THROTTLED_AFTER_MS, answer);
      });
    });
  return {
    send,
    used,
    throttled,
    byPartition,
    readUnits: () => readUnits,
    reset() {
      for (const counts of [used, throttled, byPartition]) counts.clear();
      readUnits = 0;
    },
    read: store.read,
  };
}

/** One bucket a partition: what is left of it may go into debt by one command, and is then empty. */
function createBuckets(perSecond: number, scheduler: Scheduler) {
  const buckets = new Map<string, { units: number; atMs: number }>();
  const refilled = (partition: string) => {
    const nowMs = scheduler.nowMs();
    const bucket = buckets.get(partition) ?? { units: perSecond, atMs: nowMs };
    const gained = ((nowMs - bucket.atMs) * perSecond) / 1_000;
    const now = { units: Math.min(perSecond, bucket.units + gained), atMs: nowMs };
    buckets.set(partition, now);
    return now;
  };
  return {
    has: (partition: string) => refilled(partition).units > 0,
    take(partition: string, units: number): void {
      refilled(partition).units -= units;
    },
  };
}

function latencyMs(random: Random): number {
  if (random.chance(LATENCY_MS.slowShare)) return LATENCY_MS.slow;
  const uniform = random.between(1, 1_000) / 1_000;
  return LATENCY_MS.least - LATENCY_MS.mean * Math.log(uniform);
}

function throttle(): StoreFailure {
  const cause = new Error('The key range is over its limit');
  cause.name = 'ThrottlingException';
  return new StoreFailure('no', cause);
}

function partitionOf(command: StoreCommand): string {
  if (command.operation === 'query') return command.pk;
  return command.operation === 'put' ? command.item.pk : command.key.pk;
}

/** What a command touches, in a reader's words. */
function kindOf(command: StoreCommand): string {
  if (command.operation === 'query') return 'query';
  const { pk, sk } = command.operation === 'put' ? command.item : command.key;
  if (sk.startsWith('balance#')) return 'balance';
  if (sk === 'state') return 'key';
  if (pk.startsWith('hold#')) return 'hold record';
  return command.table.endsWith('ledger') ? 'ledger row' : 'other';
}

/** The larger of what stood there and what stands there now, as DynamoDB counts it. */
function bytesOf(command: StoreCommand, { reply, change }: Execution): number {
  if (change) return Math.max(itemBytes(change.before), itemBytes(change.after));
  if (command.operation !== 'query') return itemBytes(reply.item);
  const items = reply.outcome === 'done' ? (reply.items ?? []) : [];
  return items.reduce((sum, item) => sum + itemBytes(item), 0);
}

/** An item's size by DynamoDB's rules: names and values, numbers two digits a byte, maps with overhead. */
export function itemBytes(item: Item | undefined): number {
  if (!item) return 0;
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + name.length + valueBytes(value),
    0,
  );
}

function valueBytes(value: Value): number {
  if (typeof value === 'string') return value.length;
  if (typeof value === 'boolean') return 1;
  if (typeof value === 'bigint') return Math.ceil(value.toString().length / 2) + 1;
  return 3 + Object.keys(value).length + itemBytes(value);
}

function add(counts: Map<string, number>, name: string, amount: number): void {
  counts.set(name, (counts.get(name) ?? 0) + amount);
}
