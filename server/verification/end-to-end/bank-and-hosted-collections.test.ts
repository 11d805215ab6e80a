import { describe, expect, test } from 'vitest'
import { faultsInBooks } from '../testing/books.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { bankCollection, hostedCollection, phoneCollection } from '../testing/client-requests.ts'
import { transfersOf } from '../testing/operators-book.ts'
import { byForm } from '../testing/sandbox-rails.ts'
import { gatewayTest } from '../testing/gateway-test.ts'

// Collections paid on a page, by bank or mobile money: from the page to the cleared credit. Redirects are tested by the
// parts `receiver` and `outgoing` of the contract suite; its rules compare them with verify and callbacks.

const { gateway, after, clock, receiver, malipo } = await gatewayTest({
  toReceiver: ['collection_callback_url'],
})

const statusOf = async (reference: string) => (await malipo.transactions.verify(reference)).transaction_status

const steps = () => gateway.paymentSteps

describe('bank collections', () => {
  test('carry a payment_url, and stay PENDING until the customer has paid there', async () => {
    const request = bankCollection()
    const { payment_url, internal_reference, merchant_reference } = await malipo.collections.initialize(request)
    expect(payment_url).toBe(`${gateway.url}/pay/collection/${internal_reference}`)
    await after(60_000)
    expect(await statusOf(merchant_reference)).toBe('PENDING')
    expect(await steps().confirm(internal_reference, { bankCode: 'access_bank_ng', accountNumber: '0123456123' })).toBe(
      'done',
    )
    await after(1000)
    expect(await malipo.transactions.verify(merchant_reference)).toMatchObject({
      transaction_status: 'COMPLETED',
      institution_name: 'Access Bank',
      transaction_account: '0123456123',
      total_credit: 4925,
    })
    expect(receiver.about(merchant_reference)[0]!.json).toEqual({
      event: 'transaction.completed',
      payload: await malipo.transactions.verify(merchant_reference),
    })
    await expectBalancedBooks(gateway)
  })
})

describe('hosted mobile money', () => {
  test('goes to the rail when the customer confirms, once, however often they do', async () => {
    const { payment_url, internal_reference, merchant_reference } =
      await malipo.collections.initialize(hostedCollection())
    expect(payment_url).toContain(internal_reference)
    const results = await Promise.all(Array.from({ length: 10 }, () => steps().confirm(internal_reference)))
    expect(results.filter((result) => result === 'done')).toHaveLength(1)
    await after(1000)
    expect(await statusOf(merchant_reference)).toBe('COMPLETED')
    expect(await transfersOf(gateway.pool, internal_reference)).toBe(1)
    expect(receiver.about(merchant_reference)).toHaveLength(1)
  })
})

describe('a page that offers retries', () => {
  const offersRetries = async () => {
    await gateway.pool.query('update merchants set page_retries = true')
    await gateway.refresh()
  }

  test('tries another number and provider: one callback, with the charge that was paid', async () => {
    await offersRetries()
    const request = hostedCollection('002')
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(request)
    await steps().confirm(internal_reference)
    await after(1000)
    expect(await statusOf(merchant_reference)).toBe('PROCESSING')
    expect((await steps().view(internal_reference))?.step).toMatchObject({
      step: 'retry',
      failureCode: 'insufficient_funds',
    })
    expect(receiver.about(merchant_reference)).toEqual([])
    expect(await steps().retry(internal_reference, { phone: '0752 000 001' })).toBe('done')
    await after(1000)
    expect(await malipo.transactions.verify(merchant_reference)).toMatchObject({
      transaction_status: 'COMPLETED',
      provider_code: 'airtel_ug',
      transaction_account: '256752000001',
    })
    expect(receiver.about(merchant_reference)).toHaveLength(1)
    await expectBalancedBooks(gateway)
  })

  test('credits the first of two successes, and keeps the other on suspense', async () => {
    await offersRetries()
    const request = hostedCollection('007')
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(request)
    await steps().confirm(internal_reference)
    await after(1000)
    expect(await steps().retry(internal_reference, { phone: '0752 000 010' })).toBe('done')
    await after(3000)
    expect(await malipo.transactions.verify(merchant_reference)).toMatchObject({
      transaction_status: 'COMPLETED',
      provider_code: 'mtn_ug',
    })
    await after(60_000)
    expect(receiver.about(merchant_reference)).toHaveLength(1)
    const { rows } = await gateway.pool.query(
      "select balance_minor from accounts where kind = 'suspense' and currency = 'UGX' and balance_minor <> 0",
    )
    expect(rows).toEqual([{ balance_minor: BigInt(request.amount) }])
    expect(await faultsInBooks(gateway, clock.now())).toEqual([])
  })
})

describe('clearing delay and rolling reserve', () => {
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
})
