import { expect, test } from 'vitest'
import { leaveForPayouts } from '../testing/book-by-staff.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { startTestGateway } from '../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { payOut, payoutBalance, uniqueReference, verify } from '../testing/requests.ts'

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
