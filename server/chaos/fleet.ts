import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { startDatabaseProxy, type DatabaseProxy } from './database-proxy.ts'
import { until } from './patience.ts'
import { oneOf, type Random } from './seeded.ts'
import type { ClockMessage } from './skewed-clock.ts'

export type Role = 'api' | 'worker'

/** A place for a process: whatever becomes of the one that runs there, another follows it. */
export interface Member {
  readonly name: string
  readonly role: Role
  /** Where it answers; a worker does not. */
  readonly url: string
  /** Between it and PostgreSQL. */
  readonly database: DatabaseProxy
  isPaused(): boolean
  isSkewed(): boolean
  kill(): void
  /** Stands still for so long, as a machine that swaps or a frozen container does, unless it is killed meanwhile. */
  pauseFor(ms: number): Promise<void>
  /** 0 is the true time. */
  setClock(offsetMs: number): void
}

export interface Fleet {
  readonly members: readonly Member[]
  /** API processes, as a load balancer knows them that notices nothing. */
  readonly urls: readonly string[]
  /** Of those that fit, one by chance; undefined when none does. */
  choose(random: Random, fits: (member: Member) => boolean): Member | undefined
  /** Processes that ended by themselves, for another reason than a database that was away while they started. */
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

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url))
const SKEWED_CLOCK = new URL('skewed-clock.ts', import.meta.url).href
const READY_MS_MAX = 180_000
const START_AGAIN_AFTER_MS = 200
const OUTPUT_MAX = 4_000
/** What a start may say whose clock is wrong. */
const CLOCK_WRONG = /clock/i
/** What a start says that found no database: a supervisor tries again. */
const DATABASE_AWAY =
  /cannot be reached|has no connection left|database is unavailable|[Cc]onnection terminated|terminating connection|ECONNRE|timeout/

/**
 * API and worker processes on one PostgreSQL, each through a proxy of its own; a killed one is started again at once,
 * as a supervisor would.
 */
export async function startFleet({ apis, workers, socketPath, urlThrough, env }: FleetOptions): Promise<Fleet> {
  const started: Started[] = []
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
    // The first one brings the database up to date.
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

interface MemberOptions {
  readonly name: string
  readonly role: Role
  readonly port: number
  readonly database: DatabaseProxy
  readonly env: Readonly<Record<string, string>>
  readonly onBroken: (what: string) => void
}

interface Started {
  readonly member: Member
  hasStarted(): boolean
  stop(): Promise<void>
}

function startMember({ name, role, port, database, env, onBroken }: MemberOptions): Started {
  let offsetMs = 0
  let paused: ChildProcess | undefined
  let killed: ChildProcess | undefined
  let stopping = false
  let started = false
  let child = launch()

  function launch(): ChildProcess {
    const launched = spawn(
      process.execPath,
      ['--import', `${SKEWED_CLOCK}?offset=${offsetMs}`, CLI, 'serve', '--role', role],
      {
        env: { PATH: process.env['PATH'], ...env },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    )
    let output = ''
    for (const stream of [launched.stdout, launched.stderr])
      stream?.on('data', (text: Buffer) => {
        output = (output + text.toString()).slice(-OUTPUT_MAX)
      })
    // It tells where it answers, or that it works.
    launched.stdout?.once('data', () => {
      started = true
    })
    launched.on('error', () => undefined)
    // It may also have ended by itself, because PostgreSQL was away while it started.
    launched.on('close', (code, signal) => {
      if (stopping) return
      const isRefusal = DATABASE_AWAY.test(output) || (offsetMs !== 0 && CLOCK_WRONG.test(output))
      if (killed !== launched && !isRefusal)
        onBroken(`${name} ended by itself with ${code ?? signal}: ${output.trim()}`)
      setTimeout(() => {
        if (!stopping) child = launch()
      }, START_AGAIN_AFTER_MS)
    })
    return launched
  }

  return {
    member: {
      name,
      role,
      database,
      url: `http://127.0.0.1:${port}`,
      isPaused: () => paused !== undefined,
      isSkewed: () => offsetMs !== 0,
      kill() {
        killed = child
        child.kill('SIGKILL')
      },
      async pauseFor(ms) {
        const still = child
        paused = still
        still.kill('SIGSTOP')
        await new Promise((resolve) => void setTimeout(resolve, ms))
        still.kill('SIGCONT')
        paused = undefined
      },
      setClock(newOffsetMs) {
        offsetMs = newOffsetMs
        const message: ClockMessage = { offsetMs }
        // One that has just been killed is started again with the offset.
        if (child.connected) child.send(message, () => undefined)
      },
    },
    hasStarted: () => started,
    async stop() {
      stopping = true
      if (child.exitCode === null && child.signalCode === null)
        await new Promise((resolve) => child.once('exit', resolve).kill('SIGKILL'))
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .on('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo
        server.close(() => resolve(port))
      })
  })
}
