import { hostname, userInfo } from 'node:os'
import type { Config } from '../../config.ts'
import { refusalOf, type Actor } from '../../domain/people/actor.ts'
import { operationNamed } from '../../domain/people/roles.ts'
import type { Database } from '../../local/embedded-postgres/database.ts'
import { available, type Pool } from '../../storage/pool.ts'
import { actorOf, type Person } from '../queries/person.ts'
import { personOfToken } from '../queries/person-tokens.ts'
import { MALIPO } from './called-as.ts'
import { CliError, usedWrongly } from './errors.ts'
import { invocation } from './invocation.ts'
import { readLoginToken } from './login-file.ts'
import { note } from './output.ts'

interface ActorContext {
  readonly config: Config
  readonly database: Database
  readonly pool: Pool
}

/**
 * Who runs this command: the person who is logged in, or the user of the machine.
 * @throws CliError when their role may not, or the command needs a login
 */
export async function currentActor(surroundings: ActorContext, now: Date): Promise<Actor> {
  const { operation, isBreakGlass } = invocation()
  const { needs } = operationNamed(operation)
  const user = { role: 'admin', name: osUser(), address: hostname() } as const
  if (needs === 'machine') return { kind: 'os_user', ...user }
  if (isBreakGlass) {
    await refuseBreakGlass(surroundings)
    note(`BREAK GLASS: ${user.name} acts on a live gateway without a login. The audit log and the doctor report it.`)
    return { kind: 'break_glass', ...user }
  }
  const login = await currentLogin(surroundings, now)
  if (login) {
    const actor = actorOf(login.person, hostname())
    const refusal = refusalOf(actor, operation)
    if (refusal !== undefined) throw new CliError(`malipo: ${refusal}.`)
    return actor
  }
  if (needs === 'person' && surroundings.config.mode === 'live')
    throw new CliError(
      `malipo: ${operation} needs a login in live mode: ${MALIPO} login\nIn an emergency, whoever has the database owner's login adds --break-glass.`,
    )
  return { kind: 'os_user', ...user }
}

interface CurrentLogin {
  readonly person: Person
  readonly token: string
  readonly expiresAt: Date
}

/** The login that this user of the machine has to this database; undefined when it has ended. */
export async function currentLogin(
  { config, pool }: Omit<ActorContext, 'database'>,
  now: Date,
): Promise<CurrentLogin | undefined> {
  const token = await readLoginToken({ config, pool })
  const person = token === undefined ? undefined : await personOfToken(pool, 'cli', token, now)
  return token !== undefined && person ? { person, token, expiresAt: person.expires_at } : undefined
}

async function refuseBreakGlass(surroundings: ActorContext): Promise<void> {
  if (surroundings.config.mode !== 'live')
    throw usedWrongly('malipo: --break-glass is for live mode: in the sandbox a command needs no login')
  if (!(await ownsDatabase(surroundings)))
    throw new CliError(
      "malipo: --break-glass needs the database owner's login, MIGRATION_DATABASE_URL: run it on the database's machine.",
    )
}

/** Whether the settings of this machine have the login of the database's owner. */
export async function ownsDatabase({ database, pool }: Omit<ActorContext, 'config'>): Promise<boolean> {
  if (database.owner !== undefined) return true
  const { rowCount } = await available(() =>
    pool.query(`select from pg_class where oid = 'people'::regclass and pg_has_role(relowner, 'usage')`),
  )
  return rowCount !== 0
}

/** The user who is logged in where the command runs. A container may have a user without a name. */
function osUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.geteuid?.() ?? 'unknown'}`
  }
}
