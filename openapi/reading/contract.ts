import { readFileSync } from 'node:fs'
import type { OpenApiDocument, Schema } from './document.ts'
import { operationsOf, type Operation } from './operations.ts'
import { flattener } from './schemas.ts'
import { compilerOf } from './validators.ts'

export type { Link, Parameter, Schema } from './document.ts'
export type { Example, Key, Kind, Media, Operation, Response } from './operations.ts'

/** A contract with compiled validators. */
export interface Contract {
  readonly document: OpenApiDocument
  readonly operations: readonly Operation[]
  /** The schema with its references followed and its `allOf` merged; the same object for the same node. */
  flat(schema: Schema): Schema
  /** The fault of a value, or undefined. */
  faultIn(schema: Schema, value: unknown): string | undefined
}

/** Our own contract, as bundled by `npm run generate`. */
export const bundleUrl = new URL('../../generated/openapi.json', import.meta.url)

/** Reads a bundled OpenAPI 3.1 document. @throws Error when it cannot be read */
export const readContract = (path: string | URL): Contract => parseContract(readFileSync(path, 'utf8'))

/** A bundled OpenAPI 3.1 document from its JSON. Its lint has checked that it is one. */
export const parseDocument = (text: string): OpenApiDocument => JSON.parse(text) as OpenApiDocument

/** As `readContract`, from the JSON itself. */
export function parseContract(text: string): Contract {
  const document = parseDocument(text)
  const compile = compilerOf(document)
  return {
    document,
    operations: operationsOf(document),
    flat: flattener(document),
    faultIn(schema, value) {
      const validate = compile(schema)
      if (validate(value)) return undefined
      return (validate.errors ?? []).map(({ instancePath, message }) => `body${instancePath} ${message}`).join(', ')
    },
  }
}
