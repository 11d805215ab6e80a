import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { seededRandom } from '../../verification/testing/gateway.ts'
import { temporaryFolder } from '../../verification/testing/temporary-folder.ts'
import { createSecretBox, WrongMasterKey } from '../../storage/secret-box.ts'
import { checkMasterKey, checkReachable, hasEmbeddedDatabase, schemaState } from './database-state.ts'
import { createMerchant, newMerchantKeys } from './merchants.ts'

const migrated = await databaseTest({ connectionsMax: 1 })
const empty = await databaseTest({ template: 'template0', connectionsMax: 1 })
const { path: folder } = temporaryFolder()

test('an answering address is reachable; an unresponsive one is reported at once', async () => {
  await checkReachable(migrated.connection)
  await expect(checkReachable({ ...migrated.connection, host: '/nowhere' })).rejects.toMatchObject({
    name: 'ConnectionFailed',
    code: 'ENOENT',
  })
  await expect(checkReachable({ ...migrated.connection, database: 'nobodys' })).rejects.toMatchObject({
    code: '3D000',
  })
})

test('the schema is missing, older, current or newer than this program', async () => {
  expect(await schemaState(empty.pool)).toBe('missing')
  await empty.pool.query('create table schema_migrations (name text primary key)')
  expect(await schemaState(empty.pool)).toBe('missing')
  await empty.pool.query(`insert into schema_migrations values ('0001_gateway.sql')`)
  expect(await schemaState(empty.pool)).toBe('older')
  expect(await schemaState(migrated.pool)).toBe('current')
  await migrated.pool.query(`insert into schema_migrations (name) values ('9999_from_the_future.sql')`)
  expect(await schemaState(migrated.pool)).toBe('newer')
  await migrated.pool.query(`delete from schema_migrations where name like '9999%'`)
})

test("refuses a master key other than the server's once a secret exists", async () => {
  const random = seededRandom('database-state')
  const box = createSecretBox('the master key of the server, nothing real', random)
  const other = createSecretBox('a master key that somebody mistyped, no more', random)
  await migrated.pool.query('truncate merchant_keys, rsa_keys')
  await checkMasterKey(migrated.pool, other)
  const merchant = { name: 'Duka', keys: newMerchantKeys(random), sandboxOnly: false }
  await createMerchant(migrated.pool, box, merchant, new Date())
  await checkMasterKey(migrated.pool, box)
  await expect(checkMasterKey(migrated.pool, other)).rejects.toBeInstanceOf(WrongMasterKey)
})

test('a data folder has a database once its cluster exists', async () => {
  expect(await hasEmbeddedDatabase(folder)).toBe(false)
  mkdirSync(join(folder, 'postgres'))
  writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '18\n')
  expect(await hasEmbeddedDatabase(folder)).toBe(true)
})
