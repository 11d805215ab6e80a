import { DEFAULTS } from './defaults.ts'
import type { RunOptions } from './options.ts'
import type { Findings } from './report.ts'
import type { ToolOutput } from './tool.ts'
import type { Status } from './types.ts'

/** Verdict of a run, from the findings and from how Schemathesis ended; its exit code does not distinguish these. */
export function verdict(
  { errors, loaded, stopReason, cases, failures }: Findings,
  { output, isLate }: Pick<ToolOutput, 'output' | 'isLate'>,
  { timeoutMs = DEFAULTS.timeoutMs, signal }: Pick<RunOptions, 'timeoutMs' | 'signal'>,
): { status: Status; reason?: string } {
  const sofar = cases > 0 ? `, ${cases} cases in` : ''
  if (signal?.aborted === true) return { status: 'aborted', reason: `the run was aborted${sofar}` }
  if (isLate) return { status: 'timeout', reason: `the run was ended after ${timeoutMs} ms${sofar}` }
  const [firstError] = errors
  if (!loaded) return { status: 'config-error', reason: firstError?.message ?? plainLines(output) }
  const timeout = errors.find(({ type }) => /timeout/i.test(type))
  if (timeout) return { status: 'timeout', reason: timeout.message }
  if (firstError)
    return {
      status: /Schema|Hook|Configuration/.test(firstError.type) ? 'config-error' : 'tool-error',
      reason: firstError.message,
    }
  const enough = stopReason === 'failure_limit' && failures.length > 0
  if (stopReason !== 'completed' && !enough)
    return {
      status: 'tool-error',
      reason: stopReason ? `Schemathesis stopped early: ${stopReason}` : plainLines(output),
    }
  if (cases === 0) return { status: 'config-error', reason: 'nothing was tested: no operation of the contract is left' }
  return { status: failures.length > 0 ? 'findings' : 'passed' }
}

/** The tool's output, without its banner and its box drawings. */
const plainLines = (output: string): string =>
  output
    .split('\n')
    .slice(2)
    .join(' ')
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim() || 'Schemathesis printed nothing'

interface ToolSummary {
  readonly warnings?: Readonly<Record<string, readonly string[]>>
}

/** Warnings of Schemathesis' own summary, as `missing_test_data: GET /things`. */
export function warningsOf(summary: string): string[] {
  const { warnings = {} } = (summary === '' ? {} : JSON.parse(summary)) as ToolSummary
  return Object.entries(warnings).flatMap(([name, places]) =>
    (Array.isArray(places) ? places : Object.keys(places)).map((place) => `${name}: ${place}`),
  )
}
