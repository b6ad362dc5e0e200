import { connectTableExports } from '../../shared/ledger-export/exports.ts';
import { exportDue, exportLine } from '../../shared/ledger-export/run.ts';
import { required } from '../../shared/settings/environment.ts';
import { writeLogLine } from '../../shared/telemetry/log-lines.ts';

const exports = connectTableExports({
  tableArn: required(process.env, 'LEDGER_TABLE_ARN'),
  bucket: required(process.env, 'EXPORTS_BUCKET'),
  prefix: required(process.env, 'EXPORTS_PREFIX'),
});

/** Every six hours: begins the incremental exports of the ledger that are due. */
export async function handler(): Promise<void> {
  const report = await exportDue(exports);
  writeLogLine(exportLine(report));
  // The function's errors are what an alarm sees.
  if (report.newlyLost) throw new Error('the incremental exports of the ledger have a gap');
}
