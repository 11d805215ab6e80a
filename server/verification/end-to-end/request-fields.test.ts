import { describe, expect, test } from 'vitest'
import { updateMerchant } from '../../admin/queries/merchants.ts'
import { addMerchant } from '../testing/another-merchant.ts'
import { bankCollection } from '../testing/client-requests.ts'
import { expectError } from '../testing/expect-error.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { DEMO_KEYS } from '../testing/gateway.ts'
import { refusal } from '../testing/refusal.ts'
import {
  collect,
  mobileMoneyCollection,
  mobileMoneyPayout,
  payOut,
  postJson,
  send,
  uniqueReference,
  verify,
} from '../testing/requests.ts'

// One refusal of each rule, as a merchant reads it. All cases of a rule are beside it, in request-shape.test.ts,
// body.test.ts, phone.test.ts, readable-text.test.ts and redirect-url.test.ts; the parts `declared`, `inputs` and
// `outgoing` of the contract suite send them to a gateway.

const { gateway } = await gatewayTest({ env: { MALIPO_RATE_LIMIT: '100000' } })
const { url } = gateway

const NO_PHONE = 'is not a valid MTN Uganda (mtn_ug) phone number'
const REFERENCE = 'merchant_reference must be auto, or have 8 to 36 characters out of A-Z a-z 0-9 . _ ~ -'
const BANK = { transaction_method: 'BANK', provider_code: 'bank_ng', currency: 'NGN' }

type Values = Readonly<Record<string, unknown>>

test.each<readonly [values: Values, message: string]>([
  [{ description: null, currency: 'x', unknown: 1 }, 'description is required'],
  [{ transaction_method: 'CARD' }, 'transaction_method must be one of MOBILE_MONEY, BANK'],
  [{ mobile_money_hpp: true }, 'redirect_url is required'],
  [{ no_such_field: null }, 'no_such_field is not allowed'],
  [{ customer_email: ' ' }, 'customer_email must have 6 to 254 characters'],
  [{ msisdn: '0752 000-123' }, `0752 000-123 ${NO_PHONE}`],
  [{ msisdn: '772000123' }, `772000123 ${NO_PHONE}: send 256 and the whole national number, digits only`],
  [{ msisdn: 256772000123 }, 'msisdn must be a string'],
  [{ msisdn: '256\u00a0772000123' }, 'msisdn must have 1 to 32 printable ASCII characters'],
  [{ merchant_reference: 'ORDËR-0001' }, REFERENCE],
  [{ description: ' \u00a0\u3164'.repeat(5) }, refusal('description_blank')],
  [{ description: 'Two coffees\n' }, 'description must not contain control characters'],
  [{ description: 'Amina \u202eNakato' }, refusal('description_direction')],
  [{ customer_name: 'Amina \u2067Nakato' }, 'customer_name must not contain the control character U+2067'],
  [{ redirect_url: 'http://shop.example/done' }, refusal('redirect_url_malformed')],
  [{ redirect_url: 'https://shop.example/a#%4' }, 'redirect_url contains a % without two hexadecimal digits after it'],
  [{ redirect_url: 'https://shop.example/a b' }, 'redirect_url contains a character that a URL cannot have'],
  [{ redirect_url: 'https://user@shop.example/' }, 'redirect_url must not contain a user name or a password'],
  [{ redirect_url: 'https://exa／mple.example' }, refusal('redirect_url_host')],
])('%j is refused with its own reason', async (values, message) => {
  expectError(await collect(url, values), 400, message)
})

test.each<readonly [values: Values, message: string]>([
  [{ account_number: '+256 752-000-123' }, `+256 752-000-123 ${NO_PHONE}`],
  [{ merchant_reference: 'auto' }, 'merchant_reference must have 8 to 36 characters'],
  [{ customer_name: 'Amina \u2066Nakato' }, 'customer_name must not contain the control character U+2066'],
  [{ ...BANK, account_number: '0123456789', extra_params: {} }, 'extra_params.bank_code is required'],
  [{ ...BANK, account_number: '0123456789', extra_params: { bank_code: 'absa_za' } }, 'Invalid bank code (absa_za)'],
  [{ extra_params: { sort_code: null } }, 'extra_params.sort_code is not allowed'],
  [{ extra_params: [null] }, 'extra_params must be an object'],
])('%j is refused in a payout too', async (values, message) => {
  expectError(await payOut(url, values), 400, message)
})

describe('unknown body field', () => {
  test.each(['id', 'transaction_status', '__proto__x', 'constructor'])('%s is not allowed', async (field) => {
    expectError(await collect(url, { [field]: 'x' }), 400, `${field} is not allowed`)
  })
  test('neither is __proto__', async () => {
    const body = JSON.stringify(mobileMoneyCollection()).replace(/}$/, ',"__proto__":{"amount":1}}')
    const headers = { 'content-type': 'application/json', ...DEMO_KEYS }
    expectError(await send(url, 'POST', '/collections/initialize', { headers, body }), 400, '__proto__ is not allowed')
  })
})

test('auto makes the gateway generate a reference', async () => {
  const { body } = await collect(url, { merchant_reference: 'auto' })
  expect(body.data.merchant_reference).toMatch(/^MREF[0-9A-HJKMNP-TV-Z]{16}$/)
})

test('an account number at a bank stays as it is written', async () => {
  const bank = { ...BANK, extra_params: { bank_code: 'access_bank_ng' } }
  const merchant_reference = uniqueReference()
  expect((await payOut(url, { ...bank, merchant_reference, account_number: '0772000123' })).status).toBe(202)
  expect((await verify(url, merchant_reference)).body.data.transaction_account).toBe('0772000123')
  expect((await payOut(url, { ...bank, account_number: '0772-000-123' })).status).toBe(400)
})

describe('no value', () => {
  test.each(['', null])('%j in an optional field is stored as none', async (value) => {
    const merchant_reference = uniqueReference()
    const empty = { redirect_url: value, customer_name: value, charge_customer: value, merchant_reference }
    const { status, body } = await collect(url, empty)
    expect([status, body.data]).toEqual([202, expect.not.objectContaining({ payment_url: expect.anything() })])
    const { data } = (await verify(url, merchant_reference)).body
    expect(data).toMatchObject({ charge_customer: false })
    expect(data).not.toHaveProperty('customer_name')
  })
  test('equals an absent field for an Idempotency-Key', async () => {
    const key = { ...DEMO_KEYS, 'idempotency-key': uniqueReference() }
    const [collection, payout] = [mobileMoneyCollection({ merchant_reference: 'auto' }), mobileMoneyPayout()]
    const first = await collect(url, { ...collection, customer_name: null, redirect_url: '' }, key)
    const again = await collect(url, collection, key)
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
    const paid = await payOut(url, { ...payout, extra_params: { bank_code: '' } }, key)
    const paidAgain = await payOut(url, payout, key)
    expect([paidAgain.body, paidAgain.headers.get('idempotency-replayed')]).toEqual([paid.body, 'true'])
  })
})

test('fields of the other method have no effect', async () => {
  const fields = { msisdn: 'no number', mobile_money_hpp: true }
  expect((await postJson(url, '/collections/initialize', bankCollection(fields))).status).toBe(202)
  const extra_params = { bank_code: 'no_such_bank', branch_code: 'of any text' }
  expect((await payOut(url, { extra_params })).status).toBe(202)
})

test("a merchant's host list allows only its hosts, and the refusal names the host", async () => {
  const { id, publicKey } = await addMerchant(
    gateway,
    { name: 'Careful', redirectHosts: ['shop.example', '*.shop.example'] },
    new Date(),
  )
  const sentTo = (redirect_url: string) => collect(url, { redirect_url }, { 'public-key': publicKey })
  expect((await sentTo('https://pay.shop.example:8443/done')).status).toBe(202)
  expectError(
    await sentTo('https://evil.example/done'),
    400,
    refusal('redirect_host_not_allowed', { 'shop.example': 'evil.example' }),
  )
  await updateMerchant(gateway.pool, id, { redirectHosts: [] })
  await gateway.refresh()
  expect((await sentTo('https://evil.example/done')).status).toBe(202)
})
