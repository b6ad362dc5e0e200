import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'suite', include: ['test/**/*.test.ts'] } },
      {
        // The ledger's tests once more, on the real DynamoDB Local; skipped, and said so, without it.
        extends: true,
        test: {
          name: 'dynamodb-local',
          include: [
            'test/shared/ledger/{concurrency,crashes,holds,orphans,refusals,verify}.test.ts',
          ],
          globalSetup: 'test/support/dynamodb-local-setup.ts',
          setupFiles: 'test/support/dynamodb-local-skip.ts',
        },
      },
    ],
  },
});
