import type { Context } from 'aws-lambda';
import { connectLedger } from '../../shared/settings/services.ts';
import { readMetricsTarget } from '../../shared/telemetry/embedded-metrics.ts';
import { writeLogLine } from '../../shared/telemetry/log-lines.ts';
import { verifyLines } from '../../shared/telemetry/verify-log.ts';
import { verifyAccounts } from './verify-accounts.ts';

/** Time left for the report when the walk stops by itself. */
const REPORTING_MS = 60_000;

const ledger = connectLedger(process.env);
const target = readMetricsTarget(process.env);

/** What the schedule sends: which share of the accounts this run verifies; by default all. */
interface VerifyEvent {
  readonly part?: number;
  readonly of?: number;
}

/** Every day: recomputes what each account and each key should have left, and reports what is off. */
export async function handler(event: VerifyEvent, context: Context): Promise<void> {
  const report = await verifyAccounts(ledger, {
    part: event.part ?? 0,
    of: event.of ?? 1,
    remainingMs: () => context.getRemainingTimeInMillis() - REPORTING_MS,
  });
  for (const line of verifyLines(report, target)) writeLogLine(line);
}
