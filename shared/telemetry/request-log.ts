import { embedMetrics, type MetricGroup, type MetricsTarget } from './embedded-metrics.ts';
import { faultMetrics, requestMetrics } from './request-metrics.ts';

/** One finished request, as logs and the terminal show it. Never a prompt, an answer or a secret. */
export interface RequestRecord {
  readonly requestId: string;
  readonly route: string;
  readonly status: number;
  readonly accountId?: string;
  readonly keyId?: string;
  readonly modelRequested?: string;
  readonly deployment?: string;
  readonly provider?: string;
  readonly stream?: boolean;
  /** Milliseconds from the request's arrival until its answer begins. */
  readonly firstByteMs?: number;
  /** Milliseconds from the request's arrival until it is settled. */
  readonly totalMs: number;
  /** Milliseconds for which its hold was open. */
  readonly heldMs?: number;
  /** Milliseconds from dispatch to the provider that served until its first event, or whole answer. */
  readonly upstreamMs?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly amountUsd?: string;
  readonly estimated?: boolean;
  readonly errorType?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** One request that was refused before its hold: nothing was used, so there is no usage to record. */
export type RefusedRecord = Pick<
  RequestRecord,
  'requestId' | 'route' | 'status' | 'accountId' | 'keyId' | 'firstByteMs' | 'totalMs' | 'errorType'
>;

export interface Telemetry {
  /** The usage of every request that took a hold, once. */
  requestFinished(record: RequestRecord): void;
  /** Every other answer to a POST, once. */
  requestRefused(record: RefusedRecord): void;
  /** Something that should not happen: logged with its causes, never shown to a client. */
  fault(what: string, error: unknown, context?: Readonly<Record<string, unknown>>): void;
}

/** Milliseconds between two times, never below nothing: the host that took a request has a clock of its own. */
export function elapsedMs(fromMs: number, toMs: number): number {
  return Math.max(0, toMs - fromMs);
}

/**
 * Structured logs: one JSON document a line, as CloudWatch takes it. With a target for metrics, a
 * request's line carries its metrics as well.
 */
export function createJsonTelemetry(
  write: (line: string) => void,
  target?: MetricsTarget,
): Telemetry {
  const log = (entry: Record<string, unknown>, groups: readonly MetricGroup[]) =>
    write(JSON.stringify(embedMetrics(entry, groups, target)));
  return {
    requestFinished: (record) =>
      log({ level: 'info', event: 'request_finished', ...record }, requestMetrics(record)),
    requestRefused: (record) =>
      log({ level: 'info', event: 'request_refused', ...record }, requestMetrics(record)),
    fault: (what, error, context = {}) =>
      log(
        { level: 'error', event: 'fault', what, ...context, causes: causesOf(error) },
        faultMetrics(what, context),
      ),
  };
}

/** Names and messages down the chain of causes. Stacks stay out: they repeat the code, not the case. */
function causesOf(error: unknown): string[] {
  const causes: string[] = [];
  let current: unknown = error;
  while (current !== undefined && causes.length < 8) {
    causes.push(current instanceof Error ? `${current.name}: ${current.message}` : String(current));
    current = current instanceof Error ? current.cause : undefined;
  }
  return causes;
}
