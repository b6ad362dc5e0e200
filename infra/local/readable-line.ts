import type { styleText } from 'node:util';

/** A line of the structured log, as `shared/telemetry` writes it. */
export type LogLine = Readonly<Record<string, unknown>>;

type Format = Parameters<typeof styleText>[0];
type Paint = (format: Format, text: string) => string;

/** Path of each route whose function logs its own requests, by the name in its log. */
export const LOGGED_PATHS: Readonly<Record<string, string>> = {
  'chat-completions': '/v1/chat/completions',
  responses: '/v1/responses',
};

/**
 * One line for people of what was logged: of a request its method, path, status, model, provider,
 * time to the first byte, tokens and cost. Undefined for what is not worth a line: a sweep that
 * found nothing.
 */
export function readableLine(log: LogLine, paint: Paint): string | undefined {
  switch (log.event) {
    case 'request_finished':
    case 'request_refused':
      return requestLine(log, paint);
    case 'document_answered':
      return joined([
        `${log.method} ${log.path}`,
        statusText(Number(log.status), paint),
        paint('dim', `${milliseconds(log.totalMs)}`),
      ]);
    case 'holds_swept':
      return sweepText(log, paint);
    case 'text':
      return String(log.text);
    default:
      return faultLine(log, paint);
  }
}

function requestLine(log: LogLine, paint: Paint): string {
  const { route, status, modelRequested, provider, inputTokens, outputTokens, amountUsd } = log;
  return joined([
    `POST ${LOGGED_PATHS[String(route)] ?? String(route)}`,
    statusText(Number(status), paint),
    log.errorType === undefined ? undefined : paint('red', String(log.errorType)),
    modelRequested === undefined ? undefined : paint('bold', String(modelRequested)),
    provider === undefined ? undefined : `${provider}`,
    log.firstByteMs === undefined ? undefined : `first byte ${milliseconds(log.firstByteMs)}`,
    inputTokens === undefined ? undefined : `${inputTokens} in, ${outputTokens} out`,
    amountUsd === undefined ? undefined : paint('green', `$${amountUsd}`),
    log.estimated === true ? paint('yellow', 'estimated') : undefined,
    paint('dim', milliseconds(log.totalMs)),
  ]);
}

function sweepText(log: LogLine, paint: Paint): string | undefined {
  const { expired, reapplied, drained, left } = log;
  const counts = Object.entries({ expired, reapplied, drained, left }).filter(
    ([, count]) => Number(count) > 0,
  );
  if (counts.length === 0 && log.level !== 'error') return undefined;
  const text = counts.map(([name, count]) => `${count} ${name}`).join(', ');
  return paint(
    log.level === 'error' ? 'red' : 'dim',
    `sweep: ${text || `${log.lagMinutes} minutes late`}`,
  );
}

function faultLine(log: LogLine, paint: Paint): string {
  const causes = Array.isArray(log.causes) ? log.causes.join(' ← ') : '';
  const what = log.what ?? log.event ?? JSON.stringify(log);
  return joined([paint('red', String(what)), causes, String(log.requestId ?? '')]);
}

function statusText(status: number, paint: Paint): string {
  const format = status < 300 ? 'green' : status < 500 ? 'yellow' : 'red';
  return paint(format, `${status}`);
}

function milliseconds(value: unknown): string {
  return `${Math.round(Number(value))} ms`;
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('  ');
}
