import type { RailWorld } from '../rail-kind.ts'
import type { Calls } from './calls.ts'
import type { Installation } from './installation.ts'
import type { Pull } from './pull.ts'

/** The shared dependencies of an adapter's parts. */
export interface DarajaConnection {
  readonly installation: Installation
  readonly world: RailWorld
  readonly calls: Calls
  /** Absent where the short code is not registered for it. */
  readonly pull?: Pull
}
