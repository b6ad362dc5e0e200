import { runProcess } from './command.ts';
import { reportLedger } from './report-ledger.ts';

await runProcess(reportLedger);
