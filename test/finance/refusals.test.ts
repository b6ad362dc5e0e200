import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportLedger } from '../../infra/finance/export-ledger.ts';
import { reportLedger } from '../../infra/finance/report-ledger.ts';
import { startTestDatabase } from '../support/database.ts';
import { exportIn, finance } from '../support/ledger-export.ts';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tollgate-finance-'));
const exported = join(folder, 'exported');

beforeAll(async () => {
  const database = await startTestDatabase();
  const done = await finance(exportLedger, database.endpoint, '--out', exported);
  await database.stop();
  expect(done).toMatchObject({ code: 0, stderr: '' });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('what cannot be done', () => {
  const damages: [string, string, (own: string, root: string) => void][] = [
    ['no folder', 'is no folder that can be read', (_, root) => rmSync(root, { recursive: true })],
    ['no export', 'has no finished full export', (own) => rmSync(own, { recursive: true })],
    [
      'an export that was cut short',
      'has no finished full export',
      (own) => rmSync(join(own, 'manifest-summary.json')),
    ],
    [
      'a data file that is gone',
      'is missing',
      (own) => rmSync(join(own, 'data'), { recursive: true }),
    ],
    [
      'a manifest that is no JSON',
      'is no JSON',
      (own) => writeFileSync(join(own, 'manifest-summary.json'), '{'),
    ],
    [
      'a manifest of something else',
      'is no manifest of an export',
      (own) => writeFileSync(join(own, 'manifest-files.json'), '{"itemCount": "many"}'),
    ],
    [
      'a data file that was changed',
      'its MD5 differs',
      (own) => {
        const [file = ''] = readdirSync(join(own, 'data'));
        writeFileSync(join(own, 'data', file), 'changed');
      },
    ],
    [
      'a key that leads out of the folder',
      'is no key of an export',
      (own) => {
        const text = readFileSync(join(own, 'manifest-files.json'), 'utf8');
        writeFileSync(join(own, 'manifest-files.json'), text.replace('/data/', '/../../'));
      },
    ],
  ];

  test.each(damages)('%s: one line, exit 1, and no page', async (name, message, damage) => {
    const root = join(folder, `broken ${name}`);
    cpSync(exported, root, { recursive: true });
    damage(exportIn(root).own, root);
    const out = join(folder, 'broken.html');
    const { code, stdout, stderr } = await finance(reportLedger, '', '--from', root, '--out', out);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('\n');
    expect(readdirSync(folder).filter((file) => file.startsWith('broken.html'))).toEqual([]);
  });

  test('a file that lists no accounts: one line, exit 1', async () => {
    const words = ['--from', exported, '--out', join(folder, 'x.html'), '--accounts', folder];
    const { code, stderr } = await finance(reportLedger, '', ...words);
    expect(code).toBe(1);
    expect(stderr).toContain('account list');
  });

  test.each([
    [exportLedger, '', 'missing --out'],
    [exportLedger, '--out x --from y', '--from'],
    [reportLedger, '--out x', 'missing --from'],
    [reportLedger, '--from x', 'missing --out'],
    [reportLedger, '--from x --out y --env prod', '--env'],
    [reportLedger, '--from x --out y --first 2026-02-30', '--first is "2026-02-30"'],
    [reportLedger, '--from x --out y --first 2026-03-02 --last 2026-03-01', 'later than'],
  ])('asked wrongly: one line, exit 2 (%#)', async (command, line, message) => {
    const { code, stderr } = await finance(
      command,
      'http://127.0.0.1:1',
      ...line.split(' ').filter(Boolean),
    );
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('a database that is not there: one line, exit 1, by the very commands', async () => {
    const script = join(ROOT, 'infra/finance/export.ts');
    const environment = { PATH: process.env.PATH ?? '', DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' };
    const asked = promisify(execFile)(process.execPath, [script, '--out', join(folder, 'x')], {
      env: environment,
    });
    await expect(asked).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^the database does not answer.*\n$/),
    });
    const help = await promisify(execFile)(process.execPath, [
      join(ROOT, 'infra/finance/report.ts'),
      '--help',
    ]);
    expect(help.stdout).toContain('ledger:report -- --from DIR --out FILE');
  });
});
