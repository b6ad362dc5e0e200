import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Changes, Condition, Item, StoreCommand, Value } from '../../shared/ledger/store.ts';
import { StoreFailure } from '../../shared/ledger/store.ts';
import { startTestDatabase, type TestDatabase } from '../support/database.ts';
import { createMemoryStore } from './memory-store.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await startTestDatabase();
});

afterAll(() => database.stop());

const paths = fc.constantFrom('count', 'name', 'holds', 'holds.one', 'holds.two');
const values: fc.Arbitrary<Value> = fc.oneof(
  fc.bigInt({ min: -3n, max: 3n }),
  fc.constantFrom('a', 'b', 'ab'),
  fc.boolean(),
  fc.constantFrom<Item>({}, { one: 1n }, { one: 1n, two: 2n }),
);
const plainValues = fc.oneof(fc.bigInt({ min: -3n, max: 3n }), fc.constantFrom('a', 'b', 'ab'));
const keys = fc.record({ pk: fc.constantFrom('p', 'q'), sk: fc.constantFrom('1', '2', '3') });
const conditions: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ path: paths, is: fc.constantFrom('present' as const, 'absent' as const) }),
  fc.record({
    path: paths,
    is: fc.constantFrom('=' as const, '<>', '<', '<=', '>', '>='),
    value: plainValues,
  }),
);
const changes: fc.Arbitrary<Changes> = fc.record(
  {
    set: fc.dictionary(paths, values, { maxKeys: 2 }),
    add: fc.dictionary(fc.constantFrom('count', 'holds.one'), fc.bigInt({ min: -3n, max: 3n })),
    remove: fc.uniqueArray(paths, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

type Plan = (table: string) => StoreCommand;
const plans: fc.Arbitrary<Plan> = fc.oneof(
  keys.map((key) => (table: string) => ({ operation: 'get' as const, table, key })),
  keys.map((key) => (table: string) => ({ operation: 'delete' as const, table, key })),
  fc
    .record({ key: keys, ifAbsent: fc.boolean(), count: values, holds: values })
    .map(({ key, ifAbsent, count, holds }) => (table: string) => ({
      operation: 'put' as const,
      table,
      ifAbsent,
      item: { ...key, count, holds },
    })),
  fc
    .record({
      key: keys,
      changes,
      conditions: fc.array(conditions, { minLength: 1, maxLength: 2 }),
    })
    .map((update) => (table: string) => ({ operation: 'update' as const, table, ...update })),
  fc
    .record({ pk: fc.constantFrom('p', 'q'), bounded: fc.boolean() })
    .map(({ pk, bounded }) => (table: string) => ({
      operation: 'query' as const,
      table,
      pk,
      ...(bounded ? { from: '1', to: '2' } : {}),
    })),
);

/** What can be compared: a refusal brings its item only where the database sends it. */
async function answerOf(run: () => unknown): Promise<unknown> {
  try {
    const reply = await run();
    const refused = typeof reply === 'object' && reply && 'outcome' in reply && reply.outcome;
    return refused === 'refused' ? { outcome: 'refused' } : reply;
  } catch (error) {
    return error instanceof StoreFailure ? `failure: ${error.applied}` : error;
  }
}

describe('the store in memory', () => {
  it('answers as the database does, command by command', { timeout: 120_000 }, async () => {
    const table = database.tables.gateway;
    await fc.assert(
      fc.asyncProperty(fc.array(plans, { minLength: 5, maxLength: 25 }), async (sequence) => {
        const memory = createMemoryStore({ pageSize: 100, refusalBringsItem: false });
        for (const pk of ['p', 'q']) {
          for (const sk of ['1', '2', '3']) {
            await database.send({ operation: 'delete', table, key: { pk, sk } }, 5_000);
          }
        }
        for (const plan of sequence) {
          const command = plan(table);
          const inMemory = await answerOf(() => memory.execute(command).reply);
          const inDatabase = await answerOf(() => database.send(command, 5_000));
          expect(inMemory, inspect(command)).toEqual(inDatabase);
        }
      }),
      { numRuns: 60 },
    );
  });
});
