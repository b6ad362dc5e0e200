import { connectLedger } from '../../shared/settings/services.ts';
import { readMetricsTarget } from '../../shared/telemetry/embedded-metrics.ts';
import { writeLogLine } from '../../shared/telemetry/log-lines.ts';
import { sweepLine } from '../../shared/telemetry/sweep-log.ts';

const ledger = connectLedger(process.env);
const target = readMetricsTarget(process.env);

/** Every minute: expires holds whose time is up, finishes what was begun, drains the spool. */
export async function handler(): Promise<void> {
  writeLogLine(sweepLine(await ledger.sweepHolds(), target));
}
