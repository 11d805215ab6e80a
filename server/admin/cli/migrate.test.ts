import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readMigrations } from '../../storage/migration-files.ts'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { folder, json, malipo } from './testing/command-line.ts'
import { environmentOf } from './testing/operated-gateway.ts'

test('a command creates no embedded database: it says how to get one', async () => {
  const { code, err } = await malipo(['merchant', 'list'], folder('never'))
  expect(code).toBe(1)
  expect(err).toMatch(/no database in .*never yet.\nStart the server first .* or run npx --no -- malipo migrate/)
  expect(existsSync(folder('never').MALIPO_DATA_DIR)).toBe(false)
})

test('creates an embedded database, which commands use without a server', async () => {
  const env = folder('migrated')
  const { applied, months } = await json<{ applied: string[]; months: string[] }>(['migrate'], env)
  expect([applied[0], months.length]).toEqual(['0099_baseline.sql', 7])
  expect(await json(['merchant', 'list'], env)).toEqual([])
})

test('applies once and reports it; commands work until a newer version has run', async () => {
  const database = await databaseTest({ template: 'template0' })
  const env = environmentOf(database)
  const { applied } = await json<{ applied: string[] }>(['migrate'], env)
  expect(applied).toEqual((await readMigrations()).map(({ name }) => name))
  expect(await json(['migrate'], env)).toEqual({ applied: [], months: [] })
  expect(await json(['merchant', 'list'], env)).toEqual([])

  await database.pool.query(`insert into schema_migrations (name) values ('9999_future.sql')`)
  for (const args of [['merchant', 'list'], ['serve'], ['migrate']]) {
    const { code, err } = await malipo(args, env)
    expect(code).toBe(1)
    expect(err).toMatch(
      /^malipo: the database was migrated by a newer version of Malipo.*\.\nUpdate Malipo, or use another database\.\n$/,
    )
  }

  await database.pool.query('drop table schema_migrations')
  expect((await malipo(['merchant', 'list'], env)).err).toMatch(
    /Run npx --no -- malipo migrate, or start the server first/,
  )
})
