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
  readonly firstByteMs?: number;
  readonly totalMs: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly amountUsd?: string;
  readonly estimated?: boolean;
  readonly errorType?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface Telemetry {
  requestFinished(record: RequestRecord): void;
  /** Something that should not happen: logged with its causes, never shown to a client. */
  fault(what: string, error: unknown, context?: Readonly<Record<string, unknown>>): void;
}

/** Structured logs: one JSON document a line, as CloudWatch takes it. */
export function createJsonTelemetry(write: (line: string) => void): Telemetry {
  const log = (entry: Record<string, unknown>) => write(JSON.stringify(entry));
  return {
    requestFinished: (record) => log({ level: 'info', event: 'request_finished', ...record }),
    fault: (what, error, context = {}) =>
      log({ level: 'error', event: 'fault', what, ...context, causes: causesOf(error) }),
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
