import { describe, expect, test } from 'vitest'
import contract from '../../../generated/openapi.json' with { type: 'json' }
import { collect, send, uniqueReference } from '../testing/requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { addMerchant } from '../testing/another-merchant.ts'
import { expectError } from '../testing/expect-error.ts'

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
    const { value } = examples[name]
    const { data, ...envelope } = await answer(`/data/payment-providers?${cases[name]}`)
    // The sandbox may have more providers than the example shows.
    const shown = new Set(value.data.payment_providers.map(({ provider_code: code }) => code))
    const listed = data.payment_providers as { provider_code: string }[]
    expect(value).toEqual({
      ...envelope,
      data: { payment_providers: listed.filter(({ provider_code: code }) => shown.has(code)) },
    })
  })
})

describe('the examples of banks are what the sandbox answers', () => {
  const cases = { banks: parameters.ProviderOfBanks.example, banks_none: 'mtn_ug' } as const

  test('covers every example', () => expect(shownBy(responses.PayoutBanks)).toEqual(Object.keys(cases).toSorted()))
  test.each(['banks', 'banks_none'] as const)('%s', async (name) => {
    expect(examples[name].value).toEqual(await answer(`/data/payout-bank-codes?provider_code=${cases[name]}`))
  })
})

// account-bounds.test.ts compares the refusals of an account number's bounds with their examples.
describe('the examples of refusals name the limits and names of the sandbox', () => {
  test('amount_range', async () =>
    expect(examples.amount_range.value).toEqual((await collect(gateway.url, { amount: 1 })).body))
  test('phone_invalid', async () =>
    expect(examples.phone_invalid.value).toEqual((await collect(gateway.url, { msisdn: '256752000123' })).body))
})

test('the bank in examples of payments is one of the sandbox', async () => {
  const { data } = await answer('/data/payout-bank-codes?provider_code=bank_ng')
  expect(data.payout_banks).toContainEqual({
    bank_code: examples.payout_bank.value.extra_params.bank_code,
    bank_name: examples.transaction_bank_collection_completed.value.data.institution_name,
    is_active: true,
  })
})

test("another merchant's reference gives the same 404", async () => {
  const { publicKey } = await addMerchant(gateway, { name: 'Other' }, clock.now())
  const merchant_reference = uniqueReference()
  const verifiedBy = (headers: Readonly<Record<string, string>>) =>
    send(url, 'GET', `/data/transaction/verify/${merchant_reference}`, { headers })
  const notFound = `Transaction (${merchant_reference}) was not found`
  expectError(await verifiedBy({}), 404, notFound)
  await collect(url, { merchant_reference })
  expectError(await verifiedBy({ 'public-key': publicKey }), 404, notFound)
  expect((await verifiedBy({})).status).toBe(200)
  // References are scoped to the merchant: the other merchant may use the same one.
  expect((await collect(url, { merchant_reference }, { 'public-key': publicKey })).status).toBe(202)
})
