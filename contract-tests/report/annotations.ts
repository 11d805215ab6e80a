import type { SuiteResult } from '../suite-result.ts'
import type { ContractLines } from '../schemathesis-runner-wrapper/contract-lines.ts'

/** GitHub shows at most so many of each kind per step. */
const SHOWN_MAX = 10

/** Workflow commands that annotate findings at the operations of the contract. */
export function annotations(
  { findings, warnings, notReproduced, scope }: SuiteResult,
  places: ContractLines,
): string[] {
  const rest = findings.length - SHOWN_MAX
  return [
    ...findings.slice(0, SHOWN_MAX).map(({ about, what, also = [] }) =>
      command('error', also.length === 0 ? what : `${what} (and at ${also.length} more places)`, {
        ...(places.uri !== undefined && { file: places.uri, line: String(places.lineOf(about)) }),
        title: `Contract: ${about}`,
      }),
    ),
    ...(rest > 0
      ? [command('notice', `${rest} more findings are in the summary of this job`, { title: 'Contract' })]
      : []),
    ...(scope === undefined ? [] : [command('notice', scope, { title: 'Contract tests' })]),
    ...warnings.slice(0, SHOWN_MAX).map((warning) => command('warning', warning, { title: 'Contract tests' })),
    ...notReproduced
      .slice(0, SHOWN_MAX - 1)
      .map(({ about, what }) =>
        command('notice', `seen once, not reproduced: ${about}: ${what}`, { title: 'Contract tests' }),
      ),
  ]
}

function command(kind: string, text: string, properties: Readonly<Record<string, string>>): string {
  const given = Object.entries(properties).map(([name, value]) => `${name}=${escapedProperty(value)}`)
  return `::${kind} ${given.join(',')}::${escapedText(text)}`
}

const escapedText = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const escapedProperty = (text: string): string => escapedText(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** The output contains text of a server: it must not be executed as a workflow command. @param token unguessable */
export const unobeyed = (text: string, token: string): string => `::stop-commands::${token}\n${text}\n::${token}::`
