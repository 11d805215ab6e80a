import { existsSync } from 'node:fs'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LockNotHad } from '../../storage/bounded-locks.ts'
import { readMigrations } from '../../storage/migration-files.ts'
import { migrate } from '../../storage/migrate.ts'
import { createTestDatabase, databaseUrl, type TestDatabase } from '../../verification/testing/database.ts'
import { explain } from './explain.ts'
import { folder, malipo } from './testing/command-line.ts'

const ours = await readMigrations()

interface Plan {
  readonly empty: boolean
  readonly can_run: boolean
  readonly migrations: readonly {
    readonly name: string
    readonly tables: readonly object[]
    readonly waits_for: readonly object[]
  }[]
}

let database: TestDatabase
let client: pg.Client
beforeEach(async () => {
  database = await createTestDatabase('template0')
  client = new pg.Client(database.connection)
  await client.connect()
})
afterEach(async () => {
  await client.end()
  await database.drop()
})

const env = () => ({ DATABASE_URL: databaseUrl(database.connection) })
/** The migrations before this number. */
const before = (number: string) =>
  migrate(database.connection, 'sandbox', { migrations: ours.filter(({ name }) => name < number) })

async function plan(): Promise<{ readonly code: unknown; readonly plan: Plan; readonly text: string }> {
  const { code, out } = await malipo(['migrate', '--plan', '--json'], env())
  const { code: sameCode, out: text } = await malipo(['migrate', '--plan'], env())
  expect(sameCode).toBe(code)
  return { code, plan: JSON.parse(out) as Plan, text }
}

test('an empty database is planned as such, and stays empty', async () => {
  const { code, plan: planned, text } = await plan()
  expect({ code, ...planned }).toMatchObject({ code: 0, empty: true, can_run: true })
  expect(planned.migrations.map(({ name }) => name)).toEqual(ours.map(({ name }) => name))
  expect(text).toBe(`The database is empty: ${ours.length} migrations create it, and nothing has to wait.\n`)
  expect((await client.query(`select from pg_class where relnamespace = 'public'::regnamespace`)).rowCount).toBe(0)
})

test('creates no data folder without a database', async () => {
  const never = folder('never-planned')
  expect((await malipo(['migrate', '--plan'], never)).out).toContain('The database is empty')
  expect(existsSync(never.MALIPO_DATA_DIR)).toBe(false)
})

test('an up-to-date database has no plan', async () => {
  await before('9999')
  const { code, plan: planned, text } = await plan()
  expect({ code, ...planned }).toMatchObject({ code: 0, empty: false, can_run: true, migrations: [] })
  expect(text).toBe('The database is up to date.\n')
})

test('plans locks, their strength, reads and sizes of migrations and does nothing', async () => {
  await before('0032')
  const { code, plan: planned, text } = await plan()
  expect(code).toBe(0)
  expect(planned).toMatchObject({ can_run: true, lock_wait_ms_max: 2_000, lock_tries_max: 15, lock_pause_ms: 1_000 })
  expect(planned.migrations[0]).toEqual({
    name: '0032_ledger_marks.sql',
    kind: 'expand',
    tables: ['entries', 'transaction_events'].map((table) => ({
      table,
      lock: 'share',
      rewritten: false,
      read: true,
      bytes: expect.any(Number),
    })),
    waits_for: [],
  })
  expect(text).toMatch(/^0032_ledger_marks.sql: expand, older processes keep running$/m)
  expect(text).toMatch(/^ {2}entries: share lock: writers wait, read completely, \d+(\.\d+)? kB$/m)
  expect(text).toMatch(/^ {2}ledger_candidates: access exclusive lock: readers and writers wait, .*not there yet$/m)
  expect(text).toMatch(/Each lock times out after 2 s and is tried 15 times, 1 s apart/)
  expect((await client.query(`select from schema_migrations where name >= '0032'`)).rowCount).toBe(0)
})

test('names a migration that older processes block, by plan, command and exit code', async () => {
  await before('0027')
  const older = new pg.Client({ ...database.connection, application_name: 'malipo' })
  await older.connect()
  try {
    const { code, plan: planned, text } = await plan()
    expect({ code, ...planned }).toMatchObject({ code: 1, can_run: false })
    const held = planned.migrations.filter(({ waits_for }) => waits_for.length > 0).map(({ name }) => name)
    expect(held).toEqual(ours.filter(({ kind, name }) => kind !== 'expand' && name >= '0027').map(({ name }) => name))
    expect(text).toMatch(/^0027_time_ids.sql: stop, older processes must have stopped$/m)
    expect(text).toMatch(/^ {4}an older version, by its connection \(PostgreSQL's process \d+, from this machine\)$/m)
    const refused = await malipo(['migrate'], env())
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(
      /^malipo: migration 0027_time_ids.sql waits for 1 older process; it was not started.\n {2}an older version, .*\nStop them, then run /,
    )
  } finally {
    await older.end()
  }
  expect((await malipo(['migrate'], env())).code).toBe(0)
})

test('the terminal names who holds a lock for too long', () => {
  const blocker = { pid: 4711, application: 'a report', state: 'idle in transaction', table: 'accounts' }
  const since = new Date('2026-11-20T10:00:00Z')
  const bounds = { waitMsMax: 2_000, holdMsMax: 400, pauseMs: 1_000, triesMax: 15 }
  const { message, exitCode } = explain(new LockNotHad('0099_more.sql', [{ ...blocker, since }], bounds, undefined))
  expect(exitCode).toBe(1)
  expect(message).toMatch(
    /^malipo: migration 0099_more.sql did not get its locks in 15 tries of 2 s: it was rolled back.\nIt waited for:\n {2}process 4711 of PostgreSQL \(a report, idle in transaction\) holds accounts, its transaction since 2026-11-20T10:00:00.000Z\nEnd that transaction, then run .* migrate again.$/,
  )
})
