import type pg from 'pg'
import type { Fleet } from '../fleet.ts'
import type { Load } from '../load.ts'
import type { Merchant } from '../merchant.ts'
import type { Staff } from '../staff.ts'
import type { Random } from '../seeded.ts'

/** Everything that a fault can affect. */
export interface ChaosEnvironment {
  readonly fleet: Fleet
  readonly merchant: Merchant
  readonly staff: Staff
  readonly load: Load
  /** The judges' own connection to the database, not through a proxy. */
  readonly pool: Pick<pg.Pool, 'query'>
  killPostgres(): Promise<void>
}

/** One kind of fault, many of which are injected in one drill. */
export interface FaultKind {
  readonly name: string
  /** For the help text. */
  readonly what: string
  /**
   * The time from one fault of the kind to the next: with more of them at a time, no payment would ever make progress.
   */
  readonly spacingMs: number
  /** Runs before the first one. */
  prepare?(world: ChaosEnvironment): Promise<void>
  /**
   * Injects one fault and removes it again.
   * @returns a description of it
   */
  plant(world: ChaosEnvironment, random: Random): Promise<string>
}
