// Not openapi/reading: strangers install this package alone, and it changes contracts where the reader only reads them.
import { readFile } from 'node:fs/promises'
import {
  METHODS,
  type Content,
  type Method,
  type OpenApiDocument,
  type Operation,
  type Piece,
  type Schema,
} from './openapi.ts'
import { ConfigError, type Keys } from './types.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isDocument = (value: unknown): value is OpenApiDocument => isObject(value) && typeof value.openapi === 'string'

/** A copy of the contract, from a JSON file or as given. @throws ConfigError */
export async function readContract(contract: string | URL | OpenApiDocument): Promise<OpenApiDocument> {
  if (typeof contract === 'object' && !(contract instanceof URL)) return structuredClone(contract)
  try {
    const parsed: unknown = JSON.parse(await readFile(contract, 'utf8'))
    if (isDocument(parsed)) return parsed
  } catch (error) {
    throw new ConfigError(`the contract cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  throw new ConfigError('the contract is not an OpenAPI document')
}

const memberOf = (node: unknown, key: string): unknown =>
  typeof node === 'object' && node !== null ? Object.getOwnPropertyDescriptor(node, key)?.value : undefined

/** Follows a local `$ref`; undefined when nothing stands there. */
export function resolve<Kind extends Piece>(contract: OpenApiDocument, piece: Kind | undefined): Kind | undefined {
  if (piece?.$ref === undefined) return piece
  const found = piece.$ref
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(memberOf, contract)
  // It is of the kind that the reference stands for: that is what a contract's own lint looks at.
  return isObject(found) ? resolve(contract, found as Kind) : undefined
}

/** Every operation: `[path, method, operation]`. */
export const operations = (contract: OpenApiDocument): [string, Method, Operation][] =>
  Object.entries(contract.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method): [string, Method, Operation][] => {
      const operation = item[method]
      return operation ? [[path, method, operation]] : []
    }),
  )

/** The JSON of a body or reply. */
const jsonOf = (contract: OpenApiDocument, holder: Content | undefined) =>
  resolve(contract, holder)?.content?.['application/json']

/** Writes header numbers with an `enum` as text: 4.32 of the tool holds the text it sends against the number. */
export function spellHeadersAsSent(contract: OpenApiDocument): OpenApiDocument {
  const parameters = [
    ...Object.values(contract.components?.parameters ?? {}),
    ...operations(contract).flatMap(([, , operation]) => operation.parameters ?? []),
  ]
  for (const parameter of parameters) {
    const { schema } = parameter
    if (parameter.in !== 'header' || (schema?.type !== 'number' && schema?.type !== 'integer') || !schema.enum) continue
    parameter.schema = { ...schema, type: 'string', enum: schema.enum.map(String) }
    if (typeof parameter.example === 'number') parameter.example = String(parameter.example)
  }
  return contract
}

/** Repeats examples of request bodies in their schemas, where the coverage phase looks for one to start from. */
export function showExamplesToSchemas(contract: OpenApiDocument): OpenApiDocument {
  for (const [, , operation] of operations(contract)) {
    const media = jsonOf(contract, operation.requestBody)
    const schema = resolve(contract, media?.schema)
    for (const example of Object.values(media?.examples ?? {})) {
      const value = resolve(contract, example)?.value
      const tag = schema?.discriminator && memberOf(value, schema.discriminator.propertyName)
      const branch = schema?.discriminator?.mapping?.[String(tag)]
      const owner = branch === undefined ? schema : resolve<Schema>(contract, { $ref: branch })
      if (owner && value !== undefined) owner.examples = [...(owner.examples ?? []), value]
    }
  }
  return contract
}

/**
 * Keeps the paths with an operation that requires more than one key, and turns the keys of these operations into
 * ordinary required headers with the one right value. The tool's own check takes all keys away at once, and so never
 * sees a server that looks at one only; as headers they are changed one by one.
 */
export function keysAsHeaders(contract: OpenApiDocument, keys: Keys): OpenApiDocument {
  const schemes = contract.components?.securitySchemes ?? {}
  const isHeader = (scheme: string) => schemes[scheme]?.in === 'header'
  const requiredBy = (operation: Operation) => Object.keys((operation.security ?? contract.security ?? [])[0] ?? {})
  const concerned = operations(contract).filter(([, , operation]) => requiredBy(operation).filter(isHeader).length > 1)
  for (const [, , operation] of concerned) {
    const required = requiredBy(operation)
    const others = required.filter((scheme) => !isHeader(scheme))
    operation.security = others.length > 0 ? [Object.fromEntries(others.map((scheme) => [scheme, []]))] : []
    operation.parameters = [
      ...(operation.parameters ?? []),
      ...required.filter(isHeader).map((scheme) => ({
        name: schemes[scheme]?.name ?? scheme,
        in: 'header',
        required: true,
        schema: { type: 'string', enum: [keys[scheme]] },
      })),
    ]
  }
  // Whole paths only: a method that is taken from a path would be expected to be refused there.
  contract.paths = Object.fromEntries(
    Object.entries(contract.paths ?? {}).filter(([path]) => concerned.some(([kept]) => kept === path)),
  )
  return withoutLostLinks(contract)
}

/** Takes away links to operations that the copy does not have. */
function withoutLostLinks(contract: OpenApiDocument): OpenApiDocument {
  const known = new Set(operations(contract).map(([, , { operationId }]) => operationId))
  for (const [, , { responses = {} }] of operations(contract)) {
    for (const [status, response] of Object.entries(responses)) {
      const { links, ...rest } = resolve(contract, response) ?? {}
      if (!links) continue
      const kept = Object.entries(links).filter(([, link]) => known.has(resolve(contract, link)?.operationId))
      responses[status] = { ...rest, ...(kept.length > 0 && { links: Object.fromEntries(kept) }) }
    }
  }
  return contract
}

/** A security scheme, and what schemathesis.toml calls its kind of key. */
export interface Scheme {
  readonly name: string
  readonly kind: 'api_key' | 'bearer' | 'basic'
}

/** The security schemes of the contract that a run must have a key for. */
export function schemesOf(contract: OpenApiDocument): Scheme[] {
  const used = new Set(
    operations(contract).flatMap(([, , { security }]) =>
      (security ?? contract.security ?? []).flatMap((requirement) => Object.keys(requirement)),
    ),
  )
  return Object.entries(contract.components?.securitySchemes ?? {}).flatMap(([name, { type, scheme }]): Scheme[] => {
    if (!used.has(name)) return []
    if (type === 'apiKey') return [{ name, kind: 'api_key' }]
    return type === 'http' && (scheme === 'bearer' || scheme === 'basic') ? [{ name, kind: scheme }] : []
  })
}
