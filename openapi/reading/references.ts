import { isObject } from './json.ts'
import type { NameMap, OpenApiDocument, Referable, Schema } from './document.ts'

// `$ref`s of a bundled document: JSON pointers into it (RFC 6901), written as URI fragments.

/** Escapes a key for a JSON pointer. */
export const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
/** Unescapes a key of a JSON pointer. */
export const unescapeKey = (key: string): string => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')

/** The value under a name in any value. */
export const memberOf = (node: unknown, key: string): unknown =>
  typeof node === 'object' && node !== null ? Object.getOwnPropertyDescriptor(node, key)?.value : undefined

/** The target of a `$ref`. @throws Error when there is none, or it is in another document */
export function targetOf(document: unknown, ref: string): unknown {
  if (!ref.startsWith('#/')) throw new Error(`${ref} leads out of the document: bundle it first`)
  const target = ref.slice(2).split('/').map(unescapeKey).reduce(memberOf, document)
  if (target === undefined) throw new Error(`${ref} leads nowhere`)
  return target
}

/** The piece itself, or the final target of its reference. @throws Error when a `$ref` leads nowhere */
export function follow<Kind extends Referable>(document: unknown, piece: Kind): Kind {
  // The contract's lint checks that it is of the kind that the reference stands for.
  return piece.$ref === undefined ? piece : follow(document, targetOf(document, piece.$ref) as Kind)
}

/** `follow`, with the keywords beside the references applied: OpenAPI 3.1 lets a place have its own texts. */
export function placed<Kind extends Referable>(document: unknown, piece: Kind): Kind {
  if (piece.$ref === undefined) return piece
  const { $ref, ...beside } = piece
  const target = placed(document, targetOf(document, $ref) as Kind)
  return Object.keys(beside).length === 0 ? target : { ...target, ...beside }
}

/** Named pieces with their references followed, in the order of declaration. */
export const entriesOf = <Kind extends Referable>(document: unknown, named: NameMap<Kind> = {}): [string, Kind][] =>
  Object.entries(named).map(([name, piece]) => [name, placed(document, piece)])

/** @throws Error when the document has no schema with this name */
export function schemaNamed({ components }: OpenApiDocument, name: string): Schema {
  const schema = components?.schemas?.[name]
  if (schema === undefined) throw new Error(`#/components/schemas/${name} leads nowhere`)
  return schema
}

/** The name of the component that a `$ref` leads to. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** A copy with every `$ref` replaced by its target, keywords beside it applied. */
export function dereferenced(document: unknown, node: unknown = document): unknown {
  if (Array.isArray(node)) return node.map((each) => dereferenced(document, each))
  if (!isObject(node)) return node
  const { $ref, ...beside } = node
  if (typeof $ref === 'string') return { ...Object(dereferenced(document, targetOf(document, $ref))), ...beside }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, dereferenced(document, value)]))
}
