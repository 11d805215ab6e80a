// Not openapi/reading: openapi-backend wants the document itself, and reads and dereferences it on its own.
import { readFileSync } from 'node:fs'
import type { Document } from 'openapi-backend'

/**
 * The bundled contract, as `npm run generate` wrote it: what is served at /openapi.json and what every request is held
 * against.
 */
export const contractText = readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')

/** A fresh copy for validation, because openapi-backend dereferences the one it is given in place. */
export const readContract = (): Document => JSON.parse(contractText, withoutProse) as Document

/**
 * Leaves out what validation does not need and its tools stumble over: descriptions and examples beside a `$ref` (the
 * dereferencing library merges them and turns their arrays into objects), and discriminator mappings (Ajv reads the tag
 * from each branch instead).
 */
function withoutProse(key: string, value: unknown): unknown {
  if (key === 'description' && typeof value === 'string') return undefined
  if (key === 'examples' && Array.isArray(value)) return undefined
  if (key === 'discriminator') return { propertyName: (value as { propertyName: string }).propertyName }
  return value
}
