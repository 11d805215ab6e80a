import { beginPart, present, type Part, type PartResult, type RunOptions, type Target } from '../../harness/part.ts'
import { allOurCases } from './cases/all.ts'
import { converse } from './connection.ts'
import { besideBad, createFlood } from './flood.ts'
import { createFindings, keyOf } from './findings.ts'
import { connectionsPossible } from './open-files.ts'
import { ourSubject } from './our-subject.ts'
import { BESIDE, RULES, statusRule, topicOf, type Verdict } from './rules.ts'
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
  const lookup: WireCase = { name: 'good traffic', pieces: [writer.request()], allowed: [writer.good()] }
  const findings = createFindings(url, secrets, async (wireCase, breach) => {
    if (wireCase === lookup) return (await flood.again()).has(BESIDE)
    if (wireCase.name.startsWith(SLOW)) return (await flood.again()).has(keyOf(breach))
    // Alone, and with more time than at first.
    const { breaches } = judge(wireCase, await converse(url, wireCase, 2 * caseMs))
    return breaches.some((each) => keyOf(each) === keyOf(breach))
  })
  const cases = casesOf(writer)
  const { result: verdicts, slowOutcomes, requests, faults } = await flood.beside(() => verdictsOn(cases))
  for (const [index, wireCase] of cases.entries()) {
    const verdict = present(verdicts[index], `verdict on ${wireCase.name}`)
    findings.hold(verdict, wireCase, Math.floor(index / (ROUNDS_OF_AN_EPISODE * atOnce)))
  }
  for (const { wireCase, conversation } of slowOutcomes) findings.hold(judge(wireCase, conversation), wireCase)
  findings.hold({ checks: requests, breaches: faults.map(besideBad) }, lookup)
  log(
    `wire: ${cases.length} cases of bytes, ${slowOutcomes.length} slow clients (${halfOpen} with half a header), ${requests} good requests beside them`,
  )
  return done({
    reason,
    cases: cases.length + slowOutcomes.length + requests,
    checks: findings.checks,
    rules: [...RULES, ...new Set(cases.map(topicOf).map(statusRule))],
    findings: findings.list(),
  })

  /** Several concurrently, because a case mostly waits. Findings come in the order of the table all the same. */
  async function verdictsOn(table: readonly WireCase[]): Promise<readonly Verdict[]> {
    const made: Verdict[] = []
    const waiting = table.entries()
    const work = async (): Promise<void> => {
      for (const [index, wireCase] of waiting) made[index] = judge(wireCase, await converse(url, wireCase, caseMs))
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    return made
  }
}

/** One hiccup of the machine may spoil so many rounds of concurrent cases. */
const ROUNDS_OF_AN_EPISODE = 4

const isHere = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
