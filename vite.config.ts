import { defineConfig } from 'vitest/config'
import { SHARED_TESTS } from './server/testing/shared-tests.ts'

const ALL = '{server,client,contract-tests,openapi}/**/*.test.ts'

export default defineConfig({
  test: {
    // Two cores: more files at once only make each other's deadlines tight.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: [ALL],
          exclude: ['**/node_modules/**', ...SHARED_TESTS],
          globalSetup: [
            'server/testing/global-setup.ts',
            'contract-tests/report/print-totals.ts',
            'server/rails/conformance/print-at-end.ts',
          ],
        },
      },
      { extends: true, test: { name: 'shared', include: [...SHARED_TESTS], isolate: false } },
    ],
  },
})
