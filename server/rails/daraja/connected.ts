import type { RailWorld } from '../rail-kind.ts'
import type { Calls } from './calls.ts'
import type { DarajaRailAccount } from './rail-account.ts'
import type { Pull } from './pull.ts'

/** The shared dependencies of an adapter's parts. */
export interface DarajaConnection {
  readonly railAccount: DarajaRailAccount
  readonly world: RailWorld
  readonly calls: Calls
  /** Absent where the short code is not registered for it. */
  readonly pull?: Pull
}
