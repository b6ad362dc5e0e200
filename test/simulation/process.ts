import { createLedger, type Ledger } from '../../shared/ledger/ledger.ts';
import type { ChargeSpool, SpooledCharge } from '../../shared/ledger/spool.ts';
import type { Send } from '../../shared/ledger/store.ts';
import type { TableNames } from '../../shared/ledger/tables.ts';
import type { Faults } from './faults.ts';
import type { Random } from './random.ts';
import type { Scheduler, Timer } from './scheduler.ts';

/** One process: a ledger with its own memory and clock, which a crash ends at any `await`. */
export interface SimulatedProcess {
  readonly name: string;
  readonly ledger: Ledger;
  /** Epoch milliseconds by this process's clock. */
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Continues what waited, unless the process is gone, or goes in this very moment. */
  readonly resume: (deliver: () => void, afterWrite: boolean) => void;
  /** Messages that have left and not arrived. */
  readonly inFlight: Set<Timer>;
  readonly crash: () => void;
  readonly stepClock: () => void;
  readonly isAlive: () => boolean;
}

export interface ProcessOptions {
  readonly name: string;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly faults: Faults;
  readonly tables: TableNames;
  /** Charges that outlive the process. */
  readonly spooled: SpooledCharge[];
  readonly connect: (process: SimulatedProcess) => Send;
  readonly crashed: () => void;
}

export function createProcess(options: ProcessOptions): SimulatedProcess {
  const { scheduler, random, faults } = options;
  const bootedMs = scheduler.nowMs() - random.between(0, 1_000_000);
  let skewMs = faults.skew();
  let alive = true;
  const now = () => scheduler.nowMs() + skewMs;
  const inFlight = new Set<Timer>();
  const crash = () => {
    if (!alive) return;
    alive = false;
    // What had not left the machine is gone; what had will arrive.
    for (const timer of inFlight) timer.cancelled = random.chance(0.5);
    options.crashed();
  };
  const resume = (deliver: () => void, afterWrite: boolean) => {
    if (!alive) return;
    if (faults.crashes(afterWrite)) crash();
    else deliver();
  };
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      scheduler.after(Math.max(0, Math.ceil(ms)), () => resume(resolve, false));
    });
  const send: Send = (command, timeoutMs) => connected(command, timeoutMs);
  const ledger = createLedger({
    send,
    tables: options.tables,
    now,
    monotonicNow: () => scheduler.nowMs() - bootedMs,
    randomBytes: random.bytes,
    wait,
    spool: createMemorySpool(options.spooled, wait),
  });
  const process: SimulatedProcess = {
    name: options.name,
    ledger,
    now,
    wait,
    resume,
    inFlight,
    crash,
    stepClock: () => {
      skewMs = faults.skew();
    },
    isAlive: () => alive,
  };
  const connected = options.connect(process);
  return process;
}

/** A spool that outlives its process; whoever crashes between handling and forgetting handles twice. */
function createMemorySpool(
  spooled: SpooledCharge[],
  wait: (ms: number) => Promise<void>,
): ChargeSpool {
  return {
    async add(charge) {
      await wait(1);
      spooled.push(structuredClone(charge));
    },
    async drain(handle) {
      let left = 0;
      for (const charge of [...spooled]) {
        await wait(1);
        const handled = await handle(structuredClone(charge)).then(
          () => true,
          () => false,
        );
        await wait(1);
        const at = spooled.indexOf(charge);
        if (handled && at >= 0) spooled.splice(at, 1);
        if (!handled) left += 1;
      }
      return left;
    },
  };
}
