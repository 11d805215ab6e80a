import { describe, expect, test } from 'vitest'
import { migrate } from '../../storage/migrate.ts'
import { UPGRADING_COMMIT } from '../../storage/baseline.ts'
import {
  endWithEachTest,
  openHere,
  query,
  refused,
  superuserOf,
  usedDataFolder,
  type OpenedPostgres,
} from './testing/opened.ts'

endWithEachTest()

describe("the gateway's role", () => {
  const REFUSED = [
    "copy (select 1) to program 'true'",
    "select pg_read_file('PG_VERSION')",
    'create role other',
    "alter system set work_mem = '1MB'",
    'create database other',
    'alter role malipo_gateway superuser',
  ]

  const asSuperuser = async (database: OpenedPostgres, dataDir: string, statement: string) =>
    query({ connection: { ...database.connection, ...superuserOf(dataDir) } }, statement)

  // It reads no file, runs no program and sets no parameter.
  test('owns its database, migrates, locks, and loses further rights that it had', async () => {
    const dataDir = await usedDataFolder()
    const first = await openHere({ dataDir })
    await asSuperuser(first, dataDir, 'alter role malipo_gateway superuser createdb')
    await first.stop()
    const database = await openHere({ dataDir })
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

  test('servers have another role, which has no DDL and appends to the ledger', async () => {
    const database = await openHere({ dataDir: await usedDataFolder() })
    const served = { connection: database.runtime }
    await expect(query(served, 'create table mine (id int)')).rejects.toMatchObject({ code: '42501' })
    await migrate(database.connection, 'sandbox', { grantTo: database.runtime.user })
    await expect(migrate(database.runtime, 'sandbox')).resolves.toEqual([])
    expect(await query(served, 'select count(*)::int as n from entries')).toEqual([{ n: 0 }])
    for (const statement of [
      'create table mine (id int)',
      'delete from entries',
      'alter table entries disable trigger all',
      'set role malipo_gateway',
      ...REFUSED,
    ])
      await expect(query(served, statement), statement).rejects.toMatchObject({ code: '42501' })
  })

  test('refuses a database of before the baseline, which the superuser owns', async () => {
    const dataDir = await usedDataFolder()
    const first = await openHere({ dataDir })
    await asSuperuser(first, dataDir, 'alter database malipo owner to malipo')
    await first.stop()
    expect(await refused({ dataDir })).toMatchObject({
      code: 'version',
      message: expect.stringContaining(`commit ${UPGRADING_COMMIT} of Malipo upgrades it`) as string,
    })
  })
})
