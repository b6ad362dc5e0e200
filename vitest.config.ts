import { configDefaults, defineConfig } from 'vitest/config';

const CROWDS = [
  'test/shared/ledger/concurrency.test.ts',
  'test/end-to-end/{money-concurrency,breakage-crowd}.test.ts',
];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'suite',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'test/runtime/**', ...CROWDS],
        },
      },
      {
        // Hundreds of requests at once: each file has the machine to itself, after all others.
        extends: true,
        test: { name: 'crowd', include: CROWDS, maxWorkers: 1, sequence: { groupOrder: 2 } },
      },
      {
        // The built bundles under the real runtime client; their tests, and the gateway's once more.
        extends: true,
        test: {
          name: 'lambda-runtime',
          include: [
            'test/runtime/**/*.test.ts',
            'test/end-to-end/{ai-sdk,openai-client}.test.ts',
            'test/spec/part-{4,5,6}-*.test.ts',
          ],
          globalSetup: 'test/runtime/global-setup.ts',
          env: { TEST_GATEWAY_ENTRY: 'test/runtime/start.ts' },
        },
      },
      {
        // The ledger's tests once more, on the real DynamoDB Local; skipped, and said so, without it.
        extends: true,
        test: {
          name: 'dynamodb-local',
          include: [
            'test/shared/ledger/{concurrency,crashes,holds,orphans,refusals,stripes,verify}.test.ts',
          ],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          globalSetup: 'test/support/dynamodb-local-setup.ts',
          setupFiles: 'test/support/dynamodb-local-skip.ts',
        },
      },
    ],
  },
});
