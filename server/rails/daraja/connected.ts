import type { RailWorld } from '../rail-kind.ts'
import type { Calls } from './calls.ts'
import type { Installation } from './installation.ts'
import type { Pull } from './pull.ts'

/** What the parts of an adapter work with. */
export interface Connected {
  readonly installation: Installation
  readonly world: RailWorld
  readonly calls: Calls
  /** Absent where the short code is not registered for it. */
  readonly pull?: Pull
}
