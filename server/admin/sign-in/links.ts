import { audienceOf, type Audience } from '../../domain/people/audience.ts'
import type { Random } from '../../domain/references.ts'
import type { Person } from '../queries/person.ts'
import type { Queryable } from '../../storage/pool.ts'
import { newToken, storeToken, type TokenPurpose } from './tokens.ts'

/** `invite` for a new person; `reset` replaces everything that the person signed in with; `renew` is by the person. */
export type LinkPurpose = Extract<TokenPurpose, 'invite' | 'reset' | 'renew'>

export const LINK_PURPOSES: readonly LinkPurpose[] = ['invite', 'reset', 'renew']

const LINK_HOURS = 24
const HOUR_MS = 3_600_000

interface LinkMaker {
  readonly random: Random
  readonly clock: { readonly now: () => Date }
  /** Where people of an audience sign in; undefined where that is off. */
  readonly baseUrl: (audience: Audience) => string | undefined
}

/** Makes whole links for people whom an admin invites. */
export const linkMaker =
  ({ random, clock, baseUrl }: LinkMaker) =>
  async (client: Queryable, person: Person, purpose: 'invite' | 'reset'): Promise<string | undefined> => {
    const url = baseUrl(audienceOf(person))
    if (url === undefined) return undefined
    return `${url}${(await createLink(client, { personId: person.id, purpose, random, now: clock.now() })).path}`
  }

interface LinkRequest {
  readonly personId: bigint
  readonly purpose: LinkPurpose
  readonly random: Random
  readonly now: Date
}

/**
 * Creates a one-time link for a person to set up how to sign in; their earlier links end. Valid for 24 hours.
 * @returns its path, below the address of the sign-in (`adminUrl`); it is shown once, only a digest is stored
 */
export async function createLink(
  client: Queryable,
  { personId, purpose, random, now }: LinkRequest,
): Promise<{ readonly path: string; readonly expiresAt: Date }> {
  const token = newToken(random)
  const expiresAt = new Date(now.getTime() + LINK_HOURS * HOUR_MS)
  await client.query('delete from sign_in_tokens where person_id = $1 and purpose = any($2)', [personId, LINK_PURPOSES])
  await storeToken(client, token, { purpose, personId }, expiresAt)
  return { path: `/link/${token}`, expiresAt }
}
