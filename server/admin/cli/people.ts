import { randomBytes } from 'node:crypto'
import { InvalidArgumentError, type Command } from 'commander'
import { MERCHANT_ROLES, STAFF_ROLES, type MerchantRole, type StaffRole } from '../../domain/people/roles.ts'
import type { AuditedPool } from '../../storage/audited-pool.ts'
import {
  AlreadyInvited,
  changeRole,
  endAccess,
  findPerson,
  hasAdmin,
  invitePerson,
  LastAdmin,
  listPeople,
} from '../queries/people.ts'
import type { Person } from '../queries/person.ts'
import { audienceOf } from '../../domain/people/audience.ts'
import { listenerOf, signInUrl } from '../../start/addresses.ts'
import { createLink } from '../sign-in/links.ts'
import { LOGIN_CODE_MS, storeToken, TOKEN_BYTES } from '../queries/person-tokens.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, parseOneOf } from './command.ts'
import { ownsDatabase } from './current-actor.ts'
import { merchantNamed } from '../operations/merchant-named.ts'
import { withDatabase, type Context } from './database.ts'
import { CliError, notFound, usedWrongly } from './errors.ts'
import { print, printable, printJson, printTable, shortTime } from './output.ts'
import { parseName } from './people-name.ts'
import { addition, asStaffAction, recordedAction, shownValues, staffAction, type StaffOptions } from './staff-action.ts'

type Role = StaffRole | MerchantRole
const parseRole = parseOneOf<Role>([...new Set([...STAFF_ROLES, ...MERCHANT_ROLES])])
const ROLES = `${STAFF_ROLES.join(', ')}; of a merchant: ${MERCHANT_ROLES.join(', ')}`

export function define(group: Command): void {
  addExamples(group, `${MALIPO} people list`)
  addLeaf(group, 'list', 'list staff, or the people of a merchant', `${MALIPO} people list --merchant 2`)
    .option('--merchant <merchant>', 'the people of this merchant (public key or id)')
    .action(list)
  addLeaf(
    group,
    'first-admin',
    "invite the first admin; only on the database's machine, and only while there is no admin",
    `${MALIPO} people first-admin amina@malipo.example`,
  )
    .argument('<email>', 'their address', parseEmail)
    .option('--name <name>', 'their name; the address by default', parseName)
    .action(firstAdmin)
  asStaffAction(
    addLeaf(
      group,
      'invite',
      'give somebody access; print a one-time code for their first login, and a link to the sign-in',
      `${MALIPO} people invite amina@malipo.example --name Amina --role finance --reason "New in finance"`,
      `${MALIPO} people invite ali@shop.example --name Ali --role owner --merchant 2 --reason "Contract of 1 March"`,
    ),
  )
    .argument('<email>', 'their address', parseEmail)
    .requiredOption('--name <name>', 'their name, as the audit log shows it', parseName)
    .requiredOption('--role <role>', ROLES, parseRole)
    .option('--merchant <merchant>', 'a person of this merchant (public key or id)')
    .action(invite)
  asStaffAction(
    addLeaf(
      group,
      'reset',
      'end all logins and sessions of a person; print a new one-time code, and a link to the sign-in',
      `${MALIPO} people reset amina@malipo.example --reason "New laptop"`,
    ),
  )
    .argument('<email>', 'their address', parseEmail)
    .action(reset)
  asStaffAction(
    addLeaf(
      group,
      'change',
      'give a person another role; their logins end',
      `${MALIPO} people change amina@malipo.example --role support --reason "Moved to support"`,
    ),
  )
    .argument('<email>', 'their address', parseEmail)
    .requiredOption('--role <role>', ROLES, parseRole)
    .action(change)
  asStaffAction(
    addLeaf(
      group,
      'end',
      "end a person's access at once, with all their logins",
      `${MALIPO} people end amina@malipo.example --reason "Left the company"`,
    ),
  )
    .argument('<email>', 'their address', parseEmail)
    .action(end)
}

function parseEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (email.length > 254 || !/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email))
    throw new InvalidArgumentError('It must be an e-mail address.')
  return email
}

async function list({ merchant, json }: { readonly merchant?: string; readonly json?: true }): Promise<void> {
  const people = await withDatabase(async (context) =>
    listPeople(context.pool, merchant === undefined ? null : (await merchantNamed(context, merchant)).id),
  )
  if (json) return printJson(people)
  printTable(
    people,
    [
      { title: 'EMAIL', of: ({ email }) => email },
      { title: 'NAME', of: ({ name }) => name, cut: true },
      { title: 'ROLE', of: ({ role }) => role },
      { title: 'SINCE', of: ({ created_at: since }) => shortTime(since) },
      { title: 'ENDED', of: ({ ended_at: at }) => at && shortTime(at) },
    ],
    merchant === undefined ? `Nobody yet. Invite the first: ${MALIPO} people first-admin <email>` : 'Nobody yet.',
  )
}

interface Invitation {
  readonly person: Person
  readonly code: string
  /** Where they set up how they sign in, once; undefined where that is off. */
  readonly link: string | undefined
}

/** Only a digest of it is stored. In hexadecimal: one that begins with a hyphen would be read as an option. */
const newCode = (): string => randomBytes(TOKEN_BYTES).toString('hex')

/** A code for the command line, and a link for the browser. */
async function storeInvitation(
  { clock, config }: Context,
  pool: AuditedPool,
  person: Person,
  purpose: 'invite' | 'reset',
): Promise<Invitation> {
  const [now, code] = [clock.now(), newCode()]
  const expiresAt = new Date(now.getTime() + LOGIN_CODE_MS)
  await storeToken(pool, { kind: 'login_code', personId: person.id, token: code, expiresAt }, now)
  const audience = audienceOf(person)
  if (listenerOf(config, audience).port === undefined) return { person, code, link: undefined }
  const random = { bytes: randomBytes }
  const { path } = await createLink(pool, { personId: person.id, purpose, random, now })
  return { person, code, link: `${signInUrl(config, audience)}${path}` }
}

const invited = (context: Context, given: Parameters<typeof invitePerson>[1]) =>
  addition(
    async (pool): Promise<Invitation> => {
      const person = await invitePerson(pool, given, context.clock.now()).catch((error: unknown) => {
        if (!(error instanceof AlreadyInvited)) throw error
        throw new CliError(`malipo: ${given.email} has access already.\nSee who has: ${MALIPO} people list`)
      })
      return storeInvitation(context, pool, person, 'invite')
    },
    ({ person }) => valuesOf(person),
  )

const valuesOf = ({ name, role, ended_at: endedAt }: Person) =>
  shownValues({ name, role, access: endedAt === null ? 'yes' : 'ended' })

async function firstAdmin(email: string, { name = email, json }: { name?: string; json?: true }): Promise<void> {
  const invitation = await withDatabase(async (context) => {
    if (!(await ownsDatabase(context)))
      throw new CliError("malipo: the first admin is invited on the database's machine, with MIGRATION_DATABASE_URL.")
    if (await hasAdmin(context.pool))
      throw new CliError(`malipo: there is an admin already, who can invite others: ${MALIPO} people invite`)
    const what = { command: 'people first-admin', subject: email }
    return recordedAction(context, what, {}, invited(context, { email, name, role: 'admin', merchantId: null }))
  })
  report(invitation, json)
}

interface InviteOptions extends StaffOptions {
  readonly name: string
  readonly role: Role
  readonly merchant?: string
}

async function invite(email: string, { name, role, merchant, ...options }: InviteOptions): Promise<void> {
  const invitation = await withDatabase(async (context) => {
    const merchantId = merchant === undefined ? null : (await merchantNamed(context, merchant)).id
    const what = { command: 'people invite', subject: email, merchantId: merchantId ?? undefined }
    const given =
      merchantId === null
        ? { email, name, role: roleAmong(STAFF_ROLES, role), merchantId }
        : { email, name, role: roleAmong(MERCHANT_ROLES, role), merchantId }
    return staffAction(context, what, options, invited(context, given))
  })
  report(invitation, options.json)
}

function report({ person, code, link }: Invitation, json: true | undefined): void {
  if (json) return printJson({ ...person, login_code: code, sign_in_link: link })
  print(`${printable(person.name)} has the role ${person.role}.\n`)
  if (link !== undefined) print(`They set up how they sign in at, once and within 24 hours: ${link}\n`)
  if (person.merchant_id !== null) return
  print(`One-time code, for 24 hours, shown only once: ${code}\nThey log in with: ${MALIPO} login`)
}

function roleAmong<Known extends Role>(roles: readonly Known[], role: Role): Known {
  const known = roles.find((each) => each === role)
  if (!known) throw usedWrongly(`malipo: the role ${role} does not exist here: it is one of ${roles.join(', ')}`)
  return known
}

/** A person with access who is not the actor: nobody changes their own rights. */
async function otherPerson(context: Context, email: string): Promise<Person> {
  const person = await findPerson(context.pool, email)
  if (!person || person.ended_at !== null)
    throw notFound(`malipo: ${email} has no access.\nSee who has: ${MALIPO} people list`)
  if ('personId' in context.actor && context.actor.personId === person.id)
    throw new CliError('malipo: nobody changes their own access: ask another admin.')
  return person
}

/** Runs a change of what a person may do. */
async function changePerson<Result>(
  context: Context,
  command: string,
  { id, email, merchant_id }: Person,
  options: StaffOptions,
  apply: (pool: AuditedPool) => Promise<Result>,
): Promise<Result> {
  const what = { command, subject: email, merchantId: merchant_id ?? undefined }
  return staffAction(context, what, options, {
    async read(pool) {
      const person = await findPerson(pool, email)
      return person?.id === id ? valuesOf(person) : {}
    },
    apply: (pool) =>
      apply(pool).catch((error: unknown) => {
        if (!(error instanceof LastAdmin)) throw error
        throw new CliError(`malipo: ${email} is the last admin: make another one first.\nNothing was changed.`)
      }),
  })
}

async function reset(email: string, options: StaffOptions): Promise<void> {
  const invitation = await withDatabase(async (context) => {
    const person = await otherPerson(context, email)
    return changePerson(context, 'people reset', person, options, async (pool) => {
      // The same role again: what was opened with it ends.
      await changeRole(pool, person.id, person.role as Role)
      return storeInvitation(context, pool, person, 'reset')
    })
  })
  report(invitation, options.json)
}

async function change(email: string, { role, ...options }: StaffOptions & { readonly role: Role }): Promise<void> {
  const person = await withDatabase(async (context) => {
    const person = await otherPerson(context, email)
    const known = roleAmong<Role>(person.merchant_id === null ? STAFF_ROLES : MERCHANT_ROLES, role)
    await changePerson(context, 'people change', person, options, (pool) => changeRole(pool, person.id, known))
    return person
  })
  if (options.json) return printJson({ ...person, role })
  print(
    `${printable(person.name)} has the role ${role} now and logs in again.\nA new code: ${MALIPO} people reset ${email} --reason <text>`,
  )
}

async function end(email: string, options: StaffOptions): Promise<void> {
  const person = await withDatabase(async (context) => {
    const person = await otherPerson(context, email)
    await changePerson(context, 'people end', person, options, (pool) =>
      endAccess(pool, person.id, context.clock.now()),
    )
    return person
  })
  if (options.json) return printJson({ email, access: 'ended' })
  print(`${printable(person.name)} has no access any more; all their logins have ended.`)
}
