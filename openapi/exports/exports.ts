import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../reading/json.ts'
import { toOpenApi30 } from './openapi-3.0.ts'
import { toPostman } from './postman.ts'

const EXPORTS = { 'openapi-3.0.json': toOpenApi30, 'malipo.postman_collection.json': toPostman } satisfies Record<
  string,
  (contract: Json) => Json
>

/** The files that `writeExports` writes. */
export const EXPORT_FILES: readonly string[] = Object.keys(EXPORTS)

/** Writes what tools other than ours want to read, from `openapi.json` of the same folder. */
export function writeExports(folder: string): void {
  const contract = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')) as Json
  for (const [file, derive] of Object.entries(EXPORTS))
    writeFileSync(join(folder, file), `${JSON.stringify(derive(contract), null, 2)}\n`)
}
