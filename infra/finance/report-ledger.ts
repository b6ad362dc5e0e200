import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isoDate } from '../../shared/catalog/public.ts';
import { type Arguments, readArguments, UsageError } from '../operator/arguments.ts';
import { type AccountNames, readAccountNames, withAccountNames } from './account-names.ts';
import type { FinanceCommand } from './command.ts';
import { type FinanceDatabase, openDatabase } from './duckdb.ts';
import { openExports } from './exports-folder.ts';
import { type Answer, type Report, reportPage } from './page.ts';
import { QUERY_NAMES, type QueryName, readQuery } from './queries.ts';

/** `npm run ledger:report`: finance's queries over an export, as one page. */
export const reportLedger: FinanceCommand = {
  help: `Usage: npm run --silent ledger:report -- --from DIR --out FILE
         [--first DAY] [--last DAY] [--accounts FILE]

Reads the exports below DIR (of ledger:export, or copied from the bucket: the newest full
export and the incremental ones that follow it) and writes one page of HTML that needs
nothing else. A file that is there is replaced. Days are YYYY-MM-DD in UTC, both included;
without them everything is reported. --accounts takes what "admin -- account list" printed, and
shows accounts by name. Prints one JSON document.`,
  async run(words, { progress }) {
    const args = readArguments(words, {
      positionals: [],
      options: ['from', 'out', 'first', 'last', 'accounts'],
    });
    if (args.text('env') !== undefined) {
      throw new UsageError('--env: a report is made from a folder, give it by --from');
    }
    const folder = resolve(args.required('from'));
    const file = resolve(args.required('out'));
    const chosen = readDays(args);
    const accounts = args.text('accounts');
    const names = accounts === undefined ? new Map() : await readAccountNames(resolve(accounts));
    progress('Checking the export');
    const chain = await openExports(folder);
    progress('Loading the export');
    const database = await openDatabase(chain);
    try {
      const today = isoDate(chain.toMs);
      const first = chosen.first ?? database.booked?.first ?? today;
      const last = chosen.last ?? database.booked?.last ?? today;
      const days = { first, last: last < first ? first : last };
      progress('Asking');
      const answers = await askAll(database, days, names);
      const { tableArn } = chain.full;
      const page = await reportPage({
        answers,
        days,
        table: tableArn.slice(tableArn.indexOf('/') + 1),
        exportedMs: chain.toMs,
      });
      await replaceFile(file, page);
      return JSON.stringify({ file, ...days, bytes: Buffer.byteLength(page) }, null, 2);
    } finally {
      database.close();
    }
  },
};

function readDays(args: Arguments) {
  const first = readDay(args, 'first');
  const last = readDay(args, 'last');
  if (first !== undefined && last !== undefined && first > last) {
    throw new UsageError('--first is later than --last');
  }
  return { first, last };
}

function readDay(args: Arguments, name: string): string | undefined {
  const text = args.text(name);
  if (text === undefined) return undefined;
  const date = new Date(`${text}T00:00:00Z`);
  const real = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || !real) {
    throw new UsageError(`--${name} is "${text}": give a day such as 2026-10-01`);
  }
  return text;
}

async function askAll(
  database: FinanceDatabase,
  days: Report['days'],
  names: AccountNames,
): Promise<Report['answers']> {
  const ask = async (name: QueryName): Promise<[QueryName, Answer]> => {
    const query = readQuery(name);
    return [name, { query, result: withAccountNames(await database.run(query, days), names) }];
  };
  const answers: [QueryName, Answer][] = [];
  for (const name of QUERY_NAMES) answers.push(await ask(name));
  // Every name was asked just now.
  return Object.fromEntries(answers) as Report['answers'];
}

/** A page is there whole or not at all. */
async function replaceFile(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(unfinished, text);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
