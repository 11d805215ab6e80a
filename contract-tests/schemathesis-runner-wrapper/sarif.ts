import { createHash } from 'node:crypto'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as sarif from 'sarif'
import type { RunOptions } from './options.ts'
import { locationOf, textAt } from './read-contract.ts'
import type { Failure, Result } from './types.ts'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'

/**
 * SARIF 2.1.0, for code scanning: one run per profile, one rule per check, one result per finding, at the line of the
 * contract that has its path. A missing verdict is a notification.
 */
export async function sarifLog(results: readonly Result[], contract: RunOptions['contract']): Promise<string> {
  const location = locationOf(contract)
  // Without the contract's file the lines are unknown.
  const text = location === undefined ? '' : await textAt(location).catch(() => '')
  const uri = location === undefined ? 'contract.json' : uriOf(location)
  const log: sarif.Log = { $schema: SCHEMA, version: '2.1.0', runs: results.map((result) => runOf(result, uri, text)) }
  return `${JSON.stringify(log, undefined, 2)}\n`
}

/** Within the working folder as code scanning requires: relative, with slashes. */
function uriOf(location: URL): string {
  if (location.protocol !== 'file:') return location.href
  const path = relative(process.cwd(), fileURLToPath(location)).split(sep).join('/')
  return path.startsWith('..') ? location.href : encodeURI(path)
}

function runOf({ version, profile, failures, reason, status }: Result, uri: string, text: string): sarif.Run {
  const checks = [...new Set(failures.map(({ check }) => check))]
  return {
    tool: {
      driver: {
        name: 'Schemathesis',
        version,
        informationUri: 'https://schemathesis.io',
        rules: checks.map((id) => ({ id, name: id, shortDescription: { text: id.replaceAll('_', ' ') } })),
      },
    },
    automationDetails: { id: `schemathesis/${profile}` },
    invocations: [
      {
        executionSuccessful: reason === undefined,
        ...(reason !== undefined && {
          toolExecutionNotifications: [{ level: 'error', message: { text: `${status}: ${reason}` } }],
        }),
      },
    ],
    results: failures.map((failure) => resultOf(failure, checks.indexOf(failure.check), uri, text)),
  }
}

function resultOf(
  { operation, check, title, message, curl }: Failure,
  ruleIndex: number,
  uri: string,
  text: string,
): sarif.Result {
  const [, path = operation] = /^\S+ (.*)$/.exec(operation) ?? []
  const identity = createHash('sha256').update([operation, check, title].join('\n')).digest('hex')
  return {
    ruleId: check,
    ruleIndex,
    level: 'error',
    message: { text: [`${operation}: ${title}`, message, curl].filter((part) => part !== '').join('\n') },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri }, region: { startLine: lineOf(path, text) } },
        logicalLocations: [{ fullyQualifiedName: operation, kind: 'resource' }],
      },
    ],
    partialFingerprints: { 'finding/v1': identity },
  }
}

/** The first line that has this path as a key, in JSON or YAML; 1 where there is none. */
function lineOf(path: string, text: string): number {
  const keys = [path, `"${path}"`, `'${path}'`].map((key) => `${key}:`)
  const index = text
    .split('\n')
    .findIndex((line) => keys.some((key) => line.trim().replace(/\s+:/, ':').startsWith(key)))
  return index < 0 ? 1 : index + 1
}
