import { type PayoutRequest } from '../../../client/index.ts'
import { expect, test } from 'vitest'
import { walletTransfer } from '../../domain/wallet-transfer.ts'
import { bookTransfers } from '../../storage/ledger.ts'
import { inTransaction } from '../../storage/pool.ts'
import { DEMO_KEYS, startTestGateway } from '../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { uniqueReference, verify, mobileMoneyPayout, payOut } from '../testing/requests.ts'
import { until } from '../testing/served-gateway.ts'
import { gatewayTest } from '../testing/gateway-test.ts'

// Concurrent payouts from one wallet: its balance is paid out once, and the books balance.

const { database, gateway, clock, after, malipo } = await gatewayTest({
  toReceiver: ['payout_callback_url', 'verification_url'],
  env: { MALIPO_RATE_LIMIT: '100000' },
})

const balance = async (currency: string): Promise<number> =>
  (await malipo.wallets.list({ currency })).find(({ wallet_type }) => wallet_type === 'MERCHANT_PAYOUT')!
    .available_balance

async function acceptedPayout(amount: number): Promise<string> {
  const merchant_reference = uniqueReference()
  expect((await payOut(gateway.url, { merchant_reference, amount })).status).toBe(202)
  return merchant_reference
}

const payout = () => mobileMoneyPayout() as unknown as PayoutRequest

/** Whether a booking of the gateway waits for a wallet that another session has locked. */
const bookingWaits = async (): Promise<boolean> =>
  (
    await gateway.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%update accounts%'`,
    )
  ).rowCount === 1

// The covered one is paid, the other fails.
test('judges payouts again at once when the wallet empties before the commit', async () => {
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
    failure_code: 'insufficient_funds',
  })
  expect((await verify(gateway.url, small)).body.data).toMatchObject({
    transaction_status: 'COMPLETED',
    total_debit: 1_005,
  })
  await expectBalancedBooks(gateway)
})

test('200 concurrent payouts of 600 from 100 × 603: pays exactly what is covered', async () => {
  // 600 with half a percent costs 603 (ZMW has two decimals). The wallet is drained to the cost of a hundred of them.
  await gateway.pool.query(
    `update payment_options set max_daily_amount_minor = 1000000000 where provider_code = 'mtn_zm'`,
  )
  await gateway.refresh()
  const fill = await balance('ZMW')
  for (let left = fill - 100 * 603; left > 0;) {
    const amount = Math.min(20_000, Math.floor((left / 1.005) * 100) / 100)
    if (amount < 1) break
    await malipo.payouts.send({
      ...payout(),
      provider_code: 'mtn_zm',
      account_number: `26096${String(Math.round(left)).padStart(4, '0').slice(-4)}123`,
      currency: 'ZMW',
      amount,
    })
    await after(1000)
    left = (await balance('ZMW')) - 100 * 603
  }
  const before = await balance('ZMW')
  const covered = Math.floor(before / 603)
  const requests = Array.from({ length: 200 }, (_, n) => ({
    ...payout(),
    provider_code: 'mtn_zm',
    account_number: `26097${String(n).padStart(4, '0')}123`,
    currency: 'ZMW',
    amount: 600,
  })).map((request) => ({ ...request, provider_code: 'airtel_zm' }))
  await Promise.all(requests.map((request) => malipo.payouts.send(request)))
  for (let n = 0; n < 5; n += 1) await after(1000)
  const records = await Promise.all(
    requests.map(({ merchant_reference }) => malipo.transactions.verify(merchant_reference)),
  )
  expect(records.filter(({ transaction_status }) => transaction_status === 'COMPLETED')).toHaveLength(covered)
  expect(
    records.filter(({ status_message }) => status_message === 'Insufficient balance for the transaction'),
  ).toHaveLength(200 - covered)
  expect(await balance('ZMW')).toBeCloseTo(before - covered * 603, 2)
  await expectBalancedBooks(gateway)
})

test('two gateways holding from one wallet never take more than it has', async () => {
  const other = await startTestGateway({ connection: database.connection, surroundings: { clock } })
  try {
    const before = await balance('GHS')
    const amount = Math.floor(before / 1.005 / 10.5)
    const requests = Array.from({ length: 20 }, (_, n) => ({
      ...payout(),
      provider_code: 'mtn_gh',
      account_number: `23324${String(n).padStart(4, '0')}123`,
      currency: 'GHS',
      amount: Math.min(amount, 10_000),
    }))
    await Promise.all(requests.map((request) => malipo.payouts.send(request)))
    for (let n = 0; n < 4; n += 1) {
      await Promise.all([gateway.runDue(), other.runDue()])
      clock.advance(1000)
    }
    await after(1000)
    await after(1000)
    const records = await Promise.all(
      requests.map(({ merchant_reference }) => malipo.transactions.verify(merchant_reference)),
    )
    expect(
      records.every(({ transaction_status }) => transaction_status === 'COMPLETED' || transaction_status === 'FAILED'),
    ).toBe(true)
    expect(await balance('GHS')).toBeGreaterThanOrEqual(0)
    await expectBalancedBooks(gateway)
  } finally {
    await other.stop()
  }
})
