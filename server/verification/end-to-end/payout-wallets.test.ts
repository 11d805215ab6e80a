import { expect, test } from 'vitest'
import { walletTransfer } from '../../domain/wallet-transfer.ts'
import { bookTransfers } from '../../storage/ledger.ts'
import { inTransaction } from '../../storage/pool.ts'
import { leaveForPayouts } from '../testing/book-by-staff.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { DEMO_KEYS, startTestGateway } from '../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { payOut, payoutBalance, uniqueReference, verify } from '../testing/requests.ts'
import { until } from '../testing/served-gateway.ts'

// Concurrent payouts from one wallet: its balance is paid out once, and the books balance.

const { database, gateway, clock } = await gatewayTest({
  toReceiver: ['payout_callback_url', 'verification_url'],
  env: { MALIPO_RATE_LIMIT: '100000' },
})

async function accepted(changes: object): Promise<string> {
  const merchant_reference = uniqueReference()
  expect((await payOut(gateway.url, { merchant_reference, ...changes })).status).toBe(202)
  return merchant_reference
}
const recordOf = async (reference: string) => (await verify(gateway.url, reference)).body.data

/** Whether a booking of the gateway waits for a wallet that another session has locked. */
const bookingWaits = async (): Promise<boolean> =>
  (
    await gateway.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%update accounts%'`,
    )
  ).rowCount === 1

// The covered one is paid, the other fails.
test('judges payouts again at once when the wallet empties before the commit', async () => {
  const { rows } = await gateway.pool.query<{ merchant_id: bigint; balance_minor: bigint }>(
    `select a.* from accounts a join merchants m on m.id = a.merchant_id where m.public_key = $1 and a.kind = 'payout_available' and a.currency = 'UGX'`,
    [DEMO_KEYS['public-key']],
  )
  const { merchant_id, balance_minor } = rows[0]!
  const [large, small] = [await accepted({ amount: 100_000 }), await accepted({ amount: 1_000 })]
  const way = { from: 'payout', to: 'collection' } as const
  let held: Promise<void> | undefined
  await inTransaction(gateway.pool, async (client) => {
    await bookTransfers(client, [walletTransfer(merchant_id, 'UGX', balance_minor - 2_000n, way)], clock.now())
    held = gateway.runDue()
    await until(bookingWaits, 60_000, 'the hold waits for the wallet')
  })
  await held
  clock.advance(1_000)
  await gateway.runDue()
  expect(await recordOf(large)).toMatchObject({
    transaction_status: 'FAILED',
    status_message: 'Insufficient balance for the transaction',
    failure_code: 'insufficient_funds',
  })
  expect(await recordOf(small)).toMatchObject({ transaction_status: 'COMPLETED', total_debit: 1_005 })
  await expectBalancedBooks(gateway)
})

test('60 payouts of 600 at once from 30 × 603, held by two gateways: 30 are paid', async () => {
  // 600 with half a percent costs 603; the shilling that is left covers no other.
  await leaveForPayouts(gateway.pool, 'UGX', 30n * 603n + 1n, clock.now())
  const other = await startTestGateway({ connection: database.connection, surroundings: { clock } })
  try {
    const references = await Promise.all(Array.from({ length: 60 }, () => accepted({ amount: 600 })))
    for (let n = 0; n < 5; n += 1) {
      await Promise.all([gateway.runDue(), other.runDue()])
      clock.advance(1_000)
    }
    const records = await Promise.all(references.map(recordOf))
    expect(records.filter(({ transaction_status }) => transaction_status === 'COMPLETED')).toHaveLength(30)
    expect(
      records.filter(({ status_message }) => status_message === 'Insufficient balance for the transaction'),
    ).toHaveLength(30)
    expect(await payoutBalance(gateway.url)).toBe(1)
    await expectBalancedBooks(gateway)
  } finally {
    await other.stop()
  }
})
