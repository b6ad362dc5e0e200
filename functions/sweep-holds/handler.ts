import { connectLedger } from '../../shared/settings/services.ts';
import { sweepLine } from '../../shared/telemetry/sweep-log.ts';

const ledger = connectLedger(process.env);

/** Every minute: expires holds whose time is up, finishes what was begun, drains the spool. */
export async function handler(): Promise<void> {
  console.log(sweepLine(await ledger.sweepHolds()));
}
