import { describe, expect, it } from 'vitest';
import { runSimulation } from './simulation.ts';

const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 1_000);
const BATCH = 100;
const BATCH_TIMEOUT_MS = 120_000;

/** What the seeds must have reached together: a run that never comes there proves nothing. */
const OUTCOMES = [
  'crash',
  'drained',
  'expired',
  'granted',
  'late',
  'reapplied',
  'refused authentication',
  'refused billing',
  'refused conflict',
  'refused ledger_unavailable',
  'refused permission',
  'refused rate_limit',
  'repeated',
  'settled',
  'spooled',
  'adjust',
  'change limits',
  'credit',
  'disable',
  'rotate',
  'stripe',
  'transfer',
  'transfer abandoned',
  'verify',
];

describe('the money simulation', () => {
  const reached = new Map<string, number>();

  for (let first = 1; first <= SEEDS; first += BATCH) {
    const last = Math.min(first + BATCH - 1, SEEDS);
    it(`finds nothing wrong in seeds ${first} to ${last}`, {
      timeout: BATCH_TIMEOUT_MS,
    }, async () => {
      for (let seed = first; seed <= last; seed += 1) {
        const { violation, counts } = await runSimulation(seed);
        const replay = `replay it: node test/simulation/run.ts --seed ${seed}`;
        if (violation) throw new Error(`${violation.message}; ${replay}`, { cause: violation });
        for (const [name, times] of counts) reached.set(name, (reached.get(name) ?? 0) + times);
      }
    });
  }

  it('has reached every outcome', () => {
    const missed = OUTCOMES.filter((name) => !reached.has(name));
    expect(missed).toEqual([]);
  });

  it('replays a seed exactly', async () => {
    const [once, again]: [string[], string[]] = [[], []];
    await runSimulation(6, once);
    await runSimulation(6, again);
    expect(once.length).toBeGreaterThan(100);
    expect(again).toEqual(once);
  });
});
