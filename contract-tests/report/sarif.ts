import { createHash } from 'node:crypto'
import type { Log, Result } from 'sarif'
import type { Finding, PartResult } from '../harness/part.ts'
import { byCause } from '../harness/causes.ts'
import type { SuiteResult } from '../suite-result.ts'
import { ruleOf } from './junit.ts'
import type { ContractLines } from './places.ts'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'

/** SARIF 2.1.0, for code scanning: one rule per rule of a part, one result per cause, at the line of its operation. */
export function sarifLog(
  { results, seed, size }: Pick<SuiteResult, 'results' | 'seed' | 'size'>,
  places: ContractLines,
): string {
  const found = results.flatMap((result) =>
    byCause(result.findings).map((finding) => ({ finding, id: idOf(result, finding) })),
  )
  const ids = [...new Set(found.map(({ id }) => id))]
  const run: Log['runs'][number] = {
    tool: {
      driver: {
        name: 'Malipo contract tests',
        rules: ids.map((id) => ({ id, shortDescription: { text: id } })),
      },
    },
    automationDetails: { id: `contract-tests/${size}` },
    properties: { seed },
    invocations: [
      {
        executionSuccessful: true,
        toolExecutionNotifications: results.flatMap(({ part, reason }) =>
          reason === undefined ? [] : [{ level: 'warning', message: { text: `${part}: ${reason}` } }],
        ),
      },
    ],
    results: found.map(({ finding, id }) => resultOf(finding, id, ids.indexOf(id), places)),
  }
  const log: Log = { $schema: SCHEMA, version: '2.1.0', runs: [run] }
  return `${JSON.stringify(log, undefined, 2)}\n`
}

const idOf = ({ part }: PartResult, finding: Finding): string => `${part}/${ruleOf(finding)}`

function resultOf(
  { about, what, also = [], curl, cause = what }: Finding,
  ruleId: string,
  ruleIndex: number,
  places: ContractLines,
): Result {
  const lines = [`${about}: ${what}`, ...also.map((place) => `also: ${place}`), ...(curl === undefined ? [] : [curl])]
  return {
    ruleId,
    ruleIndex,
    level: 'error',
    message: { text: lines.join('\n') },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: places.uri ?? 'openapi.json' },
          region: { startLine: places.lineOf(about) },
        },
        logicalLocations: [{ fullyQualifiedName: about, kind: 'resource' }],
      },
    ],
    // Fingerprint of a finding, the same on another day although references and lines differ.
    partialFingerprints: { 'cause/v1': createHash('sha256').update(`${ruleId}\n${about}\n${cause}`).digest('hex') },
  }
}
