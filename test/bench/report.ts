import type { Machine } from './machine.ts';
import type { Goal, Section, Table } from './section.ts';

/** Everything that a run found. */
export interface Run {
  /** ISO date and time. */
  readonly startedAt: string;
  readonly quick: boolean;
  readonly tookSeconds: number;
  readonly machine: Machine;
  readonly sections: readonly Section[];
}

/** Every goal of a run, in the order of its measurements. */
function goalsOf({ sections }: Run): Goal[] {
  return sections.flatMap(({ goals }) => goals);
}

/** What a run could not measure, and why. */
function notMeasuredBy({ sections }: Run): string[] {
  return sections.flatMap(({ name, notMeasured }) => notMeasured.map((what) => `${name}: ${what}`));
}

/** One JSON document with every figure. */
export function asJson(run: Run): string {
  const { sections, ...about } = run;
  const document = {
    ...about,
    figures: Object.fromEntries(sections.map(({ name, figures }) => [name, figures])),
    goals: goalsOf(run),
    notMeasured: notMeasuredBy(run),
  };
  return JSON.stringify(document, null, 2);
}

/** The same for people, as Markdown whose tables are aligned, so that it reads well as it stands. */
export function asMarkdown(run: Run): string {
  const { machine } = run;
  const goals = goalsOf(run);
  const met = goals.filter((goal) => goal.met).length;
  const about = [
    `Run of ${run.startedAt.slice(0, 16).replace('T', ' ')} UTC${run.quick ? ' (`--quick`: too short to judge by)' : ''},`,
    `${Math.round(run.tookSeconds)} seconds, commit ${machine.commit || 'unknown'}: ${machine.processors} processors (${machine.processor}),`,
    `${machine.memoryGigabytes} GB, ${machine.system}, Node.js ${machine.node}; load before the run ${machine.loadBefore}.`,
    `${met} of ${goals.length} goals met.`,
  ].join('\n');
  const sections = run.sections.map(({ title, tables, notMeasured }) =>
    [
      `### ${title}`,
      ...tables.map(tableText),
      ...notMeasured.map((what) => `Not measured: ${what}.`),
    ].join('\n\n'),
  );
  return [about, '### Goals', tableText(goalsTable(goals)), ...sections].join('\n\n');
}

function goalsTable(goals: readonly Goal[]): Table {
  return {
    title: '',
    columns: ['goal', 'limit', 'measured', 'met'],
    rows: goals.map(({ name, goal, value, met }) => [
      name,
      goal,
      value ?? 'not measured',
      met ? 'yes' : 'no',
    ]),
  };
}

function tableText({ title, columns, rows }: Table): string {
  const cells = [columns, ...rows.map((row) => row.map(cellText))];
  const widths = columns.map((_, index) =>
    Math.max(3, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const isNumeric = columns.map((_, index) => rows.every((row) => typeof row[index] === 'number'));
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, index) => pad(row[index] ?? '', width, isNumeric[index])).join(' | ')} |`;
  const rule = `|${widths.map((width, index) => (isNumeric[index] ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2))).join('|')}|`;
  const [head = [], ...body] = cells;
  const text = [line(head), rule, ...body.map(line)].join('\n');
  return title === '' ? text : `${title}:\n\n${text}`;
}

/** A bar would end the cell. */
function cellText(value: string | number): string {
  return String(value).replaceAll('|', '\\|');
}

function pad(text: string, width: number, right: boolean | undefined): string {
  return right ? text.padStart(width) : text.padEnd(width);
}

const BEGIN = '<!-- results: written by `npm run bench -- --write`, never by hand -->';
const END = '<!-- end of results -->';

/** A page whose results are replaced by a run's. Throws where the page has no place for them. */
export function withResults(page: string, run: Run): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`the page has no lines ${BEGIN} and ${END}`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${asMarkdown(run)}\n\n${page.slice(end)}`;
}
