import { type Send, type StoreCommand, StoreFailure } from '../../shared/ledger/store.ts';
import type { Faults } from './faults.ts';
import type { MemoryStore } from './memory-store.ts';
import type { SimulatedProcess } from './process.ts';
import type { Random } from './random.ts';
import type { Scheduler, Timer } from './scheduler.ts';

export interface NetworkOptions {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly store: MemoryStore;
  readonly faults: Faults;
  /** Sees every command as the database executes it. */
  readonly executed: (execution: Executed) => void;
}

export interface Executed {
  readonly command: StoreCommand;
  readonly outcome: ReturnType<MemoryStore['execute']>;
  readonly sentAtMs: number;
  readonly from: string;
}

/** What will happen to one message; times in milliseconds after it is sent. */
interface Fate {
  /** Undefined: it never arrives. */
  readonly arrivesMs: number | undefined;
  /** After it arrives; undefined: the answer is lost. */
  readonly answersMs: number | undefined;
  /** The connection breaks. */
  readonly breaksMs: number | undefined;
  /** A second copy arrives, after the first was sent. */
  readonly copyMs: number | undefined;
}

/** The way from a process to the database: every `send` is a scheduling point. */
export function createSend(options: NetworkOptions, process: SimulatedProcess): Send {
  const { scheduler, faults } = options;
  return (command, timeoutMs) =>
    new Promise((resolve, reject) => {
      const sentAtMs = scheduler.nowMs();
      const pending: Timer[] = [];
      const end = (deliver: () => void) => () => {
        for (const timer of pending) timer.cancelled = true;
        process.resume(deliver, isWrite(command));
      };
      if (faults.throttles()) {
        scheduler.after(
          options.random.between(1, 15),
          end(() => reject(throttled())),
        );
        return;
      }
      const fate = drawFate(options, command);
      const fail = end(() => reject(new StoreFailure('unknown', new Error('no answer'))));
      const execute = () => {
        const outcome = options.store.execute(command);
        options.executed({ command, outcome, sentAtMs, from: process.name });
        return outcome.reply;
      };
      pending.push(scheduler.after(Math.min(fate.breaksMs ?? timeoutMs, timeoutMs), fail));
      if (fate.copyMs !== undefined) scheduler.after(fate.copyMs, execute);
      if (fate.arrivesMs === undefined) return;
      const arrival = scheduler.after(fate.arrivesMs, () => {
        process.inFlight.delete(arrival);
        const reply = execute();
        if (fate.answersMs === undefined) return;
        pending.push(
          scheduler.after(
            fate.answersMs,
            end(() => resolve(structuredClone(reply))),
          ),
        );
      });
      process.inFlight.add(arrival);
    });
}

function drawFate({ random, faults }: NetworkOptions, command: StoreCommand): Fate {
  const arrivesMs = faults.latencyMs();
  const answersMs = faults.latencyMs();
  const copyMs = isRepeatable(command) && faults.duplicates() ? faults.delayMs() : undefined;
  const calm = { arrivesMs, answersMs, breaksMs: undefined, copyMs };
  const breaksMs = random.chance(0.5) ? random.between(1, 400) : undefined;
  switch (faults.mishap()) {
    case 'lost-request':
      return { ...calm, arrivesMs: undefined, breaksMs };
    case 'lost-answer':
      return { ...calm, answersMs: undefined, breaksMs: breaksMs && arrivesMs + breaksMs };
    case 'delayed':
      return { ...calm, arrivesMs: faults.delayMs(), breaksMs };
    default:
      return calm;
  }
}

function isWrite(command: StoreCommand): boolean {
  return command.operation !== 'get' && command.operation !== 'query';
}

/**
 * Whether a second copy of a write is legal. A reservation, a marker or a token is sent once, and nothing on
 * its way may copy it: the SDK's retries are off. All other writes the ledger itself repeats.
 */
function isRepeatable(command: StoreCommand): boolean {
  if (!isWrite(command)) return false;
  if (command.operation !== 'update') return true;
  const { set = {}, add = {} } = command.changes;
  const paths = [...Object.keys(set), ...Object.keys(add)];
  return !paths.some((path) => path === 'tat' || /^(holds|transfers)\./.test(path));
}

function throttled(): StoreFailure {
  const cause = new Error('Rate of requests exceeds the allowed throughput');
  cause.name = 'ThrottlingException';
  return new StoreFailure('no', cause);
}
