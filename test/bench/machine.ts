import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';

const GIGABYTE = 1_000_000_000;

/** Where a run was made: its figures mean nothing without it. */
export interface Machine {
  readonly processors: number;
  readonly processor: string;
  readonly memoryGigabytes: number;
  readonly system: string;
  readonly node: string;
  /** Commit of the working tree, `+` behind it where something was changed; empty outside of a clone. */
  readonly commit: string;
  /** Running processes on average, over the minute before the run. */
  readonly loadBefore: number;
}

/** What the bench runs on. */
export function describeMachine(): Machine {
  const [first] = cpus();
  const [load = 0] = loadavg();
  return {
    processors: cpus().length,
    processor: first?.model.trim() ?? 'unknown',
    memoryGigabytes: Math.round(totalmem() / GIGABYTE),
    system: `${type()} ${release()}`,
    node: process.version,
    commit: commit(),
    loadBefore: Math.round(load * 10) / 10,
  };
}

function commit(): string {
  try {
    const options = { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' } as const;
    const hash = execFileSync('git', ['rev-parse', '--short', 'HEAD'], options).trim();
    const changed = execFileSync('git', ['status', '--porcelain'], options) !== '';
    return changed ? `${hash}+` : hash;
  } catch {
    return '';
  }
}
