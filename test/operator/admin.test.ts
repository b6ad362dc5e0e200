import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAdmin } from '../../infra/operator/run-admin.ts';
import type { Ledger } from '../../shared/ledger/ledger.ts';
import { LOCAL_TABLES } from '../../shared/ledger/tables.ts';
import { startTestDatabase, type TestDatabase } from '../support/database.ts';
import { DETAILS, openLedger } from '../support/ledger.ts';

const SCRIPT = fileURLToPath(new URL('../../infra/operator/admin.ts', import.meta.url));
const USD = 1_000_000_000n;

let database: TestDatabase;
let ledger: Ledger;

beforeAll(async () => {
  database = await startTestDatabase();
  ledger = openLedger(database, { tables: LOCAL_TABLES });
});
afterAll(() => database.stop());

function run(line: string, environment: NodeJS.ProcessEnv = {}) {
  const words = line.split(' ').filter((word) => word !== '');
  return runAdmin(words, { DYNAMODB_ENDPOINT: database.endpoint, ...environment });
}

/** The JSON document of a command that must succeed. */
async function json(line: string) {
  const { code, stdout, stderr } = await run(line);
  expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('the admin command', () => {
  test('keeps accounts, keys and books from the first credit to the last charge', async () => {
    const account = await json('account create --name acme --credit 25.00');
    expect(account).toMatchObject({ available: '25.00', held: '0.00', balance: '25.00' });
    const { accountId } = account;
    const { keyId, apiKey } = await json(
      `key create --account ${accountId} --name web --burst 5 --rate 0.5 --limit-lifetime 5.00 --limit-recurring 2.00 --period day`,
    );
    const key = await ledger.authenticateKey(apiKey);
    const hold = await ledger.placeHold({ key, amount: USD, fingerprint: 'f' });
    expect(await json(`account show ${accountId}`)).toMatchObject({
      available: '24.00',
      held: '1.00',
      balance: '25.00',
    });
    expect(await json('holds list')).toMatchObject([
      { requestId: hold.requestId, accountId, amountUsd: '1.00' },
    ]);
    await ledger.settle(hold, { amount: 1_234_567n, details: DETAILS });
    const rows = await json(`ledger list --account ${accountId}`);
    expect(rows).toMatchObject([
      { requestId: null, kind: 'credit', amountUsd: '25.00' },
      {
        requestId: hold.requestId,
        kind: 'charge',
        amountUsd: '0.001234567',
        model: 'gpt-5.2',
        deployment: 'openai-gpt-5.2',
        provider: 'openai',
        inputTokens: 1_200,
        outputTokens: 345,
        metadata: { tenant: 'acme' },
      },
    ]);
    expect(await json(`key show ${keyId}`)).toMatchObject({
      enabled: true,
      burst: 5,
      rate: 0.5,
      remainingLifetime: '4.998765433',
      remainingRecurring: '1.998765433',
    });
    expect(await json('ledger verify')).toMatchObject({ ok: true, differences: [] });
  });

  test('credits once per reference, adjusts with a reason, changes and rotates keys', async () => {
    const { accountId } = await json('account create --name other');
    await json(`account credit ${accountId} 10.00 --reference order-1`);
    const again = await json(`account credit ${accountId} 10.00 --reference order-1`);
    expect(again).toMatchObject({ available: '10.00', repeated: true });
    const adjusted = await json(`account adjust ${accountId} -2.50 --reason refund`);
    expect(adjusted).toMatchObject({
      available: '7.50',
      entry: { amountUsd: '-2.50', reason: 'refund' },
    });
    const { keyId, apiKey } = await json(`key create --account ${accountId}`);
    expect(await json(`key disable ${keyId}`)).toMatchObject({ enabled: false });
    expect(await json(`key enable ${keyId}`)).toMatchObject({ enabled: true, burst: 60, rate: 10 });
    await json(`key limits ${keyId} --limit-lifetime 3.00 --burst 7`);
    const limited = await json(`key limits ${keyId} --limit-lifetime none`);
    expect(limited).toMatchObject({ burst: 7, limitLifetime: null });
    const rotated = await json(`key rotate ${keyId} --overlap-minutes 0`);
    await expect(ledger.authenticateKey(apiKey)).rejects.toMatchObject({ code: 'authentication' });
    expect((await ledger.authenticateKey(rotated.apiKey)).keyId).toBe(keyId);
    expect(await json(`key list --account ${accountId}`)).toHaveLength(1);
    const range = await json(
      `ledger list --account ${accountId} --from 2000-01-01 --to 2001-01-01`,
    );
    expect(range).toEqual([]);
  });

  test('lays a balance on several stripes, and shows them as one account', async () => {
    const { accountId } = await json('account create --name busy --credit 9.00');
    const { keyId, apiKey } = await json(`key create --account ${accountId}`);
    const striped = await json(`account stripe ${accountId} --stripes 3`);
    const each = (stripe: number) => ({ stripe, available: '3.00', openHolds: 0 });
    expect(striped).toMatchObject({ balance: '9.00', stripes: 3, byStripe: [0, 1, 2].map(each) });
    expect(await json(`account stripe ${accountId} --stripes 3`)).toEqual(striped);
    const key = await ledger.authenticateKey(apiKey);
    expect(key).toMatchObject({ keyId, stripes: 3 });
    const hold = await ledger.placeHold({ key, amount: 8n * USD, fingerprint: 'f' });
    expect(await json(`account show ${accountId}`)).toMatchObject({
      available: '1.00',
      held: '8.00',
      balance: '9.00',
      openHolds: 1,
    });
    await ledger.release(hold, DETAILS);
    const credited = await json(`account credit ${accountId} 30.00`);
    expect(credited).toMatchObject({ balance: '39.00', entry: { kind: 'credit', stripe: 0 } });
    const rows = await json(`ledger list --account ${accountId}`);
    const transfers = rows.filter(({ kind }: { kind: string }) => kind === 'transfer');
    expect(transfers[0]).toMatchObject({ amountUsd: '0.00', movedUsd: '3.00', stripe: 0 });
    expect(await json('ledger verify')).toMatchObject({ ok: true, differences: [] });
    expect(await run(`account stripe ${accountId} --stripes 2`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('only rises'),
    });
  });

  test('sweeps as if it were a later time, and says what it did', async () => {
    const { accountId } = await json('account create --name swept --credit 1.00');
    const { apiKey } = await json(`key create --account ${accountId}`);
    const key = await ledger.authenticateKey(apiKey);
    const hold = await ledger.placeHold({ key, amount: USD, fingerprint: 'f' });
    expect(await json('holds sweep')).toMatchObject({ expired: 0, left: 0 });
    const later = new Date(Date.now() + 31 * 60_000).toISOString();
    expect(await json(`holds sweep --at ${later}`)).toMatchObject({
      expired: 1,
      reapplied: 0,
      left: 0,
      expiredRequestIds: [hold.requestId],
    });
    expect(await json(`account show ${accountId}`)).toMatchObject({
      available: '1.00',
      held: '0.00',
    });
  });

  test('exits with 1 and the difference when a balance is off', async () => {
    const { accountId } = await json('account create --name tampered --credit 1.00');
    const change = (available: bigint) =>
      database.send(
        {
          operation: 'update',
          table: LOCAL_TABLES.gateway,
          key: { pk: accountId, sk: 'balance#0' },
          changes: { add: { available } },
          conditions: [{ path: 'available', is: '>', value: 0n }],
        },
        1_000,
      );
    await change(1n);
    const { code, stdout } = await run('ledger verify');
    expect(code).toBe(1);
    expect(JSON.parse(stdout).differences).toEqual([
      { accountId, problem: 'balance', expectedUsd: '1.00', foundUsd: '1.000000001' },
    ]);
    await change(-1n);
  });
});

describe('what is asked wrongly', () => {
  test.each([
    ['', 'name a command'],
    ['account', 'there is no command "account"'],
    ['account destroy', 'there is no command "account destroy"'],
    ['account create', 'missing --name'],
    ['account create --name a --colour red', '--colour'],
    ['account create --name a --credit 1e3', '--credit is "1e3"'],
    ['account create --name a --credit -1', '--credit cannot be negative'],
    ['account create --name a extra', 'unexpected argument "extra"'],
    ['account credit', 'missing ACCOUNT'],
    ['account credit acc_x -1.00', 'must be more than 0'],
    ['account credit acc_x 1.00', 'there is no account "acc_x"'],
    ['account adjust acc_x -1.00', 'missing --reason'],
    ['account show acc_x', 'there is no account "acc_x"'],
    ['key create', 'missing --account'],
    ['key create --account acc_x --burst 1.5', '--burst is "1.5"'],
    ['key create --account acc_x --rate 0', '--rate is "0"'],
    ['key create --account acc_x --limit-recurring 1.00', 'needs --period'],
    ['key create --account acc_x --period day', '--period needs'],
    ['key create --account acc_x --limit-recurring 1 --period year', '--period is "year"'],
    ['key create --account acc_x --expires tomorrow', '--expires is "tomorrow"'],
    ['key limits key_x', 'name a limit'],
    ['key show key_x', 'there is no key "key_x"'],
    ['ledger list --account acc_x --from 2026-01-02 --to 2026-01-01', 'there is no account'],
    ['holds sweep --at', '--at'],
    ['ledger verify --region eu-west-1', '--region needs --env'],
  ])('"%s" is one line on stderr and exit 2', async (line, message) => {
    const { code, stdout, stderr } = await run(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('\n');
  });

  test('a database that is not there is one line and exit 1', async () => {
    const { code, stdout, stderr } = await run('account list', {
      DYNAMODB_ENDPOINT: 'http://127.0.0.1:1',
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^the database does not answer.*$/);
  });

  test('--help names every command, and each says what it does, takes and looks like', async () => {
    const { code, stdout } = await run('--help');
    expect(code).toBe(0);
    const names = [...stdout.matchAll(/^ {2}([a-z]+ [a-z]+)/gm)].map(([, name]) => name ?? '');
    expect(names).toContain('key rotate');
    for (const name of names) {
      const help = await run(`${name} --help`);
      expect(help).toMatchObject({ code: 0, stderr: '' });
      expect(help.stdout).toMatch(new RegExp(`^Usage: .* -- ${name}`));
      expect(help.stdout).toMatch(/^[A-Z].*\.$/m);
      expect(help.stdout).toContain(`Example: npm run --silent admin -- ${name}`);
      // An option without a word about it ends right after its name.
      expect(help.stdout).not.toMatch(/^ {2}--[a-z-]+ *$/m);
    }
  });

  test('GROUP --help lists the commands of that group alone', async () => {
    const { stdout } = await run('key --help');
    expect(stdout).toContain('key rotate KEY');
    expect(stdout).not.toContain('ledger verify');
  });

  test('ends the process with that code, and prints to that stream', async () => {
    const ended = await new Promise((resolve) => {
      execFile(process.execPath, [SCRIPT, 'account'], (error, stdout, stderr) => {
        resolve({ code: error?.code, stdout, lines: stderr.trimEnd().split('\n').length });
      });
    });
    expect(ended).toEqual({ code: 2, stdout: '', lines: 1 });
  });
});
