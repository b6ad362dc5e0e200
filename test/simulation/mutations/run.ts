/**
 * `node test/simulation/mutations/run.ts <mutation> [seeds]`: breaks the ledger that way and runs
 * seeds until one fails. Exits 0 where the simulation finds the breakage, 1 where it does not.
 */
import { breakLedger } from './hook.ts';

const [name = '', seeds = '1000'] = process.argv.slice(2);
const { assertApplied } = breakLedger(name);
const { runSimulation } = await import('../simulation.ts');
assertApplied();

process.exitCode = 1;
for (let seed = 1; seed <= Number(seeds); seed += 1) {
  const { violation } = await runSimulation(seed);
  if (!violation) continue;
  console.log(`${name}: seed ${seed}: ${violation.message}`);
  process.exitCode = 0;
  break;
}
if (process.exitCode === 1) console.log(`${name}: not found within ${seeds} seeds`);
