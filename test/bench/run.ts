/** `npm run bench`: measures everything in one run, side by side. */

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { coldStart } from './cold-start.ts';
import { database } from './database.ts';
import { hotAccount } from './hot-account.ts';
import { describeMachine } from './machine.ts';
import { overhead } from './overhead.ts';
import { asJson, asMarkdown, type Run, withResults } from './report.ts';
import type { Measurement, Section } from './section.ts';
import { size } from './size.ts';
import { streams } from './streams.ts';

const MEASUREMENTS: readonly Measurement[] = [
  overhead,
  streams,
  coldStart,
  database,
  hotAccount,
  size,
];
const NAMES = MEASUREMENTS.map(({ name }) => name);

const HELP = `Usage: npm run --silent bench -- [--quick] [--only NAME]... [--json] [--out FILE] [--write PAGE]

Measures what Tollgate costs and prints tables; it never fails by a figure.

  --quick       a short run of the same, too short to judge by
  --only NAME   one measurement: ${NAMES.join(', ')}; may be given several times
  --json        prints one JSON document with every figure in place of the tables
  --out FILE    writes that document to a file as well
  --write PAGE  puts the results into a page, between its two marks (docs/performance.md)
`;

class UsageError extends Error {}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        quick: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
        out: { type: 'string' },
        write: { type: 'string' },
      },
    });
    const unknown = values.only.find((name) => !NAMES.includes(name));
    if (unknown === undefined) return values;
    throw new UsageError(`there is no measurement "${unknown}": use any of ${NAMES.join(', ')}`);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** One that fails is told of and left out: the others still count. */
async function measure(measurement: Measurement, quick: boolean): Promise<Section> {
  const { name, title } = measurement;
  const progress = (what: string) => console.error(`${name}: ${what}`);
  try {
    return { name, title, ...(await measurement.measure({ quick, progress })) };
  } catch (error) {
    console.error(error);
    const why = error instanceof Error ? error.message : String(error);
    return { name, title, tables: [], figures: {}, goals: [], notMeasured: [`all of it: ${why}`] };
  }
}

async function bench(): Promise<void> {
  const { help, quick, json, only, out, write } = readArguments();
  if (help) return console.log(HELP);
  const machine = describeMachine();
  const startedAt = new Date().toISOString();
  const sections: Section[] = [];
  for (const measurement of MEASUREMENTS) {
    if (only.length === 0 || only.includes(measurement.name)) {
      sections.push(await measure(measurement, quick));
    }
  }
  const tookSeconds = Math.round((Date.now() - Date.parse(startedAt)) / 1_000);
  const run: Run = { startedAt, quick, tookSeconds, machine, sections };
  console.log(json ? asJson(run) : asMarkdown(run));
  if (out !== undefined) writeFileSync(out, `${asJson(run)}\n`);
  if (write !== undefined) writeFileSync(write, withResults(readFileSync(write, 'utf8'), run));
}

try {
  await bench();
} catch (error) {
  const usage = error instanceof UsageError;
  console.error(usage ? `bench: ${error.message}\n\n${HELP}` : error);
  process.exitCode = usage ? 2 : 1;
}
