// Not operations of openapi/reading: a mutant is the written document with one place changed.
import type { Keys } from '../../../openapi/reading/changed.ts'
import { fieldsOf } from '../../harness/json.ts'

export { fieldsOf, type Fields } from '../../harness/json.ts'

export type Path = Keys
export type Json = unknown
export const listOf = (node: Json): readonly Json[] => (Array.isArray(node) ? node : [])
export const get = (node: Json, path: Path): Json =>
  path.reduce((at: Json, key) => (Array.isArray(at) ? at[Number(key)] : fieldsOf(at)[key]), node)

/** Marks a place that is removed. */
export const GONE = undefined

/** The same value under another key, in the same place. */
export const renamed = (node: Json, from: string, to: string): Json =>
  Object.fromEntries(Object.entries(fieldsOf(node)).map(([key, value]) => [key === from ? to : key, value]))

/** A change of one place, and its name. */
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
