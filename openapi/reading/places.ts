import { isList, isObject, objectOf, type Json, type JsonObject } from './json.ts'
import { escapeKey, targetOf, unescapeKey } from './references.ts'

/** A node of a bundled contract and where it is declared, `$ref`s followed. */
export interface SchemaLocation {
  readonly contract: Json
  /** JSON pointer, as in a `$ref`: `#/components/schemas/Amount`. */
  readonly pointer: string
  readonly node: Json | undefined
  /** Keywords beside a `$ref`, and their pointer: since OpenAPI 3.1 they count too. */
  readonly beside?: { readonly pointer: string; readonly keywords: JsonObject }
}

/** Longer chains of references are cycles. */
const REFS_MAX = 20

/** The whole contract. */
export const rootOf = (contract: Json): SchemaLocation => ({ contract, pointer: '#', node: contract })

/** The node at a key, not following a `$ref`; its `node` is undefined when there is nothing. */
export function entry(place: SchemaLocation, key: string): SchemaLocation {
  const parent = place.beside && key in place.beside.keywords ? place.beside.pointer : place.pointer
  const held = isList(place.node) ? place.node[Number(key)] : objectOf(place.node)[key]
  return { contract: place.contract, pointer: `${parent}/${escapeKey(key)}`, node: held }
}

/** The node at a key, `$ref`s followed; its `node` is undefined when there is nothing. */
export const child = (place: SchemaLocation, key: string): SchemaLocation => follow(entry(place, key), REFS_MAX)

/** The keys of a node with their nodes, in the order of declaration; a text has none. */
export const children = (place: SchemaLocation): [string, SchemaLocation][] =>
  Object.keys(typeof place.node === 'object' ? (place.node ?? {}) : {}).map((key) => [key, child(place, key)])

/** `child`, repeated. */
export const descendant = (place: SchemaLocation, ...keys: readonly string[]): SchemaLocation =>
  keys.reduce(child, place)

function follow(place: SchemaLocation, refsMax: number): SchemaLocation {
  const { contract, pointer, node } = place
  if (!isObject(node) || typeof node.$ref !== 'string') return place
  if (refsMax === 0) throw new Error(`${pointer} refers to itself`)
  const { $ref, ...keywords } = node
  // JSON.parse made the contract, so this is JSON too.
  const held = targetOf(contract, $ref) as Json
  const target = follow({ contract, pointer: $ref, node: held }, refsMax - 1)
  if (Object.keys(keywords).length === 0) return target
  return { ...target, node: { ...objectOf(target.node), ...keywords }, beside: { pointer, keywords } }
}

/**
 * The file of `openapi/` that declares a pointer of the bundle, with the location inside it:
 * `openapi/components/schemas/Amount.yaml#/maximum`.
 */
export function fileOf(pointer: string): string {
  const [, area, ...keys] = pointer.split('/')
  const [first = '', second = '', ...rest] = keys
  const inside = (path: string, left: readonly string[]): string =>
    `openapi/${path}.yaml${left.length > 0 ? `#/${left.join('/')}` : ''}`
  if (area === 'paths' && first)
    return inside(`paths/${unescapeKey(first).slice(1).replaceAll('/', '_')}`, keys.slice(1))
  if (area === 'webhooks' && first)
    return inside(`webhooks/${first.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`, keys.slice(1))
  if (area === 'components' && second) return inside(`components/${first}/${second}`, rest)
  return `openapi/openapi.yaml${pointer}`
}
