import type { Result } from './types.ts'

/** Output for people: totals, then a block per finding with its line; one plain line without a verdict. */
export function summary(result: Result): string {
  const { status, profile, reason, cases, failures, warnings, exclusions, businessRefusals } = result
  if (status === 'unavailable') return `Schemathesis ${profile}: nothing was tested, ${reason}`
  if (reason !== undefined)
    return [`Schemathesis ${profile}: ${status}, ${reason}`, ...failures.map(finding)].join('\n')
  const ran = Object.values(result.checks)
  const excluded = exclusions.phases.length + exclusions.checks.length + exclusions.operations + exclusions.failures
  return [
    `Schemathesis ${result.version} ${profile}: ${status}, seed ${result.seed}, ${cases} cases of ${Object.keys(result.perOperation).length} operations in ${(result.durationMs / 1000).toFixed(1)} s`,
    `  ${ran.length} checks ran ${ran.reduce((sum, { passed, failed }) => sum + passed + failed, 0)} times; ${failures.length} findings, ${warnings.length} warnings, ${excluded} exclusions`,
    ...(businessRefusals > 0
      ? [`  ${businessRefusals} requests that fit the contract were refused by a declared business rule (400)`]
      : []),
    ...warnings.map((warning) => `  warning ${warning}`),
    ...failures.map(finding),
  ].join('\n')
}

const finding = ({ operation, check, title, message, curl, before }: Result['failures'][number]): string =>
  `  ${operation} ${check}: ${title}\n${message
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 4)
    .map((line) => `    ${line.trim()}\n`)
    .join('')}${before.map((line) => `    first: ${line}\n`).join('')}    ${curl}`

/**
 * Exit code for a CI job: 0 passed, 1 findings, 2 no verdict. A machine without Python tested nothing: its code is
 * `unavailable`, by default 2.
 */
export function exitCode(results: readonly Pick<Result, 'status'>[], unavailable = 2): number {
  const isOf = (...statuses: readonly Result['status'][]) => results.some(({ status }) => statuses.includes(status))
  if (isOf('tool-error', 'config-error', 'timeout', 'aborted')) return 2
  if (isOf('unavailable') && unavailable !== 0) return unavailable
  return isOf('findings') ? 1 : 0
}
