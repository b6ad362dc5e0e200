import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** What the Dockerfile makes, in a folder in place of an image. */
export interface ContainerImage {
  /** Stands for the image's working directory. */
  readonly folder: string;
  /** The entry point with `node` as the one that runs now. */
  readonly command: readonly [string, ...string[]];
  /** What `ENV` sets. */
  readonly environment: Readonly<Record<string, string>>;
  remove(): void;
}

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/**
 * Follows the Dockerfile line by line: copies exactly what it copies, puts the production packages
 * where it installs them, runs what else it runs. An instruction that is not known here is an error.
 */
export function buildContainerImage(): ContainerImage {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-image-'));
  const environment: Record<string, string> = {};
  let workingDirectory = '/';
  let entryPoint: string[] = [];
  const steps: Readonly<Record<string, (text: string) => void>> = {
    FROM: (text) => assert.match(text, new RegExp(`^node:${process.versions.node.split('.')[0]}-`)),
    USER: (text) => assert.notEqual(text, 'root'),
    EXPOSE: () => undefined,
    WORKDIR: (text) => {
      workingDirectory = text;
    },
    ENV: (text) => {
      const [, name = '', value = ''] = /^(\w+)=(\S*)$/.exec(text) ?? [];
      environment[name] = value;
    },
    COPY: (text) => copy(text.split(/\s+/), folder),
    RUN: (text) => run(text, folder, within(environment, workingDirectory, folder)),
    ENTRYPOINT: (text) => {
      entryPoint = JSON.parse(text);
    },
  };
  for (const { name, text } of readInstructions()) {
    const step = steps[name];
    assert(step, `the Dockerfile's ${name} is not understood`);
    step(text);
  }
  const [program, ...args] = entryPoint;
  assert.equal(program, 'node');
  return {
    folder,
    command: [process.execPath, ...args],
    environment: within(environment, workingDirectory, folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function readInstructions(): Instruction[] {
  const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').replaceAll(/\\\n/g, '');
  return lines
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = ''] = line.split(' ', 1);
      return { name, text: line.slice(name.length + 1).trim() };
    });
}

/** Paths below the image's working directory, as they are here. */
function within(environment: Readonly<Record<string, string>>, directory: string, folder: string) {
  const entries = Object.entries(environment);
  return Object.fromEntries(entries.map(([name, v]) => [name, v.replace(directory, folder)]));
}

function copy(paths: readonly string[], folder: string): void {
  const destination = join(folder, paths.at(-1) ?? '');
  for (const source of paths.slice(0, -1)) {
    assert(isSent(source), `.dockerignore keeps ${source} out`);
    // A folder's content goes into the destination, a file under its own name.
    const to = source.endsWith('/') ? destination : join(destination, basename(source));
    cpSync(join(ROOT, source), to, { recursive: true });
  }
}

/** `.dockerignore` leaves everything out, then lets some paths in. */
function isSent(source: string): boolean {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
  assert.equal(
    lines.find((line) => line !== '' && !line.startsWith('#')),
    '*',
  );
  const path = source.replace(/\/$/, '');
  return lines.some((line) => line.startsWith('!') && `${path}/`.startsWith(`${line.slice(1)}/`));
}

function run(command: string, folder: string, environment: Record<string, string>): void {
  if (command.startsWith('npm ci --omit=dev ')) {
    installProductionPackages(folder);
    return;
  }
  const [program, ...args] = command.split(' ');
  assert.equal(program, 'node', `the Dockerfile runs ${command}`);
  execFileSync(process.execPath, args, { cwd: folder, env: environment });
}

/** What `npm ci --omit=dev` installs, by the lock file; copied, for a link would find the others. */
function installProductionPackages(folder: string): void {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const packages: Record<string, { dev?: boolean; devOptional?: boolean }> = lock.packages;
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    if (path === '' || dev || devOptional) continue;
    cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter: isRunnable });
  }
}

/** Declarations and maps are most of the files, and nothing that runs reads them. */
function isRunnable(path: string): boolean {
  return !/(?:\.d\.[cm]?ts|\.map|\.md|\/dist-types)$/.test(path);
}
