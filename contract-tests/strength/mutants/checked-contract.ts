import type { OpenApiDocument } from '../../../openapi/reading/document.ts'
import type { Operation } from '../../../openapi/reading/operations.ts'
import type { Corpus } from './corpus.ts'
import type { Shape } from './shapes.ts'

/** A contract, and what the recorded traffic has shown of it so far. */
export interface CheckedContract {
  readonly contract: OpenApiDocument
  readonly declared: readonly Operation[]
  readonly keys: Corpus['keys']
  /** Declared things that occurred. */
  readonly seen: Set<string>
  /** Schemas that were used, by their location. */
  readonly expected: Map<string, Shape>
}
