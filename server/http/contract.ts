// Does not use openapi/reading: openapi-backend needs the document itself, which it reads and dereferences on its own.
import { readFileSync } from 'node:fs'
import type { Document } from 'openapi-backend'

/** The bundled contract, as `npm run generate` wrote it. */
export const MERCHANT_CONTRACT = new URL('../../generated/openapi.json', import.meta.url)

/**
 * A fresh copy for validation, because openapi-backend dereferences its document in place. The text, two megabytes of
 * memory, is not kept.
 */
export const readContract = (file: URL): Document => JSON.parse(readFileSync(file, 'utf8'), withoutProse) as Document

/**
 * Removes what validation does not need and what breaks its tools: descriptions and examples beside a `$ref` (the
 * dereferencing library merges them and turns their arrays into objects), and discriminator mappings (Ajv reads the
 * tag from each branch instead).
 */
function withoutProse(key: string, value: unknown): unknown {
  if (key === 'description' && typeof value === 'string') return undefined
  if (key === 'examples' && Array.isArray(value)) return undefined
  if (key === 'discriminator') return { propertyName: (value as { propertyName: string }).propertyName }
  return value
}
