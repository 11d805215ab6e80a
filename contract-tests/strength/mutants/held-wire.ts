import type { OpenApiDocument } from '../../../openapi/reading/document.ts'
import type { Operation } from '../../../openapi/reading/operations.ts'
import type { Corpus } from './corpus.ts'
import type { Shape } from './shapes.ts'

/** A contract, and what of it was met on the wire so far. */
export interface Wire {
  readonly contract: OpenApiDocument
  readonly declared: readonly Operation[]
  readonly keys: Corpus['keys']
  /** What was seen of that which is declared. */
  readonly seen: Set<string>
  /** Schemas that were met on the way, by where they stand. */
  readonly expected: Map<string, Shape>
}
