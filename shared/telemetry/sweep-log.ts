import type { SweepReport } from '../ledger/sweep.ts';
import { formatUsd } from '../pricing/money.ts';

/** A sweep runs every minute: one that is this far behind has missed some. */
const LATE_MINUTES = 5;

/** One sweep as a line of the structured log; an error where it is late or had to leave something. */
export function sweepLine(report: SweepReport): string {
  const { expired, reapplied, left, drained, uncollected, lagMinutes } = report;
  const amiss = left > 0 || uncollected > 0n || lagMinutes >= LATE_MINUTES;
  return JSON.stringify({
    level: amiss ? 'error' : 'info',
    event: 'holds_swept',
    expired: expired.length,
    reapplied: reapplied.length,
    left,
    drained,
    uncollectedUsd: formatUsd(uncollected),
    lagMinutes,
    ...(expired.length > 0 ? { expiredRequestIds: expired } : {}),
  });
}
