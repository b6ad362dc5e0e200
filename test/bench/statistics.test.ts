import { expect, test } from 'vitest';
import { atLeast, atMost } from './goals.ts';
import { countRoundTrips } from './round-trips.ts';
import { median, percentile } from './statistics.ts';

test('a percentile is a value that was measured, by nearest rank, in any order', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(percentile(values, 0.5)).toBe(50);
  expect(percentile(values, 0.99)).toBe(99);
  expect(percentile([7], 0.99)).toBe(7);
  expect(median([9, 1, 100])).toBe(9);
  expect(percentile([], 0.5)).toBeNaN();
});

test('the measured value decides a goal, not the rounded one that is shown', () => {
  expect(atMost('a', 2, 2.00001)).toEqual({ name: 'a', goal: 'at most 2', value: 2, met: false });
  expect(atLeast('b', 2, 2)).toMatchObject({ goal: 'at least 2', value: 2, met: true });
  expect(atLeast('c', 2, 1.99999)).toMatchObject({ value: 2, met: false });
});

test('a goal whose value could not be measured is not met, and says so by null', () => {
  expect(atMost('a', 2, Number.NaN)).toMatchObject({ value: null, met: false });
  expect(atLeast('b', 2, 1 / 0)).toMatchObject({ value: null });
});

test('commands that were under way together are one round trip', () => {
  const together = [
    { sentMs: 0, answeredMs: 60 },
    { sentMs: 1, answeredMs: 59 },
    { sentMs: 58, answeredMs: 70 },
  ];
  expect(countRoundTrips([])).toBe(0);
  expect(countRoundTrips(together)).toBe(1);
  expect(countRoundTrips([...together, { sentMs: 61, answeredMs: 90 }])).toBe(2);
  expect(
    countRoundTrips([
      { sentMs: 0, answeredMs: 10 },
      { sentMs: 11, answeredMs: 20 },
      { sentMs: 21, answeredMs: 30 },
    ]),
  ).toBe(3);
});
