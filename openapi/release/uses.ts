import { textOf, type Json } from '../reading/json.ts'
import { child, children, entry, rootOf, type SchemaLocation } from '../reading/places.ts'

/** Who writes a value: `sent` by merchants, `received` by them. */
export type Direction = 'sent' | 'received'

/** One use of a place of the contract. */
export interface Use {
  /** `operationId`. */
  readonly operation: string
  readonly direction: Direction
  /** The nearest field, parameter, header or status around it: what people call it. */
  readonly name: string
  /** The status of the reply that it is a part of. */
  readonly status?: string
}

const opposite = { sent: 'received', received: 'sent' } satisfies Record<Direction, Direction>

/** The uses of each place of a contract, by its JSON pointer: a shared component has several. */
type Uses = ReadonlyMap<string, readonly Use[]>

/** Keywords that hold things by name. */
const NAMING = ['properties', 'headers', 'responses', 'parameters']

/** The use of what a key of a place holds. @param keyword what the place is the value of */
function useOf(held: SchemaLocation, key: string, keyword: string, use: Use): Use {
  if (keyword === 'properties' || keyword === 'headers') return { ...use, name: key }
  if (keyword === 'responses') return { ...use, name: key, status: key, direction: opposite[use.direction] }
  if (keyword === 'parameters') return { ...use, name: textOf(child(held, 'name').node) }
  return use
}

/** Follows every `$ref` from every operation, callback and webhook. */
export function usesIn(contract: Json): Uses {
  const uses = new Map<string, Use[]>()
  const visited = new Set<string>()

  const add = (pointer: string, use: Use): void => {
    const known = uses.get(pointer)
    if (known) known.push(use)
    else uses.set(pointer, [use])
  }
  const visit = (place: SchemaLocation, use: Use, keyword = ''): void => {
    const visitKey = JSON.stringify([place.pointer, use])
    if (visited.has(visitKey)) return
    visited.add(visitKey)
    add(place.pointer, use)
    for (const [key, held] of children(place)) {
      if (keyword === '' && key === 'callbacks') continue
      const inner = useOf(held, key, keyword, use)
      const site = entry(place, key).pointer
      if (site !== held.pointer) add(site, inner)
      visit(held, inner, NAMING.includes(keyword) ? '' : key)
    }
  }
  const visitItems = (items: SchemaLocation, direction: Direction): void => {
    for (const [path, item] of children(items))
      for (const [, operation] of children(item)) {
        const id = child(operation, 'operationId').node
        if (id === undefined) continue
        const use: Use = { operation: textOf(id), direction, name: textOf(id) }
        add(item.pointer, { ...use, name: path })
        visit(operation, use)
        for (const [, urls] of children(child(operation, 'callbacks'))) visitItems(urls, 'received')
      }
  }
  visitItems(child(rootOf(contract), 'paths'), 'sent')
  visitItems(child(rootOf(contract), 'webhooks'), 'received')
  return uses
}

/** The uses of a place, or of the nearest place around it that has some. */
export function usesOf(uses: Uses, pointer: string): readonly Use[] {
  const found = uses.get(pointer)
  const end = pointer.lastIndexOf('/')
  return found ?? (end <= 0 ? [] : usesOf(uses, pointer.slice(0, end)))
}
