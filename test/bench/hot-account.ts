import type { ItemKey } from '../../shared/ledger/store.ts';
import { LOCAL_TABLES } from '../../shared/ledger/tables.ts';
import { type BenchDatabase, CREDIT, startDatabase } from './gateways.ts';
import { atLeast, atMost } from './goals.ts';
import { type BenchProcess, startProcess, withOwned } from './processes.ts';
import type { Measurement, Section } from './section.ts';
import { rounded, sum } from './statistics.ts';
import type { WriterJob, WriterResult } from './writer-process.ts';

const PROCESSES = 3;
const WRITERS = 200;
const ACCOUNTS = [1, 10, 100];
const GOAL_SHARE = 0.5;
const FULL = { forMs: 8_000, rounds: 3, accounts: ACCOUNTS };
const QUICK = { forMs: 1_500, rounds: 1, accounts: ACCOUNTS };
const MANY = 1_000_000_000_000n;

/** What so many writers reached together. */
interface Reached {
  readonly perSecond: number;
  /** By the error’s code. */
  readonly refused: Readonly<Record<string, number>>;
}

interface Row {
  readonly accounts: number;
  readonly holdsPerSecond: number;
  /** Plain conditional updates of as many items. */
  readonly updatesPerSecond: number;
  readonly share: number;
  readonly refused: Readonly<Record<string, number>>;
}

/** One account that everybody uses at once, and how its rate grows with the number of accounts. */
export const hotAccount: Measurement = {
  name: 'hot-account',
  title: 'Hot account',
  measure: ({ quick, progress }) =>
    withOwned(async (own) => {
      const { forMs, rounds, accounts } = quick ? QUICK : FULL;
      const database = own(await startDatabase('memory'));
      const script = new URL('./writer-process.ts', import.meta.url);
      const writers: BenchProcess[] = [];
      for (let index = 0; index < PROCESSES; index += 1) {
        writers.push(own(await startProcess(script, { words: [database.endpoint] })));
      }
      const rows: Row[] = [];
      for (const count of accounts) {
        progress(`${WRITERS} requests at once on ${count} accounts`);
        rows.push(await measureAccounts(database, writers, { count, forMs, rounds }));
      }
      return report(rows);
    }),
};

async function measureAccounts(
  database: BenchDatabase,
  writers: readonly BenchProcess[],
  { count, forMs, rounds }: { count: number; forMs: number; rounds: number },
): Promise<Row> {
  const apiKeys: string[] = [];
  const items: ItemKey[] = [];
  for (let index = 0; index < count; index += 1) {
    apiKeys.push((await database.books.newKey(CREDIT)).apiKey);
    items.push(await plainItem(database, `plain-${count}-${index}`));
  }
  const holds: Reached[] = [];
  const updates: Reached[] = [];
  await together(writers, { kind: 'holds', apiKeys, forMs: forMs / 4 }); // compiling and connecting
  for (let round = 0; round < rounds; round += 1) {
    updates.push(await together(writers, { kind: 'updates', items, forMs }));
    holds.push(await together(writers, { kind: 'holds', apiKeys, forMs }));
  }
  const mean = (reached: readonly Reached[]) =>
    sum(reached.map(({ perSecond }) => perSecond)) / reached.length;
  return {
    accounts: count,
    holdsPerSecond: mean(holds),
    updatesPerSecond: mean(updates),
    share: mean(holds) / mean(updates),
    refused: added(holds.map(({ refused }) => refused)),
  };
}

function added(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const [name, count] of counts.flatMap(Object.entries<number>)) {
    all[name] = (all[name] ?? 0) + count;
  }
  return all;
}

async function plainItem({ books }: BenchDatabase, name: string): Promise<ItemKey> {
  const key = { pk: name, sk: 'plain' };
  await books.ledger.context.send(
    {
      operation: 'put',
      table: LOCAL_TABLES.gateway,
      item: { ...key, available: MANY },
      ifAbsent: false,
    },
    10_000,
  );
  return key;
}

type Shared = WriterJob extends infer Job
  ? Job extends WriterJob
    ? Omit<Job, 'concurrency'>
    : never
  : never;

async function together(writers: readonly BenchProcess[], job: Shared): Promise<Reached> {
  const results = await Promise.all(
    writers.map(async (writer, index) => {
      const concurrency = Math.floor((WRITERS + index) / writers.length);
      return (await writer.ask({ ...job, concurrency })) as WriterResult;
    }),
  );
  const slowestMs = Math.max(...results.map(({ elapsedMs }) => elapsedMs));
  return {
    perSecond: (sum(results.map(({ done }) => done)) / slowestMs) * 1_000,
    refused: added(results.map(({ refused }) => refused)),
  };
}

function report(
  rows: readonly Row[],
): Pick<Section, 'tables' | 'figures' | 'goals' | 'notMeasured'> {
  const figures = rows.map((row) => ({
    accounts: row.accounts,
    holdsPerSecond: rounded(row.holdsPerSecond),
    updatesPerSecond: rounded(row.updatesPerSecond),
    share: rounded(row.share),
    refused: row.refused,
  }));
  const one = rows[0];
  return {
    tables: [
      {
        title: `${WRITERS} requests at once over ${PROCESSES} processes, each placed and settled, beside plain conditional updates of as many items`,
        columns: ['accounts', 'holds/s', 'updates/s', 'share', 'refused'],
        rows: figures.map(({ refused, ...row }) => [
          ...Object.values(row),
          JSON.stringify(refused),
        ]),
      },
    ],
    figures: { writers: WRITERS, processes: PROCESSES, accounts: figures },
    goals: [
      atLeast(
        'holds a second of one account, as a share of plain updates of one item',
        GOAL_SHARE,
        one?.share ?? Number.NaN,
      ),
      atMost('false refusals', 0, sum(rows.flatMap(({ refused }) => Object.values(refused)))),
    ],
    notMeasured: [
      'what DynamoDB itself bounds (1,000 write units a second for each item): the embedded database has no such bound, its one process is what is full here',
    ],
  };
}
