import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { schemaState } from '../admin/queries/database-state.ts'
import { planMigrations } from '../admin/queries/migration-plan.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { BASELINE, OlderDatabase, UPGRADING_COMMIT } from './baseline.ts'
import { migrate, NotMigrated, OlderProcesses } from './migrate.ts'
import { readMigrations } from './migration-files.ts'
import { registerProcess, removeProcess } from './processes.ts'
import { leaveReplaced, nameReplaced, replacedMigrations } from './testing/replaced-migrations.ts'

const OLD = replacedMigrations()
const OLD_NAMES = OLD.map(({ name }) => name)
/** The baseline and what came after it. */
const CURRENT = (await readMigrations()).map(({ name, kind }) => ({ name, kind: name === BASELINE ? 'stop' : kind }))
const CURRENT_NAMES = CURRENT.map(({ name }) => name)

const { pool, ...database } = await databaseTest({ connectionsMax: 2 })
afterEach(async () => {
  await pool.query(`alter table schema_migrations add column if not exists kind text;
    alter table schema_migrations alter kind drop not null; delete from processes`)
  if ((await rows()).some(({ name }) => name === BASELINE)) return
  await nameReplaced(pool, OLD)
  await upgrade()
})

const upgrade = () => migrate(database.connection, 'sandbox', { grantTo: 'malipo_runtime' })
const rows = async () =>
  (await pool.query<{ name: string; kind: string }>('select name, kind from schema_migrations order by name')).rows

/** Not one of those that PostgreSQL names by a number. */
const NAMED = (relation: string): string => `${relation}::regclass::text !~ '^pg_toast'`

/** Tables, columns, sequences, indexes and constraints by name, and the grants on them. */
const state = async (): Promise<string | undefined> =>
  (
    await pool.query<{ state: string }>(`
      with described (line) as (
        select concat_ws(' ', relkind, relname, relacl) from pg_class where oid >= 16384 and ${NAMED('oid')}
        union all select concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod))
          from pg_attribute where attnum > 0 and not attisdropped and attrelid >= 16384 and ${NAMED('attrelid')}
        union all select pg_get_indexdef(indexrelid) from pg_index where indexrelid >= 16384 and ${NAMED('indexrelid')}
        union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
          from pg_constraint where oid >= 16384)
      select string_agg(line, E'\\n' order by line) as state from described`)
  ).rows[0]?.state

describe('a database with all replaced migrations', () => {
  let fresh: string | undefined
  beforeEach(async () => {
    fresh = await state()
    await leaveReplaced(pool)
  })

  test('is marked as being at the baseline', async () => {
    expect(await schemaState(pool)).toBe('older')
    expect(await upgrade()).toEqual(CURRENT_NAMES)
    expect(await rows()).toEqual(CURRENT)
    expect(await state()).toEqual(fresh)
    expect(await schemaState(pool)).toBe('current')
    expect(await upgrade()).toEqual([])
  })

  test('is marked once by processes that start together', async () => {
    const applied = await Promise.all([upgrade(), upgrade(), upgrade()])
    expect(applied.flat().sort()).toEqual(CURRENT_NAMES)
    expect(await rows()).toEqual(CURRENT)
  })

  test('keeps its names while a process of the old version lives', async () => {
    const old = { id: '00000000-0000-4000-8000-000000000001', role: 'worker', host: 'pay-2', pid: 4711 }
    await registerProcess(pool, old, OLD_NAMES)
    const pause = () => pool.query('update processes set seen_at = clock_timestamp()')
    await expect(migrate(database.connection, 'sandbox', { pause })).rejects.toBeInstanceOf(OlderProcesses)
    expect(await rows()).toEqual(OLD)
    const plan = await planMigrations(database.connection, 'sandbox', await readMigrations())
    expect(plan.appliedCount).toBe(35)
    expect(plan.planned.map(({ name }) => name)).toEqual(CURRENT_NAMES)
    expect(plan.planned[0]).toMatchObject({
      tables: [{ table: 'audit_log' }, { table: 'payment_sessions' }],
      waitsFor: [{ pid: 4711 }],
    })
    await removeProcess(pool, old)
    expect(await upgrade()).toEqual(CURRENT_NAMES)
  })

  test('keeps its names when marking it fails', async () => {
    const broken = (await readMigrations()).map((migration) => ({ ...migration, kind: null as never }))
    await pool.query('alter table schema_migrations alter kind set not null')
    await expect(migrate(database.connection, 'sandbox', { migrations: broken })).rejects.toThrow('failed')
    expect(await rows()).toEqual(OLD)
  })

  test('is left to the owner by the runtime role', async () => {
    const { runtime, ...owner } = database.connection
    const missing = migrate({ ...owner, ...runtime }, 'sandbox')
    const needed = CURRENT.filter(({ kind }) => kind !== 'contract').map(({ name }) => name)
    await expect(missing).rejects.toEqual(new NotMigrated('malipo_runtime', needed))
  })
})

describe('a database without some of the replaced migrations', () => {
  test.each([
    ['the last', OLD.slice(0, 34), 34],
    ['one in the middle', OLD.toSpliced(20, 1), 34],
    ['all but the first', OLD.slice(0, 1), 1],
    ['all of them', [{ name: '0058_rail_accounts.sql', kind: 'stop' }], 0],
  ])('is refused with the commit that upgrades it: %s', async (_, old, count) => {
    await leaveReplaced(pool, old)
    const error = new OlderDatabase(count)
    expect(error.message).toBe(
      `the database has ${count} of the 35 migrations up to 0098_sandbox_clock.sql, and this version has no files for the others: commit ${UPGRADING_COMMIT} of Malipo upgrades it`,
    )
    await expect(upgrade()).rejects.toEqual(error)
    await expect(planMigrations(database.connection, 'sandbox', await readMigrations())).rejects.toEqual(error)
    const { runtime, ...owner } = database.connection
    await expect(migrate({ ...owner, ...runtime }, 'sandbox')).rejects.toEqual(error)
    expect(await schemaState(pool)).toBe('older')
    expect(await rows()).toEqual(old)
  })

  test('is refused also if it stems from before kinds, and stays as it was', async () => {
    await leaveReplaced(pool, [{ name: '0001_gateway.sql', kind: 'expand' }])
    await pool.query('alter table schema_migrations drop column kind')
    await expect(upgrade()).rejects.toBeInstanceOf(OlderDatabase)
    const plan = planMigrations(database.connection, 'sandbox', await readMigrations())
    await expect(plan).rejects.toBeInstanceOf(OlderDatabase)
    expect(await schemaState(pool)).toBe('older')
    const { rowCount } = await pool.query(
      `select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'kind'`,
    )
    expect(rowCount).toBe(0)
  })
})
