import { freePort } from '../testing/free-port.ts'
import { startDatabaseProxy } from './database-proxy.ts'
import { startMember, type Member, type Role, type StartedMember } from './member.ts'
import { until } from './patience.ts'
import { oneOf, type Random } from './seeded.ts'

export interface Fleet {
  readonly members: readonly Member[]
  /** API processes, as listed by a load balancer without health checks. */
  readonly urls: readonly string[]
  /** A random one of those that match; undefined when none does. */
  choose(random: Random, fits: (member: Member) => boolean): Member | undefined
  /** Processes that exited by themselves, for a reason other than an unavailable database at their start. */
  readonly broken: readonly string[]
  stop(): Promise<void>
}

export interface FleetOptions {
  readonly apis: number
  readonly workers: number
  /** The unix socket of PostgreSQL. */
  readonly socketPath: string
  readonly urlThrough: (port: number) => string
  readonly env: Readonly<Record<string, string>>
}

const READY_MS_MAX = 180_000
/**
 * Starts API and worker processes on one PostgreSQL, each through a proxy of its own; a killed process is restarted at
 * once, as a supervisor would.
 */
export async function startFleet({ apis, workers, socketPath, urlThrough, env }: FleetOptions): Promise<Fleet> {
  const started: StartedMember[] = []
  const broken: string[] = []
  const add = async (role: Role, n: number): Promise<Member> => {
    const [port, database] = await Promise.all([freePort(), startDatabaseProxy(socketPath)])
    const own = { ...env, DATABASE_URL: urlThrough(database.port), PORT: String(port) }
    const name = `${role} ${n + 1}`
    const one = startMember({ name, role, port, database, env: own, onBroken: (what) => broken.push(what) })
    started.push(one)
    return one.member
  }
  const stop = async () => {
    await Promise.all(started.map((member) => member.stop()))
    await Promise.all(started.map(({ member }) => member.database.close()))
  }
  const isReady = async (url: string) =>
    (await fetch(`${url}/health/ready`).then(
      ({ status }) => status,
      () => 0,
    )) === 200
  try {
    // The first process migrates the database.
    for (let n = 0; n < apis; n += 1) {
      const { url } = await add('api', n)
      await until(() => isReady(url), READY_MS_MAX, 'an API process is ready')
    }
    for (let n = 0; n < workers; n += 1) await add('worker', n)
    await Promise.all(
      started.map((one) => until(async () => one.hasStarted(), READY_MS_MAX, `${one.member.name} has started`)),
    )
  } catch (error) {
    await stop()
    throw error
  }
  const members = started.map(({ member }) => member)
  return {
    members,
    broken,
    stop,
    urls: members.filter(({ role }) => role === 'api').map(({ url }) => url),
    choose(random, fits) {
      const fitting = members.filter(fits)
      return fitting.length === 0 ? undefined : oneOf(random, fitting)
    },
  }
}
