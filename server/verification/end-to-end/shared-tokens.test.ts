import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { OUR_REFERENCE } from '../../actions/ports/rail-references.ts'
import { migrate } from '../../storage/migrate.ts'
import { readMigrations } from '../../storage/migration-files.ts'
import { sealSettings } from '../../storage/rail-accounts.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { databaseTest } from '../testing/database-test.ts'
import { forFile } from '../testing/for-file.ts'
import { MASTER_KEY, startTestGateway } from '../testing/gateway.ts'
import { uniqueId } from '../testing/transactions.ts'

// A database from before each order had its own token: all orders of a rail account shared one, stored in clear text.

const NAME = 'mtn-uganda'
const TOKEN = randomBytes(20).toString('hex')
const THIS = '0044_callback_keys.sql'
const HOUR_MS = 3_600_000

const database = await databaseTest({ template: 'template0' })
const { pool } = database
const migrations = await readMigrations()
await migrate(database.connection, 'sandbox', { migrations: migrations.filter(({ name }) => name < THIS) })
const box = createSecretBox(MASTER_KEY, { bytes: (size) => randomBytes(size) })
await pool.query(
  `insert into rail_installations (name, rail, environment, currency, base_url, callback_token, settings,
     sealed_settings, created_at, updated_at)
   values ($1, 'mtn-momo', 'trial', 'UGX', 'http://127.0.0.1:1', $2, $3, $4, now(), now())`,
  [NAME, TOKEN, { target_environment: 'sandbox' }, sealSettings(box, NAME, {})],
)

async function ordered(at: Date, column = 'rail_account'): Promise<string> {
  const reference = randomUUID()
  // By SQL: the old table has fewer columns than the current store writes.
  await pool.query(
    `insert into rail_references (transaction_id, ${column}, name, reference, recorded_at) values ($1, $2, $3, $4, $5)`,
    [uniqueId(), NAME, OUR_REFERENCE, reference, at],
  )
  return reference
}

/**
 * The table as a dump contains it. The head of the migration says that its file is rewritten, and the migration's test
 * checks that.
 */
const dumped = async (table: string): Promise<string> =>
  (await pool.query<{ kept: string }>(`select string_agg(i::text, '') as kept from ${table} i`)).rows[0]?.kept ?? ''

test('stores a shared token as a digest, for earlier orders only', async () => {
  const before = await ordered(new Date(Date.now() - HOUR_MS), 'installation')
  expect(await dumped('rail_installations')).toContain(TOKEN)
  await migrate(database.connection, 'sandbox')
  expect(await dumped('rail_accounts')).not.toContain(TOKEN)

  const gateway = await forFile(startTestGateway({ connection: database.connection, surroundings: { clock: REAL } }))
  const after = await ordered(new Date(Date.now() + HOUR_MS))
  const statusOf = async (order: string, token = TOKEN) =>
    (await fetch(`${gateway.url}/operators/${NAME}/${token}/${order}/collection`, { method: 'PUT', body: '{}' })).status
  expect([await statusOf(before), await statusOf(after)]).toEqual([200, 404])
  expect([await statusOf(before, TOKEN.replace(/./g, '0')), await statusOf(randomUUID())]).toEqual([404, 404])
})

const REAL = { now: () => new Date() }
