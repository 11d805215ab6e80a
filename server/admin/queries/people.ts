import type { MerchantRole, StaffRole } from '../../domain/people/roles.ts'
import type { AuditedPool } from '../../storage/audited-pool.ts'
import { lapseApprovalsOf } from '../../storage/approvals.ts'
import { available, inTransaction, type Pool, type Queryable } from '../../storage/pool.ts'
import { lockAuditChain } from './audit-chain.ts'
import { endSignInOf, removeCredentialsOf } from './end-sessions.ts'
import type { Person } from './person.ts'
import { endTokensOf } from './person-tokens.ts'
import { firstRowOf, rowsOf } from './rows.ts'

const COLUMNS = 'id, merchant_id, email, name, role, created_at, ended_at'

/** What ends when a person leaves or gets another role, in the same commit. */
const ON_LOSS_OF_RIGHTS: readonly ((client: Queryable, personId: bigint) => Promise<unknown>)[] = [
  endTokensOf,
  endSignInOf,
  lapseApprovalsOf,
]

/** Somebody with this address has access already. */
export class AlreadyInvited extends Error {}
/** Without this admin, there would be none. */
export class LastAdmin extends Error {}

/** Of which people a page is, and after which of them. */
interface PeoplePage {
  /** Null: staff. */
  readonly merchantId: bigint | null
  readonly after?: bigint | undefined
  readonly limit?: number
}

/** Staff, or the people of one merchant, in the order of their invitations. */
export const listPeople = (pool: Pool, { merchantId, after, limit }: PeoplePage): Promise<Person[]> =>
  rowsOf<Person>(
    pool,
    `select ${COLUMNS} from people where merchant_id is not distinct from $1 and ($2::bigint is null or id > $2)
           order by id limit $3`,
    [merchantId, after, limit],
  )

/** Finds a person, who may have left. */
export const findPersonById = (pool: Pool, id: bigint): Promise<Person | undefined> =>
  firstRowOf<Person>(pool, `select ${COLUMNS} from people where id = $1`, [id])

/** The same by address. */
export const findPerson = (pool: Pool, email: string): Promise<Person | undefined> =>
  firstRowOf<Person>(pool, `select ${COLUMNS} from people where email = $1`, [email.toLowerCase()])

/** Whether any member of staff is an admin. */
export const hasAdmin = (pool: Queryable): Promise<boolean> =>
  available(async () => (await pool.query(ACTIVE_ADMINS)).rowCount !== 0)

const ACTIVE_ADMINS = `select from people where merchant_id is null and role = 'admin' and ended_at is null`

type NewPerson = Readonly<{ email: string; name: string }> &
  (Readonly<{ merchantId: null; role: StaffRole }> | Readonly<{ merchantId: bigint; role: MerchantRole }>)

/**
 * Gives a person access, for the first time or again after it ended.
 * @throws AlreadyInvited
 */
export const invitePerson = (
  pool: AuditedPool,
  { email, name, role, merchantId }: NewPerson,
  now: Date,
): Promise<Person> =>
  inTransaction(pool, async (client) => {
    await lockAuditChain(client)
    const person = await firstRowOf<Person>(
      client,
      `insert into people (merchant_id, email, name, role, created_at) values ($1, $2, $3, $4, $5)
       on conflict (email) do update set merchant_id = $1, name = $3, role = $4, ended_at = null
         where people.ended_at is not null
       returning ${COLUMNS}`,
      [merchantId, email.toLowerCase(), name, role, now],
    )
    if (!person) throw new AlreadyInvited()
    return person
  })

/** Gives a person another role and ends what was opened with the former one. @throws LastAdmin */
export const changeRole = (pool: AuditedPool, personId: bigint, role: StaffRole | MerchantRole): Promise<void> =>
  withoutRights(pool, personId, 'role = $2', role)

/** Ends all that a person signs in with, and what was opened with it; their role stays. */
export const resetAccess = (pool: AuditedPool, { id, role }: Pick<Person, 'id' | 'role'>): Promise<void> =>
  inTransaction(pool, async (client) => {
    await withoutRights(pool, id, 'role = $2', role)
    await removeCredentialsOf(client, id)
  })

/** Ends a person's access, and all that was opened with it. @throws LastAdmin */
export const endAccess = (pool: AuditedPool, personId: bigint, now: Date): Promise<void> =>
  inTransaction(pool, async (client) => {
    await withoutRights(pool, personId, 'ended_at = $2', now)
    await removeCredentialsOf(client, personId)
  })

/** The lock of the audit log keeps two admins from removing each other at once. */
const withoutRights = (pool: AuditedPool, personId: bigint, change: string, value: unknown): Promise<void> =>
  inTransaction(pool, async (client) => {
    await lockAuditChain(client)
    const hadAdmin = await hasAdmin(client)
    await client.query(`update people set ${change} where id = $1 and ended_at is null`, [personId, value])
    if (hadAdmin && !(await hasAdmin(client))) throw new LastAdmin()
    for (const end of ON_LOSS_OF_RIGHTS) await end(client, personId)
  })
