import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Result } from './duckdb.ts';
import { BrokenExport } from './exports-folder.ts';

const ACCOUNTS = z.array(z.object({ accountId: z.string(), name: z.string() }));

/** Names of accounts by ID, which the ledger does not have. */
export type AccountNames = ReadonlyMap<string, string>;

/** Reads what `admin -- account list` printed. Throws BrokenExport for any other file. */
export async function readAccountNames(file: string): Promise<AccountNames> {
  try {
    const accounts = ACCOUNTS.parse(JSON.parse(await readFile(file, 'utf8')));
    return new Map(accounts.map(({ accountId, name }) => [accountId, name]));
  } catch {
    throw new BrokenExport(`${file} is not what "npm run --silent admin -- account list" prints`);
  }
}

/** The same result with each account's name before its ID. */
export function withAccountNames(result: Result, names: AccountNames): Result {
  const index = result.columns.indexOf('account_id');
  if (index < 0) return result;
  const rows = result.rows.map((row) => {
    const name = names.get(row[index] ?? '');
    return name === undefined ? row : row.with(index, `${name} (${row[index]})`);
  });
  return { columns: result.columns, rows };
}
