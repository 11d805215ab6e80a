import type { Command } from 'commander'
import { MERCHANT_ROLES, STAFF_ROLES, type MerchantRole, type StaffRole } from '../../domain/people/roles.ts'
import { merchantNamed } from '../operations/merchant-named.ts'
import {
  changePersonRole,
  endPersonAccess,
  inviteFirstAdmin,
  invitePerson,
  resetSignIn,
  type Invitation,
} from '../operations/people.ts'
import { listPeople } from '../queries/people.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, parseOneOf, parseName } from './command.ts'
import { ownsDatabase } from './current-actor.ts'
import { withDatabase } from './database.ts'
import { CliError } from './errors.ts'
import { print, printable, printJson, printTable, shortTime } from './output.ts'
import { runAddition, runChange } from './run-change.ts'
import { addStaffAction, type StaffOptions } from './staff-action.ts'

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
    .argument('<email>', 'their address')
    .option('--name <name>', 'their name; the address by default', parseName)
    .action(firstAdmin)
  addStaffAction(
    group,
    'invite',
    'give somebody access; print a one-time code for their first login, and a link to the sign-in',
    `${MALIPO} people invite amina@malipo.example --name Amina --role finance --reason "New in finance"`,
    `${MALIPO} people invite ali@shop.example --name Ali --role owner --merchant 2 --reason "Contract of 1 March"`,
  )
    .argument('<email>', 'their address')
    .requiredOption('--name <name>', 'their name, as the audit log shows it', parseName)
    .requiredOption('--role <role>', ROLES, parseRole)
    .option('--merchant <merchant>', 'a person of this merchant (public key or id)')
    .action(invite)
  addStaffAction(
    group,
    'reset',
    'end all logins and sessions of a person; print a new one-time code, and a link to the sign-in',
    `${MALIPO} people reset amina@malipo.example --reason "New laptop"`,
  )
    .argument('<email>', 'their address')
    .action(reset)
  addStaffAction(
    group,
    'change',
    'give a person another role; their logins end',
    `${MALIPO} people change amina@malipo.example --role support --reason "Moved to support"`,
  )
    .argument('<email>', 'their address')
    .requiredOption('--role <role>', ROLES, parseRole)
    .action(change)
  addStaffAction(
    group,
    'end',
    "end a person's access at once, with all their logins",
    `${MALIPO} people end amina@malipo.example --reason "Left the company"`,
  )
    .argument('<email>', 'their address')
    .action(end)
}

async function list({ merchant, json }: { readonly merchant?: string; readonly json?: true }): Promise<void> {
  const people = await withDatabase(async (context) =>
    listPeople(context.pool, {
      merchantId: merchant === undefined ? null : (await merchantNamed(context, merchant)).id,
    }),
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

async function firstAdmin(
  email: string,
  { name = email.toLowerCase(), json }: { name?: string; json?: true },
): Promise<void> {
  const invitation = await withDatabase(async (context) => {
    if (!(await ownsDatabase(context)))
      throw new CliError("malipo: the first admin is invited on the database's machine, with MIGRATION_DATABASE_URL.")
    return runAddition(context, inviteFirstAdmin, { email, name }, {})
  })
  report(invitation, json)
}

interface InviteOptions extends StaffOptions {
  readonly name: string
  readonly role: Role
  readonly merchant?: string
}

async function invite(email: string, { name, role, merchant, ...options }: InviteOptions): Promise<void> {
  const invitation = await withDatabase((context) =>
    runChange(context, invitePerson, { email, name, role, merchant }, options),
  )
  report(invitation, options.json)
}

function report(invitation: Invitation, json: true | undefined): void {
  if (json) return printJson(invitation)
  const { name, role, sign_in_link: link, login_code: code } = invitation
  print(`${printable(name)} has the role ${role}.\n`)
  if (link !== undefined) print(`They set up how they sign in at, once and within 24 hours: ${link}\n`)
  if (code !== undefined)
    print(`One-time code, for 24 hours, shown only once: ${code}\nThey log in with: ${MALIPO} login`)
}

async function reset(person: string, options: StaffOptions): Promise<void> {
  report(await withDatabase((context) => runChange(context, resetSignIn, { person }, options)), options.json)
}

async function change(email: string, { role, ...options }: StaffOptions & { readonly role: Role }): Promise<void> {
  const changed = await withDatabase((context) =>
    runChange(context, changePersonRole, { person: email, role }, options),
  )
  if (options.json) return printJson(changed)
  print(
    `${printable(changed.name)} has the role ${role} now and logs in again.\nA new code: ${MALIPO} people reset ${email} --reason <text>`,
  )
}

async function end(person: string, options: StaffOptions): Promise<void> {
  const { name, email } = await withDatabase((context) => runChange(context, endPersonAccess, { person }, options))
  if (options.json) return printJson({ email, access: 'ended' })
  print(`${printable(name)} has no access any more; all their logins have ended.`)
}
