import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { migrate } from '../storage/migrate.ts'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresEvent,
  type EmbeddedPostgresOptions,
  openEmbeddedPostgres,
} from './embedded-postgres.ts'
import { isAlive, isRoot, waitFor } from './processes.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const NOBODY = 65_534
const FAST = { fsync: 'off', shared_buffers: '16MB' }

type Opened = EmbeddedPostgres & { readonly events: EmbeddedPostgresEvent[] }

const cleanups: Array<() => unknown> = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A data folder of its own for each test; whatever PostgreSQL is left in it is ended with it. */
function dataFolder(name = 'data'): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'malipo-test-')))
  const folder = join(home, name)
  cleanups.push(async () => {
    const pid = postmasterPid(folder)
    if (pid !== undefined && commandLine(pid).includes('postgres')) {
      kill(pid, 'SIGKILL')
      await waitFor(async () => !(await isAlive(pid)), 5_000)
    }
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  })
  return folder
}

async function openHere(options: Partial<EmbeddedPostgresOptions> & { dataDir: string }): Promise<Opened> {
  const events: EmbeddedPostgresEvent[] = []
  const opened = await openEmbeddedPostgres({
    role: 'owner',
    settings: FAST,
    onEvent: (event) => events.push(event),
    ...options,
  })
  cleanups.push(() => opened.stop())
  return { connection: opened.connection, stop: () => opened.stop(), events }
}

const refused = (options: Partial<EmbeddedPostgresOptions> & { dataDir: string }) =>
  openHere(options).then(
    () => {
      throw new Error('it opened')
    },
    (error: unknown) => error,
  )

async function query<T = Record<string, unknown>>(
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

/** A process that opens the folder and says what happened, one JSON line each; it ends when `stop` is written to it. */
interface Elsewhere {
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

function openElsewhere(
  options: Partial<EmbeddedPostgresOptions> & { dataDir: string },
  { user, stay = true, wrapper = [] }: { user?: number; stay?: boolean; wrapper?: readonly string[] } = {},
): Elsewhere {
  const [program, ...args] = [...wrapper, process.execPath, '--input-type=module', '-e', SCRIPT]
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      MODULE: new URL('./embedded-postgres.ts', import.meta.url).href,
      OPTIONS: JSON.stringify({ role: 'owner', settings: FAST, ...options }),
      STAY: stay ? 'yes' : '',
    },
    ...(user === undefined ? {} : { uid: user, gid: user, cwd: '/' }),
  })
  const messages: Elsewhere['messages'] = []
  createInterface({ input: child.stdout }).on('line', (line) => messages.push(JSON.parse(line) as { type: string }))
  cleanups.push(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  })
  const ended = () => waitFor(() => child.exitCode ?? child.signalCode ?? undefined, 30_000)
  return {
    child,
    pid: child.pid!,
    messages,
    said: async (type) => {
      const found = await waitFor(() => messages.find((message) => message.type === type), 30_000)
      if (!found) throw new Error(`it never said ${type}: ${JSON.stringify(messages)}`)
      return found
    },
    ended: async () => (await ended()) ?? 'still running',
  }
}

const opened = async (elsewhere: Elsewhere) =>
  (await elsewhere.said('opened')) as unknown as Pick<EmbeddedPostgres, 'connection'>

async function killed(elsewhere: Elsewhere): Promise<void> {
  elsewhere.child.kill('SIGKILL')
  await elsewhere.ended()
}

function postmasterPid(folder: string): number | undefined {
  try {
    return Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]) || undefined
  } catch {
    return undefined
  }
}

function commandLine(pid: number): string {
  try {
    return execFileSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

function kill(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    /* it was gone */
  }
}

const has = (type: EmbeddedPostgresEvent['type'], { events }: Opened) => events.some((event) => event.type === type)
const happened = async (type: EmbeddedPostgresEvent['type'], database: Opened) =>
  (await waitFor(() => has(type, database), 30_000)) ??
  expect.fail(`${type} never happened: ${JSON.stringify(database.events)}`)

const canMount = (() => {
  if (!isRoot()) return false
  const folder = mkdtempSync(join(tmpdir(), 'malipo-test-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'malipo-test', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder])
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})()

const nobodyCanRun =
  isRoot() &&
  (() => {
    try {
      execFileSync(process.execPath, ['-e', `require('fs').accessSync(${JSON.stringify(import.meta.filename)})`], {
        uid: NOBODY,
        gid: NOBODY,
        stdio: 'ignore',
        cwd: '/',
      })
      return true
    } catch {
      return false
    }
  })()

const WITHOUT_SETUID = ['setpriv', '--bounding-set=-setuid,-setgid', '--inh-caps=-setuid,-setgid']
const canDropCapabilities = (() => {
  try {
    execFileSync(WITHOUT_SETUID[0]!, [...WITHOUT_SETUID.slice(1), 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

if (!canMount) console.warn('skipping the tests of full and read-only disks: this user may not mount a tmpfs')
if (!nobodyCanRun) console.warn('skipping the tests as another user: not root, or this folder is closed to others')

describe('the first start', () => {
  test('makes a durable, checksummed UTF-8 cluster that only a socket with a password reaches', async () => {
    const dataDir = dataFolder()
    const database = await openHere({ dataDir, settings: {} })
    const names = [
      'fsync',
      'synchronous_commit',
      'full_page_writes',
      'data_checksums',
      'server_encoding',
      'listen_addresses',
      'TimeZone',
      'password_encryption',
    ]
    const [row] = await query(
      database,
      `select ${names.map((name) => `current_setting('${name}') as "${name}"`).join(', ')}`,
    )
    expect(row).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      server_encoding: 'UTF8',
      listen_addresses: '',
      TimeZone: 'UTC',
      password_encryption: 'scram-sha-256',
    })
    expect(
      await query(
        database,
        `select datlocprovider, datlocale, pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()`,
      ),
    ).toEqual([{ datlocprovider: 'b', datlocale: 'C.UTF-8', encoding: 'UTF8' }])
    expect(database.events.map(({ type }) => type)).toEqual(['initialised', 'started'])
    await expect(
      query({ connection: { ...database.connection, password: 'wrong' } }, 'select 1'),
    ).rejects.toMatchObject({ code: '28P01' })
  })

  test('keeps the folder and the password to its user, and the password out of command lines and logs', async () => {
    const dataDir = dataFolder()
    const { connection, events } = await openHere({ dataDir })
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(statSync(join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600)
    const passwords = [superuserOf(dataDir).password, connection.password]
    expect(new Set(passwords).size).toBe(2)
    for (const password of passwords) {
      expect(password.length).toBeGreaterThanOrEqual(32)
      expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(password)
      expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).not.toContain(password)
      expect(JSON.stringify(events)).not.toContain(password)
    }
    expect(readdirSync(dataDir).sort()).toEqual([
      '.s.PGSQL.5432',
      '.s.PGSQL.5432.lock',
      'owner.json',
      'postgres',
      'postgres-password',
      'postgres.log',
    ])
  })

  test('killed in the middle leaves nothing that the next start trips over', async () => {
    const dataDir = dataFolder()
    const first = openElsewhere({ dataDir })
    const drafts = () => {
      try {
        return readdirSync(dataDir).filter((name) => /^postgres\.\d+-/.test(name))
      } catch {
        return []
      }
    }
    expect(
      await waitFor(() => drafts().some((name) => readdirSync(join(dataDir, name)).includes('base')), 20_000, 1),
    ).toBe(true)
    await killed(first)
    expect(readdirSync(dataDir)).not.toContain('postgres')
    const database = await openHere({ dataDir })
    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(drafts()).toEqual([])
  })

  test('of two at once makes one cluster with one owner', async () => {
    const dataDir = dataFolder()
    const both = [openElsewhere({ dataDir }), openElsewhere({ dataDir })]
    const answers = () =>
      both.map(({ messages }) => messages.find(({ type }) => type === 'opened' || type === 'refused'))
    expect(await waitFor(() => answers().every((answer) => answer !== undefined), 30_000)).toBe(true)
    expect(
      answers()
        .map((answer) => String(answer?.type))
        .sort(),
    ).toEqual(['opened', 'refused'])
    const winner = both[answers().findIndex((answer) => answer?.type === 'opened')]!
    expect(answers().find((answer) => answer?.type === 'refused')).toMatchObject({
      code: 'in_use',
      ownerPid: winner.pid,
    })
    expect(await query(await opened(winner), 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('in a folder whose path is too long for a socket puts the socket elsewhere, into a private folder', async () => {
    const dataDir = dataFolder(join('long'.repeat(15), 'path'.repeat(15)))
    const database = await openHere({ dataDir })
    cleanups.push(() => rmSync(database.connection.host, { recursive: true, force: true }))
    expect(database.connection.host.startsWith(realpathSync(tmpdir()))).toBe(true)
    expect(database.connection.host).not.toContain('long')
    expect(statSync(database.connection.host)).toMatchObject({ uid: process.geteuid!(), mode: 0o40700 })
    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

/** As the supervisor logs in, and as every process did before the gateway had a role of its own. */
const superuserOf = (dataDir: string) => ({
  user: 'malipo',
  password: readFileSync(join(dataDir, 'postgres-password'), 'utf8').trim(),
})

/** The same PostgreSQL for those who may do and see what the gateway's role may not. */
const asSuperuser = ({ connection }: Opened, dataDir: string) => ({
  connection: { ...connection, ...superuserOf(dataDir) },
})

describe("the gateway's role", () => {
  const REFUSED = [
    "copy (select 1) to program 'true'",
    "select pg_read_file('PG_VERSION')",
    'create role other',
    "alter system set work_mem = '1MB'",
    'create database other',
    'alter role malipo_gateway superuser',
  ]

  test('owns its database, and is no superuser: it migrates and locks, and reads no file, runs no program, sets nothing', async () => {
    const database = await openHere({ dataDir: dataFolder() })
    expect(
      await query(
        database,
        'select current_user as user, rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user',
      ),
    ).toEqual([{ user: 'malipo_gateway', rolsuper: false, rolcreatedb: false, rolcreaterole: false }])
    expect((await migrate(database.connection, 'sandbox')).length).toBeGreaterThan(0)
    await query(
      database,
      'begin; lock table schema_migrations in exclusive mode; create schema more; create table more.t (id int); commit',
    )
    for (const statement of REFUSED)
      await expect(query(database, statement), statement).rejects.toMatchObject({ code: '42501' })
  })

  /** Makes the folder as the version before left it: the superuser owned everything and was everybody. */
  async function asBefore(dataDir: string): Promise<void> {
    const first = await openHere({ dataDir })
    const superuser = (database: string) => ({ connection: { ...first.connection, ...superuserOf(dataDir), database } })
    await query(superuser('postgres'), 'drop database malipo')
    await query(superuser('postgres'), 'drop role malipo_gateway')
    await query(superuser('postgres'), 'create database malipo')
    await migrate(superuser('malipo').connection, 'sandbox')
    await query(
      superuser('malipo'),
      `create view looked_at as select * from merchants; create type mood as enum ('good'); create materialized view kept as select 1 as one;
      create table history (at date) partition by range (at); create table history_1 partition of history for values from ('2026-01-01') to ('2027-01-01')`,
    )
    await query(superuser('malipo'), `insert into providers values ('kept_ug', 'Kept', 'BANK', 'UGX', '256', '{}')`)
    await first.stop()
  }

  test.each(['owner', 'guest'] as const)(
    'gets a data folder that was made before, with everything in it, when an %s opens it',
    async (role) => {
      const dataDir = dataFolder()
      await asBefore(dataDir)
      const database = await openHere({ dataDir, role })
      const left = await query(
        database,
        `
      select 'class' as kind, oid::regclass::text as name from pg_class where relowner = 'malipo'::regrole and relnamespace in ('public'::regnamespace, 'sandbox'::regnamespace)
      union all select 'routine', oid::regprocedure::text from pg_proc where proowner = 'malipo'::regrole and pronamespace in ('public'::regnamespace, 'sandbox'::regnamespace)
      union all select 'type', oid::regtype::text from pg_type where typowner = 'malipo'::regrole and typnamespace in ('public'::regnamespace, 'sandbox'::regnamespace)
      union all select 'schema', nspname from pg_namespace where nspowner = 'malipo'::regrole and nspname = 'sandbox'
      union all select 'database', datname from pg_database where datdba = 'malipo'::regrole and datname = 'malipo'`,
      )
      expect(left).toEqual([])
      expect(await migrate(database.connection, 'sandbox')).toEqual([])
      expect(await query(database, 'select code from providers')).toEqual([{ code: 'kept_ug' }])
      await query(
        database,
        `begin; lock table providers in exclusive mode; insert into merchants (public_key, name, created_at) values ('pub_1', 'Duka', now()); alter table merchants add column later int; commit`,
      )
    },
  )

  test('gets the rest of it when the one who handed it over was killed in the middle', async () => {
    const dataDir = dataFolder()
    await asBefore(dataDir)
    const half = await openHere({ dataDir })
    await query(
      { connection: { ...half.connection, ...superuserOf(dataDir), database: 'malipo' } },
      'alter table providers owner to malipo; alter database malipo owner to malipo',
    )
    await half.stop()
    const database = await openHere({ dataDir })
    await query(database, 'alter table providers add column later int')
  })

  test('loses what rights somebody gave it', async () => {
    const dataDir = dataFolder()
    const first = await openHere({ dataDir })
    await query(
      { connection: { ...first.connection, ...superuserOf(dataDir) } },
      'alter role malipo_gateway superuser createdb',
    )
    await first.stop()
    const database = await openHere({ dataDir })
    for (const statement of REFUSED)
      await expect(query(database, statement), statement).rejects.toMatchObject({ code: '42501' })
  })
})

describe('stopping', () => {
  test('ends PostgreSQL, and the next start finds the data', async () => {
    const dataDir = dataFolder()
    const first = await openHere({ dataDir })
    await query(first, 'create table kept as select 42 as answer')
    const pid = postmasterPid(dataDir)!
    await first.stop()
    await first.stop()
    expect(await isAlive(pid)).toBe(false)
    const second = await openHere({ dataDir })
    expect(await query(second, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(second.events.map(({ type }) => type)).toEqual(['started'])
  })

  test('does not wait for the statements of others', async () => {
    const dataDir = dataFolder()
    const database = await openHere({ dataDir })
    const sleeping = query(database, 'select pg_sleep(60)').catch((error: unknown) => error)
    await waitFor(
      async () => (await query(database, `select 1 from pg_stat_activity where wait_event = 'PgSleep'`)).length === 1,
      10_000,
    )
    await database.stop()
    expect(await sleeping).toMatchObject({ code: '57P01' })
  })

  test('is not needed for a process to end, and PostgreSQL ends with it', async () => {
    const dataDir = dataFolder()
    const process = openElsewhere({ dataDir }, { stay: false })
    const started = await process.said('started')
    process.child.stdin!.end()
    expect(await process.ended()).toBe(0)
    expect(await waitFor(async () => !(await isAlive(started['pid'] as number)), 10_000)).toBe(true)
  })

  test('works while PostgreSQL is being brought back', async () => {
    const dataDir = dataFolder()
    const database = await openHere({ dataDir })
    kill(postmasterPid(dataDir)!, 'SIGKILL')
    await happened('exited', database)
    await database.stop()
    const pid = postmasterPid(dataDir)
    expect(pid === undefined || !(await isAlive(pid))).toBe(true)
  })
})

describe('two owners', () => {
  test('a second one is refused by the pid of the first, whose PostgreSQL goes on', async () => {
    const dataDir = dataFolder()
    const first = await opened(openElsewhere({ dataDir }))
    const pid = postmasterPid(dataDir)
    expect(await refused({ dataDir })).toMatchObject({
      code: 'in_use',
      message: expect.stringMatching(/MALIPO_DATA_DIR.*DATABASE_URL/) as string,
    })
    expect(postmasterPid(dataDir)).toBe(pid)
    expect(await query(first, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('the lock holds even without the note in the folder', async () => {
    const dataDir = dataFolder()
    const first = openElsewhere({ dataDir })
    await opened(first)
    rmSync(join(dataDir, 'owner.json'))
    expect(await refused({ dataDir })).toMatchObject({ code: 'in_use', ownerPid: first.pid })
    expect(await query(await opened(first), 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('a second one is refused also while the PostgreSQL of the first does not answer', async () => {
    const dataDir = dataFolder()
    const first = openElsewhere({ dataDir })
    await opened(first)
    const pid = postmasterPid(dataDir)!
    kill(pid, 'SIGSTOP')
    cleanups.push(() => kill(pid, 'SIGCONT'))
    expect(await refused({ dataDir })).toMatchObject({ code: 'in_use', ownerPid: first.pid })
    expect(await isAlive(pid)).toBe(true)
  })

  test('a note of a process whose pid has passed to another does not keep anyone out', async () => {
    const dataDir = dataFolder()
    await (await openHere({ dataDir })).stop()
    writeFileSync(join(dataDir, 'owner.json'), JSON.stringify({ pid: process.pid, identity: 'another boot 1' }))
    expect(await query(await openHere({ dataDir }), 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('after kill -9 of the owner', () => {
  test('the next owner adopts the living PostgreSQL, and stops it in the end', async () => {
    const dataDir = dataFolder()
    const first = openElsewhere({ dataDir })
    await opened(first)
    const pid = postmasterPid(dataDir)!
    await killed(first)
    const second = await openHere({ dataDir })
    expect(second.events).toEqual([{ type: 'adopted', pid }])
    await second.stop()
    expect(await isAlive(pid)).toBe(false)
  })

  test('an adopted PostgreSQL that is killed as well is started again', async () => {
    const dataDir = dataFolder()
    const first = openElsewhere({ dataDir })
    await opened(first)
    const pid = postmasterPid(dataDir)!
    await killed(first)
    const second = await openHere({ dataDir })
    kill(pid, 'SIGKILL')
    await happened('restarted', second)
    expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(postmasterPid(dataDir)).not.toBe(pid)
  })

  test('a PostgreSQL that lives but does not answer is replaced', async () => {
    const dataDir = dataFolder()
    const first = openElsewhere({ dataDir })
    await query(await opened(first), 'create table kept as select 42 as answer')
    const pid = postmasterPid(dataDir)!
    await killed(first)
    kill(pid, 'SIGSTOP')
    const second = await openHere({ dataDir })
    expect(second.events[0]).toEqual({ type: 'unresponsive', pid })
    expect(await isAlive(pid)).toBe(false)
    expect(await query(second, 'select answer from kept')).toEqual([{ answer: 42 }])
  })

  test('a postmaster.pid whose pid has passed to another process is not believed, and that process not touched', async () => {
    const dataDir = dataFolder()
    await (await openHere({ dataDir })).stop()
    const bystander = spawn('sleep', ['60'])
    cleanups.push(() => bystander.kill())
    const socket = '.s.PGSQL.5432'
    writeFileSync(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${bystander.pid}\n${dataDir}/postgres\n1\n5432\n${dataDir}\n\n0 0\nready   \n`,
      { mode: 0o600 },
    )
    if (isRoot()) chownSync(join(dataDir, 'postgres', 'postmaster.pid'), statSync(join(dataDir, 'postgres')).uid, -1)
    writeFileSync(join(dataDir, `${socket}.lock`), `${bystander.pid}\n`)
    const database = await openHere({ dataDir })
    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
    await database.stop()
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull()
  })
})

describe('when PostgreSQL dies under its owner', () => {
  test('kill -9 of the server: it is started again at the same place, with the lock and the data', async () => {
    const dataDir = dataFolder()
    const database = await openHere({ dataDir })
    await query(database, 'create table kept as select 42 as answer')
    for (let round = 1; round <= 3; round++) {
      database.events.length = 0
      const pid = postmasterPid(dataDir)!
      kill(pid, 'SIGKILL')
      await happened('restarted', database)
      expect(await query(database, 'select answer from kept')).toEqual([{ answer: 42 }])
      expect(await lockHolders(database)).toBe(1)
      expect(postmasterPid(dataDir)).not.toBe(pid)
    }
  })

  test('kill -9 of one of its processes: the owner waits for the recovery and takes its lock again', async () => {
    const dataDir = dataFolder()
    const database = await openHere({ dataDir })
    const pid = postmasterPid(dataDir)
    const [backend] = await query<{ pid: number }>(
      asSuperuser(database, dataDir),
      `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
    )
    kill(backend!.pid, 'SIGKILL')
    await happened('restarted', database)
    expect(postmasterPid(dataDir)).toBe(pid)
    expect(has('started', { ...database, events: database.events.slice(2) })).toBe(false)
    expect(await lockHolders(database)).toBe(1)
  })

  test('a backend that survives its server, busy with a statement, does not stand in the way for long', async () => {
    const dataDir = dataFolder()
    const database = await openHere({ dataDir })
    const busy = query(
      database,
      'select count(*) from generate_series(1, 1000) a, generate_series(1, 1000000) b',
    ).catch((error: unknown) => error)
    const survivor = await waitFor(
      async () =>
        (
          await query<{ pid: number }>(
            database,
            `select pid from pg_stat_activity where query like 'select count%' and state = 'active' and pid <> pg_backend_pid()`,
          )
        )[0]?.pid,
      10_000,
    )
    kill(postmasterPid(dataDir)!, 'SIGKILL')
    await happened('restarted', database)
    expect(await isAlive(survivor!)).toBe(false)
    expect(await busy).toBeInstanceOf(Error)
    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('the watching session alone ended by an administrator is opened again', async () => {
    const dataDir = dataFolder()
    const database = await openHere({ dataDir })
    await query(
      asSuperuser(database, dataDir),
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'malipo %'`,
    )
    await happened('restarted', database)
    expect(await lockHolders(database)).toBe(1)
  })
})

const lockHolders = async (database: Opened) =>
  (await query(database, `select 1 from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted`))
    .length

describe('a guest', () => {
  test('starts PostgreSQL for its own duration', async () => {
    const dataDir = dataFolder()
    const guest = await openHere({ dataDir, role: 'guest' })
    expect(await query(guest, 'select 1 as one')).toEqual([{ one: 1 }])
    const pid = postmasterPid(dataDir)!
    await guest.stop()
    expect(await isAlive(pid)).toBe(false)
  })

  test('leaves the PostgreSQL of an owner running', async () => {
    const dataDir = dataFolder()
    const owner = await openHere({ dataDir })
    const guest = await openHere({ dataDir, role: 'guest' })
    expect(guest.connection).toEqual(owner.connection)
    await guest.stop()
    expect(await query(owner, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(has('exited', owner)).toBe(false)
  })

  test('does not take PostgreSQL away from an owner who came later, nor from another guest', async () => {
    const dataDir = dataFolder()
    const [first, second] = [await openHere({ dataDir, role: 'guest' }), await openHere({ dataDir, role: 'guest' })]
    await first.stop()
    expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }])
    const owner = await openHere({ dataDir })
    await second.stop()
    expect(await query(owner, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(has('exited', owner)).toBe(false)
  })

  test('waits for the owner to bring a dead PostgreSQL back instead of starting its own', async () => {
    const dataDir = dataFolder()
    const owner = await openHere({ dataDir })
    kill(postmasterPid(dataDir)!, 'SIGKILL')
    const guest = await openHere({ dataDir, role: 'guest' })
    expect(has('started', guest)).toBe(false)
    await happened('restarted', owner)
    expect(await query(guest, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('root and other users', () => {
  test.runIf(isRoot())(
    'where user namespaces are missing PostgreSQL runs as nobody in a folder closed to it',
    async () => {
      const dataDir = dataFolder(join('closed', '.malipo'))
      mkdirSync(join(dataDir, '..'), { mode: 0o700 })
      const first = openElsewhere({ dataDir, launchMode: 'other-user' })
      const { connection } = await opened(first)
      cleanups.push(() => rmSync(connection.host, { recursive: true, force: true }))
      expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(NOBODY)
      expect(statSync(join(dataDir, 'postgres'))).toMatchObject({ uid: NOBODY, mode: 0o40700 })
      expect(statSync(dataDir)).toMatchObject({ uid: 0, mode: 0o40700 })
      await killed(first)
      // Without being told: a cluster keeps its user.
      const second = await openHere({ dataDir })
      expect(second.events.map(({ type }) => type)).toEqual(['adopted'])
      kill(postmasterPid(dataDir)!, 'SIGKILL')
      await happened('restarted', second)
      expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }])
    },
  )

  test.runIf(isRoot())('root in the data folder of an ordinary user runs PostgreSQL as that user', async () => {
    const dataDir = dataFolder()
    mkdirSync(dataDir, { mode: 0o700 })
    // A user whom every distribution has; those without a name are below.
    chownSync(dataDir, 1, 1)
    const database = await openHere({ dataDir })
    cleanups.push(() => rmSync(database.connection.host, { recursive: true, force: true }))
    expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(1)
    for (const name of ['postgres', 'postgres-password', 'postgres.log', 'owner.json'])
      expect(statSync(join(dataDir, name)).uid).toBe(1)
  })

  test.runIf(isRoot())(
    'root in the data folder of a user without an account, as in a container, runs PostgreSQL as nobody',
    async () => {
      const dataDir = dataFolder()
      mkdirSync(dataDir, { mode: 0o700 })
      chownSync(dataDir, 54_321, 54_321)
      const database = await openHere({ dataDir })
      cleanups.push(() => rmSync(database.connection.host, { recursive: true, force: true }))
      expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(NOBODY)
    },
  )

  test.runIf(isRoot())('a cluster made in a user namespace moves to where there are none', async () => {
    const dataDir = dataFolder()
    const first = await openHere({ dataDir, launchMode: 'userns' }).catch(() => undefined)
    if (!first) return console.warn('skipped: no user namespaces here')
    await query(first, 'create table kept as select 42 as answer')
    await first.stop()
    const second = await openHere({ dataDir, launchMode: 'other-user' })
    cleanups.push(() => rmSync(second.connection.host, { recursive: true, force: true }))
    expect(await query(second, 'select answer from kept')).toEqual([{ answer: 42 }])
  })

  test.runIf(isRoot() && canDropCapabilities)(
    'root that may neither make namespaces nor become nobody is told so',
    async () => {
      const dataDir = dataFolder()
      const confined = openElsewhere({ dataDir, launchMode: 'other-user' }, { wrapper: WITHOUT_SETUID })
      expect(await confined.said('refused')).toMatchObject({
        code: 'not_permitted',
        message: expect.stringMatching(/refuses to run as root.*DATABASE_URL/) as string,
      })
    },
  )

  test.runIf(nobodyCanRun)('an ordinary user starts PostgreSQL directly', async () => {
    const dataDir = dataFolder()
    chmodSync(join(dataDir, '..'), 0o755)
    mkdirSync(dataDir, { mode: 0o700 })
    chownSync(dataDir, NOBODY, NOBODY)
    const user = openElsewhere({ dataDir }, { user: NOBODY })
    expect(await query(await opened(user), 'select 1 as one')).toEqual([{ one: 1 }])
    expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(NOBODY)
    user.child.stdin!.write('stop\n')
    expect(await user.ended()).toBe(0)
  })

  test.runIf(nobodyCanRun)('the data folder of someone else is refused with advice', async () => {
    const dataDir = dataFolder()
    mkdirSync(dataDir, { mode: 0o700 })
    chmodSync(join(dataDir, '..'), 0o755)
    const user = openElsewhere({ dataDir }, { user: NOBODY })
    expect(await user.said('refused')).toMatchObject({
      code: 'not_permitted',
      message: expect.stringContaining(`uid ${NOBODY}`) as string,
    })
  })
})

describe('what cannot work says why and what to do', () => {
  test.runIf(canMount).each([
    ['before the first file', '64k'],
    ['during initdb', '8m'],
  ])('a disk that is full %s', async (_, size) => {
    const dataDir = mounted(size)
    if (size === '64k') writeFileSync(join(dataDir, 'ballast'), Buffer.alloc(65_536))
    expect(await refused({ dataDir })).toMatchObject({
      code: 'full',
      message: expect.stringMatching(/is full\..*MALIPO_DATA_DIR/) as string,
    })
    expect(readdirSync(dataDir).filter((name) => /^postgres(\.\d|$)|^initdb|probe/.test(name))).toEqual([])
  })

  test.runIf(canMount)('a disk that is full after initdb, and the next start after space was freed', async () => {
    const dataDir = mounted('60m')
    writeFileSync(join(dataDir, 'ballast'), Buffer.alloc(20 * 1_048_576))
    expect(await refused({ dataDir })).toMatchObject({ code: 'full' })
    rmSync(join(dataDir, 'ballast'))
    execFileSync('mount', ['-o', 'remount,size=200m', dataDir])
    expect(await query(await openHere({ dataDir }), 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test.runIf(canMount)(
    'a disk that fills up under a running owner: PostgreSQL is back once there is space again',
    async () => {
      const dataDir = mounted('120m')
      const database = await openHere({ dataDir })
      await query(database, 'create table kept as select 42 as answer')
      const administrator = asSuperuser(database, dataDir)
      fill(dataDir)
      // Until the write-ahead log cannot grow any more, which stops PostgreSQL.
      for (let round = 0; round < 20 && !has('restart_failed', database); round++) {
        await query(
          database,
          `create table if not exists filler as select repeat(md5(n::text), 20) from generate_series(1, 20000) n`,
        ).catch(() => {})
        await query(administrator, `select pg_switch_wal()`).catch(() => {})
      }
      await happened('restart_failed', database)
      expect(database.events.find(({ type }) => type === 'restart_failed')).toMatchObject({ error: { code: 'full' } })
      for (const name of readdirSync(dataDir).filter((found) => found.startsWith('ballast')))
        rmSync(join(dataDir, name))
      execFileSync('mount', ['-o', 'remount,size=300m', dataDir])
      await happened('restarted', database)
      expect(await query(database, 'select answer from kept')).toEqual([{ answer: 42 }])
    },
  )

  test.runIf(canMount)('a disk that became full since the last start', async () => {
    const dataDir = mounted('100m')
    await (await openHere({ dataDir })).stop()
    fill(dataDir)
    expect(await refused({ dataDir })).toMatchObject({ code: 'full' })
    expect(postmasterPid(dataDir)).toBeUndefined()
  })

  test.runIf(canMount)('a read-only data folder, empty or with a cluster', async () => {
    const dataDir = mounted('100m')
    execFileSync('mount', ['-o', 'remount,ro', dataDir])
    expect(await refused({ dataDir })).toMatchObject({
      code: 'read_only',
      message: expect.stringContaining('read-only') as string,
    })
    execFileSync('mount', ['-o', 'remount,rw', dataDir])
    await (await openHere({ dataDir })).stop()
    execFileSync('mount', ['-o', 'remount,ro', dataDir])
    expect(await refused({ dataDir })).toMatchObject({ code: 'read_only' })
  })

  test('a cluster of another major version', async () => {
    const dataDir = dataFolder()
    await (await openHere({ dataDir })).stop()
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
    expect(await refused({ dataDir })).toMatchObject({
      code: 'version',
      message: expect.stringMatching(/PostgreSQL 17,.*PostgreSQL 18/) as string,
    })
  })

  test('a lost or wrong password file', async () => {
    const dataDir = dataFolder()
    await (await openHere({ dataDir })).stop()
    const file = join(dataDir, 'postgres-password')
    writeFileSync(file, 'wrong\n')
    expect(await refused({ dataDir })).toMatchObject({ code: 'password' })
    rmSync(file)
    expect(await refused({ dataDir })).toMatchObject({
      code: 'password',
      message: expect.stringContaining(file) as string,
    })
  })

  test('a damaged cluster', async () => {
    const dataDir = dataFolder()
    await (await openHere({ dataDir })).stop()
    rmSync(join(dataDir, 'postgres', 'global', 'pg_control'))
    expect(await refused({ dataDir })).toMatchObject({
      code: 'start_failed',
      message: expect.stringMatching(/pg_control|control file|database system/) as string,
    })
  })

  test('a file where the data folder should be', async () => {
    const dataDir = dataFolder()
    writeFileSync(dataDir, '')
    expect(await refused({ dataDir })).toMatchObject({ code: 'not_a_folder' })
  })
})

function mounted(size: string): string {
  const dataDir = dataFolder()
  mkdirSync(dataDir, { mode: 0o700 })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'malipo-test', dataDir])
  cleanups.push(() => execFileSync('umount', ['-l', dataDir]))
  return dataDir
}

function fill(folder: string): void {
  for (const bytes of [1_048_576, 4_096]) {
    for (let index = 0; ; index++) {
      try {
        writeFileSync(join(folder, `ballast-${bytes}-${index}`), Buffer.alloc(bytes))
      } catch {
        break
      }
    }
  }
}

describe('the log of PostgreSQL', () => {
  test('does not grow without bound and holds no values of failed statements', async () => {
    const dataDir = dataFolder()
    const first = await openHere({ dataDir })
    await query(first, 'create table numbers (number text primary key)')
    const secret = randomBytes(6).toString('hex')
    for (let i = 0; i < 2; i++) await query(first, `insert into numbers values ('${secret}')`).catch(() => {})
    await first.stop()
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).not.toContain(secret)
    truncateSync(join(dataDir, 'postgres.log'), 11 * 1024 * 1024)
    await openHere({ dataDir })
    expect(statSync(join(dataDir, 'postgres.log')).size).toBeLessThan(100_000)
    expect(statSync(join(dataDir, 'postgres.log.1')).size).toBe(11 * 1024 * 1024)
  })
})

test('a data folder that was moved while nothing ran is found at its new place', async () => {
  const dataDir = dataFolder()
  const first = await openHere({ dataDir })
  await query(first, 'create table kept as select 42 as answer')
  await first.stop()
  renameSync(dataDir, `${dataDir}-moved`)
  expect(await query(await openHere({ dataDir: `${dataDir}-moved` }), 'select answer from kept')).toEqual([
    { answer: 42 },
  ])
})
