import { beginPart, present, type Part, type PartResult, type RunOptions, type Target } from '../../harness/part.ts'
import { allCases } from './cases/all.ts'
import { converse } from './connection.ts'
import { createFindings, type Findings } from './findings.ts'
import { startGoodTraffic } from './good-traffic.ts'
import { connectionsPossible } from './open-files.ts'
import { createJudge, type Judge } from './rules.ts'
import { startSlowClients } from './slow-clients.ts'
import { createRequestWriter, type RequestWriter, type WireCase } from './wire-case.ts'

export interface WireLimits {
  /** Cases at a time. */
  readonly atOnce: number
  /** How long one case may take. */
  readonly caseMs: number
  /** How long a slow client may be kept. */
  readonly slowMs: number
  readonly halfOpen: number
  readonly ofEachSlowKind: number
  readonly casesOf: (writer: RequestWriter) => readonly WireCase[]
}

export const LIMITS: WireLimits = {
  atOnce: 16,
  caseMs: 8_000,
  slowMs: 30_000,
  halfOpen: 5_000,
  ofEachSlowKind: 20,
  casesOf: allCases,
}
/** Of other people's machines not more is asked: whether they bear a flood is their own business. */
const HALF_OPEN_ELSEWHERE = 200

/** Bytes that no client library would send, slow and rude clients, and a merchant beside them who must not notice. */
export const wirePart: Part = {
  name: 'wire',
  what: 'malformed HTTP and JSON over bare sockets, slow and rude clients, good traffic beside them',
  run: (target, options) => runWire(target, options, LIMITS),
}

export async function runWire(
  target: Target,
  { seed, log }: RunOptions,
  { atOnce, caseMs, slowMs, halfOpen: wanted, ofEachSlowKind, casesOf }: WireLimits,
): Promise<PartResult> {
  const { done } = beginPart('wire', seed)
  const { publicKey, secretKey, sandbox, own } = target
  const url = new URL(target.directUrl ?? target.url)
  const writer = createRequestWriter({ host: url.host, publicKey, secretKey, sandbox, seed })
  const judge = createJudge(target)
  const findings = createFindings(url, { [publicKey]: 'PUBLIC_KEY', [secretKey]: 'SECRET_KEY' })
  const halfOpen = connectionsPossible(own || isHere(url) ? wanted : Math.min(wanted, HALF_OPEN_ELSEWHERE), own ? 2 : 1)
  const reason =
    halfOpen < wanted
      ? `${halfOpen} half-open connections instead of ${wanted}: ${own || isHere(url) ? 'the limit of open files allows no more' : 'the server is on another machine'}`
      : undefined
  if (reason !== undefined) log(`wire: ${reason}`)
  const memory = own && watchMemory()

  // It shows that the server lives, not how fast it is: a busy disk may hold up one commit for seconds.
  const traffic = startGoodTraffic({ url, publicKey, writer, collect: sandbox, timeoutMs: 3 * caseMs })
  const slow = startSlowClients({ url, writer, halfOpen, ofEachKind: ofEachSlowKind, patienceMs: slowMs })
  // First, because a flood of new connections makes every case wait for its own.
  await slow.opened
  const table = await runTable(casesOf(writer), { url, judge, findings, atOnce, caseMs })
  const slowOutcomes = await slow.outcomes
  const slowChecks = slowOutcomes.map(({ wireCase, conversation }) =>
    hold(judge(wireCase, conversation), wireCase, findings),
  )
  const { requests, faults } = await traffic.stop()
  const lookup: WireCase = { name: 'good traffic', pieces: [writer.request()], allowed: [[200]] }
  for (const what of faults) findings.note({ rule: 'good traffic goes on beside bad', what }, lookup)

  if (memory) log(`wire: memory of this process, the server's included: ${memory.stop()}`)
  log(
    `wire: ${table.cases} cases of bytes, ${slowOutcomes.length} slow clients (${halfOpen} with half a header), ${requests} good requests beside them`,
  )
  return done({
    reason,
    cases: table.cases + slowOutcomes.length + requests,
    checks: table.checks + sum(slowChecks) + requests,
    findings: findings.list(),
  })
}

interface TableRun {
  readonly url: URL
  readonly judge: Judge
  readonly findings: Findings
  readonly atOnce: number
  readonly caseMs: number
}

/** Several at a time, because a case mostly waits. Findings come in the order of the table all the same. */
export async function runTable(
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
      cases.map((wireCase, index) => hold(present(verdicts[index], `verdict on ${wireCase.name}`), wireCase, findings)),
    ),
  }
}

function hold({ checks, breaches }: ReturnType<Judge>, wireCase: WireCase, findings: Findings): number {
  for (const breach of breaches) findings.note(breach, wireCase)
  return checks
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
const isHere = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')

const MEMORY_LOOK_MS = 250

/** A figure for people: what a run takes depends on the collector, so nothing is asserted. */
function watchMemory(): { stop(): string } {
  const now = () => Math.round(process.memoryUsage.rss() / 1_048_576)
  const before = now()
  let peak = before
  const looking = setInterval(() => {
    peak = Math.max(peak, now())
  }, MEMORY_LOOK_MS)
  return {
    stop() {
      clearInterval(looking)
      return `${before} MB before, ${peak} MB at most, ${now()} MB after`
    },
  }
}
