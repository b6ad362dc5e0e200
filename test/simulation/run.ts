/** `node test/simulation/run.ts [--seeds N] [--seed N]`: many seeds, or one with its whole trace. */
import { parseArgs } from 'node:util';
import { runSimulation } from './simulation.ts';

const { values } = parseArgs({
  options: { seeds: { type: 'string' }, seed: { type: 'string' }, from: { type: 'string' } },
});

if (values.seed === undefined)
  await runMany(Number(values.from ?? 1), Number(values.seeds ?? 10_000));
else await replay(Number(values.seed));

async function runMany(from: number, seeds: number): Promise<void> {
  const totals = new Map<string, number>();
  for (let seed = from; seed < from + seeds; seed += 1) {
    const { violation, counts } = await runSimulation(seed);
    for (const [name, times] of counts) totals.set(name, (totals.get(name) ?? 0) + times);
    if (violation) {
      console.log(`seed ${seed}: ${violation.message}`);
      console.log(`replay: node test/simulation/run.ts --seed ${seed}`);
      process.exitCode = 1;
      return;
    }
  }
  console.log(`${seeds} seeds without a violation`);
  console.log(Object.fromEntries([...totals].sort()));
}

async function replay(seed: number): Promise<void> {
  const trace: string[] = [];
  const { violation } = await runSimulation(seed, trace);
  for (const line of trace) console.log(line);
  console.log(violation ?? 'no violation');
  process.exitCode = violation ? 1 : 0;
}
