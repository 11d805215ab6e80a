import { isObject } from './json.ts'

/** A location in a document, from the top: keys of objects and indexes of lists. */
type Keys = readonly (string | number)[]

/**
 * A copy with another value at one location; `undefined` removes it. Everything else is shared with the original and
 * keeps its order, and missing objects on the path are created.
 * @throws Error when the path leads through a plain value
 */
export function changed(node: unknown, [key, ...rest]: Keys, value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(node)) {
    const items: readonly unknown[] = node
    const item = changed(items[Number(key)], rest, value)
    return items.toSpliced(Number(key), 1, ...(item === undefined ? [] : [item]))
  }
  if (node !== undefined && !isObject(node)) throw new Error(`${JSON.stringify(node)} cannot hold ${key}`)
  const { [key]: held, ...others } = node ?? {}
  const next = changed(held, rest, value)
  return next === undefined ? others : { ...node, [key]: next }
}
