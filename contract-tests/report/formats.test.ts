import { describe, expect, test } from 'vitest'
import type { Finding, PartResult } from '../harness/part.ts'
import { partResult } from '../harness/testing/part-result.ts'
import {
  junitXml as wrapperJunitXml,
  sarifLog as wrapperSarifLog,
  type Failure,
  type Result,
} from '../schemathesis-runner-wrapper/index.ts'
import { runResult } from '../schemathesis-runner-wrapper/testing/run-result.ts'
import { junitXml } from './junit.ts'
import { sarifLog } from './sarif.ts'
import { junitFaults } from './testing/junit-faults.ts'
import { sarifFaults } from './testing/sarif-faults.ts'

// The files that other programs read, of the suite and of the wrapper, against what those programs accept.

/** A server's text: markup, control characters, half a character, and what looks like an end. */
const HOSTILE = `<b a="1">&amp;]]> \u0000\u001b[31m \ud800 ${'x'.repeat(2_000)}`
const finding = (about: string, more: Partial<Finding> = {}): Finding => ({ about, what: HOSTILE, ...more })
const RESULTS: readonly PartResult[] = [
  partResult('declared', {
    durationMs: 1_234,
    status: 'findings',
    rules: ['the example', HOSTILE],
    findings: [
      finding('sendFunds', { rule: HOSTILE, cause: 'one', also: [HOSTILE], curl: `curl '${HOSTILE}'` }),
      finding('listBanks', { rule: HOSTILE, cause: 'two' }),
      finding('sendFunds', { cause: 'three' }),
    ],
  }),
  partResult('receiver', { reason: HOSTILE, notReproduced: [finding('retries')], rules: ['retries', 'verify'] }),
  partResult('schemathesis', { status: 'skipped', reason: 'no Python' }),
  partResult('model', { status: 'findings', reason: 'half of it', findings: [finding('ledger and jobs')] }),
]
const failure = (operation: string, check: string): Failure => {
  const texts = { title: HOSTILE, message: HOSTILE, curl: HOSTILE }
  return { operation, check, ...texts, before: [] }
}
const FIGURES = { cases: 1, failures: 1, statuses: {} }
const profile = (name: string, more: Partial<Result>): Result =>
  runResult(name, { perOperation: { 'GET /a': FIGURES, 'POST /a': FIGURES }, ...more })
const PROFILES: readonly Result[] = [
  profile('canonical', {
    failures: [
      ...['ignored_auth', 'not_a_server_error'].map((check) => failure('POST /a', check)),
      failure('the whole run', 'x'),
    ],
  }),
  profile('fuzz', { status: 'timeout', reason: HOSTILE, failures: [failure('GET /a', 'ignored_auth')] }),
  profile('keys', { status: 'unavailable', reason: 'no Python' }),
]

describe('junit.xml is read by Jenkins and GitLab without a loss', () => {
  test.each<[string, string]>([
    ['of the suite', junitXml(RESULTS)],
    ['of a suite without a part', junitXml([])],
    ['of the wrapper', wrapperJunitXml(PROFILES)],
  ])('%s', (_whose, xml) => expect(junitFaults(xml)).toEqual([]))

  test('of the wrapper, with every finding in it', () => {
    const xml = wrapperJunitXml(PROFILES)
    for (const { failures } of PROFILES) for (const { check } of failures) expect(xml).toContain(`${check}: &lt;b`)
  })

  test('and a wrong count, an unknown attribute and a second outcome are noticed', () => {
    const faultsOf = (good: RegExp, bad: string) => junitFaults(junitXml(RESULTS).replace(good, bad))
    expect(faultsOf(/failures="2"/, 'failures="1"')).toEqual(['failures="1" of 2'])
    expect(faultsOf(/<testcase /, '<testcase colour="x" ')).toEqual(['testcase has colour'])
    expect(faultsOf(/<skipped message="no Python"\/>/, '$&<skipped message="x"/>')).toEqual([
      'keeps the contract has 2 outcomes',
    ])
  })
})

describe('results.sarif is read by code scanning', () => {
  const places = { uri: 'api/open%20api.json', lineOf: () => 7 }
  const log = sarifLog({ results: RESULTS, seed: 1, size: 'pull-request' }, places)

  test('of the suite and of the wrapper', async () => {
    expect(sarifFaults(log)).toEqual([])
    expect(sarifFaults(sarifLog({ results: [], seed: 1, size: 'nightly' }, places))).toEqual([])
    expect(sarifFaults(await wrapperSarifLog(PROFILES, 'package.json'))).toEqual([])
  })

  test('and another rule, and a line that does not exist, are noticed', () => {
    const faultsOf = (good: string, bad: string) => sarifFaults(log.replace(good, bad)).join('\n')
    expect(faultsOf('"ruleIndex": 0', '"ruleIndex": 1')).toContain('the rule 1 is not declared/')
    expect(faultsOf('"startLine": 7', '"startLine": 0')).toContain('a result without a line')
  })
})
