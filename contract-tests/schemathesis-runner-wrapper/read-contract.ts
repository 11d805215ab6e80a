import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ConfigError } from './options.ts'
import type { OpenApiDocument } from './openapi.ts'

const FETCH_MS_MAX = 30_000

/** Parses YAML. @throws Error with the fault */
export type ParseYaml = (text: string) => Promise<unknown>

/** Location of a contract: a path, a URL, or neither. A Windows drive (`C:\api`) is no URL. */
export function locationOf(contract: string | URL | OpenApiDocument): URL | undefined {
  if (contract instanceof URL) return contract
  if (typeof contract !== 'string') return undefined
  return /^(https?|file):\/\//i.test(contract) ? new URL(contract) : pathToFileURL(resolve(contract))
}

/**
 * A copy of the contract, from a file, a URL or a value. References to other files are made absolute, so that the copy
 * may be stored anywhere.
 *
 * @throws ConfigError
 */
export async function readContract(
  contract: string | URL | OpenApiDocument,
  parseYaml?: ParseYaml,
): Promise<OpenApiDocument> {
  const location = locationOf(contract)
  const document = location === undefined ? structuredClone(contract) : await load(location, parseYaml)
  if (!isDocument(document)) throw new ConfigError('the contract is not an OpenAPI document of 3.0, 3.1 or 3.2')
  return location === undefined ? document : withAbsoluteReferences(document, location)
}

async function load(location: URL, parseYaml: ParseYaml | undefined): Promise<unknown> {
  try {
    const text = await textAt(location)
    const isJson = location.pathname.endsWith('.json') || /^\s*\{/.test(text)
    if (isJson || !parseYaml) return JSON.parse(text)
    return await parseYaml(text)
  } catch (error) {
    throw new ConfigError(`the contract cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The text of a contract. @throws Error */
export async function textAt(location: URL): Promise<string> {
  if (location.protocol === 'file:') return readFile(location, 'utf8')
  const response = await fetch(location, { signal: AbortSignal.timeout(FETCH_MS_MAX) })
  if (!response.ok) throw new Error(`${location.href} answers ${response.status}`)
  return response.text()
}

const isDocument = (value: unknown): value is OpenApiDocument =>
  typeof value === 'object' &&
  value !== null &&
  'openapi' in value &&
  typeof value.openapi === 'string' &&
  /^3\.[012](\.|$)/.test(value.openapi)

const withAbsoluteReferences = (document: OpenApiDocument, base: URL): OpenApiDocument =>
  JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && !value.startsWith('#') ? new URL(value, base).href : value,
  ) as OpenApiDocument
