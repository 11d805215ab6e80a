import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BASELINE, UPGRADING_COMMIT } from '../../storage/baseline.ts'
import { LockNotHad } from '../../storage/bounded-locks.ts'
import { parseMigration, readMigrations } from '../../storage/migration-files.ts'
import { registerProcess } from '../../storage/processes.ts'
import { leaveReplaced, replacedMigrations } from '../../storage/testing/replaced-migrations.ts'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { databaseUrl, type TestDatabase } from '../../verification/testing/database.ts'
import { planMigrations } from '../queries/migration-plan.ts'
import { explain } from './explain.ts'
import { planLines, planRecord } from './migration-text.ts'
import { folder, malipo } from './testing/command-line.ts'

const ours = await readMigrations()

interface Plan {
  readonly empty: boolean
  readonly can_run: boolean
  readonly migrations: readonly { readonly name: string; readonly waits_for: readonly object[] }[]
}

const database = await databaseTest()
const { pool } = database
const envOf = ({ connection }: TestDatabase) => ({ DATABASE_URL: databaseUrl(connection) })
const env = envOf(database)
async function plan(on = env): Promise<{ readonly code: unknown; readonly plan: Plan; readonly text: string }> {
  const { code, out } = await malipo(['migrate', '--plan', '--json'], on)
  const { code: sameCode, out: text } = await malipo(['migrate', '--plan'], on)
  expect(sameCode).toBe(code)
  return { code, plan: JSON.parse(out) as Plan, text }
}

test('an empty database is planned as such, and stays empty', async () => {
  const empty = await databaseTest({ template: 'template0' })
  const { code, plan: planned, text } = await plan(envOf(empty))
  expect({ code, ...planned }).toMatchObject({ code: 0, empty: true, can_run: true })
  expect(planned.migrations.map(({ name }) => name)).toEqual(ours.map(({ name }) => name))
  expect(text).toMatch(
    /^The database is empty: (one migration creates|\d+ migrations create) it, and nothing has to wait\.\n$/,
  )
  expect((await empty.pool.query(`select from pg_class where relnamespace = 'public'::regnamespace`)).rowCount).toBe(0)
})

test('creates no data folder without a database', async () => {
  const never = folder('never-planned')
  expect((await malipo(['migrate', '--plan'], never)).out).toContain('The database is empty')
  expect(existsSync(never.MALIPO_DATA_DIR)).toBe(false)
})

test('an up-to-date database has no plan', async () => {
  const { code, plan: planned, text } = await plan()
  expect({ code, ...planned }).toMatchObject({ code: 0, empty: false, can_run: true, migrations: [] })
  expect(text).toBe('The database is up to date.\n')
})

test('plans locks, their strength, reads and sizes of migrations and does nothing', async () => {
  const head = `-- migration: expand
-- locks: entries share, made_up access exclusive, transaction_events share
-- rewrites: made_up
-- reads: entries, transaction_events
`
  const later = parseMigration('0999_expands.sql', head)
  const planned = await planMigrations(database.connection, 'sandbox', [...ours, later])
  const touched = { lock: 'share', rewritten: false, read: true, bytes: expect.any(Number) as number }
  expect(planRecord(planned)).toEqual({
    empty: false,
    applied_count: ours.length,
    can_run: true,
    lock_wait_ms_max: 2_000,
    lock_tries_max: 15,
    lock_pause_ms: 1_000,
    migrations: [
      {
        name: '0999_expands.sql',
        kind: 'expand',
        tables: [
          { table: 'entries', ...touched },
          { table: 'made_up', lock: 'access exclusive', rewritten: true, read: false, bytes: null },
          { table: 'transaction_events', ...touched },
        ],
        waits_for: [],
      },
    ],
  })
  const text = planLines(planned).join('\n')
  expect(text).toMatch(
    new RegExp(`^1 of ${ours.length + 1} migrations are to come, each in a transaction of its own.$`, 'm'),
  )
  expect(text).toMatch(/^0999_expands.sql: expand, older processes keep running$/m)
  expect(text).toMatch(/^ {2}entries: share lock: writers wait, read completely, \d+(\.\d+)? kB$/m)
  expect(text).toMatch(/^ {2}made_up: access exclusive lock: readers and writers wait, written anew, not there yet$/m)
  expect(text).toMatch(/Each lock times out after 2 s and is tried 15 times, 1 s apart/)
  expect((await pool.query('select from schema_migrations')).rowCount).toBe(ours.length)
})

test('names a migration that older processes block, by plan, command and exit code', async () => {
  await leaveReplaced(pool)
  await registerProcess(pool, { id: randomUUID(), role: 'worker', host: 'pay-2', pid: 4711 }, ['0098_some.sql'])
  const heartbeat = setInterval(() => void pool.query('update processes set seen_at = clock_timestamp()'), 100)
  try {
    const { code, plan: planned, text } = await plan()
    expect({ code, ...planned }).toMatchObject({ code: 1, can_run: false })
    expect(planned.migrations[0]).toMatchObject({ name: BASELINE, waits_for: [{ role: 'worker', pid: 4711 }] })
    expect(text).toMatch(/^0099_baseline.sql: stop, older processes must have stopped$/m)
    const process = 'worker, process 4711 on pay-2, knows migrations up to 0098_some.sql, last seen \\d+ s ago'
    expect(text).toMatch(new RegExp(`^ {4}${process}$`, 'm'))
    const refused = await malipo(['migrate'], env)
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(
      new RegExp(
        `^malipo: migration 0099_baseline.sql waits for 1 older process; it was not started.\n {2}${process}\nStop them, then run `,
      ),
    )
  } finally {
    clearInterval(heartbeat)
  }
  await pool.query('delete from processes')
  expect((await malipo(['migrate'], env)).out).toMatch(/^applied 0099_baseline.sql\n/)
})

test('refuses a database that is too old, and names the commit that upgrades it', async () => {
  await leaveReplaced(pool, replacedMigrations().slice(0, 30))
  for (const args of [['migrate'], ['migrate', '--plan'], ['serve']]) {
    const { code, err } = await malipo(args, env)
    expect({ code, err }).toEqual({
      code: 1,
      err:
        `malipo: the database has 30 of the 35 migrations up to 0098_sandbox_clock.sql, and this version has no files for the others: commit ${UPGRADING_COMMIT} of Malipo upgrades it.\n` +
        'Check that commit out and run its npx --no -- malipo migrate, then start this version. Nothing was changed.\n',
    })
  }
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
