import { connectLedger } from '../../shared/settings/services.ts';

const ledger = connectLedger(process.env);

/** Every minute: expires holds whose time is up, finishes what was begun, drains the spool. */
export async function handler(): Promise<unknown> {
  return ledger.sweepHolds();
}
