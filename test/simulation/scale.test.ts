import { describe, expect, test } from 'vitest';
import { itemBytes } from './scale-database.ts';
import { runScenario, type Scenario } from './scale-run.ts';

/** A tenth of a partition's units, and a tenth of a busy account's requests. */
const TENTH: Scenario = {
  seed: 3,
  stripes: 1,
  keys: 20,
  limitedKeys: false,
  requestsPerSecond: 100,
  holdMs: 500,
  measuredMs: 1_000,
  creditInHolds: 1_000_000,
  writeUnitsPerPartition: 100,
};

describe('the model of a busy account', () => {
  test('throttles one stripe, and none of eight', async () => {
    const one = await runScenario(TENTH);
    expect(one.throttled.get('balance')).toBeGreaterThan(100);
    expect(one.hottestStripeUnitsPerSecond).toBeGreaterThan(90);
    expect(one.placeP99Ms).toBeGreaterThan(200);
    expect(one.differences).toBe(0);
    const eight = await runScenario({ ...TENTH, stripes: 8 });
    expect(eight.throttled).toEqual(new Map());
    expect(eight.refused).toEqual(new Map());
    expect(eight.granted).toBe(eight.requests);
    expect(eight.placeP99Ms).toBeLessThan(200);
    expect(eight.differences).toBe(0);
  });

  test('gives equal figures for equal seeds', async () => {
    const scenario = { ...TENTH, stripes: 4, measuredMs: 300 };
    expect(await runScenario(scenario)).toEqual(await runScenario(scenario));
  });

  test('spends what several stripes have, and refuses the rest with 402', async () => {
    const ample = { ...TENTH, stripes: 8, writeUnitsPerPartition: 1_000 };
    const figures = await runScenario({ ...ample, creditInHolds: 20 });
    expect(figures.granted).toBeLessThan(figures.requests / 2);
    expect(figures.refused.get('billing')).toBeGreaterThan(0);
    expect(figures.throttled).toEqual(new Map());
    expect(figures.differences).toBe(0);
  });

  test('counts an item as DynamoDB does', () => {
    const item = { pk: 'acc', sk: 'balance#0', available: 12_345n, on: true, holds: { ab: 100n } };
    expect(itemBytes(item)).toBe(5 + 11 + (9 + 4) + 3 + (5 + 3 + 1 + 2 + 3));
  });
});
