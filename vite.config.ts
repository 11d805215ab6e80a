import { defineConfig } from 'vitest/config'
import { plantInTests } from './server/verification/planted-faults/plant-in-tests.ts'
import LongestFirst from './server/verification/testing/longest-first.ts'
import { ALONE_TESTS, PURE_TESTS } from './server/verification/testing/shared-tests.ts'

const ALL = '{server,client,contract-tests,openapi}/**/*.test.ts'
/** What one does not wait for at every change: `npm run test:all` has these too, as `.ci/run` does. */
const SLOW = '{server,client,contract-tests,openapi}/**/*.slow.test.ts'
/** Nor at a change that lands: cases of what one case shows there. */
const NIGHTLY = '{server,client,contract-tests,openapi}/**/*.nightly.test.ts'
/** Of each file, in percent: one that no test runs has none at all, or what its imports give. */
const LINES_COVERED_MIN = 60
/** Shown by commands in processes of their own, and by a real pgbouncer: what coverage does not see. */
const SHOWN_ELSEWHERE = [
  'server/actions/reconcile.ts',
  'server/admin/queries/{approvals,callback-health,person-tokens,provider-settings,providers,reports,stuck-transactions}.ts',
  'server/storage/pooler.ts',
]
const NOT_OURS = '**/node_modules/**'

/** By `npm run faults`: edits of sources. */
const PLANTED = process.env['MALIPO_PLANTED_EDITS']

/** One PostgreSQL for whichever of the projects runs first; the last lines of a run. */
const globalSetup = [
  'server/verification/testing/global-setup.ts',
  'contract-tests/report/print-totals.ts',
  'server/rails/conformance/print-at-end.ts',
]

export default defineConfig({
  plugins: [plantInTests(PLANTED)],
  test: {
    // Edited sources and others have the same names in it.
    fsModuleCache: PLANTED === undefined,
    // For two cores: a file waits for a quarter of its time, for processes, timers and browsers. More of them only make each
    // other's deadlines tight.
    maxWorkers: 3,
    // Times end only what hangs, whatever else the machine does: no test measures them, and none sets shorter ones.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: [
      'default',
      ...(process.env['GITHUB_ACTIONS'] === 'true' ? ['github-actions'] : []),
      './server/verification/testing/run-summary.ts',
    ],
    setupFiles: ['server/verification/testing/each-file.ts'],
    // Only with --coverage, as in `.ci/run`: what decides about money and states may not stand there without a test.
    coverage: {
      provider: 'v8',
      include: ['server/{actions,domain,jobs,storage}/**/*.ts', 'server/admin/queries/**/*.ts'],
      exclude: ['**/*.test.ts', '**/testing/**', ...SHOWN_ELSEWHERE],
      reporter: ['json-summary'],
      reportsDirectory: 'dist/coverage',
      thresholds: { perFile: true, lines: LINES_COVERED_MIN },
    },
    sequence: { sequencer: LongestFirst },
    // One project after the other: between two of them a shared process would be given up.
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: [...ALONE_TESTS],
          exclude: [NOT_OURS, SLOW, NIGHTLY],
          globalSetup,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'gateway',
          include: [ALL],
          exclude: [NOT_OURS, SLOW, NIGHTLY, ...ALONE_TESTS, ...PURE_TESTS],
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
          exclude: [NOT_OURS, SLOW, NIGHTLY, ...ALONE_TESTS],
          isolate: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: process.env['MALIPO_NIGHTLY'] === '1' ? [SLOW, NIGHTLY] : [SLOW],
          exclude: [NOT_OURS],
          globalSetup,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
