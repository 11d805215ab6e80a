import { MERCHANT_ROLES, STAFF_ROLES, type MerchantRole, type StaffRole } from '../../domain/people/roles.ts'
import { nameFault } from '../../domain/readable-text.ts'
import type { AuditedPool } from '../../storage/audited-pool.ts'
import {
  AlreadyInvited,
  changeRole,
  endAccess,
  findPerson,
  findPersonById,
  hasAdmin,
  invitePerson as giveAccess,
  LastAdmin,
  resetAccess,
} from '../queries/people.ts'
import type { Person } from '../queries/person.ts'
import { LOGIN_CODE_MS, storeToken, TOKEN_BYTES } from '../queries/person-tokens.ts'
import { displayValues } from './display-values.ts'
import { merchantNamed, ownMerchant } from './merchant-named.ts'
import { OperationRefusal, type Operation, type OperationContext, type PreparedChange } from './operation.ts'

type Role = StaffRole | MerchantRole

interface InviteInput {
  readonly email: string
  readonly name: string
  readonly role: string
  /** Public key or id; absent for staff. */
  readonly merchant?: string | undefined
}

interface PersonInput {
  /** Their address or id. */
  readonly person: string
}

type Changed = { readonly id: string; readonly email: string; readonly name: string; readonly role: string }

/** What a new person, or one who lost everything, needs to sign in, once. */
export type Invitation = Changed & {
  /** For the browser; absent where the sign-in is off. */
  readonly sign_in_link?: string | undefined
  /** For the command line; staff only. */
  readonly login_code?: string | undefined
}

/** Gives somebody access. */
export const invitePerson: Operation<InviteInput, Invitation> = {
  name: 'people invite',
  approval: 'roles',
  showsSecrets: true,
  prepare: invitation,
}

/** The same for the first admin of all, by whoever runs the database's machine. */
export const inviteFirstAdmin: Operation<Pick<InviteInput, 'email' | 'name'>, Invitation> = {
  name: 'people first-admin',
  showsSecrets: true,
  async prepare(context, input) {
    if (await hasAdmin(context.pool))
      throw new OperationRefusal(
        'conflict',
        'there is an admin already, who can invite others',
        'They use: malipo people invite',
      )
    return invitation(context, { ...input, role: 'admin' })
  },
}

/** Ends all that a person signed in with, and invites them anew. */
export const resetSignIn: Operation<PersonInput, Invitation> = {
  name: 'people reset',
  approval: 'roles',
  showsSecrets: true,
  prepare: (context, input) =>
    changeOf(context, input, async (pool, person) => {
      await resetAccess(pool, person)
      return storeInvitation(context, pool, person, 'reset')
    }),
}

/** Gives a person another role; they sign in again. */
export const changePersonRole: Operation<PersonInput & { readonly role: string }, Changed> = {
  name: 'people change',
  approval: 'roles',
  prepare: (context, input) =>
    changeOf<Changed>(context, input, async (pool, person) => {
      const role = roleOf(person.merchant_id, input.role)
      await changeRole(pool, person.id, role)
      return { ...changed(person), role }
    }),
}

/** Ends a person's access at once, with all logins and sessions. */
export const endPersonAccess: Operation<PersonInput, Changed> = {
  name: 'people end',
  prepare: (context, input) =>
    changeOf(context, input, async (pool, person) => {
      await endAccess(pool, person.id, context.clock.now())
      return changed(person)
    }),
}

const changed = ({ id, email, name, role }: Person): Changed => ({ id: String(id), email, name, role })

const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u

async function invitation(
  context: OperationContext,
  { email: address, name, role, merchant }: InviteInput,
): Promise<PreparedChange<Invitation>> {
  const email = address.trim().toLowerCase()
  if (email.length > 254 || !EMAIL.test(email)) throw new OperationRefusal('invalid', 'email must be an e-mail address')
  const fault = nameFault(name)
  if (fault !== undefined) throw new OperationRefusal('invalid', `name ${fault}`)
  // Stored with the request: whoever approves it may be staff, whose own people are others.
  if (merchant === undefined && ownMerchant(context) !== undefined)
    throw new OperationRefusal('invalid', 'merchant is required')
  const merchantId = merchant === undefined ? null : (await merchantNamed(context, merchant)).id
  const given =
    merchantId === null
      ? { email, name, role: roleAmong(STAFF_ROLES, role), merchantId }
      : { email, name, role: roleAmong(MERCHANT_ROLES, role), merchantId }
  return {
    subject: email,
    merchantId: merchantId ?? undefined,
    read: async (_pool, invited) => (invited ? displayValues({ name, role, access: 'yes' }) : {}),
    apply: async (pool) => storeInvitation(context, pool, await giveAccess(pool, given, context.clock.now()), 'invite'),
    refusalOf: (error) =>
      error instanceof AlreadyInvited
        ? new OperationRefusal('conflict', `${email} has access already`, 'See who has: malipo people list')
        : undefined,
  }
}

/** A link for the browser, and for staff a code for the command line. Only digests of them are stored. */
async function storeInvitation(
  { clock, random, signInLink }: OperationContext,
  pool: AuditedPool,
  person: Person,
  purpose: 'invite' | 'reset',
): Promise<Invitation> {
  const now = clock.now()
  const link = await signInLink(pool, person, purpose)
  if (person.merchant_id !== null) return { ...changed(person), sign_in_link: link }
  // In hexadecimal: one that begins with a hyphen would be read as an option.
  const code = Buffer.from(random.bytes(TOKEN_BYTES)).toString('hex')
  const expiresAt = new Date(now.getTime() + LOGIN_CODE_MS)
  await storeToken(pool, { kind: 'login_code', personId: person.id, token: code, expiresAt }, now)
  return { ...changed(person), sign_in_link: link, login_code: code }
}

function roleAmong<Known extends Role>(roles: readonly Known[], role: string): Known {
  const known = roles.find((each) => each === role)
  if (known === undefined)
    throw new OperationRefusal('invalid', `the role ${role} does not exist here: it is one of ${roles.join(', ')}`)
  return known
}

const roleOf = (merchantId: bigint | null, role: string): Role =>
  roleAmong<Role>(merchantId === null ? STAFF_ROLES : MERCHANT_ROLES, role)

/**
 * Finds a person by address or id, also one who has left; people of a merchant find those of their own.
 * @throws OperationRefusal
 */
export async function personNamed(context: Pick<OperationContext, 'actor' | 'pool'>, named: string): Promise<Person> {
  const { pool } = context
  const person = /^\d{1,18}$/.test(named) ? await findPersonById(pool, BigInt(named)) : await findPerson(pool, named)
  const own = ownMerchant(context)
  if (!person || (own !== undefined && own !== person.merchant_id)) throw hasNoAccess(named)
  return person
}

const hasNoAccess = (named: string) =>
  new OperationRefusal('not_found', `${named} has no access`, 'See who has: malipo people list')

/** A person with access who is not the actor: nobody changes their own rights. @throws OperationRefusal */
async function otherPerson(context: OperationContext, named: string): Promise<Person> {
  const person = await personNamed(context, named)
  const { actor } = context
  if (person.ended_at !== null) throw hasNoAccess(named)
  if ('personId' in actor && actor.personId === person.id)
    throw new OperationRefusal('conflict', 'nobody changes their own access: ask another admin')
  return person
}

/** A change of what a person may do. */
async function changeOf<Result extends Changed>(
  context: OperationContext,
  { person: named }: PersonInput,
  apply: (pool: AuditedPool, person: Person) => Promise<Result>,
): Promise<PreparedChange<Result>> {
  const person = await otherPerson(context, named)
  const { id, email, merchant_id: merchantId } = person
  return {
    subject: email,
    merchantId: merchantId ?? undefined,
    async read(pool) {
      const now = await findPersonById(pool, id)
      if (!now) return {}
      const { name, role, ended_at: endedAt } = now
      return displayValues({ name, role, access: endedAt === null ? 'yes' : 'ended' })
    },
    apply: (pool) => apply(pool, person),
    refusalOf: (error) =>
      error instanceof LastAdmin
        ? new OperationRefusal('conflict', `${email} is the last admin: make another one first; nothing was changed`)
        : undefined,
  }
}
