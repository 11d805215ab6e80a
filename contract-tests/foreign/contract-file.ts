import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { $RefParser } from '@apidevtools/json-schema-ref-parser'
import { bundleUrl, parseContract, readContract, type Contract } from '../../openapi/reading/contract.ts'
import { METHODS, type OpenApiDocument } from '../../openapi/reading/document.ts'
import { isObject } from '../../openapi/reading/json.ts'
import { follow } from '../../openapi/reading/references.ts'
import { UsageError } from '../usage-error.ts'

/** A contract read from a file, as one document. */
interface LoadedContract {
  readonly contract: Contract
  /** Whether it has every operation of ours, so that all parts of the suite can run on it. */
  readonly isOurs: boolean
}

/**
 * Reads OpenAPI 3.1 in JSON or YAML, from one file or several. @throws UsageError with one line that says what is
 * wrong
 */
export async function openContract(file: string): Promise<LoadedContract> {
  const document = await documentIn(file)
  const wrong = (what: string): UsageError => new UsageError(`--contract: ${file} ${what}`)
  if (!isObject(document) || document['openapi'] === undefined)
    throw wrong('is no OpenAPI document: it has no field openapi')
  const { openapi: version } = document
  if (typeof version !== 'string' || !/^3\.1\.\d+$/.test(version))
    throw wrong(`is of OpenAPI ${JSON.stringify(version)}, and only 3.1 can be tested`)
  let contract: Contract
  try {
    contract = parseContract(JSON.stringify(complete(document)))
  } catch (error) {
    throw wrong(`cannot be used: ${error instanceof Error ? error.message : String(error)}`)
  }
  const operations = contract.operations.filter(({ kind }) => kind === 'operation')
  if (operations.length === 0) throw wrong('declares no operation: there is nothing to test')
  const ids = new Set(operations.map(({ id }) => id))
  const own = readContract(bundleUrl).operations.filter(({ kind }) => kind === 'operation')
  return { contract, isOurs: own.every(({ id }) => ids.has(id)) }
}

async function documentIn(file: string): Promise<unknown> {
  const text = textOfGiven('--contract', file)
  try {
    const document: unknown = JSON.parse(text)
    // References to other files are resolved below.
    if (!/"\$ref"\s*:\s*"[^#"]/.test(text)) return document
  } catch {
    if (/\.json$/i.test(file)) throw new UsageError(`--contract: ${file} is no JSON`)
  }
  return bundled(file)
}

/** The text of a file that an option names. @throws UsageError with one line that says why it cannot be read */
export function textOfGiven(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error))
    throw new UsageError(
      code === 'ENOENT' ? `${option}: there is no file ${file}` : `${option}: ${file} cannot be read (${code})`,
    )
  }
}

/** Bundles YAML and references to other files into one JSON document. */
async function bundled(file: string): Promise<unknown> {
  try {
    return await $RefParser.bundle(file)
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new UsageError(`--contract: ${file} cannot be bundled: ${line.slice(0, 200)}`)
  }
}

/**
 * Every operation with an id; an operation without one gets its method and path. Every token scheme becomes a bearer
 * token.
 */
function complete(document: object): OpenApiDocument {
  const copy = structuredClone(document) as Record<string, unknown>
  const paths = copy['paths']
  for (const [path, item] of Object.entries(isObject(paths) ? paths : {})) {
    if (!isObject(item)) continue
    for (const method of METHODS) {
      const operation = item[method]
      if (isObject(operation) && operation['operationId'] === undefined)
        Object.assign(operation, { operationId: `${method.toUpperCase()} ${path}` })
    }
  }
  for (const scheme of Object.values(schemesIn(copy))) {
    if (scheme['type'] !== 'oauth2' && scheme['type'] !== 'openIdConnect') continue
    delete scheme['flows']
    delete scheme['openIdConnectUrl']
    Object.assign(scheme, { type: 'http', scheme: 'bearer' })
  }
  return copy
}

function schemesIn(document: Readonly<Record<string, unknown>>): Record<string, Record<string, unknown>> {
  const components = document['components']
  const schemes = isObject(components) ? components['securitySchemes'] : {}
  return Object.fromEntries(
    Object.entries(isObject(schemes) ? schemes : {}).map(([name, piece]) => [
      name,
      follow(document, piece as { $ref?: string }) as Record<string, unknown>,
    ]),
  )
}

/** The contract with only the paths that begin with one of these prefixes. @throws UsageError when there are none */
export function limitedTo({ document }: Contract, prefix: string): Contract {
  const paths = Object.fromEntries(Object.entries(document.paths ?? {}).filter(([path]) => path.startsWith(prefix)))
  const { operations } = parseContract(JSON.stringify({ ...document, paths }))
  if (operations.length === 0) throw new UsageError(`--paths: no path of the contract begins with ${prefix}`)
  const kept = new Set(operations.map(({ id }) => id))
  // A link must not point at an operation that was removed.
  const isLost = (link: unknown): boolean =>
    isObject(link) && typeof link['operationId'] === 'string' && !kept.has(link['operationId'])
  const withoutLost = (_key: string, value: unknown): unknown =>
    isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, each]) => !isLinkTo(each, isLost))) : value
  return parseContract(JSON.stringify({ ...document, paths }, withoutLost))
}

/** A link object has no responses; an operation does. */
const isLinkTo = (value: unknown, isLost: (link: unknown) => boolean): boolean =>
  isObject(value) && value['responses'] === undefined && isLost(value)

/** Writes it to a file for other programs. @returns its path and a function that removes it */
export async function writeContract({ document }: Contract): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'contract-'))
  const path = join(folder, 'contract.json')
  await writeFile(path, JSON.stringify(document))
  return { path, remove: () => rm(folder, { recursive: true, force: true }) }
}
