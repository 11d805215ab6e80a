// Not operations of openapi/reading: a mutant is the written document with one place changed.
import { fieldsOf } from '../../harness/json.ts'

export { fieldsOf, type Fields } from '../../harness/json.ts'

export type Path = readonly (string | number)[]
export type Json = unknown
export const listOf = (node: Json): readonly Json[] => (Array.isArray(node) ? node : [])
export const get = (node: Json, path: Path): Json =>
  path.reduce((at: Json, key) => (Array.isArray(at) ? at[Number(key)] : fieldsOf(at)[key]), node)

export const GONE = Symbol('gone')

/** A copy with one place changed; everything beside the way there is shared with the original. */
export function changed(node: Json, [key, ...rest]: Path, value: Json): Json {
  if (key === undefined) return value
  if (Array.isArray(node)) {
    const next = rest.length === 0 && value === GONE ? undefined : changed(node[Number(key)], rest, value)
    return rest.length === 0 && value === GONE ? node.toSpliced(Number(key), 1) : node.with(Number(key), next)
  }
  const { [key]: old, ...others } = fieldsOf(node)
  if (rest.length === 0 && value === GONE) return others
  return { ...fieldsOf(node), [key]: changed(old, rest, value) }
}

/** The same value under another key, in the same place. */
export const renamed = (node: Json, from: string, to: string): Json =>
  Object.fromEntries(Object.entries(fieldsOf(node)).map(([key, value]) => [key === from ? to : key, value]))

/** A change of one place, and what it is called. */
export interface Change {
  readonly operator: string
  readonly path: Path
  readonly what: string
  readonly value: Json
}

export const change = (operator: string, path: Path, what: string, value: Json): Change => ({
  operator,
  path,
  what,
  value,
})
