import type pg from 'pg'
import type { Fleet } from '../fleet.ts'
import type { Load } from '../load.ts'
import type { Merchant } from '../merchant.ts'
import type { Operator } from '../operator.ts'
import type { Random } from '../seeded.ts'

/** Everything that a fault can reach. */
export interface World {
  readonly fleet: Fleet
  readonly merchant: Merchant
  readonly operator: Operator
  readonly load: Load
  /** The judges' own way to the database, through no proxy. */
  readonly pool: Pick<pg.Pool, 'query'>
  killPostgres(): Promise<void>
}

/** One kind of fault, many of which are planted in one drill. */
export interface FaultKind {
  readonly name: string
  /** For the help text. */
  readonly what: string
  /** From one fault of the kind to the next: with more of it at a time nothing would ever go on. */
  readonly spacingMs: number
  /** Before the first one. */
  prepare?(world: World): Promise<void>
  /** Plants one and takes it away again. @returns what it was, in words */
  plant(world: World, random: Random): Promise<string>
}
