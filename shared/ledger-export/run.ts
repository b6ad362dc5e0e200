import type { KnownExport, TableExports } from './exports.ts';
import { planExports, type Window } from './windows.ts';

/** What one run did and saw. */
export interface ExportReport {
  /** Windows that an export was begun for. */
  readonly begun: readonly Window[];
  /** Exports of earlier runs that failed and whose window no other has: begun again now. */
  readonly repeated: number;
  /** Time that no incremental export can reach any more. */
  readonly lost: readonly Window[];
  /** Some of that was lost since the last run. */
  readonly newlyLost: boolean;
}

/**
 * Begins every incremental export that is due. What is exported already is read from DynamoDB each
 * time, so that a run that fails anywhere is made up for by the next one.
 * Throws the client's errors; windows after the one that failed are left to the next run.
 */
export async function exportDue(exports: TableExports): Promise<ExportReport> {
  const restorable = await exports.restorable();
  const known = await exports.list(restorable.fromMs);
  const failed = known.filter(({ status }) => status === 'failed');
  const { windows, lost } = planExports(
    known.filter(({ status }) => status !== 'failed'),
    // Whole seconds is what an export's window can say.
    { ...restorable, fromMs: Math.ceil(restorable.fromMs / 1000) * 1000 },
  );
  for (const window of windows) await exports.begin(window, attemptsAt(window, failed));
  const repeated = windows.filter((window) => attemptsAt(window, failed) > 0).length;
  // The export behind a gap is begun by the run that finds the gap.
  const newlyLost = lost.some((gap) => windows.some(({ fromMs }) => fromMs === gap.toMs));
  return { begun: windows, repeated, lost, newlyLost };
}

/** How many exports failed that had any of this window. */
function attemptsAt(window: Window, failed: readonly KnownExport[]): number {
  return failed.filter(({ fromMs, toMs }) => fromMs < window.toMs && toMs > window.fromMs).length;
}

/** One run as a line of the structured log; an error where rows are missing from the exports. */
export function exportLine({ begun, repeated, lost }: ExportReport): string {
  return JSON.stringify({
    level: lost.length > 0 || repeated > 0 ? 'error' : 'info',
    event: 'ledger_exported',
    begun: begun.map(windowJson),
    repeated,
    lost: lost.map(windowJson),
  });
}

function windowJson({ fromMs, toMs }: Window) {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}
