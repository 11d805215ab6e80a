import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databaseTest } from '../verification/testing/database-test.ts'
import { lockWaits, untilLockWaits } from '../verification/testing/lock-waits.ts'
import { until } from '../verification/testing/until.ts'
import { asSuperuser } from '../verification/testing/superuser.ts'
import { LockNotHad } from './bounded-locks.ts'
import { migrate, OlderProcesses, type MigrateOptions } from './migrate.ts'
import { parseMigration, readMigrations, type Migration, type MigrationKind } from './migration-files.ts'
import { NewerDatabase } from './newer-database.ts'
import { livingProcesses, registerProcess, renewProcess, removeProcess, type ProcessIdentity } from './processes.ts'

const ours = await readMigrations()
const names = ours.map(({ name }) => name)

/** A migration that a future release may contain. */
const madeUp = (
  kind: MigrationKind,
  sql = 'create table made_up (id bigint)',
  name = `0999_${kind}.sql`,
  locks = 'none',
): Migration =>
  parseMigration(name, `-- migration: ${kind}\n-- locks: ${locks}\n-- rewrites: none\n-- reads: none\n${sql};\n`)

const identity = (last: number, pid = 4711): ProcessIdentity => ({
  id: `00000000-0000-4000-8000-00000000000${last}`,
  role: 'worker',
  host: 'pay-2',
  pid,
})

const { pool, ...database } = await databaseTest({ connectionsMax: 2 })
afterEach(async () => {
  await pool.query(`drop table if exists made_up; alter table merchants drop column if exists made_up;
    alter table providers drop column if exists made_up; delete from processes;
    delete from schema_migrations where name <> all('{${names.join()}}')`)
})

const upTo = (kind: MigrationKind, options: MigrateOptions = {}, sql?: string, locks?: string) =>
  migrate(database.connection, 'sandbox', { ...options, migrations: [...ours, madeUp(kind, sql, undefined, locks)] })
const ofThisVersion = (options: MigrateOptions = {}) => migrate(database.connection, 'sandbox', options)
const isThere = async (): Promise<boolean> =>
  (await pool.query<{ there: boolean }>(`select to_regclass('made_up') is not null as there`)).rows[0]?.there === true

describe('a database that a newer version has migrated', () => {
  test('goes on to serve this version where it was only expanded', async () => {
    expect(await upTo('expand')).toEqual(['0999_expand.sql'])
    expect(await ofThisVersion({ as: identity(1) })).toEqual([])
    await renewProcess(pool, identity(1), names)
  })

  test.each(['contract', 'stop'] as const)('is refused by this version where it is a %s', async (kind) => {
    await ofThisVersion({ as: identity(1) })
    await removeProcess(pool, identity(1))
    await upTo(kind)
    await expect(ofThisVersion()).rejects.toThrow(
      `the database was migrated by a newer version of Malipo (0999_${kind}.sql)`,
    )
    // It ran all the time, but was paused for so long that the migration no longer waited for it.
    await expect(renewProcess(pool, identity(1), names)).rejects.toBeInstanceOf(NewerDatabase)
  })

  test('is refused even when this version arrives in the middle of the migration', async () => {
    const newer = new pg.Client(database.connection)
    await newer.connect()
    await newer.query('begin')
    await newer.query('lock table schema_migrations in exclusive mode')
    await newer.query(`insert into schema_migrations (name, kind) values ('0999_stop.sql', 'stop')`)
    const arrived = ofThisVersion({ as: identity(1) })
    arrived.catch(() => undefined)
    await untilLockWaits(pool)
    await newer.query('commit')
    await newer.end()
    await expect(arrived).rejects.toBeInstanceOf(NewerDatabase)
    expect(await livingProcesses(pool)).toEqual([])
  })
})

/** A process of this version that is alive: it renews its heartbeat at every poll. */
const speaking = () => ({ pause: () => renewProcess(pool, identity(1), names) })
/** A process that was killed: it sends no heartbeat while time passes. */
const silent = () => ({ pause: () => pool.query(`update processes set seen_at = seen_at - interval '10 s'`) })

describe('while a process of this version lives, a migration of the next', () => {
  beforeEach(async () => {
    await ofThisVersion({ as: identity(1) })
  })

  test('that expands is applied at once', async () => {
    expect(await upTo('expand')).toEqual(['0999_expand.sql'])
  })

  test.each(['stop', 'contract'] as const)(
    'that is a %s is refused by name, with the living processes',
    async (kind) => {
      const refused = upTo(kind, speaking())
      await expect(refused).rejects.toBeInstanceOf(OlderProcesses)
      await expect(refused).rejects.toMatchObject({
        message: `migration 0999_${kind}.sql waits for 1 older process`,
        processes: [{ role: 'worker', host: 'pay-2', pid: 4711, knows: names }],
      })
      expect(await isThere()).toBe(false)
      await removeProcess(pool, identity(1))
      expect(await upTo(kind)).toEqual([`0999_${kind}.sql`])
    },
  )

  test('that contracts is delayed by a server of the next version, which starts anyway', async () => {
    const rescheduled: string[] = []
    const onReschedule = ({ file }: OlderProcesses) => void rescheduled.push(file)
    expect(await upTo('contract', { as: identity(2), onDelayed: onReschedule })).toEqual([])
    expect(rescheduled).toEqual(['0999_contract.sql'])
    await removeProcess(pool, identity(1))
    // The remaining process knows the migration.
    expect(await upTo('contract', { onDelayed: onReschedule })).toEqual(['0999_contract.sql'])
  })

  describe('that contracts, and is delayed', () => {
    const first = madeUp('contract', 'create table made_up (id bigint)', '0997_contract.sql')
    const last = (kind: MigrationKind) => madeUp(kind, 'alter table made_up add column n int', `0999_${kind}.sql`)
    const withThese = (those: readonly Migration[], options: MigrateOptions) =>
      migrate(database.connection, 'sandbox', { migrations: [...ours, ...those], ...options })

    test('runs before the next contracting one, even when the older process ends between', async () => {
      const delayed: string[] = []
      const onDelayed = ({ file }: OlderProcesses) => void delayed.push(file)
      const ends = madeUp('expand', 'delete from processes', '0998_expand.sql')
      expect(await withThese([first, ends, last('contract')], { onDelayed })).toEqual([
        '0998_expand.sql',
        '0997_contract.sql',
        '0999_contract.sql',
      ])
      expect(delayed).toEqual(['0997_contract.sql'])
    })

    test('delays the next that contracts, and both run in their order', async () => {
      const delayed: string[] = []
      const onDelayed = ({ file }: OlderProcesses) => void delayed.push(file)
      const both = [first, last('contract')]
      expect(await withThese(both, { onDelayed })).toEqual([])
      expect(delayed).toEqual(['0997_contract.sql', '0999_contract.sql'])
      await removeProcess(pool, identity(1))
      expect(await withThese(both, { onDelayed })).toEqual(['0997_contract.sql', '0999_contract.sql'])
    })

    test('runs before one that needs a stop, which waits for both', async () => {
      const applied = await withThese([first, last('stop')], { onDelayed: () => undefined, ...silent() })
      expect(applied).toEqual(['0997_contract.sql', '0999_stop.sql'])
    })

    test('blocks one that needs a stop, which is refused by its own name', async () => {
      const refused = withThese([first, last('stop')], { onDelayed: () => undefined, ...speaking() })
      await expect(refused).rejects.toMatchObject({ name: 'OlderProcesses', file: '0999_stop.sql', kind: 'stop' })
      expect(await isThere()).toBe(false)
    })
  })

  test('that needs a stop waits for a killed process until it counts as gone', async () => {
    expect(await upTo('stop', silent())).toEqual(['0999_stop.sql'])
  })
})

test('rows of killed processes are deleted after a day', async () => {
  await registerProcess(pool, identity(1), names)
  await pool.query(`update processes set seen_at = now() - interval '25 hours'`)
  await ofThisVersion({ as: identity(2) })
  expect((await pool.query('select id from processes')).rows).toEqual([{ id: identity(2).id }])
})

describe('a held lock', () => {
  let holder: pg.Client
  beforeEach(async () => {
    holder = new pg.Client({ ...database.connection, application_name: 'a report' })
    await holder.connect()
    await holder.query('begin')
    await holder.query('lock table merchants in access share mode')
  })
  afterEach(async () => {
    await holder.end()
  })
  const ADDS = 'alter table merchants add column made_up text'
  const LOCKS = 'merchants access exclusive'
  const BOUNDS = { waitMsMax: 50, holdMsMax: 50, pauseMs: 7, triesMax: 2 }

  test('is retried with gaps for others, and taken when it is free', async () => {
    let pauses = 0
    const pause = async () => {
      pauses += 1
      // No lock request of ours is queued between two tries, so a query that does not conflict with the holder goes
      // through.
      await pool.query('select from merchants')
      if (pauses === 2) await holder.query('commit')
    }
    expect(await upTo('expand', { pause, bounds: { ...BOUNDS, triesMax: 5 } }, ADDS, LOCKS)).toEqual([
      '0999_expand.sql',
    ])
    expect(pauses).toBe(2)
  })

  test('for too long is reported with its holder, and nothing is kept', async () => {
    const bounds = { ...BOUNDS, waitMsMax: 1_000, triesMax: 2 }
    const error = await upTo('expand', { pause: async () => undefined, bounds }, ADDS, LOCKS).catch(
      (failure: unknown) => failure,
    )
    expect(error).toBeInstanceOf(LockNotHad)
    expect(error).toMatchObject({
      message: 'migration 0999_expand.sql did not get its locks in 2 tries of 1 s',
      blockers: [{ application: 'a report', state: 'idle in transaction', table: 'merchants' }],
    })
    expect((error as LockNotHad).blockers[0]?.since).toBeInstanceOf(Date)
    expect((await pool.query(`select from schema_migrations where name = '0999_expand.sql'`)).rowCount).toBe(0)
  })

  test('in a deadlock with a payment is released, and the payment goes on', async () => {
    await holder.end()
    // Detects deadlocks earlier than the others, so that it would be the one that PostgreSQL aborts.
    holder = new pg.Client(await asSuperuser(database.connection))
    await holder.connect()
    await holder.query(`set deadlock_timeout = '900ms'`)
    const both = 'lock table merchants in row exclusive mode; lock table providers in row exclusive mode'
    let payments = 0
    const pause = async () => {
      payments += 1
      await holder.query('commit')
    }
    // It holds the second table. It requests the first one when the migration holds that and waits for the second.
    await holder.query('begin; lock table providers in row exclusive mode')
    const migrated = upTo(
      'expand',
      { pause, bounds: { ...BOUNDS, waitMsMax: 5_000, holdMsMax: 400, triesMax: 5 } },
      `${ADDS}; alter table providers add column made_up text`,
      'providers access exclusive, merchants access exclusive',
    )
    let isOver = false
    const ends = () => (isOver = true)
    void migrated.then(ends, ends)
    // A busy machine may miss the moments in which it waits.
    await until(async () => isOver || (await lockWaits(pool)) > 0, 60_000, 'the migration waits, or is through')
    await holder.query(both)
    expect(await migrated).toEqual(['0999_expand.sql'])
    expect(payments).toBe(1)
  })
})
