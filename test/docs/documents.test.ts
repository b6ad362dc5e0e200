import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FILES = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => existsSync(join(ROOT, path)));
const DOCUMENTS = FILES.filter((path) => path.endsWith('.md') && !path.startsWith('test/fixtures'));
const TOP_FOLDERS = new Set(FILES.filter((path) => path.includes('/')).map(firstSegment));
const { scripts } = JSON.parse(read('package.json'));
const ADMIN_HELP = execFileSync(process.execPath, ['infra/operator/admin.ts', '--help'], {
  cwd: ROOT,
  encoding: 'utf8',
});
/** What the code reads of the environment, as it stands in the sources. */
const SOURCES = FILES.filter((path) => /^(shared|functions|infra)\/.*\.ts$|^Dockerfile$/.test(path))
  .map(read)
  .join('\n');

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function firstSegment(path: string): string {
  return path.split('/')[0] ?? '';
}

/** What stands between backticks, or in a block of code. */
function codeOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```\w*\n(.*?)^```/gms)].map(([, code]) => code ?? '');
  const spans = [...text.replace(/^```.*?^```/gms, '').matchAll(/`([^`]+)`/g)];
  return [...blocks, ...spans.map(([, code]) => code ?? '')];
}

function pathsIn(text: string): string[] {
  return (
    codeOf(text)
      .flatMap((code) => code.split(/[\s"'(),]+/))
      .filter(
        (word) => /^[\w.@-]+\/[\w./<>*{},@-]*$/.test(word) && TOP_FOLDERS.has(firstSegment(word)),
      )
      // A placeholder or a pattern names the folder before it.
      .map((word) => word.replace(/[^/]*[<*{].*$/, ''))
      .map((word) => word.replace(/[.:]+$/, ''))
  );
}

describe.each(DOCUMENTS)('%s', (document) => {
  const text = read(document);

  test('names files and folders that exist', () => {
    const missing = pathsIn(text).filter((path) => !existsSync(join(ROOT, path)));
    expect(missing).toEqual([]);
  });

  test('links to what exists', () => {
    const links = [...text.matchAll(/(?:\]\(|src=")([^)#"\s]+)/g)].map(([, link]) => link ?? '');
    const local = links.filter((link) => !/^[a-z]+:/.test(link));
    const missing = local.filter((link) => !existsSync(join(ROOT, dirname(document), link)));
    expect(missing).toEqual([]);
  });

  test('names npm scripts and admin commands that exist', () => {
    const code = codeOf(text).join('\n');
    const runs = [...code.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name);
    expect(runs.filter((name) => name !== undefined && !(name in scripts))).toEqual([]);
    const commands = [...code.matchAll(/\badmin -- ([a-z]+ [a-z]+)/g)].map(([, words]) => words);
    expect(commands.filter((words) => !ADMIN_HELP.includes(`  ${words}`))).toEqual([]);
  });
});

test('the settings that README names are read somewhere', () => {
  const table = /## Settings\n(.*?)\n## /s.exec(read('README.md'))?.[1] ?? '';
  const names = [...table.matchAll(/`([A-Z][A-Z_]{3,})`/g)].map(([, name]) => name ?? '');
  expect(names.length).toBeGreaterThan(5);
  // The address and key of a provider are read by names that are put together.
  const isRead = (name: string) =>
    SOURCES.includes(name) || /^UPSTREAM_(OPENAI|AZURE|ANTHROPIC)_(URL|KEY)$/.test(name);
  expect(names.filter((name) => !isRead(name))).toEqual([]);
});
