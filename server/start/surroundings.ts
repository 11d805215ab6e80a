import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../actions/ports/clock.ts'
import type { OneTimePasswords } from '../actions/ports/one-time-passwords.ts'
import type { Rail } from '../actions/ports/rail.ts'
import type { Random } from '../domain/references.ts'
import type { Role } from '../config.ts'
import type { RailKind } from '../rails/rail-kind.ts'
import { RAIL_KINDS } from '../rails/registry.ts'
import { pooledRandom } from '../random.ts'

/** What tests replace: everything that is not the same at every run. */
export interface Surroundings {
  /** Absent: the time that all processes share, which is the database's. */
  readonly clock?: Clock | undefined
  readonly random: Random
  readonly logger: Logger
  readonly role: Role
  /** Aborted: a start that waits for the database ends with AbortError. */
  readonly stopSignal?: AbortSignal
  /** False: nothing runs by itself, `runDue` does the work. */
  readonly runWork: boolean
  readonly checkReplies: boolean
  /** The message service that takes one-time passwords. */
  readonly sendOtp?: OneTimePasswords['send']
  /** Kinds of rails that installations may be of. */
  readonly railKinds: readonly RailKind[]
  /** Rails of a test's own, by provider code, beside those of installations. */
  readonly rails?: Readonly<Record<string, Rail>>
}

const systemRandom = pooledRandom(randomBytes)

/** Time, chance and the rest: the true ones, where a test gives none. */
export const surroundingsOf = (given: Pick<Surroundings, 'logger'> & Partial<Surroundings>): Surroundings => ({
  random: systemRandom,
  role: 'all',
  runWork: true,
  checkReplies: false,
  railKinds: RAIL_KINDS,
  ...given,
})
