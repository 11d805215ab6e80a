import { fileURLToPath } from 'node:url'
import type { Log } from 'sarif'
import { expect, test } from 'vitest'
import type { Finding, PartResult } from '../harness/part.ts'
import { partResult } from '../harness/testing/part-result.ts'
import { suiteResult, type SuiteResult } from '../suite-result.ts'
import { annotations, unobeyed } from './annotations.ts'
import { badgeOf } from './badge.ts'
import { junitXml } from './junit.ts'
import { markdownSummary } from './markdown.ts'
import { contractLines, type ContractLines } from '../schemathesis-runner-wrapper/contract-lines.ts'
import { summaryText } from './print.ts'
import { createProgress } from './progress.ts'
import { sarifLog } from './sarif.ts'

const CURL = `curl -sS 'http://127.0.0.1:8080/a?b=<c>&d'`
const missing: Finding = {
  about: 'sendFunds',
  what: 'a request without amount was answered 202, not 400: <b>`"\u0000\n::set-env name=x::y',
  rule: 'a request without amount',
  cause: 'amount',
  also: ['initializeCollection', 'b', 'c', 'd', 'e', 'f'],
  curl: CURL,
}
const late: Finding = { about: 'retries', what: 'a handshake came again, late' }
const part = (name: string, more: Partial<PartResult>): PartResult =>
  partResult(name, { cases: 2, checks: 3, durationMs: 1_500, ...more })
const results = [
  part('declared', { status: 'findings', findings: [missing], rules: ['the example', 'a request without amount'] }),
  part('receiver', { notReproduced: [late], rules: ['retries', 'verify'] }),
  part('schemathesis', { status: 'skipped', reason: 'no Python' }),
]
const coverage = { seen: 1, declared: 2, percent: 50, groups: {}, subjects: [], notAsked: [] }
const result: SuiteResult = suiteResult(performance.now(), { seed: 1, size: 'pull-request', results, coverage })
const places: ContractLines = await contractLines(
  new URL('../../generated/openapi.json', import.meta.url),
  fileURLToPath(new URL('../../', import.meta.url)),
)

test('maps places to lines of the contract, and other files to no place', async () => {
  expect(places.uri).toBe('generated/openapi.json')
  expect(places.lineOf('sendFunds')).toBeGreaterThan(1)
  expect(places.lineOf('sendFunds')).not.toBe(places.lineOf('verifyTransaction'))
  expect(places.lineOf('no such rule')).toBe(1)
  const elsewhere = await contractLines(new URL('../foreign/library/library.yaml', import.meta.url), '/somewhere')
  expect(elsewhere.uri).toBeUndefined()
  expect([elsewhere.lineOf('listBooks'), elsewhere.lineOf('GET /books')]).toEqual([12, 10])
  expect(places.lineOf('GET /data/payment-providers')).toBe(places.lineOf('listPaymentProviders') - 2)
})

test('prints findings, their other places, and what was seen only once', () => {
  const text = summaryText(result, undefined)
  expect(text).toContain('    also: initializeCollection; b; c; d; e; and at 1 more place, all in results.json\n')
  expect(text).toContain('seen once, not reproduced: retries: a handshake came again, late\n')
  expect(text).toContain('1 finding, 1 warning, 0 exclusions')
})

test('junit.xml has a test case per rule, and remarks of its part', () => {
  const xml = junitXml(results)
  expect(
    [...xml.matchAll(/<testcase classname="([^"]+)" name="([^"]+)">(<\w+)?/g)].map((match) => match.slice(1)),
  ).toEqual([
    ['contract-tests.declared', 'the example', undefined],
    ['contract-tests.declared', 'a request without amount', '<failure'],
    ['contract-tests.receiver', 'retries', undefined],
    ['contract-tests.receiver', 'verify', undefined],
    ['contract-tests.schemathesis', 'keeps the contract', '<skipped'],
  ])
  expect(xml).toContain('<testsuite name="declared" tests="2" failures="1" errors="0" skipped="0" time="1.5">')
  expect(xml).toContain('also: initializeCollection\n')
  expect(xml).toContain('<system-out>seen once, not reproduced: retries: a handshake came again, late</system-out>')
})

test('results.sarif has rule, line and text of a finding, and warnings', () => {
  const { runs } = JSON.parse(sarifLog(result, places)) as Log
  const id = 'declared/a request without amount'
  const artifactLocation = { uri: 'generated/openapi.json' }
  const region = { startLine: places.lineOf('sendFunds') }
  expect(runs).toMatchObject([
    {
      tool: { driver: { rules: [{ id }] } },
      results: [
        {
          ruleId: id,
          message: { text: expect.stringContaining(CURL) },
          locations: [{ physicalLocation: { artifactLocation, region } }],
        },
      ],
      invocations: [
        { toolExecutionNotifications: [{ level: 'warning', message: { text: 'schemathesis: no Python' } }] },
      ],
    },
  ])
})

test('annotations stand at the operation, and text of a server is no command', () => {
  const lines = annotations(result, places)
  expect(lines[0]).toBe(
    `::error file=generated/openapi.json,line=${places.lineOf('sendFunds')},title=Contract%3A sendFunds::a request without amount was answered 202, not 400: <b>\`"\u0000%0A::set-env name=x::y (and at 6 more places)`,
  )
  expect(lines.slice(1)).toEqual([
    '::warning title=Contract tests::schemathesis: no Python',
    '::notice title=Contract tests::seen once, not reproduced: retries: a handshake came again, late',
  ])
  for (const line of lines) expect(line).not.toContain('\n')
  const many = suiteResult(0, {
    ...result,
    results: [
      part('x', { findings: Array.from({ length: 13 }, (_, n) => ({ about: `a${'b'.repeat(n)}`, what: 'x' })) }),
    ],
  })
  expect(annotations(many, places).at(-1)).toBe(
    '::notice title=Contract::3 more findings are in the summary of this job',
  )
  expect(unobeyed('1. ::error::no', 'token')).toBe('::stop-commands::token\n1. ::error::no\n::token::')
})

test('the pull-request summary has the table and each finding as code', () => {
  const text = markdownSummary(result)
  expect(text).toMatch(/^## Contract tests: 1 finding\n/)
  expect(text).toContain('| declared | findings | 2 | 3 | 1 | 1.5 s |\n')
  expect(text).toContain('**1.** ` sendFunds `: `` a request without amount was answered 202, not 400: <b>`"')
  expect(text).toContain(`<details><summary>shows it again</summary>\n\n\`\`\`sh\n${CURL}\n\`\`\`\n`)
  expect(text).toContain('### Seen once, not reproduced\n\n- ` retries: a handshake came again, late `')
  expect(markdownSummary({ ...result, findings: [] })).toMatch(/^## Contract tests: nothing found\n/)
})

test.each([
  ['a counting line on a terminal', true, '', '\r\u001b[K'],
  ['plain lines elsewhere', false, '\n', ''],
])('progress is %s', (_what, isTerminal, end, clear) => {
  const written: string[] = []
  let [time, tick] = [0, (): void => undefined]
  const write = (text: string): void => void written.push(text)
  const every = (_ms: number, call: () => void) => {
    tick = call
    return () => write('(stopped)')
  }
  const progress = createProgress({ write, isTerminal, now: () => time, every })
  progress.begin('declared')
  progress.exchange()
  progress.exchange()
  time = 20_000
  tick()
  progress.end(part('declared', { status: 'findings', findings: [missing] }))
  const counted = `${clear}declared: 2 exchanges after 20 s${end}`
  const found = `declared: findings after 1.5 s, 1 finding: ${missing.about}: a request without amount was answered`
  expect(written).toEqual([counted, '(stopped)', expect.stringContaining(clear + found)])
  expect(written.at(-1)?.trimEnd()).not.toContain('\n')
})

test('a limited run says what it was limited to, in every form for people', () => {
  const limited = { ...result, scope: '--since v1: 1 of 12 operations differs: `sendFunds`' }
  expect(summaryText(limited, undefined)).toContain(`\n${limited.scope}\n`)
  expect(markdownSummary(limited)).toContain(`finding\n\n\`\` ${limited.scope} \`\`\n`)
  expect(annotations(limited, places)).toContain(`::notice title=Contract tests::${limited.scope}`)
})

test('the badge has the findings, else the coverage of a whole run', () => {
  const clean = { ...result, findings: [] }
  const at = (percent: number): SuiteResult => ({ ...clean, coverage: { ...coverage, percent } })
  const badge = { schemaVersion: 1, label: 'contract' }
  expect(badgeOf(result, true)).toEqual({ ...badge, message: '1 finding', color: 'red', isError: true })
  expect(badgeOf(at(99.9), true)).toMatchObject({ message: '99.9% covered', color: 'brightgreen' })
  expect([at(75), at(50)].map((each) => badgeOf(each, true).color)).toEqual(['yellow', 'orange'])
  expect(badgeOf(at(3), false)).toMatchObject({ message: 'no findings', color: 'brightgreen' })
})
