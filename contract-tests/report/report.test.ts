import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Finding, PartResult } from '../harness/part.ts'
import { suiteResult, type SuiteResult } from '../suite-result.ts'
import { annotations, unobeyed } from './annotations.ts'
import { badgeOf } from './badge.ts'
import { junitXml } from './junit.ts'
import { markdownSummary } from './markdown.ts'
import { placesIn, type ContractLines } from './places.ts'
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
const part = (name: string, more: Partial<PartResult>): PartResult => ({
  part: name,
  status: 'passed',
  cases: 2,
  checks: 3,
  findings: [],
  durationMs: 1_500,
  ...more,
})
const results = [
  part('declared', { status: 'findings', findings: [missing], rules: ['the example', 'a request without amount'] }),
  part('receiver', { notReproduced: [late], rules: ['retries', 'verify'] }),
  part('schemathesis', { status: 'skipped', reason: 'no Python' }),
]
const coverage = { seen: 1, declared: 2, percent: 50, groups: {}, subjects: [], notAsked: [] }
const result: SuiteResult = suiteResult(performance.now(), { seed: 1, size: 'pull-request', results, coverage })
const contract = fileURLToPath(new URL('../../generated/openapi.json', import.meta.url))
const places: ContractLines = await placesIn(contract, fileURLToPath(new URL('../../', import.meta.url)))

test('maps places to lines of the contract, and other files to no place', async () => {
  expect(places.uri).toBe('generated/openapi.json')
  expect(places.lineOf('sendFunds')).toBeGreaterThan(1)
  expect(places.lineOf('sendFunds')).not.toBe(places.lineOf('verifyTransaction'))
  expect(places.lineOf('no such rule')).toBe(1)
  const yaml = fileURLToPath(new URL('../foreign/library/library.yaml', import.meta.url))
  const elsewhere = await placesIn(yaml, '/somewhere')
  expect(elsewhere.uri).toBeUndefined()
  expect(elsewhere.lineOf('listBooks')).toBeGreaterThan(1)
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

test('results.sarif is SARIF 2.1.0: rule and line per result, with stable ids', () => {
  const log = JSON.parse(sarifLog(result, places)) as {
    readonly version: string
    readonly runs: readonly [
      {
        readonly tool: {
          readonly driver: { readonly name: string; readonly rules: readonly { readonly id: string }[] }
        }
        readonly results: readonly { readonly ruleId: string; readonly ruleIndex: number }[]
        readonly invocations: unknown
      },
    ]
  }
  const [run] = log.runs
  expect(log.version).toBe('2.1.0')
  expect(run.tool.driver.rules).toEqual([
    { id: 'declared/a request without amount', shortDescription: { text: 'declared/a request without amount' } },
  ])
  expect(run.results).toEqual([
    {
      ruleId: 'declared/a request without amount',
      ruleIndex: 0,
      level: 'error',
      message: { text: expect.stringContaining(CURL) },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'generated/openapi.json' },
            region: { startLine: places.lineOf('sendFunds') },
          },
          logicalLocations: [{ fullyQualifiedName: 'sendFunds', kind: 'resource' }],
        },
      ],
      partialFingerprints: { 'cause/v1': expect.stringMatching(/^[0-9a-f]{64}$/) },
    },
  ])
  expect(run.invocations).toEqual([
    {
      executionSuccessful: true,
      toolExecutionNotifications: [{ level: 'warning', message: { text: 'schemathesis: no Python' } }],
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

test('progress is a counting line on a terminal and plain lines elsewhere', () => {
  const reported = (isTerminal: boolean): string[] => {
    const written: string[] = []
    let [time, tick] = [0, (): void => undefined]
    const progress = createProgress({
      write: (text) => void written.push(text),
      isTerminal,
      now: () => time,
      every: (_ms, call) => {
        tick = call
        return () => void written.push('(stopped)')
      },
    })
    progress.begin('declared')
    progress.exchange()
    progress.exchange()
    time = 20_000
    tick()
    progress.end(part('declared', { status: 'findings', findings: [missing] }))
    return written
  }
  expect(reported(false)).toEqual([
    'declared: 2 exchanges after 20 s\n',
    '(stopped)',
    'declared: findings after 1.5 s, 1 finding\n',
  ])
  expect(reported(true)).toEqual([
    '\r\u001b[Kdeclared: 2 exchanges after 20 s',
    '(stopped)',
    '\r\u001b[Kdeclared: findings after 1.5 s, 1 finding\n',
  ])
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
  expect(badgeOf(result, true)).toEqual({
    schemaVersion: 1,
    label: 'contract',
    message: '1 finding',
    color: 'red',
    isError: true,
  })
  expect(badgeOf(at(99.9), true)).toMatchObject({ message: '99.9% covered', color: 'brightgreen' })
  expect([at(75), at(50)].map((each) => badgeOf(each, true).color)).toEqual(['yellow', 'orange'])
  expect(badgeOf(at(3), false)).toMatchObject({ message: 'no findings', color: 'brightgreen' })
})
