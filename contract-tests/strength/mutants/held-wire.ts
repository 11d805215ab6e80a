import type { Contract, Declared } from './contract.ts'
import type { Corpus } from './corpus.ts'
import type { Shape } from './shapes.ts'

/** A contract, and what of it was met on the wire so far. */
export interface Wire {
  readonly contract: Contract
  readonly declared: readonly Declared[]
  readonly keys: Corpus['keys']
  /** What was seen of that which is declared. */
  readonly seen: Set<string>
  /** Schemas that were met on the way, by where they stand. */
  readonly expected: Map<string, Shape>
}
