import { describe, expect, test } from 'vitest'
import contract from '../../../generated/openapi.json' with { type: 'json' }
import { collect, postJson, send, uniqueMsisdn, uniqueReference, verify } from '../testing/requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { createMerchant, newMerchantKeys } from '../../admin/queries/merchants.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { expectError } from '../testing/expect-error.ts'
import { MASTER_KEY, DEMO_KEYS, seededRandom } from '../testing/gateway.ts'

// Lookups of providers, banks, wallets and transactions. Whoever reads the docs and then tries the sandbox finds the
// same providers, banks and limits.

const { examples, parameters, responses } = contract.components

const { gateway, clock } = await gatewayTest()
const { url } = gateway

const answer = async (path: string) => (await send(gateway.url, 'GET', path)).body
const shownBy = (response: { readonly content: { readonly 'application/json': { readonly examples: object } } }) =>
  Object.keys(response.content['application/json'].examples).toSorted()

describe('the examples of providers are what the sandbox answers', () => {
  const cases = {
    providers_mobile_money: 'currency=UGX&transaction_type=COLLECTION',
    providers_bank: 'currency=NGN&transaction_type=PAYOUT',
    providers_none: 'currency=EUR&transaction_type=COLLECTION',
  } as const

  test('covers every example', () => expect(shownBy(responses.PaymentProviders)).toEqual(Object.keys(cases).toSorted()))
  test.each(['providers_mobile_money', 'providers_bank', 'providers_none'] as const)('%s', async (name) => {
    expect(examples[name].value).toEqual(await answer(`/data/payment-providers?${cases[name]}`))
  })
})

describe('the examples of banks are what the sandbox answers', () => {
  const cases = { banks: parameters.ProviderOfBanks.example, banks_none: 'mtn_ug' } as const

  test('covers every example', () => expect(shownBy(responses.PayoutBanks)).toEqual(Object.keys(cases).toSorted()))
  test.each(['banks', 'banks_none'] as const)('%s', async (name) => {
    expect(examples[name].value).toEqual(await answer(`/data/payout-bank-codes?provider_code=${cases[name]}`))
  })
})

// One merchant may use half of an account number's limit.
describe('the examples of refusals name the limits and names of the sandbox', () => {
  test('amount_range', async () =>
    expect(examples.amount_range.value).toEqual((await collect(gateway.url, { amount: 1 })).body))
  test('phone_invalid', async () =>
    expect(examples.phone_invalid.value).toEqual((await collect(gateway.url, { msisdn: '256752000123' })).body))
  test('amount_daily', async () => {
    const msisdn = uniqueMsisdn()
    for (const amount of [3_000_000, 3_000_000])
      expect((await collect(gateway.url, { msisdn, amount })).status).toBe(202)
    expect(examples.amount_daily.value).toEqual((await collect(gateway.url, { msisdn, amount: 3_000_000 })).body)
  })
  test('otps_too_many', async () => {
    const requested = { msisdn: uniqueMsisdn('005') }
    for (let n = 0; n < 20 / 2; n += 1) expect((await collect(gateway.url, requested)).status).toBe(202)
    expect(examples.otps_too_many.value).toEqual((await collect(gateway.url, requested)).body)
  })
  test('otps_wrong_too_many', async () => {
    const msisdn = uniqueMsisdn('005')
    const guess = async (internal_reference: unknown) =>
      (await postJson(gateway.url, '/collections/authorize', { internal_reference, otp: 999_999 })).body
    // Created first: no OTP is sent any more to a number that has used up its wrong attempts.
    const last = (await collect(gateway.url, { msisdn })).body.data.internal_reference
    for (let n = 0; n < 6 / 2; n += 1) {
      const { internal_reference } = (await collect(gateway.url, { msisdn })).body.data
      for (let tries = 0; tries < 5; tries += 1)
        expect(await guess(internal_reference)).toMatchObject({ message: 'Invalid OTP' })
    }
    expect(examples.otps_wrong_too_many.value).toEqual(await guess(last))
  })
  test('pages_too_many', async () => {
    const page = { msisdn: uniqueMsisdn(), mobile_money_hpp: true, redirect_url: 'https://shop.example/done' }
    for (let n = 0; n < 20 / 2; n += 1) expect((await collect(gateway.url, page)).status).toBe(202)
    expect(examples.pages_too_many.value).toEqual((await collect(gateway.url, page)).body)
  })
})

test('the bank in examples of payments is one of the sandbox', async () => {
  const { data } = await answer('/data/payout-bank-codes?provider_code=bank_ng')
  expect(data.payout_banks).toContainEqual({
    bank_code: examples.payout_bank.value.extra_params.bank_code,
    bank_name: examples.transaction_bank_collection_completed.value.data.institution_name,
    is_active: true,
  })
})

describe('unknown provider', () => {
  test('an unknown code', async () =>
    expectError(await collect(url, { provider_code: 'MTN UG!' }), 400, 'Invalid provider code (MTN UG!)'))
  test('of the other method', async () =>
    expectError(
      await collect(url, { provider_code: 'bank_ng' }),
      400,
      'Invalid provider code (bank_ng): does not offer MOBILE_MONEY',
    ))
  test('inactive', async () => {
    await withChange(
      `update payment_options set is_active = false where provider_code = 'airtel_zm' and transaction_type = 'COLLECTION'`,
    )
    expectError(await collect(url, { provider_code: 'airtel_zm' }), 400, 'Invalid provider code (airtel_zm): inactive')
  })
  test('of the other transaction type', async () => {
    await withChange(
      `delete from merchant_options where provider_code = 'mtn_zm' and transaction_type = 'COLLECTION'; delete from payment_options where provider_code = 'mtn_zm' and transaction_type = 'COLLECTION'`,
    )
    expectError(
      await collect(url, { provider_code: 'mtn_zm' }),
      400,
      'Invalid provider code (mtn_zm): does not offer COLLECTION',
    )
  })
  test('not enabled for the merchant', async () => {
    await withChange(`delete from merchant_options where provider_code = 'airtel_rw'`)
    expectError(
      await collect(url, { provider_code: 'airtel_rw' }),
      400,
      'Invalid provider code (airtel_rw): not enabled for this merchant',
    )
  })
})

async function withChange(sql: string): Promise<void> {
  await gateway.pool.query(sql)
  await gateway.refresh()
}

describe('lookups', () => {
  test('a well-formed currency without options', async () => {
    expect((await send(url, 'GET', '/data/payment-providers?currency=XYZ&transaction_type=PAYOUT')).body.data).toEqual({
      payment_providers: [],
    })
  })
  test('a provider without bank payouts', async () => {
    expect((await send(url, 'GET', '/data/payout-bank-codes?provider_code=mtn_ug')).body.data).toEqual({
      payout_banks: [],
    })
  })
  test('the banks of a provider that has them', async () => {
    const { body } = await send(url, 'GET', '/data/payout-bank-codes?provider_code=bank_ng')
    expect(body.data.payout_banks).toContainEqual({
      bank_name: 'Access Bank',
      bank_code: 'access_bank_ng',
      is_active: true,
    })
  })
  test('no currency: all wallets', async () => {
    const { body } = await send(url, 'GET', '/data/wallet-balances', { headers: DEMO_KEYS })
    const wallets = body.data.merchant_wallets as { currency: string }[]
    expect(new Set(wallets.map(({ currency }) => currency))).toEqual(
      new Set(['UGX', 'KES', 'TZS', 'RWF', 'GHS', 'ZMW', 'NGN', 'ZAR']),
    )
    expect(wallets).toHaveLength(16)
  })
  test('a currency narrows the wallets', async () => {
    const { body } = await send(url, 'GET', '/data/wallet-balances?currency=KES', { headers: DEMO_KEYS })
    expect(
      (body.data.merchant_wallets as { wallet_type: string; currency: string }[]).map(
        ({ wallet_type, currency }) => `${wallet_type} ${currency}`,
      ),
    ).toEqual(['MERCHANT_COLLECTION KES', 'MERCHANT_PAYOUT KES'])
  })
})

describe('verify, unknown reference', () => {
  test('404 naming it', async () =>
    expectError(await verify(url, 'ORDER-9999'), 404, 'Transaction (ORDER-9999) was not found'))
  test("another merchant's reference gives the same 404", async () => {
    const keys = newMerchantKeys(seededRandom('other'))
    await createMerchant(
      gateway.pool,
      createSecretBox(MASTER_KEY, seededRandom('box')),
      { name: 'Other', keys, sandboxOnly: false },
      clock.now(),
    )
    await gateway.refresh()
    const merchant_reference = uniqueReference()
    await collect(url, { merchant_reference })
    const path = `/data/transaction/verify/${merchant_reference}`
    expectError(
      await send(url, 'GET', path, { headers: { 'public-key': keys.publicKey } }),
      404,
      `Transaction (${merchant_reference}) was not found`,
    )
    expect((await send(url, 'GET', path)).status).toBe(200)
    // References are scoped to the merchant: the other merchant may use the same one.
    expect((await collect(url, { merchant_reference }, { 'public-key': keys.publicKey })).status).toBe(202)
  })
})
