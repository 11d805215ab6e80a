import { expect, test } from 'vitest'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { phoneCollection } from '../testing/client-requests.ts'
import { byForm } from '../testing/sandbox-rails.ts'
import { gatewayTest } from '../testing/gateway-test.ts'

// Clearing delay and rolling reserve. Collections themselves, by bank and on pages, are tested by the parts `model` and
// `receiver` of the contract suite, attempts on a page in conclude-attempts.test.ts.

const { gateway, after, malipo } = await gatewayTest()

test('credit becomes available on time, to the last shilling, with balanced books', async () => {
  await gateway.pool.query(
    `update payment_options set clearing_delay_seconds = 3600, reserve_bps = 1000, reserve_seconds = 86400 where provider_code = 'mpesa_ke' and transaction_type = 'COLLECTION'`,
  )
  await gateway.refresh()
  const wallet = async () =>
    (await malipo.wallets.list({ currency: 'KES' })).find(({ wallet_type }) => wallet_type === 'MERCHANT_COLLECTION')!
  await malipo.collections.initialize(
    phoneCollection({
      provider_code: 'mpesa_ke',
      msisdn: '254712000123',
      currency: 'KES',
      // M-PESA moves whole shillings: over the wire the parts are whole too.
      amount: byForm(1000.05, 1000),
    }),
  )
  await after(1000)
  // 1,000.05 less 1 % (10.00) is 990.05; a tenth of it, rounded half up, is held back.
  const [whole, reserved, cleared] = byForm([990.05, 99.01, 891.04] as const, [990, 99, 891] as const)
  expect(await wallet()).toMatchObject({
    available_balance: 0,
    uncleared_balance: cleared,
    reserve_balance: reserved,
    actual_balance: whole,
  })
  await after(3_599_000)
  expect((await wallet()).uncleared_balance).toBe(cleared)
  await after(2_000)
  expect(await wallet()).toMatchObject({
    available_balance: cleared,
    uncleared_balance: 0,
    reserve_balance: reserved,
    actual_balance: whole,
  })
  await after(86_400_000)
  expect(await wallet()).toMatchObject({
    available_balance: whole,
    uncleared_balance: 0,
    reserve_balance: 0,
    actual_balance: whole,
  })
  await expectBalancedBooks(gateway)
})
