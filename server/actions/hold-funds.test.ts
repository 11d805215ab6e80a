import { afterAll, beforeAll, expect, test } from 'vitest'
import { walletTransfer } from '../domain/wallet-transfer.ts'
import { bookTransfers } from '../storage/ledger.ts'
import { inTransaction } from '../storage/pool.ts'
import type { Gateway } from '../main.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { DEMO_KEYS, fixedClock, startTestGateway, type FixedClock } from '../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { postJson, uniqueMsisdn, uniqueReference, verify } from '../testing/requests.ts'
import { until } from '../testing/served-gateway.ts'

let database: TestDatabase
let gateway: Gateway
let clock: FixedClock

beforeAll(async () => {
  database = await createTestDatabase()
  clock = fixedClock()
  gateway = await startTestGateway({ connection: database.connection, surroundings: { clock } })
})
afterAll(async () => {
  await gateway?.stop()
  await database?.drop()
})

async function acceptedPayout(amount: number): Promise<string> {
  const merchant_reference = uniqueReference()
  const { status } = await postJson(
    gateway.url,
    '/payout/send-funds',
    {
      transaction_method: 'MOBILE_MONEY',
      merchant_reference,
      currency: 'UGX',
      amount,
      provider_code: 'mtn_ug',
      account_number: uniqueMsisdn(),
      customer_name: 'Amina Nakato',
      description: 'Refund of an order',
    },
    DEMO_KEYS,
  )
  expect(status).toBe(202)
  return merchant_reference
}

/** Whether a booking of the gateway stands before a wallet that somebody else has locked. */
const bookingWaits = async (): Promise<boolean> =>
  (
    await gateway.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%update accounts%'`,
    )
  ).rowCount === 1

test('payouts whose wallet is emptied between the look and the commit are judged again at once: the covered one is paid, the other fails', async () => {
  const {
    rows: [wallet],
  } = await gateway.pool.query<{ merchant_id: bigint; balance_minor: bigint }>(
    `select a.* from accounts a join merchants m on m.id = a.merchant_id where m.public_key = $1 and a.kind = 'payout_available' and a.currency = 'UGX'`,
    [DEMO_KEYS['public-key']],
  )
  const [large, small] = [await acceptedPayout(100_000), await acceptedPayout(1_000)]
  const allButTwoThousand = walletTransfer(wallet!.merchant_id, 'UGX', wallet!.balance_minor - 2_000n, {
    from: 'payout',
    to: 'collection',
  })
  let held: Promise<void> | undefined
  await inTransaction(gateway.pool, async (client) => {
    await bookTransfers(client, [allButTwoThousand], clock.now())
    held = gateway.runDue()
    await until(bookingWaits, 10_000, 'the hold waits for the wallet')
  })
  await held
  clock.advance(1_000)
  await gateway.runDue()
  expect((await verify(gateway.url, large)).body.data).toMatchObject({
    transaction_status: 'FAILED',
    status_message: 'Insufficient balance for the transaction',
  })
  expect((await verify(gateway.url, small)).body.data).toMatchObject({
    transaction_status: 'COMPLETED',
    total_debit: 1_005,
  })
  await expectBalancedBooks(gateway)
})
