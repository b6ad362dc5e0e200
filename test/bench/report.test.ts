import { expect, test } from 'vitest';
import { atMost } from './goals.ts';
import { asJson, asMarkdown, type Run, withResults } from './report.ts';

const RUN: Run = {
  startedAt: '2026-11-20T10:11:12.000Z',
  quick: true,
  tookSeconds: 61,
  machine: {
    processors: 2,
    processor: 'a processor',
    memoryGigabytes: 25,
    system: 'Linux 6',
    node: 'v24',
    commit: 'abc1234',
    loadBefore: 0.1,
  },
  sections: [
    {
      name: 'one',
      title: 'First',
      tables: [{ title: 'Table', columns: ['what', 'ms'], rows: [['a | b', 1.5]] }],
      figures: { cells: [{ what: 'a', ms: 1.5 }] },
      goals: [atMost('fast', 2, 1.5), atMost('small', 2, Number.NaN)],
      notMeasured: ['the rest, for it was not there'],
    },
  ],
};

test('the JSON document holds every figure, the goals and what could not be measured', () => {
  const document = JSON.parse(asJson(RUN));
  expect(document).toMatchObject({
    machine: { processors: 2 },
    figures: { one: { cells: [{ what: 'a', ms: 1.5 }] } },
    notMeasured: ['one: the rest, for it was not there'],
  });
  expect(document.goals).toEqual([
    { name: 'fast', goal: 'at most 2', value: 1.5, met: true },
    { name: 'small', goal: 'at most 2', value: null, met: false },
  ]);
});

test('the tables are Markdown: as many cells in each line, whatever a cell holds', () => {
  const lines = asMarkdown(RUN)
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const cells = lines.map((line) => line.split(/(?<!\\)\|/).length);
  expect(new Set(cells)).toEqual(new Set([6, 4]));
  expect(asMarkdown(RUN)).toContain('1 of 2 goals met');
});

test('only what stands between the marks of a page is replaced, again and again', () => {
  const marks = [
    '<!-- results: written by `npm run bench -- --write`, never by hand -->',
    '<!-- end of results -->',
  ];
  const page = `# Page\n\n${marks[0]}\nold\n${marks[1]}\n\nThe end.\n`;
  const once = withResults(page, RUN);
  expect(once).toMatch(/^# Page\n/);
  expect(once).toMatch(/\nThe end\.\n$/);
  expect(once).not.toContain('old');
  expect(once).toContain(asMarkdown(RUN));
  expect(withResults(once, RUN)).toBe(once);
  expect(() => withResults('# Page', RUN)).toThrow(/has no lines/);
});
