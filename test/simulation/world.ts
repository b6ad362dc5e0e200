import type { SpooledCharge } from '../../shared/ledger/spool.ts';
import { StoreFailure } from '../../shared/ledger/store.ts';
import { tableNames } from '../../shared/ledger/tables.ts';
import { type Auditor, createAuditor } from './auditor.ts';
import { Violation } from './auditor-model.ts';
import { createFaults, type Faults } from './faults.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';
import { createSend, type Executed } from './network.ts';
import { createProcess, type SimulatedProcess } from './process.ts';
import { createRandom, type Random } from './random.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';

/** A key as its users know it: the secrets that they were given. */
export interface IssuedSecret {
  readonly keyId: string;
  readonly accountId: string;
  apiKey: string;
}

/** A machine: its process may crash and is started anew; what it spooled stays. */
export interface Host {
  process: SimulatedProcess;
  readonly spooled: SpooledCharge[];
}

/** One seed's whole world. */
export interface World {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly store: MemoryStore;
  readonly auditor: Auditor;
  readonly hosts: readonly Host[];
  readonly accountIds: string[];
  readonly keys: IssuedSecret[];
  /** How often something happened, by name: a run that reaches nothing proves nothing. */
  readonly counts: Map<string, number>;
  readonly note: (text: () => string) => void;
  /** The first rule that was broken. */
  violation: Error | undefined;
}

/** Tuesday, 10 March 2026, midnight: a day, week and month are all within reach of it. */
const MIDNIGHT_MS = Date.UTC(2026, 2, 10);
const DAY_MS = 86_400_000;
const HOSTS = 3;
export const TABLES = tableNames('simulation');
/** How long a throttled write may be held back with the time that it was made for. */
const HELD_BACK_MS = 2_500;

/** Makes the world of a seed, before anything has happened in it. */
export function createWorld(seed: number, trace: string[] | undefined): World {
  const random = createRandom(seed);
  // The day, and now and then week or month, ends while requests are on their way.
  const midnightMs = MIDNIGHT_MS + random.pick([0, 0, 6, 22]) * DAY_MS;
  const startMs = midnightMs - random.pick([20_000, 31 * 60_000, 3_600_000, -3_600_000]);
  const scheduler = createScheduler(startMs);
  const faults = createFaults(random);
  const options = { pageSize: random.between(2, 20), refusalBringsItem: random.chance(0.7) };
  const store = createMemoryStore(options);
  const auditor = createAuditor({
    tables: TABLES,
    nowMs: scheduler.nowMs,
    toleranceMs: 2 * faults.skewMs + HELD_BACK_MS,
  });
  const hosts: Host[] = [];
  const world: World = {
    random,
    scheduler,
    faults,
    store,
    auditor,
    hosts,
    accountIds: [],
    keys: [],
    counts: new Map(),
    note: (text) => trace?.push(`${scheduler.nowMs() - startMs} ${text()}`),
    violation: undefined,
  };
  for (let index = 0; index < HOSTS; index += 1) hosts.push(createHost(world, index));
  return world;
}

function createHost(world: World, index: number): Host {
  const spooled: SpooledCharge[] = [];
  let starts = 0;
  const start = (): SimulatedProcess => {
    starts += 1;
    const name = `host${index}.${starts}`;
    return createProcess({
      name,
      scheduler: world.scheduler,
      random: world.random,
      faults: world.faults,
      tables: TABLES,
      spooled,
      connect: (process) =>
        createSend({ ...world, executed: (done) => judge(world, done) }, process),
      crashed: () => {
        count(world, 'crash');
        world.note(() => `${name} crashes`);
        host.process = start();
      },
    });
  };
  const host: Host = { process: start(), spooled };
  return host;
}

export function count(world: World, name: string): void {
  world.counts.set(name, (world.counts.get(name) ?? 0) + 1);
}

/** Judges what the database has just executed. */
function judge(world: World, executed: Executed): void {
  const { command, outcome, sentAtMs, from } = executed;
  const { change, reply } = outcome;
  const isRead = command.operation === 'get' || command.operation === 'query';
  if (!isRead) world.note(() => `${from} ${describe(command)} -> ${reply.outcome}`);
  if (!change) return;
  count(world, 'write');
  const { after } = change;
  if (after?.kind === 'transfer') {
    count(world, after.moved_nano === 0n ? 'transfer abandoned' : 'transfer');
  }
  attempt(world, () => world.auditor.applied(change, sentAtMs));
}

function describe(command: object): string {
  return JSON.stringify(command, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}

/** Does something that may break a rule; the first break is kept and ends the run. */
export function attempt(world: World, judgement: () => void): void {
  try {
    judgement();
  } catch (error) {
    breakRule(world, error);
  }
}

function breakRule(world: World, error: unknown): void {
  const violation = error instanceof Error ? error : new Error(String(error));
  world.note(() => `VIOLATION ${violation.message}`);
  world.violation ??= violation;
}

/** Whether an error is one that callers of the ledger must expect. */
function isExpected(error: unknown): boolean {
  if (error instanceof Violation || !(error instanceof Error)) return false;
  const invalid = error.cause instanceof Error && error.cause.name === 'ValidationException';
  if (invalid) return false;
  return error instanceof StoreFailure || ['GatewayError', 'Refusal'].includes(error.name);
}

/** Starts an actor on a host at some time from now; its process may crash under it. */
export function start(
  world: World,
  afterMs: number,
  actor: (world: World, process: SimulatedProcess) => Promise<void>,
): void {
  world.scheduler.after(afterMs, () => {
    const { process } = world.random.pick(world.hosts);
    actor(world, process).catch((error: unknown) => {
      if (isExpected(error)) count(world, `failed ${error instanceof Error ? error.name : ''}`);
      else breakRule(world, error);
    });
  });
}
