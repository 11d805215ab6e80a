import type { Connection } from '../../local/embedded-postgres/embedded-postgres.ts'
import { databaseUrlAt } from '../testing/database-url.ts'
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

interface FleetOptions {
  readonly apis: number
  readonly workers: number
  readonly connection: Connection
  readonly env: Readonly<Record<string, string>>
}

const READY_MS_MAX = 180_000

interface StartableProcess {
  readonly url: string
  hasStarted(): boolean
  stop(): Promise<void>
}

/**
 * Starts API processes one after the other, because the first one migrates the database, and then the workers.
 * @param add starts one of them
 * @returns all of them
 * @throws Error when one does not start; those that did are stopped
 */
export async function startInOrder<One extends StartableProcess>(
  { apis, workers }: Pick<FleetOptions, 'apis' | 'workers'>,
  add: (role: Role, n: number) => Promise<One>,
): Promise<readonly One[]> {
  const started: One[] = []
  const inTime = (one: One, isSo: () => Promise<boolean>) => until(isSo, READY_MS_MAX, `${one.url} has started`)
  try {
    for (let n = 0; n < apis; n += 1) {
      const one = await add('api', n)
      started.push(one)
      await inTime(one, () => isReady(one.url))
    }
    for (let n = 0; n < workers; n += 1) started.push(await add('worker', n))
    await Promise.all(started.map((one) => inTime(one, async () => one.hasStarted())))
  } catch (error) {
    await Promise.all(started.map((one) => one.stop()))
    throw error
  }
  return started
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`).then(
    ({ status }) => status === 200,
    () => false,
  )

/**
 * Starts API and worker processes on one PostgreSQL, each through a proxy of its own; a killed process is restarted at
 * once, as a supervisor would.
 */
export async function startFleet({ apis, workers, connection, env }: FleetOptions): Promise<Fleet> {
  const broken: string[] = []
  const add = async (role: Role, n: number): Promise<StartedMember> => {
    const [port, database] = await Promise.all([freePort(), startDatabaseProxy(connection)])
    const own = { ...env, DATABASE_URL: databaseUrlAt(database.port, connection), PORT: String(port) }
    const name = `${role} ${n + 1}`
    return startMember({ name, role, port, database, env: own, onBroken: (what) => broken.push(what) })
  }
  const started = await startInOrder({ apis, workers }, add)
  const members = started.map(({ member }) => member)
  return {
    members,
    broken,
    stop: async () => void (await Promise.all(started.map((member) => member.stop()))),
    urls: members.filter(({ role }) => role === 'api').map(({ url }) => url),
    choose(random, fits) {
      const fitting = members.filter(fits)
      return fitting.length === 0 ? undefined : oneOf(random, fitting)
    },
  }
}
