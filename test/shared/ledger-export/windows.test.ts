import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KnownExport, TableExports } from '../../../shared/ledger-export/exports.ts';
import { exportDue, exportLine } from '../../../shared/ledger-export/run.ts';
import {
  dayOfWindow,
  LONGEST_WINDOW_MS,
  planExports,
  SHORTEST_WINDOW_MS,
  type Window,
} from '../../../shared/ledger-export/windows.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.UTC(2026, 10, 1);

function at(text: string): number {
  return Date.parse(`2026-11-${text}Z`);
}

function window(from: string, to: string): Window {
  return { fromMs: at(from), toMs: at(to) };
}

/** Exports of a table as DynamoDB plays them: some fail after they were begun, a run may break off. */
function createExports(earliestMs: number, recoveryMs: number) {
  const known: (KnownExport & { attempt: number })[] = [];
  const world = { nowMs: earliestMs, breakAfter: Number.POSITIVE_INFINITY, fails: false };
  const exports: TableExports = {
    restorable: async () => ({
      fromMs: Math.max(earliestMs, world.nowMs - recoveryMs),
      toMs: world.nowMs - 5 * MINUTE_MS,
    }),
    list: async () => [...known].reverse(),
    begin: async (begun, attempt) => {
      if (world.breakAfter <= 0) throw new Error('broken off');
      world.breakAfter -= 1;
      const same = known.some(
        (one) => one.fromMs === begun.fromMs && one.toMs === begun.toMs && one.attempt === attempt,
      );
      if (!same) known.push({ ...begun, attempt, status: world.fails ? 'failed' : 'completed' });
    },
  };
  return { exports, known, world };
}

function expectWhole(windows: readonly Window[], fromMs: number, toMs: number): void {
  const sorted = [...windows].sort((one, other) => one.fromMs - other.fromMs);
  let reachedMs = fromMs;
  for (const one of sorted) {
    expect(one.fromMs).toBe(reachedMs);
    expect(one.toMs - one.fromMs).toBeGreaterThanOrEqual(SHORTEST_WINDOW_MS);
    expect(one.toMs - one.fromMs).toBeLessThanOrEqual(LONGEST_WINDOW_MS);
    reachedMs = one.toMs;
  }
  expect(reachedMs).toBe(toMs);
}

/** How much time these windows cover together. */
function lengthOf(windows: readonly Window[]): number {
  let reachedMs = 0;
  let length = 0;
  for (const { fromMs, toMs } of [...windows].sort((one, other) => one.fromMs - other.fromMs)) {
    length += Math.max(0, toMs - Math.max(fromMs, reachedMs));
    reachedMs = Math.max(reachedMs, toMs);
  }
  return length;
}

describe('incremental exports', () => {
  test('leave no gap and no overlap, whatever fails and however long nothing ran', async () => {
    const run = fc.record({
      waitMinutes: fc.integer({ min: 0, max: 60 * 24 * 6 }),
      breakAfter: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 0, max: 4 })),
      fails: fc.boolean(),
    });
    const startMinute = fc.integer({ min: 0, max: 60 * 24 });
    await fc.assert(
      fc.asyncProperty(startMinute, fc.array(run, { maxLength: 12 }), async (minute, runs) => {
        const startMs = START_MS + minute * MINUTE_MS;
        const { exports, known, world } = createExports(startMs, 100 * DAY_MS);
        for (const { waitMinutes, breakAfter, fails } of runs) {
          Object.assign(world, { nowMs: world.nowMs + waitMinutes * MINUTE_MS, breakAfter, fails });
          await exportDue(exports).catch(() => undefined);
        }
        const good = {
          nowMs: world.nowMs + DAY_MS,
          breakAfter: Number.POSITIVE_INFINITY,
          fails: false,
        };
        Object.assign(world, good);
        const report = await exportDue(exports);
        expect(report.lost).toEqual([]);
        const completed = known.filter(({ status }) => status === 'completed');
        const endMs = Math.floor((world.nowMs - 5 * MINUTE_MS) / HOUR_MS) * HOUR_MS;
        expectWhole(completed, startMs, endMs);
        expect((await exportDue(exports)).begun).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('fill what any other exports leave, or say that it is lost', () => {
    const minutes = fc.integer({ min: 0, max: 60 * 24 * 5 });
    const others = fc.array(fc.tuple(minutes, fc.integer({ min: 15, max: 60 * 24 })), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(others, minutes, (made, recovery) => {
        const exported = made.map(([from, length]) => ({
          fromMs: START_MS + from * MINUTE_MS,
          toMs: START_MS + (from + length) * MINUTE_MS,
        }));
        const restorable = { fromMs: START_MS + recovery * MINUTE_MS, toMs: START_MS + 8 * DAY_MS };
        const { windows, lost } = planExports(exported, restorable);
        const pieces = [...windows, ...lost];
        const endMs = Math.max(restorable.toMs, ...exported.map(({ toMs }) => toMs));
        const [firstMs = restorable.fromMs] = exported.map(({ fromMs }) => fromMs).sort();
        expect(lengthOf([...exported, ...pieces])).toBe(endMs - firstMs);
        const apart = pieces.reduce((total, one) => total + one.toMs - one.fromMs, 0);
        expect(lengthOf(exported) + apart).toBe(endMs - firstMs);
        for (const { fromMs, toMs } of windows) {
          expect(fromMs).toBeGreaterThanOrEqual(restorable.fromMs);
          expect(toMs - fromMs).toBeGreaterThanOrEqual(SHORTEST_WINDOW_MS);
          expect(toMs - fromMs).toBeLessThanOrEqual(LONGEST_WINDOW_MS);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('keep a finished day in the folder of that day', () => {
    const { windows } = planExports(
      [window('01T12:00', '01T18:00')],
      window('01T00:00', '04T06:15'),
    );
    expect(windows).toEqual([
      window('01T18:00', '02T00:00'),
      window('02T00:00', '03T00:00'),
      window('03T00:00', '04T00:00'),
      window('04T00:00', '04T06:00'),
    ]);
    expect(windows.map(dayOfWindow)).toEqual([
      '2026-11-01',
      '2026-11-02',
      '2026-11-03',
      '2026-11-04',
    ]);
  });

  test('leave no piece that is too short behind a midnight', () => {
    const exported = [window('01T00:00', '02T00:00'), window('03T00:10', '03T06:00')];
    const { windows } = planExports(exported, window('01T00:00', '03T06:00'));
    expect(windows).toEqual([window('02T00:00', '02T23:00'), window('02T23:00', '03T00:10')]);
  });

  test('name the time that recovery no longer reaches, and go on behind it', async () => {
    const { exports, world } = createExports(START_MS, 2 * DAY_MS);
    world.nowMs = START_MS + 7 * HOUR_MS;
    await exportDue(exports);
    world.nowMs = START_MS + 5 * DAY_MS + 5 * MINUTE_MS;
    const report = await exportDue(exports);
    expect(report.lost).toEqual([window('01T06:00', '04T00:05')]);
    expect(report.newlyLost).toBe(true);
    expect(report.begun[0]).toEqual(window('04T00:05', '05T00:00'));
    expect(JSON.parse(exportLine(report))).toMatchObject({
      level: 'error',
      lost: [{ from: '2026-11-01T06:00:00.000Z', to: '2026-11-04T00:05:00.000Z' }],
    });
    world.nowMs += 6 * HOUR_MS;
    // Whoever heard of it once is not told four times a day.
    expect(await exportDue(exports)).toMatchObject({ lost: report.lost, newlyLost: false });
  });

  test('begin a failed export again as another attempt', async () => {
    const { exports, known, world } = createExports(START_MS, 35 * DAY_MS);
    Object.assign(world, { nowMs: START_MS + 7 * HOUR_MS, fails: true });
    await exportDue(exports);
    world.fails = false;
    expect(await exportDue(exports)).toMatchObject({ repeated: 1 });
    expect(known.map(({ status, attempt }) => [status, attempt])).toEqual([
      ['failed', 0],
      ['completed', 1],
    ]);
  });
});
