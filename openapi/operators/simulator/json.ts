import { isObject } from '../../reading/json.ts'

/** A JSON merge patch (RFC 7396): `null` removes a field. */
export function patched(value: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const fields = new Map(Object.entries(isObject(value) ? value : {}))
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) fields.delete(name)
    else fields.set(name, patched(fields.get(name), change))
  }
  return Object.fromEntries(fields)
}

/** Messages of operators and their callers have a tenth of it. */
const DEPTH_MAX = 64

/** JSON, or the text itself if it is not JSON or is nested too deeply for a recursive walk. */
export function readJson(text: string): unknown {
  if (text === '') return undefined
  if (isTooDeep(text)) return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function isTooDeep(text: string): boolean {
  let [depth, isInText] = [0, false]
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (isInText) {
      if (sign === '\\') at += 1
      else if (sign === '"') isInText = false
    } else if (sign === '"') isInText = true
    else if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') depth -= 1
    if (depth > DEPTH_MAX) return true
  }
  return false
}
