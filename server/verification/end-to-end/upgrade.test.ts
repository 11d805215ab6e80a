import { readFile, readdir } from 'node:fs/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { resolveTransaction } from '../../actions/resolve-transaction.ts'
import { settling } from '../../admin/cli/settling.ts'
import type { Gateway } from '../../main.ts'
import { resolveByStaff } from '../testing/book-by-staff.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { fixedClock, startTestGateway, MASTER_KEY } from '../testing/gateway.ts'
import { examine } from '../../admin/queries/doctor.ts'
import { createFigures } from '../../admin/queries/figures.ts'
import type { Pool } from '../../storage/pool.ts'
import { listStuck } from '../../admin/queries/transactions.ts'

// The gateway's start migrates a database of version 0.1.0 (migrations 0001 to 0007), with rows as that version stored
// them, to this version.

const FOLDER = new URL('../../storage/migrations/', import.meta.url)
const FIRST_OF_THIS_VERSION = '0008'

let database: TestDatabase
let client: pg.Client
let gateway: Gateway | undefined

beforeEach(async () => {
  database = await createTestDatabase('template0')
  client = new pg.Client(database.connection)
  client.on('error', () => {})
  await client.connect()
  await client.query(
    'create table schema_migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  for (const file of (await readdir(FOLDER))
    .filter((name) => name.endsWith('.sql') && name < FIRST_OF_THIS_VERSION)
    .sort()) {
    await client.query(await readFile(new URL(file, FOLDER), 'utf8'))
    await client.query('insert into schema_migrations (name) values ($1)', [file])
  }
})
afterEach(async () => {
  await client.end()
  await gateway?.stop()
  gateway = undefined
  await database.drop()
})

describe('a payout that its rail has paid and 0.1.0 could not book', () => {
  test.each([
    ['uncovered', 'Late COMPLETED: the wallet no longer covers it, staff must settle it'],
    ['after 72 hours', 'Late COMPLETED after more than 72 hours: the state stays'],
  ])('%s: every report of such payouts lists it, and it can be settled', async (_name, detail) => {
    const at = new Date('2026-02-27T08:00:00Z')
    await client.query(
      `insert into merchants (public_key, name, sandbox_only, created_at) values ('pub_old', 'Duka', false, $1), ('pub_sandbox_x', 'Demo', true, $1)`,
      [at],
    )
    await client.query(
      `insert into transactions (id, merchant_id, merchant_reference, internal_reference, type, method, provider_code, account, request_currency, request_amount_minor, currency,
         amount_minor, charge_minor, total_minor, charge_customer, allow_final_status_change, description, status, status_message, created_at, final_at, customer_name)
       values (1, 1, 'OLD-PAYOUT-1', 'MLP0000000000000000000001', 'PAYOUT', 'MOBILE_MONEY', 'mtn_ug', '256770000123', 'UGX', 20000, 'UGX',
         20000, 100, 20100, false, true, 'A refund', 'FAILED', 'no answer', $1, $1, 'Amina Nakato')`,
      [at],
    )
    await client.query(`insert into transaction_references values (1, 'OLD-PAYOUT-1', 1)`)
    await client.query(
      `insert into accounts (kind, currency, merchant_id, balance_minor) values ('operator', 'UGX', 0, -50000), ('payout_available', 'UGX', 1, 50000), ('payout_held', 'UGX', 1, 0)`,
    )
    await client.query(
      `insert into transfers (id, kind, transaction_id, created_at)
       values (nextval('transfer_ids'), 'deposit', null, $1), (nextval('transfer_ids'), 'payout_hold', 1, $1), (nextval('transfer_ids'), 'payout_release', 1, $1)`,
      [at],
    )
    await client.query(
      'insert into entries (transfer_id, account_id, amount_minor) values (1, 1, -50000), (1, 2, 50000), (2, 2, -20100), (2, 3, 20100), (3, 3, -20100), (3, 2, 20100)',
    )
    await client.query(
      `insert into transaction_events (transaction_id, at, kind, detail) values (1, $1, 'settled', 'FAILED: no answer'), (1, $1, 'rail_result_ignored', $2)`,
      [at, detail],
    )
    await client.query(
      `insert into callbacks (webhook_id, transaction_id, merchant_id, event, url, body, status, created_at)
       values ('cb_1', 1, 1, 'transaction.failed', 'http://shop', '{"event":"transaction.failed","payload":{"transaction_status":"FAILED"}}', 'DELIVERED', $1)`,
      [at],
    )

    const clock = fixedClock()
    gateway = await startTestGateway({ connection: database.connection, surroundings: { clock } })
    const findings = async () =>
      (await examine(gateway!.pool, clock.now())).filter(({ found }) => found > 0).map(({ name }) => name)
    expect(await findings()).toEqual(['paid_payouts_booked'])
    expect(await listStuck(gateway.pool, { before: new Date(0), merchantId: undefined, limit: 10 })).toMatchObject([
      { merchantReference: 'OLD-PAYOUT-1' },
    ])
    expect(await createFigures(gateway.pool).waitingForOperator()).toMatchObject({ paidNotBooked: 1 })
    const reference = 'MLP0000000000000000000001'
    const resolve = async (pool: Pool) => {
      const deps = await settling({
        config: { masterKey: MASTER_KEY, mode: 'sandbox' } as never,
        pool,
        clock: clock as never,
      })
      return resolveTransaction({ ...deps, clock }, reference, { status: 'COMPLETED' })
    }
    expect(await resolveByStaff(gateway.pool, reference, resolve, clock.now())).toEqual({ result: 'resolved' })
    expect(await findings()).toEqual([])
  })
})

// A machine of an older version wrote it.
test('an end dated a year ahead does not delay the check that every end is delivered', async () => {
  await client.query(
    `insert into merchants (public_key, name, sandbox_only, created_at) values ('pub_old', 'Duka', true, now())`,
  )
  await client.query(
    `insert into transactions (id, merchant_id, merchant_reference, internal_reference, type, method, provider_code, account, request_currency, request_amount_minor, currency,
       amount_minor, charge_minor, total_minor, charge_customer, allow_final_status_change, description, status, status_message, created_at, final_at)
     values (1, 1, 'ORDER-0001', 'MLP0000000000000000000001', 'COLLECTION', 'MOBILE_MONEY', 'mtn_ug', '256770000123', 'UGX', 500, 'UGX',
       500, 5, 495, false, true, 'An order', 'FAILED', 'no', now(), now() + interval '1 year')`,
  )
  await client.query(`insert into transaction_references values (1, 'ORDER-0001', 1)`)
  gateway = await startTestGateway({ connection: database.connection })
  const { rows } = await gateway.pool.query<{ is_soon: boolean }>(
    `select since <= now() + interval '1 hour' as is_soon from rules_since where rule = 'callbacks_told'`,
  )
  expect(rows).toEqual([{ is_soon: true }])
})
