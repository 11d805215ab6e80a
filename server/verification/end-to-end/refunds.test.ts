import { expect, test } from 'vitest'
import { hostedCollection } from '../testing/client-requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { transfersFor } from '../testing/operators-book.ts'
import { mobileMoneyCollection, uniqueMsisdn, uniqueReference } from '../testing/requests.ts'

// Refunds end to end: our client, HTTP, PostgreSQL, simulated rail, callback. What is refunded is a rule of
// domain/refund.ts.

const { gateway, after, receiver, malipo } = await gatewayTest({
  toReceiver: ['collection_callback_url', 'refund_callback_url'],
  env: { MALIPO_RATE_LIMIT: '100000' },
})

type CollectionRequest = Parameters<typeof malipo.collections.initialize>[0]

async function collected(changes: object = {}): Promise<string> {
  const request = mobileMoneyCollection({ msisdn: uniqueMsisdn('001'), amount: 5000, ...changes })
  await malipo.collections.initialize(request as unknown as CollectionRequest)
  await after(1000)
  return (request as { merchant_reference: string }).merchant_reference
}
const refundOf = (collection_reference: string, amount?: number) => ({
  merchant_reference: uniqueReference(),
  collection_reference,
  ...(amount !== undefined && { amount }),
  reason: 'Returned',
})
const balance = async (): Promise<number> =>
  (await malipo.wallets.list({ currency: 'UGX' })).find(({ wallet_type }) => wallet_type === 'MERCHANT_COLLECTION')!
    .available_balance

test('a refund gives a part back, to the account that paid, and reports it', async () => {
  const collection = await collected()
  const before = await balance()
  const request = refundOf(collection, 2000)
  await malipo.collections.refund(request)
  await after(1000)
  const record = await malipo.collections.retrieveRefund(request.merchant_reference)
  const paid = await malipo.transactions.verify(collection)
  expect(record).toMatchObject({
    transaction_type: 'REFUND',
    transaction_status: 'COMPLETED',
    transaction_account: paid.transaction_account,
    collection_merchant_reference: collection,
    collection_internal_reference: paid.internal_reference,
    request_amount: 2000,
    total_debit: 2000,
    charge_refunded: 0,
    refund_method: 'REFUND',
  })
  expect(await balance()).toBe(before - 2000)
  expect(await transfersFor(gateway.pool, request.merchant_reference)).toBe(1)
  expect(receiver.about(request.merchant_reference).map(({ json }) => json)).toEqual([
    { event: 'refund.completed', payload: record },
  ])
  await expect(malipo.transactions.verify(request.merchant_reference)).rejects.toMatchObject({ status: 404 })
  await expectBalancedBooks(gateway)
})

test('100 refunds of 100 at once from a collection of 5000: 50 are paid', async () => {
  const collection = await collected()
  const results = await Promise.allSettled(
    Array.from({ length: 100 }, () => malipo.collections.refund(refundOf(collection, 100))),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(50)
  await after(1000)
  await expect(malipo.collections.refund(refundOf(collection))).rejects.toMatchObject({ status: 409 })
  await expectBalancedBooks(gateway)
})

test('the receipt of the customer says what was refunded', async () => {
  const { internal_reference, merchant_reference, payment_url } =
    await malipo.collections.initialize(hostedCollection())
  await gateway.paymentSteps.confirm(internal_reference)
  await after(1000)
  await malipo.collections.refund(refundOf(merchant_reference, 2000))
  await after(1000)
  expect(await (await fetch(`${payment_url!}?from=form`)).text()).toMatch(/Refunded.*2,000/s)
})
