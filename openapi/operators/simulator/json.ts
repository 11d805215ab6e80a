import { isObject } from '../../reading/json.ts'

/** A JSON merge patch (RFC 7396): `null` takes a field away. */
export function patched(value: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const fields = new Map(Object.entries(isObject(value) ? value : {}))
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) fields.delete(name)
    else fields.set(name, patched(fields.get(name), change))
  }
  return Object.fromEntries(fields)
}

/** JSON, or the text itself where it is none. */
export function readJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
