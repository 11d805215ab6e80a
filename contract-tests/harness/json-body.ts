import { jsonOf } from '../../openapi/reading/wire.ts'

const parsed = new WeakMap<Uint8Array, { readonly value: unknown }>()

/** The JSON of a recorded body, as `jsonOf`. Six readers of one exchange parse it once, so none may change it. */
export function jsonBody(bytes: Uint8Array): unknown {
  const known = parsed.get(bytes)
  if (known) return known.value
  const value = jsonOf(bytes)
  parsed.set(bytes, { value })
  return value
}
