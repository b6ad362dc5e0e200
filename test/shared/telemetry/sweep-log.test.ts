import { describe, expect, test } from 'vitest';
import { sweepLine } from '../../../shared/telemetry/sweep-log.ts';

const QUIET = {
  expired: [],
  reapplied: [],
  left: 0,
  drained: 0,
  uncollected: 0n,
  lagMinutes: 1,
} as const;

describe('the line of a sweep', () => {
  test('counts what was done, and names the holds that expired', () => {
    const report = { ...QUIET, expired: ['one', 'two'], reapplied: ['three'], drained: 4 };
    expect(JSON.parse(sweepLine(report))).toEqual({
      level: 'info',
      event: 'holds_swept',
      expired: 2,
      reapplied: 1,
      left: 0,
      drained: 4,
      uncollectedUsd: '0.00',
      lagMinutes: 1,
      expiredRequestIds: ['one', 'two'],
    });
  });

  test.each([{ left: 1 }, { uncollected: 1n }, { lagMinutes: 5 }])(
    'is an error that an alarm can see: %o',
    (amiss) => {
      expect(JSON.parse(sweepLine(QUIET)).level).toBe('info');
      expect(JSON.parse(sweepLine({ ...QUIET, ...amiss })).level).toBe('error');
    },
  );
});
