import { expect, test } from 'vitest'
import { expectError } from '../testing/expect-error.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { DEMO_KEYS } from '../testing/gateway.ts'
import {
  collect,
  mobileMoneyCollection,
  mobileMoneyPayout,
  payOut,
  uniqueMsisdn,
  uniqueReference,
  verify,
} from '../testing/requests.ts'
import { refusal } from '../testing/refusal.ts'

// One phone number is one account, however a merchant writes it. All spellings are in phone.test.ts.

const { gateway, after, receiver } = await gatewayTest({
  toReceiver: ['collection_callback_url', 'payout_callback_url', 'verification_url'],
})
const { url } = gateway

/** Spellings of a 12-digit Ugandan number. */
const spellings = (number: string): readonly string[] => {
  const [, a = '', b = '', c = ''] = /^256(\d{3})(\d{3})(\d{3})$/.exec(number) ?? []
  return [`+256 ${a} ${b} ${c}`, `0${a} ${b}-${c}`, ` ${number} `, `0${a}${b}${c}`, `256-${a}-${b}-${c}`]
}

test('verify and callback have the stored form, and its ending chooses the outcome', async () => {
  const [collected, paid] = [uniqueMsisdn('002'), uniqueMsisdn()]
  const [collection, payout] = [uniqueReference(), uniqueReference()]
  await collect(url, { msisdn: spellings(collected)[1], merchant_reference: collection })
  await payOut(url, { account_number: spellings(paid)[0], merchant_reference: payout })
  await after(5_000)
  for (const [reference, account, status] of [
    [collection, collected, 'FAILED'],
    [payout, paid, 'COMPLETED'],
  ] as const) {
    const { data } = (await verify(url, reference)).body
    expect(data).toMatchObject({ transaction_account: account, transaction_status: status })
    expect(receiver.about(reference).map(({ json: { payload } }) => payload)).toEqual([data])
  }
})

test('an account number at a bank stays as it is written', async () => {
  const bank = {
    transaction_method: 'BANK',
    provider_code: 'bank_ng',
    currency: 'NGN',
    extra_params: { bank_code: 'access_bank_ng' },
  }
  const merchant_reference = uniqueReference()
  expect((await payOut(url, { ...bank, merchant_reference, account_number: '0772000123' })).status).toBe(202)
  expect((await verify(url, merchant_reference)).body.data.transaction_account).toBe('0772000123')
  expect((await payOut(url, { ...bank, account_number: '0772-000-123' })).status).toBe(400)
})

test('the daily limit and the bounds of an account count all spellings together', async () => {
  const written = spellings(uniqueMsisdn())
  const amounts = [2_000_000, 2_000_000, 2_000_000, 1_000_000, 500]
  for (const send of [
    (number: string, amount: number) => collect(url, { msisdn: number, amount }),
    (number: string, amount: number) => payOut(url, { account_number: number, amount }),
  ]) {
    const replies = []
    for (const [index, amount] of amounts.entries()) replies.push(await send(written[index]!, amount))
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202, 202, 400])
    expectError(replies.at(-1)!, 400, refusal('amount_daily'))
  }
  const pages = { mobile_money_hpp: true, redirect_url: 'https://shop.example/done' }
  const opened = []
  for (let n = 0; n < 11; n += 1) opened.push(await collect(url, { ...pages, msisdn: written[n % written.length] }))
  expect(opened.map(({ status }) => status)).toEqual([...Array<number>(10).fill(202), 400])
  expectError(opened.at(-1)!, 400, refusal('pages_too_many'))
})

test('under an Idempotency-Key another spelling is the same request', async () => {
  const [msisdn, account_number] = [uniqueMsisdn(), uniqueMsisdn()]
  const [collection, payout] = [mobileMoneyCollection({ msisdn }), mobileMoneyPayout({ account_number })]
  const key = { ...DEMO_KEYS, 'idempotency-key': uniqueReference() }
  const first = await collect(url, collection, key)
  const paid = await payOut(url, payout, key)
  for (const written of spellings(msisdn)) {
    const again = await collect(url, { ...collection, msisdn: written }, key)
    expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([202, 'true', first.body])
  }
  const again = await payOut(url, { ...payout, account_number: spellings(account_number)[1] }, key)
  expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([202, 'true', paid.body])
  for (const other of [uniqueMsisdn(), msisdn.slice(3), 'nobody'])
    expectError(await collect(url, { ...collection, msisdn: other }, key), 409, refusal('idempotency_key_used'))
})
