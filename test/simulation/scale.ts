/**
 * `node test/simulation/scale.ts [--quick] [--json] [--seed N]`: loads on one account, in virtual
 * time, against the memory store behind DynamoDB's limits. The figures of `docs/scale.md`.
 */
import { parseArgs } from 'node:util';
import { type Figures, runScenario, type Scenario } from './scale-run.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, json: { type: 'boolean' }, seed: { type: 'string' } },
});

const AMPLE = 10_000_000;
const BASE: Scenario = {
  seed: Number(values.seed ?? 1),
  stripes: 1,
  keys: 40,
  limitedKeys: false,
  requestsPerSecond: 1_000,
  holdMs: 2_000,
  measuredMs: values.quick ? 1_000 : 3_000,
  creditInHolds: AMPLE,
  writeUnitsPerPartition: 1_000,
};

const SCENARIOS: readonly (readonly [string, Partial<Scenario>])[] = [
  ...[1, 4, 8, 16, 32].map((stripes) => [`2 s, ${stripes} stripes`, { stripes }] as const),
  ...[16, 32, 64, 128].map(
    (stripes) => [`10 s, ${stripes} stripes`, { stripes, holdMs: 10_000 }] as const,
  ),
  ['2 s, 32 stripes, 1 key', { stripes: 32, keys: 1 }],
  ['2 s, 32 stripes, 2 keys', { stripes: 32, keys: 2 }],
  ['2 s, 32 stripes, 10 limited keys', { stripes: 32, keys: 10, limitedKeys: true }],
  ['2 s, 32 stripes, 20 limited keys', { stripes: 32, keys: 20, limitedKeys: true }],
  ['2 s, 32 stripes, money for 3 s', { stripes: 32, creditInHolds: 3_000 }],
];

const results: Record<string, unknown>[] = [];
for (const [name, changes] of SCENARIOS) {
  const row = rowOf(name, await runScenario({ ...BASE, ...changes }));
  results.push(row);
  if (!values.json) console.log(Object.values(row).join(' | '));
}
if (values.json) console.log(JSON.stringify(results, null, 2));
else console.table(results);

function rowOf(name: string, figures: Figures): Record<string, unknown> {
  const share = (count: number) => `${((100 * count) / figures.requests).toFixed(1)} %`;
  const throttled = [...figures.throttled].map(([kind, count]) => `${kind} ${count}`).join(', ');
  return {
    load: name,
    granted: share(figures.granted),
    'refused 402': share(figures.refused.get('billing') ?? 0),
    'refused 503': share(figures.refused.get('ledger_unavailable') ?? 0),
    'p50 ms': figures.placeP50Ms,
    'p99 ms': figures.placeP99Ms,
    'stripe bytes': figures.largestStripeBytes,
    'hottest stripe WCU/s': figures.hottestStripeUnitsPerSecond,
    'WCU/request': figures.writeUnitsPerRequest.toFixed(1),
    'RCU/request': figures.readUnitsPerRequest.toFixed(1),
    throttled: throttled || 'none',
    spooled: figures.spooled,
    'books off': figures.differences,
  };
}
