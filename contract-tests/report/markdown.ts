import type { Finding } from '../harness/part.ts'
import type { SuiteResult } from '../suite-result.ts'
import { counted } from './print.ts'

/** A step's summary may have 1 MiB, and nobody reads more than this. */
const FINDINGS_MAX = 40
const PLACES_MAX = 10
const TEXT_MAX = 1_000

/** Summary of a pull request: the table, each finding with its line folded away, the coverage. */
export function markdownSummary(result: SuiteResult): string {
  const { results, findings, notReproduced, warnings, coverage, seed, scope } = result
  const { percent, seen, declared } = coverage
  const rest = findings.length - FINDINGS_MAX
  return [
    `## Contract tests: ${findings.length === 0 ? 'nothing found' : counted(findings.length, 'finding')}`,
    '',
    ...(scope === undefined ? [] : [code(scope), '']),
    '| part | result | cases | checks | findings | time |',
    '| --- | --- | --: | --: | --: | --: |',
    ...results.map(
      ({ part, status, cases, checks, findings: own, durationMs }) =>
        `| ${part} | ${status} | ${cases} | ${checks} | ${own.length} | ${(durationMs / 1000).toFixed(1)} s |`,
    ),
    '',
    ...findings.slice(0, FINDINGS_MAX).flatMap(findingLines),
    ...(rest > 0 ? [`… and ${rest} more, in \`summary.txt\` and \`results.json\` of the reports.`, ''] : []),
    ...listed(
      'Seen once, not reproduced',
      notReproduced.map(({ about, what }) => `${about}: ${what}`),
    ),
    ...listed('Warnings', warnings),
    `${seen} of ${declared} declared cells of the contract were seen (${percent} %), seed ${seed}.`,
    '',
  ].join('\n')
}

function findingLines({ about, what, also = [], curl }: Finding, index: number): string[] {
  const places = also.slice(0, PLACES_MAX).map((place) => `- also ${code(place)}`)
  const rest = also.length - PLACES_MAX
  return [
    `**${index + 1}.** ${code(about)}: ${code(what)}`,
    '',
    ...(places.length > 0 ? [...places, ...(rest > 0 ? [`- and at ${rest} more places`] : []), ''] : []),
    ...(curl === undefined
      ? []
      : ['<details><summary>shows it again</summary>', '', ...fenced(curl), '', '</details>', '']),
  ]
}

const listed = (title: string, texts: readonly string[]): string[] =>
  texts.length === 0 ? [] : [`### ${title}`, '', ...texts.map((text) => `- ${code(text)}`), '']

/** Text of a server as inline code on one line: it must not become markup, a mention or a table. */
function code(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, TEXT_MAX)
  const ticks = fenceFor(line, 1)
  return `${ticks} ${line} ${ticks}`
}

function fenced(text: string): string[] {
  const ticks = fenceFor(text, 3)
  return [`${ticks}sh`, text, ticks]
}

/** A code fence longer than any in the text. */
const fenceFor = (text: string, min: number): string =>
  '`'.repeat(Math.max(min, 1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))))
