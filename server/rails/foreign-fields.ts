import { isObject } from '../../openapi/reading/json.ts'

// What an operator sends is read field by field: only the fields that decide must be right (decisions, section 7).

/** @returns what stands at the path; undefined where a step is missing or is no object */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  let at = value
  for (const name of path) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  return at
}

/**
 * @returns a text without blanks around it and without what no database takes (NUL, half a character), or a number as
 *   text; undefined for everything else and for an empty text
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value !== 'string') return undefined
  const text = value.replaceAll('\0', '').toWellFormed().trim()
  return text === '' ? undefined : text
}

/** @returns an array as it is, a single object as an array of one, everything else as an empty array */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return isObject(value) ? [value] : []
}
