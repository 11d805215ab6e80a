import { expect, test } from 'vitest'
import { changeTerms, type TermsChange } from '../../admin/queries/merchant-terms.ts'
import type { TransactionType } from '../../domain/provider.ts'
import { withoutAudit } from '../../storage/audited-pool.ts'
import { hostedCollection, phoneCollection } from '../testing/client-requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { mobileMoneyPayout, uniqueMsisdn } from '../testing/requests.ts'
import type { PayoutRequest } from '../../../client/index.ts'

const { gateway, after, malipo } = await gatewayTest({ toReceiver: ['verification_url'] })
const { id } = (await gateway.pool.query<{ id: bigint }>('select id from merchants')).rows[0]!

async function set(type: TransactionType, terms: TermsChange): Promise<void> {
  await changeTerms(withoutAudit(gateway.pool), id, { providerCode: 'mtn_ug', type }, terms)
  await gateway.refresh()
}
const listed = async (transaction_type: TransactionType) =>
  (await malipo.providers.list({ currency: 'UGX', transaction_type })).find(
    ({ provider_code }) => provider_code === 'mtn_ug',
  )
const pay = (amount: number, msisdn = uniqueMsisdn()) =>
  malipo.collections.initialize(phoneCollection({ amount, msisdn }))

test('own limits narrow those of the provider, in the list and at acceptance', async () => {
  const provider = await listed('COLLECTION')
  expect(provider).toMatchObject({ min_amount: 500, max_amount: 3_000_000, max_daily_amount: 7_000_000 })
  await set('COLLECTION', { minAmountMinor: 1_000n, maxAmountMinor: 6_000n, maxDailyAmountMinor: 9_000n })
  expect(await listed('COLLECTION')).toMatchObject({ min_amount: 1_000, max_amount: 6_000, max_daily_amount: 9_000 })
  await expect(pay(999)).rejects.toThrow('amount must be between 1000 and 6000 UGX')
  await expect(pay(6_001)).rejects.toThrow('amount must be between 1000 and 6000 UGX')
  // Wider than the provider's, as after a change of those: the provider's apply.
  await set('COLLECTION', { minAmountMinor: 1n, maxAmountMinor: 5_000_000n, maxDailyAmountMinor: 9_000_000n })
  expect(await listed('COLLECTION')).toEqual(provider)
})

test.each(['direct', 'on the page'])('counts the own daily limit for an account number: %s', async (form) => {
  await set('COLLECTION', { minAmountMinor: null, maxAmountMinor: 6_000n, maxDailyAmountMinor: 9_000n })
  const msisdn = uniqueMsisdn()
  await pay(6_000, msisdn)
  await after(1_000)
  const over = /daily limit of 9[,.]?000 UGX/
  if (form === 'direct') await expect(pay(3_001, msisdn)).rejects.toThrow(over)
  else {
    const request = { ...hostedCollection(), amount: 3_001, msisdn }
    const { internal_reference } = await malipo.collections.initialize(request)
    await expect(gateway.paymentSteps.confirm(internal_reference)).rejects.toThrow(over)
  }
})

test('own charges replace those of the provider, until they are removed', async () => {
  const chargeOf = async () => {
    const request = mobileMoneyPayout({ amount: 10_000 }) as unknown as PayoutRequest
    await malipo.payouts.send(request)
    await after(1_000)
    return (await malipo.transactions.verify(request.merchant_reference)).transaction_charge
  }
  const before = await chargeOf()
  await set('PAYOUT', { chargeBps: 250, chargeFlatMinor: 0n })
  expect(await chargeOf()).toBe(250)
  await set('PAYOUT', { chargeFlatMinor: 7n })
  expect(await chargeOf()).toBe(257)
  await set('PAYOUT', { chargeBps: null, chargeFlatMinor: null })
  expect(await chargeOf()).toBe(before)
  expect((await gateway.pool.query(`select from merchant_terms where transaction_type = 'PAYOUT'`)).rowCount).toBe(0)
})
