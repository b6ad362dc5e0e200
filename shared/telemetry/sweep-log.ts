import type { SweepReport } from '../ledger/sweep.ts';
import { formatUsd } from '../pricing/money.ts';
import { embedMetrics, type MetricsTarget } from './embedded-metrics.ts';

/** A sweep runs every minute: one that is this far behind has missed some. */
export const LATE_MINUTES = 5;
/** A line of the log has room for thousands of IDs, not for all after a long outage. */
const MOST_IDS = 1_000;

/** One sweep as a line of the structured log; an error where it is late or had to leave something. */
export function sweepLine(report: SweepReport, target?: MetricsTarget): string {
  const { expired, reapplied, left, drained, uncollected, lagMinutes } = report;
  const amiss = left > 0 || uncollected > 0n || lagMinutes >= LATE_MINUTES;
  const entry = {
    level: amiss ? 'error' : 'info',
    event: 'holds_swept',
    expired: expired.length,
    reapplied: reapplied.length,
    left,
    drained,
    uncollectedUsd: formatUsd(uncollected),
    lagMinutes,
    ...(expired.length > 0 ? { expiredRequestIds: expired.slice(0, MOST_IDS) } : {}),
  };
  return JSON.stringify(embedMetrics(entry, [{ values: sweepValues(report) }], target));
}

function sweepValues({ expired, reapplied, left, drained, uncollected, lagMinutes }: SweepReport) {
  return {
    Sweeps: 1,
    HoldsExpired: expired.length,
    HoldsReapplied: reapplied.length,
    SweepLeft: left,
    SpoolDrained: drained,
    UncollectedUsd: Number(formatUsd(uncollected)),
    SweepLagMinutes: lagMinutes,
  };
}
