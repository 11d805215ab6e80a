import { describe, expect, test } from 'vitest'
import { bundleUrl, readContract } from '../../../openapi/reading/contract.ts'
import { valueOf } from '../../../openapi/reading/wire.ts'
import { SANDBOX_OTP } from '../../start/one-time-passwords.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { bankCollection, hostedCollection, phoneCollection, REDIRECT_URL } from '../testing/client-requests.ts'
import { transfersOf } from '../testing/operators-book.ts'
import { byForm } from '../testing/sandbox-rails.ts'
import type { ReceivedCallback } from '../testing/receiver.ts'
import { gatewayTest } from '../testing/gateway-test.ts'

// Collections paid on a page, by bank or mobile money: from the page to the redirect and the cleared credit.

const { gateway, clock, after, receiver, malipo } = await gatewayTest({
  toReceiver: ['collection_callback_url'],
})

const statusOf = async (reference: string) => (await malipo.transactions.verify(reference)).transaction_status

const steps = () => gateway.paymentSteps

/**
 * Checks a redirect against the contract's callback definition: every declared parameter, as declared, and no other
 * parameter of ours.
 */
function expectRedirectByContract(url: URL): void {
  const { operations, flat, faultIn } = readContract(bundleUrl)
  const { parameters } = operations.find(({ id }) => id === 'customerRedirect')!
  expect(parameters).toHaveLength(10)
  for (const { name, schema } of parameters) {
    const text = url.searchParams.get(name)
    expect(text, name).not.toBe(null)
    expect(faultIn(schema, valueOf(flat(schema).type, text!)), name).toBe(undefined)
  }
  expect(
    [...url.searchParams.keys()].filter((name) => !parameters.some((parameter) => parameter.name === name)),
  ).toEqual([...new URL(REDIRECT_URL).searchParams.keys()])
}

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
  test.each([
    [{ bankCode: 'no_such_bank', accountNumber: '0123456123' }, 'Choose your bank'],
    [{ bankCode: 'access_bank_ng', accountNumber: '12' }, 'Enter your account number: 6 to 20 digits'],
  ])('%j is refused with a text for the customer, and can be corrected', async (choice, message) => {
    const { internal_reference } = await malipo.collections.initialize(bankCollection())
    await expect(steps().confirm(internal_reference, choice)).rejects.toThrow(message)
    expect(await steps().confirm(internal_reference, { bankCode: 'access_bank_ng', accountNumber: '0123456123' })).toBe(
      'done',
    )
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
  test('requires an OTP first where the provider or the test number does', async () => {
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(hostedCollection('005'))
    expect(await steps().confirm(internal_reference)).toBe('done')
    await after(1000)
    expect(await statusOf(merchant_reference)).toBe('PENDING')
    expect(await steps().submitOtp(internal_reference, SANDBOX_OTP)).toBe('done')
    await after(1000)
    expect(await statusOf(merchant_reference)).toBe('COMPLETED')
  })
})

describe('the redirect', () => {
  test("keeps the merchant's query and fragment; the outcome varies only in its time", async () => {
    const own = 'https://shop.example/done?order=1%202&x=a+b#top'
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(
      bankCollection({ redirect_url: own }),
    )
    expect(await steps().redirect(internal_reference)).toBeUndefined()
    await steps().cancel(internal_reference)
    const first = new URL((await steps().redirect(internal_reference))!)
    clock.advance(5_000)
    const second = new URL((await steps().redirect(internal_reference))!)
    expect(first.href.startsWith('https://shop.example/done?order=1%202&x=a+b&id=')).toBe(true)
    expect(first.hash).toBe('#top')
    expect(Object.fromEntries(first.searchParams)).toMatchObject({
      event: 'transaction.failed',
      merchant_reference,
      internal_reference,
      transaction_type: 'COLLECTION',
      transaction_status: 'CANCELLED',
      status_message: 'The customer cancelled the payment',
    })
    const withoutTime = ({ searchParams }: URL) =>
      [...searchParams].map(([name, value]) => (name === 'hmac_signature' ? value.replace(/^t=\d+/, 't=') : value))
    expect(withoutTime(second)).toEqual(withoutTime(first))
    expect(second.searchParams.get('hmac_signature')).not.toBe(first.searchParams.get('hmac_signature'))
    // RFC 3986 does not encode a space as a plus sign, so neither parser may find one in what we add.
    expect(first.search.slice(first.search.indexOf('&id='))).not.toContain('+')
  })
})

describe('verify, callback and redirect agree', () => {
  test.each([
    ['COMPLETED', '123'],
    ['FAILED', '002'],
    ['CANCELLED', undefined],
  ])('in every field of a collection that ended %s', async (status, ending) => {
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(bankCollection())
    if (ending === undefined) await steps().cancel(internal_reference)
    else await steps().confirm(internal_reference, { bankCode: 'access_bank_ng', accountNumber: `0123456${ending}` })
    await after(1000)
    const record = await malipo.transactions.verify(merchant_reference)
    expect(record.transaction_status).toBe(status)
    const [{ json, headers }] = receiver.about(merchant_reference) as [ReceivedCallback]
    expect(json.payload).toEqual(record)

    const url = new URL((await steps().redirect(internal_reference))!)
    expectRedirectByContract(url)
    const reported = Object.fromEntries(url.searchParams)
    const { id, transaction_type, transaction_status, status_message } = record
    expect(reported).toMatchObject({
      id: String(id),
      event: json.event,
      merchant_reference,
      internal_reference,
      transaction_type,
      transaction_status,
      status_message,
    })
    // The same text is signed with the same keys, so the signatures are the same too, except for the time.
    expect(reported.rsa_signature).toBe(headers['rsa-signature'])
    expect(reported.rsa_key_id).toBe(headers['rsa-key-id'])
    expect(reported.hmac_signature!.split(',s=')[1]).toBe((headers['hmac-signature'] as string).split(',s=')[1])
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
