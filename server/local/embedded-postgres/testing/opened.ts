import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterEach, expect } from 'vitest'
import { present } from '../../../domain/present.ts'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresEvent,
  type EmbeddedPostgresOptions,
  openEmbeddedPostgres,
} from '../embedded-postgres.ts'
import { atEndOfFile } from '../../../verification/testing/end-of-file.ts'
import { isAlive, waitFor } from '../processes.ts'

/** Shared memory in the data folder: a killed PostgreSQL would leave it in /dev/shm. */
const FAST = { fsync: 'off', shared_buffers: '16MB', dynamic_shared_memory_type: 'mmap' }

export type OpenedPostgres = EmbeddedPostgres & { readonly events: EmbeddedPostgresEvent[] }

export const cleanups: Array<() => unknown> = []
/** Called by each test file: what its tests opened ends with each of them. */
export function endWithEachTest(): void {
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })
}

/** A data folder of its own for each test; any PostgreSQL that still runs in it ends with the test. */
export function dataFolder(name = 'data'): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'malipo-test-')))
  const folder = join(home, name)
  cleanups.push(async () => {
    const pid = postmasterPid(folder)
    if (pid !== undefined && commandLine(pid).includes('postgres')) {
      kill(pid, 'SIGKILL')
      await waitFor(async () => !(await isAlive(pid)), 60_000)
    }
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  })
  return folder
}

let used: Promise<string> | undefined
/** A data folder with a PostgreSQL that has run before: a copy, because a first start takes seconds. */
export async function usedDataFolder(): Promise<string> {
  used ??= makeUsed()
  const folder = dataFolder()
  execFileSync('cp', ['-a', await used, folder])
  return folder
}

async function makeUsed(): Promise<string> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'malipo-test-')))
  atEndOfFile(() => {
    used = undefined
    rmSync(home, { recursive: true, force: true })
  })
  const dataDir = join(home, 'data')
  await (await openEmbeddedPostgres({ dataDir, role: 'owner', settings: FAST })).stop()
  return dataDir
}

export async function openHere(
  options: Partial<EmbeddedPostgresOptions> & { dataDir: string },
): Promise<OpenedPostgres> {
  const events: EmbeddedPostgresEvent[] = []
  const opened = await openEmbeddedPostgres({
    role: 'owner',
    settings: FAST,
    onEvent: (event) => events.push(event),
    ...options,
  })
  cleanups.push(() => opened.stop())
  return { connection: opened.connection, runtime: opened.runtime, stop: () => opened.stop(), events }
}

export const refused = (options: Partial<EmbeddedPostgresOptions> & { dataDir: string }) =>
  openHere(options).then(
    () => {
      throw new Error('it opened')
    },
    (error: unknown) => error,
  )

export async function query<T = Record<string, unknown>>(
  { connection }: Pick<EmbeddedPostgres, 'connection'>,
  statement: string,
): Promise<T[]> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows as T[]
  } finally {
    await client.end()
  }
}

/** A process that opens the folder and reports events, one JSON line each; it ends when it reads `stop`. */
interface OtherProcess {
  readonly child: ChildProcess
  readonly pid: number
  readonly messages: Array<{ type: string; [field: string]: unknown }>
  said(type: string): Promise<{ type: string; [field: string]: unknown }>
  ended(): Promise<number | string>
}

const SCRIPT = `
  const { openEmbeddedPostgres } = await import(process.env.MODULE)
  const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n')
  const opened = await openEmbeddedPostgres({ ...JSON.parse(process.env.OPTIONS), onEvent: say }).catch((error) => {
    say({ type: 'refused', code: error.code, message: error.message, ownerPid: error.ownerPid })
    process.exit(1)
  })
  say({ type: 'opened', connection: opened.connection })
  if (process.env.STAY) process.stdin.once('data', async () => { await opened.stop(); process.exit(0) })
`

export function openElsewhere(
  options: Partial<EmbeddedPostgresOptions> & { dataDir: string },
  { user, stay = true, wrapper = [] }: { user?: number; stay?: boolean; wrapper?: readonly string[] } = {},
): OtherProcess {
  const [program, ...args] = [...wrapper, process.execPath, '--input-type=module', '-e', SCRIPT]
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      MODULE: new URL('../embedded-postgres.ts', import.meta.url).href,
      OPTIONS: JSON.stringify({ role: 'owner', settings: FAST, ...options }),
      STAY: stay ? 'yes' : '',
    },
    ...(user === undefined ? {} : { uid: user, gid: user, cwd: '/' }),
  })
  const messages: OtherProcess['messages'] = []
  createInterface({ input: child.stdout }).on('line', (line) => messages.push(JSON.parse(line) as { type: string }))
  cleanups.push(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  })
  const ended = () => waitFor(() => child.exitCode ?? child.signalCode ?? undefined, 60_000)
  return {
    child,
    pid: present(child.pid, 'the pid of a process that was started'),
    messages,
    said: async (type) => {
      const found = await waitFor(() => messages.find((message) => message.type === type), 60_000)
      if (!found) throw new Error(`it never said ${type}: ${JSON.stringify(messages)}`)
      return found
    },
    ended: async () => (await ended()) ?? 'still running',
  }
}

export const opened = async (elsewhere: OtherProcess) =>
  (await elsewhere.said('opened')) as unknown as Pick<EmbeddedPostgres, 'connection'>

export async function killed(elsewhere: OtherProcess): Promise<void> {
  elsewhere.child.kill('SIGKILL')
  await elsewhere.ended()
}

export function postmasterPid(folder: string): number | undefined {
  try {
    return Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]) || undefined
  } catch {
    return undefined
  }
}

export function commandLine(pid: number): string {
  try {
    return execFileSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

export function kill(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    /* it was gone */
  }
}

export const has = (type: EmbeddedPostgresEvent['type'], { events }: OpenedPostgres) =>
  events.some((event) => event.type === type)
export const happened = async (type: EmbeddedPostgresEvent['type'], database: OpenedPostgres) =>
  (await waitFor(() => has(type, database), 60_000)) ??
  expect.fail(`${type} never happened: ${JSON.stringify(database.events)}`)

/** How many sessions hold the owner lock. */
export const lockHolders = async (database: OpenedPostgres) =>
  (await query(database, `select 1 from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted`))
    .length

/** The login of the supervisor, and of every process before the gateway had a role of its own. */
export const superuserOf = (dataDir: string) => ({
  user: 'malipo',
  password: readFileSync(join(dataDir, 'postgres-password'), 'utf8').trim(),
})

/** The same PostgreSQL for tests that need more rights than the gateway's role has. */
export const asSuperuser = ({ connection }: OpenedPostgres, dataDir: string) => ({
  connection: { ...connection, ...superuserOf(dataDir) },
})
