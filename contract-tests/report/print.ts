import { tableText } from '../../server/admin/cli/output.ts'
import type { PartResult } from '../harness/part.ts'
import type { SuiteResult } from '../suite-result.ts'

const MISSING_SHOWN_MAX = 12
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')

/** The final output for people: the table, each finding with its line, the totals, the coverage. */
export function summaryText(
  { results, findings, notReproduced, warnings, coverage, durationMs, seed, scope }: SuiteResult,
  coverageMin: number | undefined,
): string {
  const table = tableText<PartResult>(
    results,
    [
      { title: 'PART', of: ({ part }) => part },
      { title: 'RESULT', of: ({ status }) => status },
      { title: 'CASES', of: ({ cases }) => cases, align: 'right' },
      { title: 'CHECKS', of: ({ checks }) => checks, align: 'right' },
      { title: 'FINDINGS', of: (result) => result.findings.length, align: 'right' },
      { title: 'SEED', of: (result) => result.seed, align: 'right' },
      { title: 'TIME', of: (result) => seconds(result.durationMs), align: 'right' },
    ],
    Infinity,
  )
  const { percent, seen, declared, subjects } = coverage
  const missing = subjects.flatMap(({ subject, missing: names }) => names.map((name) => `${subject} ${name}`))
  const sum = (of: (result: PartResult) => number): number => results.reduce((total, result) => total + of(result), 0)
  const failing = coverageMin !== undefined && percent < coverageMin
  return [
    table,
    '',
    ...findings.flatMap(({ about, what, curl, also = [] }, index) => [
      `${index + 1}. ${about}: ${what}`,
      ...(also.length === 0 ? [] : [indented(placesText(also))]),
      ...(curl === undefined ? [] : [indented(curl)]),
    ]),
    ...(findings.length > 0 ? [''] : []),
    ...notReproduced.map(({ about, what }) => `seen once, not reproduced: ${about}: ${what}`),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...(scope === undefined ? [] : [scope]),
    `${sum(({ cases }) => cases)} cases, ${sum(({ checks }) => checks)} checks in ${seconds(durationMs)}, seed ${seed}`,
    `${counted(findings.length, 'finding')}, ${counted(warnings.length, 'warning')}, ${counted(coverage.notAsked.length, 'exclusion')}`,
    `Coverage of the contract: ${seen} of ${declared} declared cells seen (${percent} %)${failing ? `, below the ${coverageMin} % that are wanted` : ''}`,
    ...missing.slice(0, MISSING_SHOWN_MAX).map((id) => `  not seen: ${id}`),
    ...(missing.length > MISSING_SHOWN_MAX
      ? [`  and ${missing.length - MISSING_SHOWN_MAX} more, all in coverage.html`]
      : []),
  ].join('\n')
}

const PLACES_SHOWN_MAX = 5
const PLACE_MAX = 100

/** The first few, and their number. */
function placesText(also: readonly string[]): string {
  const shown = also.slice(0, PLACES_SHOWN_MAX).map((place) => place.slice(0, PLACE_MAX))
  const rest = also.length - shown.length
  return `also: ${shown.join('; ')}${rest > 0 ? `; and at ${counted(rest, 'more place')}, all in results.json` : ''}`
}

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
