import type { Audience } from '../../domain/people/audience.ts'
import type { Person } from '../queries/person.ts'
import type { Queryable } from '../../storage/pool.ts'

/** The columns of Person. */
export const PERSON_COLUMNS = 'p.id, p.merchant_id, p.email, p.name, p.role, p.created_at, p.ended_at'

/** The people of each audience, as a condition. */
export const IS_OF: Readonly<Record<Audience, string>> = {
  staff: 'p.merchant_id is null',
  merchants: 'p.merchant_id is not null',
}

const finder =
  (condition: string) =>
  async (client: Queryable, key: bigint | string, audience: Audience): Promise<Person | undefined> => {
    const { rows } = await client.query<Person>(
      `select ${PERSON_COLUMNS} from people p where ${condition} and p.ended_at is null and ${IS_OF[audience]}`,
      [key],
    )
    return rows[0]
  }

/** A person of an audience whose access has not ended. */
export const findPerson = finder('p.id = $1')

/** The same by the e-mail address, in any case. */
export const findPersonByEmail = finder('p.email = lower($1)')
