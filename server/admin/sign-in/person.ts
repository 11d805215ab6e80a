import type { Person } from '../queries/person.ts'
import type { Queryable } from '../../storage/pool.ts'

/** The columns of Person. */
export const PERSON_COLUMNS = 'p.id, p.merchant_id, p.email, p.name, p.role, p.created_at, p.ended_at'

const finder =
  (condition: string) =>
  async (client: Queryable, key: bigint | string): Promise<Person | undefined> => {
    const { rows } = await client.query<Person>(
      `select ${PERSON_COLUMNS} from people p where ${condition} and p.ended_at is null`,
      [key],
    )
    return rows[0]
  }

/** A person whose access has not ended. */
export const findPerson = finder('p.id = $1')

/** The same by the e-mail address, in any case. */
export const findPersonByEmail = finder('p.email = lower($1)')
