import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{server,client,contract-tests,openapi}/**/*.test.ts'],
    globalSetup: ['server/testing/global-setup.ts', 'contract-tests/report/print-totals.ts'],
    // Two cores: more files at once only make each other's deadlines tight.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
