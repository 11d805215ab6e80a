import { METHODS, type OpenApiDocument, type OperationPiece, type PathItem } from '../../openapi/reading/document.ts'
import { isObject } from '../../openapi/reading/json.ts'
import { memberOf, unescapeKey } from '../../openapi/reading/references.ts'

/** Differences between two versions of a contract that a server could show. */
export interface ContractChanges {
  /** operationIds that are new, or whose declaration differs, in the contract's order. */
  readonly operations: readonly string[]
  /** operationIds that the contract no longer has. */
  readonly removed: readonly string[]
  /** Differing parts that belong to no single operation: `the webhook paymentSettled`. */
  readonly shared: readonly string[]
}

/**
 * Compares what an operation is made of: its own piece, and every piece that a reference leads to, directly or through
 * others. Texts for readers do not count, nor does the order of fields.
 */
export function changesBetween(before: OpenApiDocument, after: OpenApiDocument): ContractChanges {
  const earlier = operationsIn(before)
  const later = operationsIn(after)
  const differs = (name: string): boolean => earlier.get(name)?.digest !== later.get(name)?.digest
  const names = [...later.keys()]
  const ids = new Set([...later.values()].map(({ id }) => id))
  return {
    operations: names.filter(differs).map((name) => later.get(name)?.id ?? name),
    removed: [...earlier.values()].filter(({ id }) => !ids.has(id)).map(({ id }) => id),
    shared: [
      ...(digestOf(before, before.servers) === digestOf(after, after.servers) ? [] : ['the list of servers']),
      ...changedWebhooks(before, after),
    ],
  }
}

interface OperationDigest {
  readonly id: string
  readonly digest: string
}

/** By method and path, which stay the same when an operation gets another id. */
function operationsIn(document: OpenApiDocument): Map<string, OperationDigest> {
  const items = Object.entries(document.paths ?? {}).map(([path, item]) => [path, itemOf(document, item)] as const)
  return new Map(
    items.flatMap(([path, item]) =>
      METHODS.flatMap((method): [string, OperationDigest][] => {
        const piece = item[method]
        if (!piece) return []
        const id = piece.operationId
        return [[`${method.toUpperCase()} ${path}`, { id, digest: digestOf(document, whole(document, item, piece)) }]]
      }),
    ),
  )
}

const itemOf = (document: OpenApiDocument, item: PathItem): PathItem =>
  item.$ref === undefined ? item : { ...item, ...(pieceAt(document, item.$ref) as PathItem) }

/** An operation with what it takes over from its path and from the document. */
function whole(document: OpenApiDocument, item: PathItem, piece: OperationPiece): unknown {
  const security = piece.security ?? document.security ?? []
  const schemes = document.components?.securitySchemes ?? {}
  const named = security.flatMap((each) => Object.keys(each)).map((name) => ({ name, scheme: schemes[name] }))
  return { piece: { ...piece, security }, inherited: item.parameters ?? [], schemes: named }
}

function changedWebhooks(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const [earlier, later] = [before.webhooks ?? {}, after.webhooks ?? {}]
  const names = [...new Set([...Object.keys(earlier), ...Object.keys(later)])]
  return names
    .filter((name) => digestOf(before, earlier[name]) !== digestOf(after, later[name]))
    .map((name) => `the webhook ${name}`)
}

/** The same text for the same meaning: the node and everything that it refers to. */
function digestOf(document: OpenApiDocument, node: unknown): string {
  const pieces = new Map<string, unknown>()
  const root = meaningOf(node, collect)
  return JSON.stringify([root, [...pieces].toSorted(([one], [other]) => (one < other ? -1 : 1))])

  function collect(ref: string): void {
    if (pieces.has(ref)) return
    // Schemas refer to themselves: the place is taken before the piece is read.
    pieces.set(ref, undefined)
    pieces.set(ref, meaningOf(pieceAt(document, ref), collect))
  }
}

/** Texts for readers, where they are texts: a property with such a name is a schema. */
const TEXTS: ReadonlySet<string> = new Set(['description', 'summary', 'title', '$comment'])
/** Lists for readers. */
const LISTS: ReadonlySet<string> = new Set(['tags', 'x-codeSamples'])
/** Their values are data, whose fields may have any name. */
const DATA: ReadonlySet<string> = new Set(['example', 'value', 'default', 'const', 'enum'])

/** A copy without texts for readers, fields sorted by name. @param onRef called for each reference to another piece */
function meaningOf(node: unknown, onRef: (ref: string) => void): unknown {
  if (Array.isArray(node)) return node.map((each) => meaningOf(each, onRef))
  if (!isObject(node)) return node
  const fields = Object.entries(node).filter(([key, value]) => !isForReaders(key, value))
  return Object.fromEntries(fields.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(meaningOfField))

  function meaningOfField([key, value]: readonly [string, unknown]): [string, unknown] {
    if (DATA.has(key) || (key === 'examples' && Array.isArray(value))) return [key, value]
    for (const ref of refsIn(key, value)) onRef(ref)
    return [key, meaningOf(value, onRef)]
  }
}

const isForReaders = (key: string, value: unknown): boolean =>
  (TEXTS.has(key) && typeof value === 'string') || (LISTS.has(key) && Array.isArray(value))

/** A `$ref`, or those of a discriminator's mapping, within the document. */
function refsIn(key: string, value: unknown): string[] {
  const refs = key === 'mapping' && isObject(value) ? Object.values(value) : [key === '$ref' ? value : undefined]
  return refs.filter((ref): ref is string => typeof ref === 'string' && ref.startsWith('#/'))
}

/** Undefined where the reference leads nowhere. */
const pieceAt = (document: unknown, ref: string): unknown =>
  ref.slice(2).split('/').map(unescapeKey).reduce(memberOf, document)
