import type { Audience } from '../../domain/people/audience.ts'
import type { Random } from '../../domain/references.ts'
import type { Digests } from '../../storage/digests.ts'
import { inTransaction, type Pool, type Queryable } from '../../storage/pool.ts'
import { bucketsOf, countAttempt, forgiveAttempt } from './attempts.ts'
import { auditSignIn } from './audit.ts'
import { stepOf, takeRecoveryCode } from './codes.ts'
import { isPassword, type PasswordCost } from './passwords.ts'
import type { Person } from '../queries/person.ts'
import { IS_OF, PERSON_COLUMNS } from './person.ts'

/** What every way to sign in needs. */
export interface SignInDeps {
  readonly pool: Pool
  readonly digests: Digests
  readonly random: Random
  readonly clock: { now(): Date }
  /** Of the apps that show one-time codes; absent: the same. */
  readonly realClock?: { now(): Date }
  /** Who signs in here; others are unknown. */
  readonly audience: Audience
  /** Where browsers reach the sign-in: `http://localhost:8081` */
  readonly baseUrl: () => string
  readonly isSandbox: boolean
  /** Absent: the usual one. */
  readonly passwordCost?: PasswordCost | undefined
  /** Where the inbox of a sandbox is. */
  readonly inboxUrl?: string | undefined
}

export interface PasswordAttempt {
  readonly email: string
  readonly password: string
  /** Of an authenticator app; empty where a recovery code is given. */
  readonly code: string
  readonly recoveryCode: string
  readonly address: string
  /** The address, or of IPv6 its /64. */
  readonly network: string
  /** The id of this browser, if this account was used with it before. */
  readonly deviceOf: (person: Pick<Person, 'id'>) => string | undefined
}

/** `wrong` never says what was wrong; `limited`: too many failures from here, for accounts that exist and others. */
export type PasswordOutcome = Person | 'wrong' | 'limited'

interface CredentialRow extends Person {
  readonly password_hash: string | null
}

/**
 * Checks password and code together. Unknown accounts take the same time and get the same reply as wrong passwords.
 * @throws PasswordsBusy
 */
export async function checkPassword(deps: SignInDeps, attempt: PasswordAttempt): Promise<PasswordOutcome> {
  const { pool, digests, clock } = deps
  const now = clock.now()
  const { rows } = await pool.query<CredentialRow>(
    `select ${PERSON_COLUMNS}, c.password_hash from people p left join sign_in_credentials c on c.person_id = p.id
     where p.email = lower($1) and p.ended_at is null and ${IS_OF[deps.audience]}`,
    [attempt.email],
  )
  const [person] = rows
  const device = person && attempt.deviceOf(person)
  const buckets = bucketsOf(attempt.email, attempt.network, device)
  const context = { client: pool, digests, now }
  const count = await countAttempt(context, buckets)
  if (count === 'reaches') await auditRefused(pool, person, attempt.address, now)
  if (count === 'over') return 'limited'
  const isRight = await isPassword(attempt.password, person?.password_hash ?? undefined, deps.passwordCost)
  if (!person || !isRight) return 'wrong'
  if (!(await isCodeTaken(deps, person, attempt, device !== undefined))) return 'wrong'
  await forgiveAttempt(context, buckets)
  return person
}

/** Uses the code up, if it is right. */
async function isCodeTaken(
  { pool, digests, clock, realClock = clock }: SignInDeps,
  person: Person,
  { code, recoveryCode, address }: PasswordAttempt,
  isKnownDevice: boolean,
): Promise<boolean> {
  const now = clock.now()
  if (recoveryCode !== '') return takeRecoveryCode(pool, person.id, recoveryCode)
  const buckets = isKnownDevice ? [] : [{ kind: 'code', key: String(person.id) } as const]
  const context = { client: pool, digests, now }
  const count = await countAttempt(context, buckets)
  if (count === 'reaches') await auditRefused(pool, person, address, now)
  if (count === 'over') return false
  const isRight = await inTransaction(pool, (client) => isNextCode(client, digests, person, code, realClock.now()))
  if (isRight) await forgiveAttempt(context, buckets)
  return isRight
}

async function isNextCode(
  client: Queryable,
  digests: Digests,
  { id }: Person,
  code: string,
  now: Date,
): Promise<boolean> {
  // Locked: of two requests with the same code, one gets in.
  const { rows } = await client.query<{ totp_seed: Buffer | null; totp_step: bigint }>(
    'select totp_seed, totp_step from sign_in_credentials where person_id = $1 for update',
    [id],
  )
  const [row] = rows
  if (!row?.totp_seed) return false
  const step = stepOf(digests, row.totp_seed, { code, now, after: Number(row.totp_step) })
  if (step === undefined) return false
  await client.query('update sign_in_credentials set totp_step = $2 where person_id = $1', [id, step])
  return true
}

/** Once for each limit that is reached. What was typed for an unknown account is not stored: it may be a password. */
const auditRefused = (pool: Pool, person: Person | undefined, address: string, now: Date): Promise<void> =>
  inTransaction(pool, (client) => auditSignIn(client, { event: 'sign in refused', person, address, now }))
