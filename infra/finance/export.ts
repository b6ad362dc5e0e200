import { runProcess } from './command.ts';
import { exportLedger } from './export-ledger.ts';

await runProcess(exportLedger);
