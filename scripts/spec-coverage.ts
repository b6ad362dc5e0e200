import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/*
 * Prints the rows of the specification's tables that no claim of test/spec names, and exits 1 if
 * there are any. A claim names its rows by its title: `<part> <row>[, <row>]: <what holds>`.
 */

const ROOT = join(import.meta.dirname, '..');
const PARTS = ['2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '2.7', '2.8', '2.9', '4', '5', '7', '8'];

interface Section {
  readonly part: string;
  readonly lines: readonly string[];
}

/** The numbered parts whose tables are to be covered; `4. Endpoints` is part 4. */
function sectionsOf(specification: string): Section[] {
  const sections: { part: string; lines: string[] }[] = [];
  for (const line of specification.split('\n')) {
    const part = /^#{2,3} (\d+(?:\.\d+)?)[. ]/.exec(line)?.[1];
    if (part !== undefined) sections.push({ part, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections.filter(({ part }) => PARTS.includes(part));
}

/** The cells of a section's table rows, without heads and rules. */
function tableRows(lines: readonly string[]): string[][] {
  return lines.flatMap((line, index) => {
    const isRow = line.startsWith('|') && !/^\|[-|]+\|$/.test(line);
    const isHead = /^\|[-|]+\|$/.test(lines[index + 1] ?? '');
    return isRow && !isHead
      ? [
          line
            .slice(1, -1)
            .split('|')
            .map((cell) => cell.trim()),
        ]
      : [];
  });
}

/** What a row is called in titles: its first cell, or two of them where one alone says too little. */
function rowNames(part: string, cells: readonly string[]): string[] {
  const [first = '', second = ''] = cells.map((cell) => cell.replaceAll('`', ''));
  return part === '4' || part === '7' ? [`${first} ${second}`] : first.split(/, */);
}

/** Part 2.8 lists the fields and types of input items in a sentence, not in a table. */
function itemNames({ part, lines }: Section): string[] {
  const sentence = lines.find((line) => line.startsWith('Input/output item fields'));
  const names = part === '2.8' ? sentence?.match(/`[\w.]+`/g) : undefined;
  return names?.map((name) => name.replaceAll('`', '')) ?? [];
}

function rowsOf(specification: string): Set<string> {
  const rows = sectionsOf(specification).flatMap((section) => {
    const names = tableRows(section.lines).flatMap((cells) => rowNames(section.part, cells));
    return [...names, ...itemNames(section)].map((name) => `${section.part} ${name}`);
  });
  return new Set(rows);
}

/** The rows that the titles of test/spec name, as the test runner itself lists them. */
function claimedRows(): Set<string> {
  const runner = join(ROOT, 'node_modules/.bin/vitest');
  // Titles that a table makes are known only when the files are run, without their tests.
  const words = ['list', 'test/spec', '--json', '--no-static-parse'];
  const listed = execFileSync(runner, words, {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const tests: { readonly name: string }[] = JSON.parse(listed.slice(listed.indexOf('[')));
  const claims = tests.map(({ name }) => name.split(' > ').at(-1) ?? '');
  return new Set(claims.flatMap(rowsNamed));
}

function rowsNamed(title: string): string[] {
  const [, part, names = ''] = /^(\d+(?:\.\d+)?) (.+?): /.exec(title) ?? [];
  return part === undefined ? [] : names.split(/, */).map((name) => `${part} ${name}`);
}

function run(path: string): number {
  if (!existsSync(path)) {
    console.log(`specification coverage: skipped, ${path} is not here`);
    return 0;
  }
  const rows = rowsOf(readFileSync(path, 'utf8'));
  const claimed = claimedRows();
  const missing = [...rows].filter((row) => !claimed.has(row));
  for (const row of missing) console.log(`no claim: ${row}`);
  console.log(`specification coverage: ${rows.size - missing.length} of ${rows.size} rows claimed`);
  return missing.length > 0 ? 1 : 0;
}

process.exitCode = run(resolve(process.argv[2] ?? join(ROOT, '../shared/spec/gateway-api.md')));
