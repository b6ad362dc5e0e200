import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('the check prints one summary line for the sources as they are', () => {
  const script = new URL('../../catalog/check.ts', import.meta.url).pathname;
  const output = execFileSync(process.execPath, [script], { encoding: 'utf8' });

  expect(output).toMatch(
    /^catalog: \d+ models, \d+ deployments, \d+ providers, \d+ slugs, no faults\n$/,
  );
});
