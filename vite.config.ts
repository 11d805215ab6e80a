import { defineConfig } from 'vitest/config'
import LongestFirst from './server/verification/testing/longest-first.ts'
import { ALONE_TESTS, PURE_TESTS } from './server/verification/testing/shared-tests.ts'

const ALL = '{server,client,contract-tests,openapi}/**/*.test.ts'
const NOT_OURS = '**/node_modules/**'

/** One PostgreSQL for whichever of the projects runs first; the last lines of a run. */
const globalSetup = [
  'server/verification/testing/global-setup.ts',
  'contract-tests/report/print-totals.ts',
  'server/rails/conformance/print-at-end.ts',
]

export default defineConfig({
  test: {
    // For two cores: a file waits for a quarter of its time, for processes, timers and browsers. More of them only make each
    // other's deadlines tight.
    maxWorkers: 3,
    // Over the wire an outage of the database takes the sandbox's operators with it: its tests wait for both.
    testTimeout: process.env['MALIPO_SANDBOX_RAILS'] === 'wire' ? 120_000 : 30_000,
    hookTimeout: 60_000,
    // Not the second of the library: a busy machine may take it away from a test whole.
    expect: { poll: { timeout: 15_000 } },
    reporters: [
      'default',
      ...(process.env['GITHUB_ACTIONS'] === 'true' ? ['github-actions'] : []),
      './server/verification/testing/failed-last.ts',
    ],
    setupFiles: ['server/verification/testing/each-file.ts'],
    sequence: { sequencer: LongestFirst },
    // One project after the other: between two of them a shared process would be given up.
    projects: [
      {
        extends: true,
        test: { name: 'alone', include: [...ALONE_TESTS], globalSetup, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          name: 'gateway',
          include: [ALL],
          exclude: [NOT_OURS, ...ALONE_TESTS, ...PURE_TESTS],
          isolate: false,
          globalSetup,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'pure',
          include: [...PURE_TESTS],
          exclude: [NOT_OURS, ...ALONE_TESTS],
          isolate: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
