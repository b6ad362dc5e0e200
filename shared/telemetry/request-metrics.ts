import type { MetricGroup } from './embedded-metrics.ts';
import type { RequestRecord } from './request-log.ts';

const SERVER_ERROR = 500;
/** Only a database that does not answer makes a 503 (part 7). */
const DATABASE_UNAVAILABLE = 503;

/**
 * What one finished request counts. Zeros of `ServerErrors` are sent too, so that their mean is the
 * share of requests that failed.
 */
export function requestMetrics(record: RequestRecord): MetricGroup[] {
  const { status, totalMs, firstByteMs, heldMs } = record;
  return [
    {
      by: 'route',
      values: {
        Requests: 1,
        ServerErrors: status >= SERVER_ERROR ? 1 : 0,
        DatabaseUnavailable: status === DATABASE_UNAVAILABLE ? 1 : 0,
        Duration: totalMs,
        ...(firstByteMs === undefined ? {} : { FirstByteLatency: firstByteMs }),
      },
    },
    { by: 'errorType', values: record.errorType === undefined ? {} : { Errors: 1 } },
    { values: heldMs === undefined ? {} : { HoldDuration: heldMs } },
    { by: 'provider', values: chargeValues(record) },
  ];
}

/** Spend and tokens, where there was a charge. */
function chargeValues(record: RequestRecord): MetricGroup['values'] {
  const { upstreamMs, amountUsd, inputTokens, outputTokens, estimated } = record;
  return {
    ...(upstreamMs === undefined ? {} : { UpstreamLatency: upstreamMs }),
    // A metric is for charts; the ledger has the exact amount.
    ...(amountUsd === undefined ? {} : { SpendUsd: Number(amountUsd) }),
    ...(inputTokens === undefined ? {} : { InputTokens: inputTokens }),
    ...(outputTokens === undefined ? {} : { OutputTokens: outputTokens }),
    ...(estimated === undefined ? {} : { EstimatedCharges: estimated ? 1 : 0 }),
  };
}

/** What a fault counts beside `Faults`, by its name. */
const FAULT_VALUES: Readonly<
  Record<string, (context: Readonly<Record<string, unknown>>) => MetricGroup>
> = {
  upstream_failure: () => ({ by: 'provider', values: { UpstreamFailures: 1 } }),
  charge_spooled: () => ({ values: { SpooledCharges: 1 } }),
  charge_uncollected: ({ uncollectedUsd }) => ({
    values: { UncollectedUsd: Number(uncollectedUsd) },
  }),
  settlement_failed: () => ({ values: { SettlementFailures: 1 } }),
};

/** What a fault counts: `what` names it, the context is what its log line carries. */
export function faultMetrics(
  what: string,
  context: Readonly<Record<string, unknown>>,
): MetricGroup[] {
  const own = FAULT_VALUES[what]?.(context);
  return [{ by: 'what', values: { Faults: 1 } }, ...(own ? [own] : [])];
}
