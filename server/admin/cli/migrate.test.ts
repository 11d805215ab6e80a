import { existsSync } from 'node:fs'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { openEmbeddedPostgres } from '../../local/embedded-postgres/embedded-postgres.ts'
import { folder, json, malipo, type Environment } from './testing/command-line.ts'

describe('without a server', () => {
  test('a command creates no database: it says how to get one', async () => {
    const { code, err } = await malipo(['merchant', 'list'], folder('never'))
    expect(code).toBe(1)
    expect(err).toMatch(/no database in .*never yet.\nStart the server first .* or run npx --no -- malipo migrate/)
    expect(existsSync(folder('never').MALIPO_DATA_DIR)).toBe(false)
  })

  test('applies once and reports it; commands work until a newer version has run', async () => {
    const env = folder('migrated')
    const { applied, months } = await json<{ applied: string[]; months: string[] }>(['migrate'], env)
    expect(months).toHaveLength(7)
    expect(applied[0]).toBe('0059_baseline.sql')
    expect(await json(['migrate'], env)).toEqual({ applied: [], months: [] })
    expect(await json(['merchant', 'list'], env)).toEqual([])

    await changeDatabase(env, `insert into schema_migrations (name) values ('9999_future.sql')`)
    for (const args of [['merchant', 'list'], ['serve'], ['migrate']]) {
      const { code, err } = await malipo(args, env)
      expect(code).toBe(1)
      expect(err).toMatch(
        /^malipo: the database was migrated by a newer version of Malipo.*\.\nUpdate Malipo, or use another database\.\n$/,
      )
    }

    await changeDatabase(env, 'drop table schema_migrations')
    expect((await malipo(['merchant', 'list'], env)).err).toMatch(
      /Run npx --no -- malipo migrate, or start the server first/,
    )
  })
})

async function changeDatabase({ MALIPO_DATA_DIR }: Environment, statement: string): Promise<void> {
  const postgres = await openEmbeddedPostgres({ dataDir: MALIPO_DATA_DIR!, role: 'guest' })
  const client = new pg.Client({ ...postgres.connection })
  await client.connect()
  await client.query(statement)
  await client.end()
  await postgres.stop()
}
