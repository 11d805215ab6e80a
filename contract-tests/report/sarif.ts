import { byCause } from '../harness/causes.ts'
import type { ContractLines } from '../schemathesis-runner-wrapper/contract-lines.ts'
import { sarifDocument } from '../schemathesis-runner-wrapper/sarif.ts'
import type { SuiteResult } from '../suite-result.ts'
import { ruleOf } from './junit.ts'

/** SARIF 2.1.0, for code scanning: one rule per rule of a part, one result per cause, at the line of its operation. */
export const sarifLog = (
  { results, seed, size }: Pick<SuiteResult, 'results' | 'seed' | 'size'>,
  places: ContractLines,
): string =>
  sarifDocument([
    {
      tool: { name: 'Malipo contract tests' },
      id: `contract-tests/${size}`,
      properties: { seed },
      warnings: results.flatMap(({ part, reason }) => (reason === undefined ? [] : [`${part}: ${reason}`])),
      findings: results.flatMap(({ part, findings }) =>
        byCause(findings).map((finding) => {
          const { about, what, also = [], curl, cause = what } = finding
          const ruleId = `${part}/${ruleOf(finding)}`
          const lines = [`${about}: ${what}`, ...also.map((place) => `also: ${place}`)]
          return {
            ruleId,
            ruleText: ruleId,
            about,
            text: [...lines, ...(curl === undefined ? [] : [curl])].join('\n'),
            uri: places.uri ?? 'openapi.json',
            line: places.lineOf(about),
            fingerprint: { name: 'cause/v1', of: [ruleId, about, cause] },
          }
        }),
      ),
    },
  ])
