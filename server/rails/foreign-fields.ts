import { isObject } from '../../openapi/reading/json.ts'

// Reads an operator's messages field by field: only the fields that decide must be valid (decisions, section 7).

/** @returns the value at the path; undefined where a step is missing or is not an object */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  let at = value
  for (const name of path) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  return at
}

/**
 * @returns a string, trimmed and without characters that PostgreSQL rejects (NUL, lone surrogates), or a number as a string; undefined for everything else and for an empty string
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value !== 'string') return undefined
  const text = value.replaceAll('\0', '').toWellFormed().trim()
  return text === '' ? undefined : text
}

/** @returns an array unchanged, a single object as an array of one, everything else as an empty array */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return isObject(value) ? [value] : []
}
