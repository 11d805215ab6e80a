import { readFile } from 'node:fs/promises'
import { ConfigError, type JsonObject, type Keys } from './types.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** A copy of the contract, from a JSON file or as given. @throws ConfigError */
export async function readContract(contract: string | URL | JsonObject): Promise<JsonObject> {
  if (typeof contract === 'object' && !(contract instanceof URL)) return structuredClone(contract)
  try {
    const parsed: unknown = JSON.parse(await readFile(contract, 'utf8'))
    if (typeof parsed === 'object' && parsed !== null && 'openapi' in parsed) return parsed
  } catch (error) {
    throw new ConfigError(`the contract cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  throw new ConfigError('the contract is not an OpenAPI document')
}

/** Follows a local `$ref`. */
export function resolve(contract: JsonObject, node: JsonObject | undefined): JsonObject | undefined {
  if (typeof node?.$ref !== 'string') return node
  const path = node.$ref.slice(2).split('/').map((part: string) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
  return resolve(contract, path.reduce((parent: JsonObject | undefined, part: string) => parent?.[part], contract))
}

/** Every operation: `[path, method, operation]`. */
export const operations = (contract: JsonObject): [string, string, JsonObject][] =>
  Object.entries<JsonObject>(contract.paths ?? {}).flatMap(([path, item]) => METHODS.filter((method) => item[method]).map((method): [string, string, JsonObject] => [path, method, item[method]]))

/**
 * Writes header parameters that are numbers with an `enum` as strings with the same `enum`. On the wire they are the same; but 4.32 of the tool
 * holds the text it sends against the number, and calls requests invalid that are not.
 */
export function spellHeadersAsSent(contract: JsonObject): JsonObject {
  const parameters = [...Object.values<JsonObject>(contract.components?.parameters ?? {}), ...operations(contract).flatMap(([, , operation]) => operation.parameters ?? [])]
  for (const parameter of parameters) {
    if (parameter.in !== 'header' || !['number', 'integer'].includes(parameter.schema?.type) || !parameter.schema.enum) continue
    parameter.schema = { ...parameter.schema, type: 'string', enum: parameter.schema.enum.map(String) }
    if (parameter.example !== undefined) parameter.example = String(parameter.example)
  }
  return contract
}

/** Repeats the named examples of request bodies in their schemas, where the coverage phase looks for a body to start from. Nothing else changes. */
export function showExamplesToSchemas(contract: JsonObject): JsonObject {
  for (const [, , operation] of operations(contract)) {
    const media = resolve(contract, operation.requestBody)?.content?.['application/json']
    const schema = resolve(contract, media?.schema)
    for (const example of Object.values<JsonObject>(media?.examples ?? {})) {
      const value = resolve(contract, example)?.value
      const branch = schema?.discriminator?.mapping?.[value?.[schema.discriminator.propertyName]]
      const owner = branch === undefined ? schema : resolve(contract, { $ref: branch })
      if (owner && value !== undefined) owner.examples = [...(owner.examples ?? []), value]
    }
  }
  return contract
}

/**
 * Keeps the paths with an operation that requires more than one key, and turns the keys of these operations into ordinary required headers with
 * the one right value. The tool's own check takes all keys away at once, and so never sees a server that looks at one only; as headers they are
 * changed one by one.
 */
export function keysAsHeaders(contract: JsonObject, keys: Keys): JsonObject {
  const schemes = contract.components?.securitySchemes ?? {}
  const isHeader = (scheme: string) => schemes[scheme]?.in === 'header'
  const requiredBy = (operation: JsonObject) => Object.keys((operation.security ?? contract.security ?? [])[0] ?? {})
  const concerned = operations(contract).filter(([, , operation]) => requiredBy(operation).filter(isHeader).length > 1)
  for (const [, , operation] of concerned) {
    const required = requiredBy(operation)
    const others = required.filter((scheme) => !isHeader(scheme))
    operation.security = others.length > 0 ? [Object.fromEntries(others.map((scheme) => [scheme, []]))] : []
    operation.parameters = [...(operation.parameters ?? []), ...required.filter(isHeader).map((scheme) => ({
      name: schemes[scheme].name, in: 'header', required: true, schema: { type: 'string', enum: [keys[scheme]] },
    }))]
  }
  // Whole paths only: a method that is taken from a path would be expected to be refused there.
  for (const path of Object.keys(contract.paths)) if (!concerned.some(([kept]) => kept === path)) delete contract.paths[path]
  return withoutLostLinks(contract)
}

/** Takes away links to operations that the copy does not have. */
function withoutLostLinks(contract: JsonObject): JsonObject {
  const known = new Set(operations(contract).map(([, , { operationId }]) => operationId))
  for (const [, , operation] of operations(contract)) {
    for (const [status, response] of Object.entries<JsonObject>(operation.responses ?? {})) {
      const { links, ...rest } = resolve(contract, response) ?? {}
      if (!links) continue
      const kept = Object.entries<JsonObject>(links).filter(([, link]) => known.has(resolve(contract, link)?.operationId))
      operation.responses[status] = { ...rest, ...(kept.length > 0 && { links: Object.fromEntries(kept) }) }
    }
  }
  return contract
}

/** A security scheme, and what schemathesis.toml calls its kind of key. */
export interface Scheme {
  readonly name: string
  readonly kind: 'api_key' | 'bearer'
}

/** The security schemes of the contract that a run must have a key for. */
export function schemesOf(contract: JsonObject): Scheme[] {
  const used = new Set(operations(contract).flatMap(([, , { security }]) => (security ?? contract.security ?? []).flatMap((requirement: JsonObject) => Object.keys(requirement))))
  return Object.entries<JsonObject>(contract.components?.securitySchemes ?? {}).flatMap(([name, { type, scheme }]): Scheme[] => {
    if (!used.has(name)) return []
    if (type === 'apiKey') return [{ name, kind: 'api_key' }]
    return type === 'http' && scheme === 'bearer' ? [{ name, kind: 'bearer' }] : []
  })
}
