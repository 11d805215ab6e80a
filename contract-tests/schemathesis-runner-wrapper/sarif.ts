import { createHash } from 'node:crypto'
import type * as sarif from 'sarif'
import { contractLines } from './contract-lines.ts'
import type { RunOptions } from './options.ts'
import { locationOf } from './read-contract.ts'
import type { Result } from './types.ts'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'

/** A run of SARIF's form: a profile here, a run of the contract suite there. */
export interface SarifRun {
  readonly tool: { readonly name: string; readonly version?: string; readonly informationUri?: string }
  /** A second upload with this id replaces the first. */
  readonly id: string
  readonly properties?: Readonly<Record<string, unknown>>
  /** Why there is no verdict. */
  readonly error?: string
  readonly warnings?: readonly string[]
  readonly findings: readonly SarifFinding[]
}

export interface SarifFinding {
  readonly ruleId: string
  /** Of the rule, in words. */
  readonly ruleText: string
  /** An operation. */
  readonly about: string
  readonly text: string
  readonly uri: string
  readonly line: number
  /** The same on another day although references and lines differ. */
  readonly fingerprint: { readonly name: string; readonly of: readonly string[] }
}

/** SARIF 2.1.0, for code scanning. */
export function sarifDocument(runs: readonly SarifRun[]): string {
  const log: sarif.Log = { $schema: SCHEMA, version: '2.1.0', runs: runs.map(runOf) }
  return `${JSON.stringify(log, undefined, 2)}\n`
}

function runOf({ tool, id, properties, error, warnings = [], findings }: SarifRun): sarif.Run {
  const rules = new Map(findings.map(({ ruleId, ruleText }) => [ruleId, ruleText]))
  const ids = [...rules.keys()]
  const declared = [...rules].map(([ruleId, text]) => ({ id: ruleId, shortDescription: { text } }))
  const toolExecutionNotifications: sarif.Notification[] = [
    ...(error === undefined ? [] : [{ level: 'error' as const, message: { text: error } }]),
    ...warnings.map((text) => ({ level: 'warning' as const, message: { text } })),
  ]
  return {
    tool: { driver: { ...tool, rules: declared } },
    automationDetails: { id },
    ...(properties && { properties }),
    invocations: [{ executionSuccessful: error === undefined, toolExecutionNotifications }],
    results: findings.map(({ ruleId, about, text, uri, line, fingerprint }) => ({
      ruleId,
      ruleIndex: ids.indexOf(ruleId),
      level: 'error',
      message: { text },
      locations: [
        {
          physicalLocation: { artifactLocation: { uri }, region: { startLine: line } },
          logicalLocations: [{ fullyQualifiedName: about, kind: 'resource' }],
        },
      ],
      partialFingerprints: {
        [fingerprint.name]: createHash('sha256').update(fingerprint.of.join('\n')).digest('hex'),
      },
    })),
  }
}

/** One run per profile, one rule per check, one result per finding, at the line of the contract that has its path. */
export async function sarifLog(results: readonly Result[], contract: RunOptions['contract']): Promise<string> {
  const location = locationOf(contract)
  const lines = location && (await contractLines(location, process.cwd()))
  const uri = location === undefined ? 'contract.json' : (lines?.uri ?? location.href)
  return sarifDocument(
    results.map(({ version, profile, failures, reason, status }) => ({
      tool: { name: 'Schemathesis', version, informationUri: 'https://schemathesis.io' },
      id: `schemathesis/${profile}`,
      ...(reason !== undefined && { error: `${status}: ${reason}` }),
      findings: failures.map(({ operation, check, title, message, curl }) => ({
        ruleId: check,
        ruleText: check.replaceAll('_', ' '),
        about: operation,
        text: [`${operation}: ${title}`, message, curl].filter((part) => part !== '').join('\n'),
        uri,
        line: lines?.lineOf(operation) ?? 1,
        fingerprint: { name: 'finding/v1', of: [operation, check, title] },
      })),
    })),
  )
}
