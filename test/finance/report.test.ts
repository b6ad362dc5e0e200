import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COLUMNS, storedType } from '../../infra/finance/columns.ts';
import { exportLedger } from '../../infra/finance/export-ledger.ts';
import { reportLedger } from '../../infra/finance/report-ledger.ts';
import { createTables } from '../../infra/local/create-tables.ts';
import { runAdmin } from '../../infra/operator/run-admin.ts';
import { listAccounts, readAccountBalance } from '../../shared/ledger/accounts.ts';
import type { Ledger } from '../../shared/ledger/ledger.ts';
import { listEntries } from '../../shared/ledger/list-entries.ts';
import type { Item } from '../../shared/ledger/store.ts';
import { LOCAL_TABLES } from '../../shared/ledger/tables.ts';
import { startTestDatabase, type TestDatabase } from '../support/database.ts';
import { addIncremental, exportIn, finance, rowOf } from '../support/ledger-export.ts';
import { bookSampleLedger, HOSTILE, SAMPLE_DAYS } from '../support/sample-ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-finance-'));
const exported = join(folder, 'exported');
let database: TestDatabase;
let ledger: Ledger;
/** Every row of the ledger, by the ledger's own reading. */
let entries: Item[];
let page: string;

beforeAll(async () => {
  database = await startTestDatabase();
  await createTables(database.client, LOCAL_TABLES);
  ledger = await bookSampleLedger(database);
  const accounts = await listAccounts(ledger.context);
  const lists = accounts.map(({ accountId }) => listEntries(ledger.context, accountId));
  entries = (await Promise.all(lists)).flat();
  const done = await finance(exportLedger, database.endpoint, '--out', exported);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  page = await report(exported);
}, 120_000);
afterAll(async () => {
  await database.stop();
  rmSync(folder, { recursive: true });
});

/** The page of a report that must succeed. */
async function report(from: string, ...words: string[]): Promise<string> {
  const out = join(folder, 'report.html');
  const done = await finance(
    reportLedger,
    database.endpoint,
    '--from',
    from,
    '--out',
    out,
    ...words,
  );
  expect(done).toMatchObject({ code: 0, stderr: '' });
  return readFileSync(out, 'utf8');
}

function sum(rows: readonly Item[], name: string): bigint {
  return rows.reduce((total, row) => total + BigInt(String(row[name] ?? 0)), 0n);
}

function ofKind(...kinds: string[]): Item[] {
  return entries.filter(({ kind }) => kinds.includes(String(kind)));
}

function dayOf({ created_at_ms }: Item): string {
  return new Date(Number(created_at_ms)).toISOString().slice(0, 10);
}

/** Nine decimals, as the page shows every amount. */
function usd(nano: bigint): string {
  const digits = nano.toString().replace('-', '').padStart(10, '0');
  return `${nano < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`;
}

describe('ledger:export', () => {
  test('writes what DynamoDB writes: manifests, checksums, and every row in its JSON', () => {
    const { id, own, read, files, summary } = exportIn(exported);
    expect(id).toMatch(/^0\d{13}-[0-9a-f]{8}$/);
    expect(readdirSync(own).sort()).toEqual([
      '_started',
      'data',
      'manifest-files.checksum',
      'manifest-files.json',
      'manifest-summary.checksum',
      'manifest-summary.json',
    ]);
    expect(summary).toMatchObject({
      version: '2020-06-30',
      exportArn: `${summary.tableArn}/export/${id}`,
      manifestFilesS3Key: `AWSDynamoDB/${id}/manifest-files.json`,
      itemCount: entries.length,
      outputFormat: 'DYNAMODB_JSON',
      exportType: 'FULL_EXPORT',
    });
    expect(summary.tableArn).toMatch(/:table\/tollgate-local-ledger$/);
    for (const name of ['manifest-files', 'manifest-summary']) {
      const md5 = createHash('md5')
        .update(read(`${name}.json`))
        .digest('base64');
      expect(read(`${name}.checksum`)).toBe(md5);
    }
    const rows = files.flatMap(({ dataFileS3Key, itemCount, md5Checksum, etag }) => {
      const bytes = readFileSync(join(exported, dataFileS3Key));
      const md5 = createHash('md5').update(bytes).digest();
      expect(md5Checksum).toBe(md5.toString('base64'));
      expect(etag).toBe(`${createHash('md5').update(md5).digest('hex')}-1`);
      const lines = gunzipSync(bytes).toString().trimEnd().split('\n');
      expect(lines).toHaveLength(itemCount);
      return lines.map((line) => JSON.parse(line).Item);
    });
    const keyed = new Map(rows.map((row) => [`${row.pk.S} ${row.sk.S}`, row]));
    expect(keyed.size).toBe(entries.length);
    for (const entry of entries) {
      const row = keyed.get(`${entry.pk} ${entry.sk}`);
      expect(Object.keys(row).sort()).toEqual(Object.keys(entry).sort());
      expect(row.amount_nano).toEqual({ N: String(entry.amount_nano) });
    }
  });

  test('has no column that the queries do not know', () => {
    const kinds = new Map(COLUMNS.map((column) => [column.name, storedType(column)]));
    const letters = { string: 'S', bigint: 'N', boolean: 'BOOL' } as Record<string, string>;
    for (const entry of entries) {
      for (const [name, value] of Object.entries(entry)) {
        expect({ name, type: kinds.get(name) }).toEqual({ name, type: letters[typeof value] });
      }
    }
  });
});

describe('ledger:report', () => {
  test('adds up to the ledger, to the nano-dollar', async () => {
    const charges = ofKind('charge', 'late_charge');
    const spend = usd(sum(charges, 'amount_nano'));
    expect(BigInt(spend.replace('.', ''))).toBeGreaterThan(0n);
    for (const section of ['spend-by-day', 'spend-by-model', 'spend-by-account', 'spend-by-key']) {
      const cells = rowOf(page, section, 'Sum');
      expect({ section, spend: cells.at(-1) }).toEqual({ section, spend });
      expect(cells.at(-2)).toBe(String(sum(charges, 'output_tokens')));
    }
    const accounts = await listAccounts(ledger.context);
    let balances = 0n;
    for (const { accountId } of accounts) {
      const { available, held } = await readAccountBalance(ledger.context, accountId);
      balances += available + held;
      expect(rowOf(page, 'balances', accountId).at(-1)).toBe(usd(available + held));
    }
    expect(rowOf(page, 'balances', 'Sum')).toEqual([
      'Sum',
      usd(0n),
      usd(sum(ofKind('credit'), 'amount_nano')),
      usd(sum(ofKind('adjustment'), 'amount_nano')),
      spend,
      usd(balances),
    ]);
    const held = sum(ofKind('charge', 'release'), 'hold_nano');
    const charged = sum(ofKind('charge'), 'amount_nano');
    expect(rowOf(page, 'holds-and-charges', 'Sum').slice(2, 5)).toEqual(
      [held, charged, held - charged].map(usd),
    );
    expect(rowOf(page, 'expired-holds', 'Sum').at(-1)).toBe(
      usd(sum(ofKind('expiry'), 'hold_nano')),
    );
  });

  test('says what the providers will bill: what was charged, and what was not collected', () => {
    const charges = ofKind('charge', 'late_charge');
    const uncollected = sum(entries, 'uncollected_nano');
    expect(uncollected).toBeGreaterThan(0n);
    const billed = usd(sum(charges, 'amount_nano') + uncollected);
    expect(rowOf(page, 'uncollected', 'Sum').at(-2)).toBe(usd(uncollected));
    expect(rowOf(page, 'provider-spend', 'Sum').at(-1)).toBe(billed);
    // The sample's prices are whole nano-dollars a token, so here nothing is rounded.
    expect(rowOf(page, 'provider-invoices', 'Sum').at(-1)).toBe(billed);
  });

  test('of some days opens with what was there before', async () => {
    const first = '2026-10-09';
    const last = '2026-10-11';
    const html = await report(exported, '--first', first, '--last', last);
    const charges = ofKind('charge', 'late_charge');
    const within = charges.filter((row) => dayOf(row) >= first && dayOf(row) <= last);
    expect(within.length).toBeLessThan(charges.length);
    expect(rowOf(html, 'spend-by-model', 'Sum').at(-1)).toBe(usd(sum(within, 'amount_nano')));
    const takenBefore = sum(
      charges.filter((row) => dayOf(row) < first),
      'amount_nano',
    );
    const given = ofKind('credit', 'adjustment').filter((row) => dayOf(row) < first);
    const opening = sum(given, 'amount_nano') - takenBefore;
    expect(rowOf(html, 'balances', 'Sum')[1]).toBe(usd(opening));
    expect(html).toContain(`<time datetime="${first}">`);
  });

  test('shows accounts by the names that the admin command lists', async () => {
    const accounts = join(folder, 'accounts.json');
    const environment = { DYNAMODB_ENDPOINT: database.endpoint };
    writeFileSync(accounts, (await runAdmin(['account', 'list'], environment)).stdout);
    const [account] = await listAccounts(ledger.context);
    const html = await report(exported, '--accounts', accounts);
    const row = rowOf(html, 'balances', `${account?.name} (${account?.accountId})`);
    expect(row.slice(1)).toEqual(rowOf(page, 'balances', account?.accountId ?? '').slice(1));
    expect(row).toHaveLength(6);
  });

  test('shows what clients and operators wrote as text', () => {
    expect(page).not.toContain(HOSTILE.slice(0, 20));
    expect(page).toContain('&lt;script&gt;globalThis.hacked=1&lt;/script&gt;');
    // Two elements: the style and the one script, whose hash is all that may run.
    expect(page.match(/<script/g)).toHaveLength(1);
    const [, script = ''] = /<script>(.*)<\/script>/s.exec(page) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(page).toContain(
      `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`,
    );
  });

  test('of an empty ledger is a page that says so', async () => {
    const root = join(folder, 'empty');
    const none = await startTestDatabase();
    const done = await finance(exportLedger, none.endpoint, '--out', root);
    await none.stop();
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(exportIn(root).summary.itemCount).toBe(0);
    const html = await report(root);
    expect(html.match(/Nothing in this period/g)).toHaveLength(13);
    expect(html).toContain('<dt>Spend</dt><dd>$0.00');
  });

  test('follows incremental exports, and counts a row once that stands in several', async () => {
    const root = join(folder, 'chain');
    cpSync(exported, root, { recursive: true });
    const { files, summary } = exportIn(root);
    const [line = ''] = gunzipSync(readFileSync(join(root, files[0].dataFileS3Key)))
      .toString()
      .split('\n');
    const image = JSON.parse(line).Item;
    const added = { ...image, sk: { S: 'added' }, kind: { S: 'charge' }, amount_nano: { N: '5' } };
    const from = summary.exportTime;
    const to = new Date(Date.parse(from) + 3_600_000).toISOString();
    addIncremental(root, { from, to, images: [image, added] });
    const spend = sum(ofKind('charge', 'late_charge'), 'amount_nano') + 5n;
    expect(rowOf(await report(root), 'provider-spend', 'Sum').at(-3)).toBe(usd(spend));
    const late = new Date(Date.parse(to) + 1_000).toISOString();
    const end = new Date(Date.parse(to) + 7_200_000).toISOString();
    addIncremental(root, { from: late, to: end, images: [added] });
    const out = join(folder, 'never.html');
    const broken = await finance(reportLedger, '', '--from', root, '--out', out);
    expect(broken).toMatchObject({ code: 1, stdout: '' });
    expect(broken.stderr).toContain(`no export has what was written from ${to} to ${late}`);
  });

  test('is of the days on which something was booked, and replaces an older page', async () => {
    expect(page).toContain(`<title>Tollgate ledger, ${SAMPLE_DAYS.first} to ${SAMPLE_DAYS.last}`);
    expect(await report(exported, '--first', '2026-10-07')).toContain('ledger, 2026-10-07 to');
    expect(readdirSync(folder).filter((file) => file.startsWith('report.html'))).toHaveLength(1);
  });
});
