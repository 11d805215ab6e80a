import type { Result } from './types.ts'

/** What a person reads: totals, then a block per finding with its line; one plain line without a verdict. */
export function summary(result: Result): string {
  const { status, profile, reason, cases, failures, warnings, exclusions, businessRefusals } = result
  if (status === 'unavailable') return `Schemathesis ${profile}: skipped, ${reason}`
  if (reason !== undefined)
    return [`Schemathesis ${profile}: ${status}, ${reason}`, ...failures.map(finding)].join('\n')
  const ran = Object.values(result.checks)
  const excluded = exclusions.checks.length + exclusions.operations + exclusions.failures
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

const finding = ({ operation, check, title, message, curl }: Result['failures'][number]): string =>
  `  ${operation} ${check}: ${title}\n${message
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 4)
    .map((line) => `    ${line.trim()}\n`)
    .join('')}    ${curl}`

/** What a CI job ends with: 0 passed, 1 findings, 2 no verdict. A missing Schemathesis counts if `required`. */
export function exitCode(results: readonly Pick<Result, 'status'>[], required: boolean): 0 | 1 | 2 {
  const codes = results.map(({ status }) => codeOf(status, required))
  if (codes.includes(2)) return 2
  return codes.includes(1) ? 1 : 0
}

function codeOf(status: Result['status'], required: boolean): 0 | 1 | 2 {
  if (status === 'passed' || (status === 'unavailable' && !required)) return 0
  return status === 'findings' ? 1 : 2
}
