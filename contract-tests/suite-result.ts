import { byCause } from './harness/causes.ts'
import type { CoverageRecorder } from './harness/coverage/recorder.ts'
import type { Coverage } from './harness/coverage/summary.ts'
import type { Finding, PartResult, RunOptions } from './harness/part.ts'
import type { Record } from './harness/targets.ts'
import { RULES_ROW, type TrafficJudge } from './rules/judge-traffic.ts'

/** Result of a run of a suite, on any server. */
export interface SuiteResult {
  readonly seed: number
  readonly size: RunOptions['size']
  readonly results: readonly PartResult[]
  /** Of all parts, each cause once. */
  readonly findings: readonly Finding[]
  /** Time-dependent findings that did not recur. */
  readonly seenOnce: readonly Finding[]
  /** Parts, or some of their checks, that did not run, with the reason. */
  readonly warnings: readonly string[]
  readonly coverage: Coverage
  readonly durationMs: number
}

type FinishedRun = Pick<SuiteResult, 'seed' | 'size' | 'results' | 'coverage'>

/** @param startedAt by `performance.now()` */
export const suiteResult = (startedAt: number, ran: FinishedRun): SuiteResult => ({
  ...ran,
  findings: byCause(ran.results.flatMap(({ findings }) => findings)),
  seenOnce: ran.results.flatMap(({ seenOnce = [] }) => seenOnce),
  warnings: ran.results.flatMap(({ part, reason }) => (reason === undefined ? [] : [`${part}: ${reason}`])),
  durationMs: Math.round(performance.now() - startedAt),
})

/** Records and judges traffic; an unreadable exchange is reported, and ends nothing. */
export const recording =
  (coverage: CoverageRecorder, rules: TrafficJudge, log: (line: string) => void): Record =>
  (exchange, direction) => {
    for (const [name, { record }] of [['coverage', coverage] as const, [RULES_ROW, rules] as const])
      try {
        record(exchange, direction)
      } catch (error) {
        log(`${name}: an exchange could not be read: ${String(error)}`)
      }
  }
