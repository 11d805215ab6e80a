import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { runProgram } from './harness/program.ts'
import type { SuiteResult } from './suite-result.ts'
import { RULES_ROW } from './rules/judge-traffic.ts'
import { PART_NAMES } from './suite.ts'

// `npm run test:contract` in a process of its own: the one run of the pull-request form that belongs to `npm test`. print-totals.ts prints its output at the end of all tests.

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const REPORTS = join(ROOT, 'dist/contract-tests')
/** Beside other tests it takes twice the time that it takes alone. */
const RUN_MS_MAX = 12 * 60_000
/** About four fifths of what each part does on our own gateway: a part that reaches nothing finds nothing either. */
const CASES_MIN: Readonly<Record<string, number>> = {
  declared: 700,
  receiver: 320,
  apart: 40,
  additions: 140,
  outgoing: 220,
  options: 430,
  limits: 420,
  inputs: 2_600,
  model: 150,
  workflows: 70,
  wire: 2_100,
  schemathesis: 320,
  arranged: 25,
  [RULES_ROW]: 7_000,
}
const CHECKS_MIN = 100_000

let run: { readonly code: number; readonly printed: string }
let result: Omit<SuiteResult, 'coverage'>

beforeAll(async () => {
  rmSync(join(REPORTS, 'results.json'), { force: true })
  // Killed with the test run: a part may wait for a server that hangs.
  const options = { cwd: ROOT, timeout: RUN_MS_MAX }
  const { code, out, err } = await runProgram(process.execPath, ['contract-tests/cli.ts'], options)
  run = { code, printed: err + out }
  // Without a report, the command's output is the reason.
  if (!existsSync(join(REPORTS, 'results.json')))
    throw new Error(`the contract suite left no report and ended with ${run.code}:\n${run.printed}`)
  result = JSON.parse(readFileSync(join(REPORTS, 'results.json'), 'utf8')) as typeof result
}, RUN_MS_MAX)

/** Allowed warnings: no Python, a report of Schemathesis that contradicts itself, a machine that is too slow. */
const CONTRADICTION =
  /^schemathesis: \d+ reports? of Schemathesis dropped: by its own explanation the request was valid$/
const TOO_SLOW = /^limits: not judged: the rate limit of [\w-]+, \d+ requests took \d+ s/
const withoutPython = (): readonly string[] =>
  process.env.REQUIRE_SCHEMATHESIS === '1'
    ? []
    : result.warnings.filter((warning) => warning.startsWith('schemathesis: no Python'))
const ofTheMachine = (): readonly string[] => [
  ...withoutPython(),
  ...result.warnings.filter((warning) => CONTRADICTION.test(warning) || TOO_SLOW.test(warning)),
]

test('the suite has no finding, no warning and no skipped check on the gateway', () => {
  expect(run.code, run.printed).toBe(0)
  expect(result.findings).toEqual([])
  expect(result.warnings).toEqual(ofTheMachine())
  expect(run.printed).toContain(
    `\n0 findings, ${result.warnings.length === 1 ? '1 warning' : '0 warnings'}, 0 exclusions\nCoverage of the contract: `,
  )
})

test('every part does its work, and prints totals and seed', (context) => {
  expect(result.results.map(({ part }) => part).toSorted()).toEqual([...PART_NAMES, RULES_ROW].toSorted())
  const idle = result.results.filter(
    ({ part, cases }) => cases < CASES_MIN[part]! && !(part === 'schemathesis' && withoutPython().length > 0),
  )
  expect(idle).toEqual([])
  const sum = (of: 'cases' | 'checks'): number => result.results.reduce((total, each) => total + each[of], 0)
  expect(run.printed).toMatch(new RegExp(`^${sum('cases')} cases, ${sum('checks')} checks in [\\d.]+ s, seed 1$`, 'm'))
  if (withoutPython().length > 0) return context.skip(`Schemathesis did not run: ${withoutPython().join('; ')}`)
  expect(sum('checks')).toBeGreaterThan(CHECKS_MIN)
})

/** Payments to banks, and those that a customer cancelled: the part that reads the lists makes none. */
const NOT_YET_SEEN = ['institution_name given', 'transaction_status = "CANCELLED"'].map(
  (cell) => `listTransactions 200 body.data.transactions[]<CollectionTransaction>.${cell}`,
)
/** It is sent where the gateway traces, which that of this part does not. */
const OF_TRACES = 'payoutBatchHandshake header traceparent given'
/** Every simulated operator reports such payments. */
const OF_REPORTS = 'expectPayment 400 example provider_unreported'
/** Entries of staff, and more entries than a run makes. */
const OF_STATEMENTS = [
  '200 body.data.entries[].reference given',
  '200 example statement',
  '400 example statement_too_long',
]

test('every cell that the contract declares is covered, but those named here', () => {
  const unseen = [...run.printed.matchAll(/^ {2}not seen: (.+)$/gm)].map(([, cell]) => cell)
  expect(new Set(unseen)).toEqual(
    new Set([...NOT_YET_SEEN, OF_TRACES, OF_REPORTS, ...OF_STATEMENTS.map((cell) => `getStatement ${cell}`)]),
  )
})
