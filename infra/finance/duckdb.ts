import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { COLUMNS, storedType } from './columns.ts';
import { BrokenExport, type Export, type ExportChain } from './exports-folder.ts';
import { type Dialect, prelude, typedEntries } from './prelude.ts';
import type { Query } from './queries.ts';

/** Exact: amounts of money and whole numbers are decimal texts. */
export type Cell = string | null;

/** What a query found. */
export interface Result {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** The exported ledger, ready to be asked. */
export interface FinanceDatabase {
  /** First and last day (YYYY-MM-DD, UTC) on which anything was booked; undefined: nothing ever was. */
  readonly booked: { readonly first: string; readonly last: string } | undefined;
  /** Runs a query over the entries of these days, both inclusive. */
  run(query: Query, days: { readonly first: string; readonly last: string }): Promise<Result>;
  close(): void;
}

/** Loads exports into a DuckDB in memory, which reaches no network. Throws BrokenExport. */
export async function openDatabase(chain: ExportChain): Promise<FinanceDatabase> {
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  const close = () => {
    connection.closeSync();
    instance.closeSync();
  };
  try {
    await connection.run(`CREATE TABLE exported_rows (item ${rowType()})`);
    await load(connection, chain.full);
    for (const one of chain.incremental) await load(connection, one);
    // Read once: every query begins here.
    const entries = typedEntries('SELECT item FROM exported_rows');
    await connection.run(`CREATE TABLE all_entries AS ${entries}`);
    await connection.run('DROP TABLE exported_rows');
    const booked = await readBookedDays(connection);
    return { booked, close, run: (query, days) => run(connection, query, days) };
  } catch (error) {
    close();
    throw error;
  }
}

/** Every value but a flag is text in DynamoDB's JSON, numbers too. */
function rowType(): string {
  const fields = COLUMNS.map((column) => {
    const letter = storedType(column);
    return `${column.name} STRUCT(${letter} ${letter === 'BOOL' ? 'BOOLEAN' : 'VARCHAR'})`;
  });
  return `STRUCT(${fields.join(', ')})`;
}

async function load(connection: DuckDBConnection, one: Export): Promise<void> {
  const paths = one.files.filter(({ itemCount }) => itemCount > 0).map(({ path }) => path);
  if (paths.length === 0) return;
  const field = one.incremental ? 'NewImage' : 'Item';
  const { rowsChanged } = await connection
    .run(
      `INSERT INTO exported_rows SELECT ${field} FROM read_json(
        [${paths.map(quoted).join(', ')}], format = 'newline_delimited', compression = 'gzip',
        columns = {${field}: '${rowType()}'})
      WHERE ${field}.pk.S IS NOT NULL`,
    )
    .catch((error: unknown) => {
      const [line] = String(error instanceof Error ? error.message : error).split('\n');
      throw new BrokenExport(`${one.arn} cannot be read: ${line}`);
    });
  if (rowsChanged !== one.itemCount) {
    throw new BrokenExport(
      `${one.arn} has ${rowsChanged} rows, its manifest says ${one.itemCount}`,
    );
  }
}

const DIALECT: Dialect = {
  dayOf: (milliseconds) =>
    `CAST(DATE '1970-01-01' + CAST(${milliseconds} // 86400000 AS INTEGER) AS VARCHAR)`,
  entries: 'SELECT * FROM all_entries',
};

async function run(
  connection: DuckDBConnection,
  query: Query,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<Result> {
  const period = { first: quoted(first), last: quoted(last) };
  const reader = await connection.runAndReadAll(`${prelude(DIALECT, period)}\n${query.sql}`);
  const rows = reader.getRowsJson();
  return {
    columns: reader.columnNames(),
    rows: rows.map((row) => row.map((cell) => (cell === null ? null : String(cell)))),
  };
}

async function readBookedDays(connection: DuckDBConnection) {
  const everything = { first: '0000-01-01', last: '9999-12-31' };
  const sql = 'SELECT min(day) AS first_day, max(day) AS last_day FROM every_entry';
  const query = { name: 'booked', title: '', description: '', sql };
  const [[first, last] = []] = (await run(connection, query, everything)).rows;
  return first && last ? { first, last } : undefined;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
