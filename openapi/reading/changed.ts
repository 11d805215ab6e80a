import { isObject } from './json.ts'

/** Where something stands in a document, from the top: keys of objects and places in lists. */
export type Keys = readonly (string | number)[]

/**
 * A copy with another value in one place; `undefined` takes the place away. Everything beside the way there is shared
 * with the original and keeps its order, and objects that are missing on the way are made.
 * @throws Error when something on the way is a plain value, which holds nothing
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
