import { cutUpstreamCalls } from '../../shared/upstream/send.ts';

/**
 * How long running requests may go on by themselves, in milliseconds. Fargate kills a container two
 * minutes after its signal at the latest; what is cut before that can still be settled.
 */
export const STOP_GRACE_MS = 100_000;
/** How long clients then have to take what is left for them, in milliseconds. */
const CLIENTS_MS = 3_000;
/** How long it all may take once providers were cut, in milliseconds. */
const SETTLE_MS = 15_000;

export interface StopOptions {
  /** Takes no new requests; resolves when the running ones are answered and settled. */
  readonly stop: () => Promise<void>;
  /** Breaks off the connections of clients that do not take their answers. */
  readonly dropClients: () => void;
  /** Milliseconds after which the providers' answers are cut, and end and are settled as broken ones. */
  readonly graceMs?: number;
}

/**
 * Ends the process on SIGINT or SIGTERM. The first signal lets running requests finish and settle,
 * then exits 0; a second one exits 1 at once. Whatever a killed process leaves, the sweep gives back.
 */
export function stopOnSignals(options: StopOptions): void {
  const { stop, dropClients, graceMs = STOP_GRACE_MS } = options;
  let stopping = false;
  const onSignal = () => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(cutUpstreamCalls, graceMs);
    setTimeout(dropClients, graceMs + CLIENTS_MS);
    setTimeout(giveUp, graceMs + SETTLE_MS);
    stop().then(() => process.exit(0), fail);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

function fail(error: unknown): void {
  console.error(error);
  process.exit(1);
}

function giveUp(): void {
  console.error('tollgate: stopped with requests unfinished; the sweep will release their holds.');
  process.exit(1);
}
