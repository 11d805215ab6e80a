import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../actions/ports/clock.ts'
import type { OneTimePasswords } from '../actions/ports/one-time-passwords.ts'
import type { Rail } from '../actions/ports/rail.ts'
import { type Random, pooledRandom } from '../domain/references.ts'
import type { PasswordCost } from '../admin/sign-in/passwords.ts'
import type { Role } from '../config.ts'
import type { RailKind } from '../rails/rail-kind.ts'
import { RAIL_KINDS } from '../rails/registry.ts'

/** What tests replace: everything that differs between runs. */
export interface StartEnvironment {
  /** Absent: the clock that all processes share, which is the database's. */
  readonly clock?: Clock | undefined
  readonly random: Random
  readonly logger: Logger
  readonly role: Role
  /** Aborted: a start that waits for the database ends with AbortError. */
  readonly stopSignal?: AbortSignal
  /** False: nothing runs by itself, `runDue` runs the jobs. */
  readonly runJobs: boolean
  readonly checkReplies: boolean
  /** Sends OTPs through the message service. */
  readonly sendOtp?: OneTimePasswords['send']
  /** The kinds of rails that rail accounts may have. */
  readonly railKinds: readonly RailKind[]
  /** Of hashing a password, which is dear on purpose. */
  readonly passwordCost?: PasswordCost
  /** Rails injected by a test, by provider code, beside those of rail accounts. */
  readonly rails?: Readonly<Record<string, Rail>>
}

const systemRandom = pooledRandom(randomBytes)

/** Random source, role and the rest: the real ones, unless a test injects others. */
export const surroundingsOf = (
  given: Pick<StartEnvironment, 'logger'> & Partial<StartEnvironment>,
): StartEnvironment => ({
  random: systemRandom,
  role: 'all',
  runJobs: true,
  checkReplies: false,
  railKinds: RAIL_KINDS,
  ...given,
})
