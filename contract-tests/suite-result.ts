import { byCause, countedByCause } from './harness/causes.ts'
import type { CoverageRecorder } from './harness/coverage/recorder.ts'
import type { Coverage } from './harness/coverage/summary.ts'
import type { Finding, PartResult, RunOptions } from './harness/part.ts'
import type { Record } from './harness/targets.ts'
import { RULES_ROW, type ServerJudge } from './rules/judge-traffic.ts'

/** Result of a run of a suite, on any server. */
export interface SuiteResult {
  readonly seed: number
  readonly size: RunOptions['size']
  readonly results: readonly PartResult[]
  /** Of all parts, each cause once. */
  readonly findings: readonly Finding[]
  /** Time-dependent findings that were seen exactly once, and not when repeated. */
  readonly notReproduced: readonly Finding[]
  /** Parts, or some of their checks, that did not run, with the reason. */
  readonly warnings: readonly string[]
  readonly coverage: Coverage
  readonly durationMs: number
  /** What the run was limited to, in words; absent: nothing but the names of parts and operations. */
  readonly scope?: string
}

type FinishedRun = Pick<SuiteResult, 'seed' | 'size' | 'results' | 'coverage'>

/** @param startedAt by `performance.now()` */
export function suiteResult(startedAt: number, ran: FinishedRun): SuiteResult {
  const results = countedByCause(ran.results)
  return {
    ...ran,
    results,
    findings: byCause(results.flatMap(({ findings }) => findings)),
    notReproduced: results.flatMap(({ notReproduced = [] }) => notReproduced),
    warnings: results.flatMap(({ part, reason }) => (reason === undefined ? [] : [`${part}: ${reason}`])),
    durationMs: Math.round(performance.now() - startedAt),
  }
}

/** Records and judges traffic; an unreadable exchange is reported, and ends nothing. */
export const recording =
  (coverage: CoverageRecorder, rules: Pick<ServerJudge, 'record'>, log: (line: string) => void): Record =>
  (exchange, direction) => {
    for (const [name, { record }] of [['coverage', coverage] as const, [RULES_ROW, rules] as const])
      try {
        record(exchange, direction)
      } catch (error) {
        log(`${name}: an exchange could not be read: ${String(error)}`)
      }
  }
