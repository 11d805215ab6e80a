import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openEmbeddedPostgres, type EmbeddedPostgresEvent } from './local/embedded-postgres/embedded-postgres.ts'
import { prepareDatabase } from './prepare-database.ts'
import { preparedFolder } from './prepared-folder.ts'
import { databaseMode } from './storage/database-mode.ts'
import { migrate } from './storage/migrate.ts'
import { openClient } from './storage/open-client.ts'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'malipo-test-')))
afterEach(() => rmSync(home, { recursive: true, force: true }))

test('npm ci prepares a sandbox database with no migration outstanding', async () => {
  const databases = join(home, 'databases')
  await prepareDatabase(databases)
  const folder = await preparedFolder(databases)
  expect(readdirSync(databases)).toEqual([folder.slice(databases.length + 1)])
  const events: EmbeddedPostgresEvent[] = []
  const database = await openEmbeddedPostgres({
    dataDir: join(home, 'data'),
    role: 'owner',
    prepared: () => preparedFolder(databases),
    onEvent: (event) => events.push(event),
  })
  try {
    expect(events.map(({ type }) => type)).toEqual(['taken_over', 'started'])
    expect(existsSync(folder)).toBe(false)
    const client = await openClient(database.connection)
    expect(await databaseMode(client)).toBe('sandbox')
    await client.end()
    expect(await migrate(database.connection, 'sandbox')).toEqual([])
  } finally {
    await database.stop()
  }
})
