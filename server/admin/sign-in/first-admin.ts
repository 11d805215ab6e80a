import { applyChange } from '../queries/audit-log.ts'
import { invitePerson } from '../queries/people.ts'
import { createLink } from './links.ts'
import type { SignInDeps } from './password-sign-in.ts'
import { findPersonByEmail } from './person.ts'

const FIRST = { email: 'admin@sandbox.localhost', name: 'Sandbox admin', role: 'admin', merchantId: null } as const
/** Whoever starts the sandbox is its admin. */
const ACTOR = { kind: 'os_user', role: 'admin', name: 'sandbox', address: 'localhost' } as const

const ADMIN_SIGNS_IN = `select from people p where p.role = 'admin' and p.merchant_id is null and p.ended_at is null
  and (exists (select from sign_in_credentials c where c.person_id = p.id)
    or exists (select from passkeys k where k.person_id = p.id))`

/**
 * For the sandbox: the path of a new link by which its admin signs in for the first time.
 * @returns undefined once any admin has a way to sign in, or the sandbox's admin was removed
 */
export async function firstAdminLink({
  pool,
  random,
  clock,
}: Pick<SignInDeps, 'pool' | 'random' | 'clock'>): Promise<string | undefined> {
  const now = clock.now()
  if ((await pool.query(ADMIN_SIGNS_IN)).rowCount !== 0) return undefined
  const { rowCount: isKnown } = await pool.query('select from people where email = $1', [FIRST.email])
  if (isKnown === 0) {
    const action = { actor: ACTOR, command: 'people invite', subject: FIRST.email, reason: undefined }
    const values = { name: FIRST.name, role: FIRST.role }
    await applyChange(
      pool,
      action,
      { read: async () => ({}), apply: (audited) => invitePerson(audited, FIRST, now), done: values },
      now,
    )
  }
  const person = await findPersonByEmail(pool, FIRST.email, 'staff')
  return person && (await createLink(pool, { personId: person.id, purpose: 'invite', random, now })).path
}
