import type pg from 'pg'
import type { Fleet } from '../fleet.ts'
import type { Load } from '../load.ts'
import type { Merchant } from '../merchant.ts'
import type { Staff } from '../staff.ts'
import type { Random } from '../seeded.ts'
import { until } from '../patience.ts'

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

/** If nothing comes within this time, a payment is made to provide some. */
const COMES_MS_MAX = 5_000
const OWN_COMES_MS_MAX = 30_000

/**
 * Waits for what a fault was planned for: the first one of it, and a little longer for the others, which are optional.
 * @param met how many have come
 */
export async function waitFor(
  what: string,
  { met, wanted, othersMs }: { readonly met: () => number; readonly wanted: number; readonly othersMs: number },
  load: Load,
): Promise<void> {
  const hasCome = async () => met() > 0
  await until(hasCome, COMES_MS_MAX, `a ${what} has come`).catch(() => load.sendOne())
  await until(hasCome, OWN_COMES_MS_MAX, `a ${what} has come`).catch(() => undefined)
  await until(async () => met() >= wanted, othersMs, 'the others have come').catch(() => undefined)
}
