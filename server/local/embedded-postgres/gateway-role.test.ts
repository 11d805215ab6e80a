import { describe, expect, test } from 'vitest'
import { migrate } from '../../storage/migrate.ts'
import { sampledByDefault } from '../../verification/testing/nightly.ts'
import { dataFolder, openHere, query, superuserOf, usedDataFolder } from './testing/opened.ts'

describe("the gateway's role", () => {
  const REFUSED = [
    "copy (select 1) to program 'true'",
    "select pg_read_file('PG_VERSION')",
    'create role other',
    "alter system set work_mem = '1MB'",
    'create database other',
    'alter role malipo_gateway superuser',
  ]

  // It reads no file, runs no program and sets no parameter.
  test('owns its database, migrates and locks, but is no superuser', async () => {
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

  test('servers have another role, which has no DDL and appends to the ledger', async () => {
    const database = await openHere({ dataDir: dataFolder() })
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

  /** Sets the folder up as the previous version left it: the superuser owned everything, and every process used it. */
  async function asBefore(dataDir: string): Promise<void> {
    const first = await openHere({ dataDir })
    const superuser = (database: string) => ({ connection: { ...first.connection, ...superuserOf(dataDir), database } })
    await query(superuser('postgres'), 'drop database malipo')
    await query(superuser('postgres'), 'drop role malipo_gateway')
    await query(superuser('postgres'), 'create database malipo')
    await migrate(superuser('malipo').connection, 'sandbox')
    await query(
      superuser('malipo'),
      `create view looked_at as select * from merchants; create type mood as enum ('good');
       create materialized view kept as select 1 as one;
      create table history (at date) partition by range (at);
      create table history_1 partition of history for values from ('2026-01-01') to ('2027-01-01')`,
    )
    await query(superuser('malipo'), `insert into providers values ('kept_ug', 'Kept', 'BANK', 'UGX', '256', '{}')`)
    await first.stop()
  }

  test.each(sampledByDefault('roles that open it', ['owner', 'guest'] as const))(
    'gets an older data folder with all its content when %s opens it',
    async (role) => {
      const dataDir = await usedDataFolder()
      await asBefore(dataDir)
      const database = await openHere({ dataDir, role })
      const left = await query(
        database,
        `
      select 'class' as kind, oid::regclass::text as name from pg_class
         where relowner = 'malipo'::regrole and relnamespace in ('public'::regnamespace, 'sandbox'::regnamespace)
      union all select 'routine', oid::regprocedure::text from pg_proc
         where proowner = 'malipo'::regrole and pronamespace in ('public'::regnamespace, 'sandbox'::regnamespace)
      union all select 'type', oid::regtype::text from pg_type
         where typowner = 'malipo'::regrole and typnamespace in ('public'::regnamespace, 'sandbox'::regnamespace)
      union all select 'schema', nspname from pg_namespace where nspowner = 'malipo'::regrole and nspname = 'sandbox'
      union all select 'database', datname from pg_database where datdba = 'malipo'::regrole and datname = 'malipo'`,
      )
      expect(left).toEqual([])
      expect(await migrate(database.connection, 'sandbox')).toEqual([])
      expect(await query(database, 'select code from providers')).toEqual([{ code: 'kept_ug' }])
      await query(
        database,
        `begin; lock table providers in exclusive mode;
         insert into merchants (public_key, name, created_at) values ('pub_1', 'Duka', now());
         alter table merchants add column later int; commit`,
      )
    },
  )

  test('gets the rest of it after a handover that was killed in the middle', async () => {
    const dataDir = await usedDataFolder()
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

  test('loses rights that somebody gave it', async () => {
    const dataDir = await usedDataFolder()
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
