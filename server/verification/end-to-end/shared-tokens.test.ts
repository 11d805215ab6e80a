import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { OUR_REFERENCE } from '../../actions/ports/rail-references.ts'
import { sealSettings } from '../../storage/rail-accounts.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { databaseTest } from '../testing/database-test.ts'
import { forFile } from '../testing/for-file.ts'
import { MASTER_KEY, startTestGateway } from '../testing/gateway.ts'
import { uniqueId } from '../testing/transactions.ts'

// Before each order had its own token, all orders of a rail account shared one. Its digest is still stored.

const NAME = 'mtn-uganda'
const TOKEN = randomBytes(20).toString('hex')
const HOUR_MS = 3_600_000

const database = await databaseTest()
const { pool } = database
const box = createSecretBox(MASTER_KEY, { bytes: (size) => randomBytes(size) })
await pool.query(
  `insert into rail_accounts (name, rail, environment, currency, base_url, shared_token_digest,
     shared_token_retired_at, settings, sealed_settings, created_at, updated_at)
   values ($1, 'mtn-momo', 'trial', 'UGX', 'http://127.0.0.1:1', $2, now(), $3, $4, now(), now())`,
  [NAME, createHash('sha256').update(TOKEN).digest(), { target_environment: 'sandbox' }, sealSettings(box, NAME, {})],
)

async function ordered(at: Date): Promise<string> {
  const reference = randomUUID()
  await pool.query(
    'insert into rail_references (transaction_id, rail_account, name, reference, recorded_at) values ($1, $2, $3, $4, $5)',
    [uniqueId(), NAME, OUR_REFERENCE, reference, at],
  )
  return reference
}

test('accepts a shared token only for orders from before its retirement', async () => {
  const before = await ordered(new Date(Date.now() - HOUR_MS))
  const gateway = await forFile(startTestGateway({ connection: database.connection, surroundings: { clock: REAL } }))
  const after = await ordered(new Date(Date.now() + HOUR_MS))
  const statusOf = async (order: string, token = TOKEN) =>
    (await fetch(`${gateway.url}/operators/${NAME}/${token}/${order}/collection`, { method: 'PUT', body: '{}' })).status
  expect([await statusOf(before), await statusOf(after)]).toEqual([200, 404])
  expect([await statusOf(before, TOKEN.replace(/./g, '0')), await statusOf(randomUUID())]).toEqual([404, 404])
})

const REAL = { now: () => new Date() }
