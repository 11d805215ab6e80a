// Not openapi/reading: users install this package alone, and it changes contracts where the reader only reads them.
import {
  METHODS,
  type Content,
  type Method,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Piece,
  type Schema,
} from './openapi.ts'
import type { Keys } from './options.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const memberOf = (node: unknown, key: string): unknown =>
  typeof node === 'object' && node !== null ? Object.getOwnPropertyDescriptor(node, key)?.value : undefined

/** Resolves a local `$ref`; undefined when there is nothing at its target. */
export function resolve<Kind extends Piece>(contract: OpenApiDocument, piece: Kind | undefined): Kind | undefined {
  if (piece?.$ref === undefined) return piece
  const found = piece.$ref
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(memberOf, contract)
  // The target is of the kind that the reference requires: a contract's own lint checks that.
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

/** The JSON media type of a body or reply. */
const jsonOf = (contract: OpenApiDocument, holder: Content | undefined) =>
  resolve(contract, holder)?.content?.['application/json']

/** Writes header numbers with an `enum` as text: 4.32 of the tool compares the text it sends with the number. */
export function spellHeadersAsSent(contract: OpenApiDocument): OpenApiDocument {
  const parameters = [
    ...Object.values(contract.components?.parameters ?? {}),
    ...Object.values(contract.paths ?? {}).flatMap(({ parameters = [] }): Parameter[] => parameters),
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

/** Copies examples of request bodies into their schemas, where the coverage phase looks for a starting value. */
export function showExamplesToSchemas(contract: OpenApiDocument): OpenApiDocument {
  for (const [, , operation] of operations(contract)) {
    const media = jsonOf(contract, operation.requestBody)
    const schema = resolve(contract, media?.schema)
    for (const example of Object.values(media?.examples ?? {})) {
      const value = resolve(contract, example)?.value
      const tag = schema?.discriminator && memberOf(value, schema.discriminator.propertyName)
      const branch = schema?.discriminator?.mapping?.[String(tag)]
      const owner = branch === undefined ? schema : resolve<Schema>(contract, { $ref: branch })
      if (!owner || value === undefined) continue
      // Schemas of 3.0 have one example.
      if (contract.openapi.startsWith('3.0')) owner.example ??= value
      else owner.examples = [...(owner.examples ?? []), value]
    }
  }
  return contract
}

/**
 * Keeps the paths with an operation that requires more than one key, and turns the keys of these operations into
 * ordinary required headers with the one right value. The tool's own check removes all keys at once, and so never
 * notices a server that checks only one; as headers they are changed one by one.
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
  // Whole paths only: a method removed from a path would be expected to be refused there.
  contract.paths = Object.fromEntries(
    Object.entries(contract.paths ?? {}).filter(([path]) => concerned.some(([kept]) => kept === path)),
  )
  return withoutLostLinks(contract)
}

/** Removes links to operations that the copy does not have. */
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
