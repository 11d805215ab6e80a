import { createMalipo, type Malipo } from '../../../../client/index.ts'
import { depositTransfer, type Transfer } from '../../../domain/ledger.ts'
import { walletTransfer } from '../../../domain/wallet-transfer.ts'
import type { Gateway } from '../../../main.ts'
import { DEMO_KEYS, seededRandom, type FixedClock, MASTER_KEY } from '../../../verification/testing/gateway.ts'
import { phoneCollection } from '../../../verification/testing/client-requests.ts'
import { uniqueMsisdn, uniqueReference } from '../../../verification/testing/requests.ts'
import { withoutAudit } from '../../../storage/audited-pool.ts'
import { createSecretBox } from '../../../storage/secret-box.ts'
import { createMerchant, newMerchantKeys } from '../merchants.ts'
import { bookByStaff } from '../../../verification/testing/book-by-staff.ts'

const hosted = { mobile_money_hpp: true, redirect_url: 'https://shop.example/done' }
const bank = {
  transaction_method: 'BANK',
  provider_code: 'bank_ng',
  currency: 'NGN',
  msisdn: undefined,
  redirect_url: 'https://shop.example/done',
}
const bankPayout = {
  transaction_method: 'BANK',
  provider_code: 'bank_ng',
  currency: 'NGN',
  amount: 5000,
  account_number: '0123456123',
  extra_params: { bank_code: 'access_bank_ng' },
}

/** Makes every sort of payment through the real gateway, and leaves some in flight. */
export async function makeEveryPayment(gateway: Gateway, clock: FixedClock, receiverUrl: string): Promise<void> {
  const { silent, publicKey } = await arrange(gateway, clock, receiverUrl)
  const malipo = createMalipo({
    baseUrl: gateway.url,
    publicKey: DEMO_KEYS['public-key'],
    secretKey: DEMO_KEYS['secret-key'],
  })
  const other = createMalipo({ baseUrl: gateway.url, publicKey })
  const pass = async (ms: number): Promise<void> => {
    await gateway.runDue()
    clock.advance(ms)
    await gateway.runDue()
  }
  const book = (transfer: Transfer) => bookByStaff(gateway.pool, transfer, clock.now())
  await makeCollections(gateway, malipo, other)
  for (const ending of ['123', '002', '007']) await payOut(malipo, ending)
  await payOut(malipo, '123', bankPayout)
  await book(depositTransfer(silent, 'UGX', 1_000_000n))
  await pass(5_000)
  await book(walletTransfer(1n, 'UGX', 1_000n, { from: 'collection', to: 'payout' }))
  await pass(3 * 60 * 60_000) // long enough for all clearing
  await airtel(malipo, '123')
  await pass(60_000)
  // In flight: at the rail, at its customer, at its merchant.
  await collect(malipo, '006')
  await collect(malipo, '005')
  await collect(malipo, '123', hosted)
  await collect(malipo, '123', bank)
  await payOut(malipo, '006')
  await pass(2_000)
  await gateway.pool.query(`update merchants set verification_url = 'http://127.0.0.1:1/' where sandbox_only`)
  await gateway.refresh()
  await payOut(malipo, '123')
  await pass(1_000)
}

/** A merchant without URLs beside the demo merchant, whose callbacks arrive; credits that wait; an exchange rate. */
async function arrange({ pool, refresh }: Gateway, clock: FixedClock, receiverUrl: string) {
  const random = seededRandom('doctor')
  const keys = newMerchantKeys(random)
  const box = createSecretBox(MASTER_KEY, random)
  const silent = await createMerchant(
    withoutAudit(pool),
    box,
    { name: 'No URLs', keys, sandboxOnly: false },
    clock.now(),
  )
  await pool.query(`update merchants set collection_callback_url = $1, payout_callback_url = $1 where sandbox_only`, [
    receiverUrl,
  ])
  await pool.query(
    `update payment_options set clearing_delay_seconds = 7200, reserve_bps = 1000, reserve_seconds = 864000
     where provider_code = 'airtel_ug' and transaction_type = 'COLLECTION'`,
  )
  await pool.query(
    `insert into exchange_rates (from_currency, to_currency, rate, updated_at) values ('USD', 'UGX', 3800, now())`,
  )
  await refresh()
  return { silent, publicKey: keys.publicKey }
}

async function makeCollections({ paymentSteps }: Gateway, malipo: Malipo, other: Malipo): Promise<void> {
  await collect(malipo, '123')
  await collect(malipo, '123', { charge_customer: true })
  await collect(malipo, '123', { currency: 'USD', amount: 100 })
  await collect(malipo, '002')
  await collect(malipo, '007')
  await collect(malipo, '007', { allow_final_status_change: false })
  await collect(malipo, '009')
  await collect(other, '123')
  await collect(other, '004')
  await airtel(malipo, '123')
  const cancelled = await collect(malipo, '123', hosted)
  await paymentSteps.cancel(cancelled.internal_reference)
  const confirmed = await collect(malipo, '123', hosted)
  await paymentSteps.confirm(confirmed.internal_reference)
  const atBank = await collect(malipo, '123', bank)
  await paymentSteps.confirm(atBank.internal_reference, { bankCode: 'access_bank_ng', accountNumber: '0123456123' })
  await collect(malipo, '123', hosted) // its page expires
}

const collect = (malipo: Malipo, ending: string, changes: object = {}) =>
  malipo.collections.initialize(phoneCollection({ msisdn: uniqueMsisdn(ending), ...changes }))

const airtel = (malipo: Malipo, ending: string) =>
  collect(malipo, ending, { provider_code: 'airtel_ug', msisdn: uniqueMsisdn(ending).replace('25677', '25675') })

const payOut = (malipo: Malipo, ending: string, changes: object = {}) =>
  malipo.payouts.send({
    transaction_method: 'MOBILE_MONEY',
    merchant_reference: uniqueReference(),
    currency: 'UGX',
    amount: 20_000,
    provider_code: 'mtn_ug',
    account_number: uniqueMsisdn(ending),
    customer_name: 'Amina Nakato',
    description: 'Refund of an order',
    ...changes,
  })
