import { isObject } from './json.ts'
import type { Named, OpenApiDocument, Referable, Schema } from './document.ts'

// `$ref`s of a bundled document: JSON pointers into it (RFC 6901), written as URI fragments.

/** A key as a JSON pointer has it. */
export const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
/** A key of a JSON pointer as it is. */
export const unescapeKey = (key: string): string => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')

/** What stands under a name in a value that may be anything. */
export const memberOf = (node: unknown, key: string): unknown =>
  typeof node === 'object' && node !== null ? Object.getOwnPropertyDescriptor(node, key)?.value : undefined

/** What a `$ref` leads to. @throws Error when that is nothing, or in another document */
export function targetOf(document: unknown, ref: string): unknown {
  if (!ref.startsWith('#/')) throw new Error(`${ref} leads out of the document: bundle it first`)
  const target = ref.slice(2).split('/').map(unescapeKey).reduce(memberOf, document)
  if (target === undefined) throw new Error(`${ref} leads nowhere`)
  return target
}

/** The piece itself, or what it refers to in the end. @throws Error when a `$ref` leads nowhere */
export function follow<Kind extends Referable>(document: unknown, piece: Kind): Kind {
  // It is of the kind that the reference stands for: that is what the contract's own lint looks at.
  return piece.$ref === undefined ? piece : follow(document, targetOf(document, piece.$ref) as Kind)
}

/** `follow`, with what stands beside the references said of this place: OpenAPI 3.1 lets a place have its own texts. */
export function placed<Kind extends Referable>(document: unknown, piece: Kind): Kind {
  if (piece.$ref === undefined) return piece
  const { $ref, ...beside } = piece
  const target = placed(document, targetOf(document, $ref) as Kind)
  return Object.keys(beside).length === 0 ? target : { ...target, ...beside }
}

/** Named pieces with their references followed, in the order of declaration. */
export const entriesOf = <Kind extends Referable>(document: unknown, named: Named<Kind> = {}): [string, Kind][] =>
  Object.entries(named).map(([name, piece]) => [name, placed(document, piece)])

/** @throws Error when the document has no schema of this name */
export function schemaNamed({ components }: OpenApiDocument, name: string): Schema {
  const schema = components?.schemas?.[name]
  if (schema === undefined) throw new Error(`#/components/schemas/${name} leads nowhere`)
  return schema
}

/** The name of the component that a `$ref` leads to. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** A copy with what every `$ref` leads to in its place, and what stands beside a `$ref` said of this place. */
export function dereferenced(document: unknown, node: unknown = document): unknown {
  if (Array.isArray(node)) return node.map((each) => dereferenced(document, each))
  if (!isObject(node)) return node
  const { $ref, ...beside } = node
  if (typeof $ref === 'string') return { ...Object(dereferenced(document, targetOf(document, $ref))), ...beside }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, dereferenced(document, value)]))
}
