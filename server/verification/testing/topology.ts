import { freePort } from './free-port.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Role } from '../../config.ts'
import { createPool, type Pool } from '../../storage/pool.ts'
import { present } from '../../domain/present.ts'
import { createTestDatabase, databaseUrl } from './database.ts'
import { runCli, serve, type ServedGateway } from './served-gateway.ts'
import { MASTER_KEY } from './gateway.ts'

export interface Topology {
  readonly name: string
  readonly roles: readonly Role[]
  /** Starts on an empty database: one process migrates it, the others wait for that. */
  readonly onEmptyDatabase: boolean
}

/** Ways to spread a gateway over processes: for its merchants there is no difference. */
export const TOPOLOGIES: readonly Topology[] = [
  { name: 'one process', roles: ['all'], onEmptyDatabase: false },
  {
    name: 'two API and two worker processes, started at once',
    roles: ['api', 'api', 'worker', 'worker'],
    onEmptyDatabase: true,
  },
]

export interface RunningTopology {
  /** All processes, in the order of the roles. */
  readonly processes: readonly ServedGateway[]
  /** Base URLs of the API processes. */
  readonly apis: readonly string[]
  /** The processes that run jobs. */
  readonly workers: readonly ServedGateway[]
  /** Returns the next API process at each call, as a load balancer would choose. */
  url(): string
  /** For what only the database shows: the simulated operators' own records, and the jobs that are left. */
  readonly database: Pool
  /**
   * The output of a command of the command line with --json.
   * @throws Error when it fails
   */
  malipo<Printed>(...args: readonly string[]): Promise<Printed>
  /** Pauses the other workers while `run` runs: whatever is done meanwhile, this worker has done. */
  onlyWorker<Value>(worker: ServedGateway, run: () => Promise<Value>): Promise<Value>
  /**
   * Asks every process to exit.
   * @returns their exit codes
   */
  stop(): Promise<readonly (number | NodeJS.Signals)[]>
  /** Ends every process that is still running and removes everything. */
  remove(): Promise<void>
}

/**
 * Real processes on one PostgreSQL database. They share its address and the master key, and no folder: they could run
 * on several machines.
 */
export async function startTopology(
  { roles, onEmptyDatabase }: Topology,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningTopology> {
  const home = await mkdtemp(join(tmpdir(), 'malipo-topology-'))
  const { connection, drop } = await createTestDatabase(onEmptyDatabase ? 'template0' : undefined)
  const shared = {
    DATABASE_URL: databaseUrl(connection),
    MALIPO_MASTER_KEY: MASTER_KEY,
    ...env,
  }
  const started = await Promise.allSettled(
    roles.map(async (role, n) =>
      serve({ role, dataDir: join(home, `${role}-${n}`), port: await freePort(), env: shared }),
    ),
  )
  const processes = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  // PostgreSQL may end its connections before it does, when the database is dropped.
  const pool = createPool({ connection, connectionsMax: 2, onError: () => undefined })

  const end = (signal: 'SIGTERM' | 'SIGKILL') =>
    Promise.all(
      processes.map(({ child, exited }) => {
        child.kill(signal)
        return exited
      }),
    )
  async function remove(): Promise<void> {
    await end('SIGKILL')
    await pool.end()
    await drop()
    await rm(home, { recursive: true, force: true })
  }

  const failure = started.find((result) => result.status === 'rejected')
  if (failure) {
    await remove()
    throw failure.reason
  }

  const apis = processes.filter(({ role }) => role !== 'worker').map(({ url }) => url)
  const workers = processes.filter(({ role }) => role !== 'api')
  let requests = 0
  return {
    processes,
    apis,
    workers,
    database: pool,
    remove,
    url: () => present(apis[requests++ % apis.length], 'an API process'),
    malipo: async <Printed>(...args: readonly string[]) =>
      JSON.parse(await runCli([...args, '--json'], join(home, 'operator'), shared)) as Printed,
    onlyWorker: (worker, run) =>
      whileStopped(
        workers.filter((other) => other !== worker),
        run,
      ),
    stop: () => end('SIGTERM'),
  }
}

async function whileStopped<Value>(processes: readonly ServedGateway[], run: () => Promise<Value>): Promise<Value> {
  for (const { child } of processes) child.kill('SIGSTOP')
  try {
    return await run()
  } finally {
    for (const { child } of processes) child.kill('SIGCONT')
  }
}
