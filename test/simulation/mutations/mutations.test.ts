import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { MUTATIONS } from './list.ts';

const RUNNER = join(import.meta.dirname, 'run.ts');
const SEEDS = 1_000;

/** Each breakage needs a process of its own: a module that is loaded cannot be broken any more. */
describe('the simulation finds', () => {
  it.each(MUTATIONS)('$name: $because', { timeout: 120_000 }, async ({ name }) => {
    const found = await promisify(execFile)(process.execPath, [RUNNER, name, String(SEEDS)]);
    expect(found.stdout).toContain(`${name}: seed `);
  });
});
