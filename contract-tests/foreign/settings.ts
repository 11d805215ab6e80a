import { readFileSync } from 'node:fs'
import type { Contract } from '../../openapi/reading/contract.ts'
import { schemesFor, schemesOf, type Credential } from '../driver/credentials.ts'
import { parseValues, type Values } from '../driver/contract-values.ts'
import {
  addressOf,
  isThisMachine,
  knownOperations,
  OF_AN_ACCOUNT,
  optionOf,
  runSettings,
  type SuiteSettings,
} from '../settings.ts'
import { UsageError } from '../usage-error.ts'
import { limitedTo } from './contract-file.ts'
import { credentialsOf, headersOf } from './credential-options.ts'
import { FOREIGN_PARTS, OUR_PARTS, type ForeignSettings } from './suite.ts'

/** @param whole the contract in the file @throws UsageError with one line that says what is wrong */
export function foreignSettings(
  given: SuiteSettings,
  whole: Contract,
  env: Readonly<Record<string, string | undefined>>,
): ForeignSettings {
  const file = given.contract ?? ''
  const run = runSettings(given)
  const known = OUR_PARTS.find((part) => run.only?.includes(part))
  if (known)
    throw new UsageError(
      `--only: ${known} needs Malipo's own operations, and ${file} has none of them; there are ${FOREIGN_PARTS.map(({ name }) => name).join(', ')}`,
    )
  const account = OF_AN_ACCOUNT.find((name) => given[name] !== undefined)
  if (account)
    throw new UsageError(
      `${optionOf(account)} is for Malipo's own contract: pass the credentials of ${file} with --security or --header`,
    )
  if (given.url === undefined)
    throw new UsageError(`${file} is not Malipo's own contract: give the address of its server with --url`)
  const url = addressOf(given.url)
  if (!isThisMachine(url) && !given.testAccount)
    throw new UsageError(
      'These tests send every request that the contract declares. Add --test-account to say that nothing real hangs on it',
    )
  const contract = given.paths === undefined ? whole : limitedTo(whole, given.paths)
  if (run.operations) knownOperations(contract, run.operations)
  const headers = headersOf(given.header ?? [])
  const secrets = credentialsOf(contract, given.security ?? [], headers, env)
  requireCredentials(contract, secrets.credentials)
  return { ...run, url, file, contract, ...secrets, values: valuesIn(given.values, contract) }
}

function requireCredentials(contract: Contract, credentials: Readonly<Record<string, Credential>>): void {
  const closed = contract.operations.find(
    (operation) => operation.kind === 'operation' && schemesFor(operation, credentials) === undefined,
  )
  if (!closed) return
  const missing = (closed.security[0] ?? []).filter((name) => !credentials[name])
  const all = schemesOf(contract).map(({ name }) => name)
  throw new UsageError(
    `${closed.id} wants ${missing.join(' and ')}: give --security ${missing[0]}=@<file with the value>, for each of ${all.join(', ')}`,
  )
}

function valuesIn(file: string | undefined, contract: Contract): Values {
  if (file === undefined) return { refusals: [], operations: {} }
  try {
    return parseValues(readFileSync(file, 'utf8'), contract)
  } catch (error) {
    const { code, message }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error))
    throw new UsageError(code === 'ENOENT' ? `--values: there is no file ${file}` : `--values: ${file}: ${message}`)
  }
}
