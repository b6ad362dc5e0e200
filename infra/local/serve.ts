import {
  type FunctionUrlServer,
  type FunctionUrlServerOptions,
  startFunctionUrlServer,
} from './function-url-server.ts';
import { importFunctions, type LocalFunctions } from './functions.ts';

const SWEEP_EVERY_MS = 60_000;

type ServeOptions = Pick<FunctionUrlServerOptions, 'host' | 'port' | 'answerFirst' | 'onAnswered'>;

export interface ServedGateway extends FunctionUrlServer {
  /** Takes no new requests; resolves when the running ones, and a running sweep, are done. */
  readonly close: () => Promise<void>;
}

/**
 * Serves the functions over HTTP and sweeps every minute. They read their settings when they are
 * imported, so the environment must be complete before.
 */
export async function serveGateway(options: ServeOptions): Promise<ServedGateway> {
  const functions = await importFunctions();
  const server = await startFunctionUrlServer({
    ...options,
    handlerFor: functions.handlerFor,
    onFault: (error) => console.error(error),
  });
  const sweeping = sweepEveryMinute(functions);
  return {
    ...server,
    close: async () => {
      await Promise.all([server.close(), sweeping.stop()]);
    },
  };
}

/** A sweep that takes longer than a minute is not joined by a second one. */
function sweepEveryMinute({ sweepHolds }: LocalFunctions): { stop: () => Promise<void> } {
  let running: Promise<void> | undefined;
  const sweep = async () => {
    try {
      await sweepHolds();
    } catch (error) {
      console.error('sweep:', error);
    } finally {
      running = undefined;
    }
  };
  const timer = setInterval(() => {
    running ??= sweep();
  }, SWEEP_EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
