import { beginPart, present, type Part, type PartResult, type RunOptions, type Target } from '../../harness/part.ts'
import { allOurCases } from './cases/all.ts'
import { converse } from './connection.ts'
import { besideBad, createFlood } from './flood.ts'
import { createFindings, keyOf, type Findings } from './findings.ts'
import { connectionsPossible } from './open-files.ts'
import { ourSubject } from './our-subject.ts'
import { BESIDE, RULES, statusRule, topicOf, type Breach, type Judge } from './rules.ts'
import { SLOW } from './slow-clients.ts'
import type { WireSubject } from './subject.ts'
import type { RequestWriter, WireCase } from './wire-case.ts'

export interface WireLimits {
  /** Concurrent cases. */
  readonly atOnce: number
  /** Time limit of one case. */
  readonly caseMs: number
  /** How long a slow client may be kept; absent: that is the server's own business. */
  readonly slowMs?: number
  readonly halfOpen: number
  readonly ofEachSlowKind: number
  readonly casesOf: (writer: RequestWriter) => readonly WireCase[]
}

interface RunLimits extends WireLimits {
  /** A gateway of this process. */
  readonly isOwn?: boolean
  /** Why something is not tested. */
  readonly reason?: string | undefined
}

export const LIMITS: WireLimits = {
  atOnce: 16,
  caseMs: 8_000,
  slowMs: 30_000,
  halfOpen: 5_000,
  ofEachSlowKind: 20,
  casesOf: allOurCases,
}
/** For every change; the nightly form opens as many as LIMITS say. */
const HALF_OPEN_OF_A_CHANGE = 2_000
/** For third parties' machines: whether they bear a larger flood is their own business. */
const HALF_OPEN_ELSEWHERE = 200

/** Bytes that no client library sends, slow and aborting clients, and a merchant beside them who must not notice. */
export const wirePart: Part = {
  name: 'wire',
  isUnrecorded: true,
  runsBeside: true,
  what: 'malformed HTTP and JSON over bare sockets, slow and aborting clients, valid traffic beside them',
  run: (target, options) =>
    runWire(target, options, {
      ...LIMITS,
      halfOpen: options.size === 'nightly' ? LIMITS.halfOpen : HALF_OPEN_OF_A_CHANGE,
    }),
}

export const runWire = (target: Target, options: RunOptions, limits: WireLimits): Promise<PartResult> =>
  runCases(ourSubject(target, options), options, { ...limits, isOwn: target.own !== undefined })

export async function runCases(
  { url, writer, judge, secrets, good }: WireSubject,
  { seed, log }: RunOptions,
  { atOnce, caseMs, slowMs, halfOpen: wanted, ofEachSlowKind, casesOf, isOwn = false, reason: known }: RunLimits,
): Promise<PartResult> {
  const { done } = beginPart('wire', seed)
  const isNear = isOwn || isHere(url)
  const halfOpen = connectionsPossible(isNear ? wanted : Math.min(wanted, HALF_OPEN_ELSEWHERE), isOwn ? 2 : 1)
  const reason =
    halfOpen < wanted
      ? `${halfOpen} half-open connections instead of ${wanted}: ${isNear ? 'the limit of open files allows no more' : 'the server is on another machine'}`
      : known
  if (reason !== undefined) log(`wire: ${reason}`)

  const flood = createFlood({ url, writer, judge, good, halfOpen, caseMs, slowMs, ofEachSlowKind })
  const findings = createFindings(url, secrets, async (wireCase, breach) =>
    wireCase === lookup || wireCase.name.startsWith(SLOW)
      ? (await flood.again()).has(wireCase === lookup ? BESIDE : keyOf(breach))
      : breaksAgain(wireCase, breach, { url, judge, caseMs }),
  )
  const lookup: WireCase = { name: 'good traffic', pieces: [writer.request()], allowed: [writer.good()] }
  const cases = casesOf(writer)
  const came = await flood.beside(() => runTable(cases, { url, judge, findings, atOnce, caseMs }))
  const { result: table, slowOutcomes, requests, faults } = came
  const slowChecks = slowOutcomes.map(({ wireCase, conversation }) =>
    hold(judge(wireCase, conversation), wireCase, findings),
  )
  for (const what of faults) findings.note(besideBad(what), lookup)
  log(
    `wire: ${table.cases} cases of bytes, ${slowOutcomes.length} slow clients (${halfOpen} with half a header), ${requests} good requests beside them`,
  )
  return done({
    reason,
    cases: table.cases + slowOutcomes.length + requests,
    checks: table.checks + sum(slowChecks) + requests,
    rules: [...RULES, ...topicsOf(cases).map(statusRule)],
    findings: findings.list(),
  })
}

/** Alone, and with more time than at first. */
async function breaksAgain(
  wireCase: WireCase,
  breach: Breach,
  { url, judge, caseMs }: Pick<TableRun, 'url' | 'judge' | 'caseMs'>,
): Promise<boolean> {
  const { breaches } = judge(wireCase, await converse(url, wireCase, 2 * caseMs))
  return breaches.some((each) => keyOf(each) === keyOf(breach))
}

const topicsOf = (cases: readonly WireCase[]): string[] => [...new Set(cases.map(topicOf))]

interface TableRun {
  readonly url: URL
  readonly judge: Judge
  readonly findings: Findings
  readonly atOnce: number
  readonly caseMs: number
}

/** Several concurrently, because a case mostly waits. Findings come in the order of the table all the same. */
async function runTable(
  cases: readonly WireCase[],
  { url, judge, findings, atOnce, caseMs }: TableRun,
): Promise<{ readonly cases: number; readonly checks: number }> {
  const verdicts: ReturnType<Judge>[] = []
  const waiting = cases.entries()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const [index, wireCase] of waiting) verdicts[index] = judge(wireCase, await converse(url, wireCase, caseMs))
    }),
  )
  return {
    cases: cases.length,
    checks: sum(
      cases.map((wireCase, index) => {
        const verdict = present(verdicts[index], `verdict on ${wireCase.name}`)
        return hold(verdict, wireCase, findings, Math.floor(index / (ROUNDS_OF_AN_EPISODE * atOnce)))
      }),
    ),
  }
}

/** One hiccup of the machine may spoil so many rounds of concurrent cases. */
const ROUNDS_OF_AN_EPISODE = 4

function hold(
  { checks, breaches }: ReturnType<Judge>,
  wireCase: WireCase,
  findings: Findings,
  episode?: number,
): number {
  for (const breach of breaches) findings.note(breach, wireCase, episode)
  return checks
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
const isHere = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
