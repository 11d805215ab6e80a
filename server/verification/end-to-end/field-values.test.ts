import { describe, expect, test } from 'vitest'
import { updateMerchant } from '../../admin/queries/merchants.ts'
import { addMerchant } from '../testing/another-merchant.ts'
import { expectError } from '../testing/expect-error.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { collect, payOut, postJson } from '../testing/requests.ts'
import { refusal } from '../testing/refusal.ts'

// The message of each rejected value, as a merchant reads it. Which values are valid is tested beside the rules:
// phone.test.ts, readable-text.test.ts and redirect-url.test.ts.

const { gateway } = await gatewayTest({ env: { MALIPO_RATE_LIMIT: '100000' } })
const { url } = gateway

const NO_PHONE = 'is not a valid MTN Uganda (mtn_ug) phone number'
const WHAT_TO_SEND = 'send 256 and the whole national number, digits only'
const REFERENCE = 'merchant_reference must be auto, or have 8 to 36 characters out of A-Z a-z 0-9 . _ ~ -'
const NO_CONTROLS = 'must not contain control characters'
const HTTPS = refusal('redirect_url_malformed')
const NO_URL_CHARACTER = 'redirect_url contains a character that a URL cannot have'

type Values = Readonly<Record<string, unknown>>

test.each<readonly [values: Values, message: string]>([
  [{ msisdn: '0752 000-123' }, `0752 000-123 ${NO_PHONE}`],
  [{ msisdn: '772000123' }, `772000123 ${NO_PHONE}: ${WHAT_TO_SEND}`],
  [{ msisdn: ' ' }, `  ${NO_PHONE}: ${WHAT_TO_SEND}`],
  [{ msisdn: 256772000123 }, 'msisdn must be a string'],
  [{ msisdn: ['0772000123'] }, 'msisdn must be a string'],
  [{ msisdn: '256\u00a0772000123' }, 'msisdn must have 1 to 32 printable ASCII characters'],
  [{ msisdn: `+256${' '.repeat(20)}772000123` }, 'msisdn must have 1 to 32 characters'],
  [{ merchant_reference: 'ORDER:0001' }, REFERENCE],
  [{ merchant_reference: 'ORDËR-0001' }, REFERENCE],
  [{ merchant_reference: 'short' }, REFERENCE],
  [{ merchant_reference: 'x'.repeat(37) }, REFERENCE],
  [{ merchant_reference: 'AUTO' }, REFERENCE],
  [{ card_cipher: 'x'.repeat(4097) }, 'card_cipher must have 1 to 4096 characters'],
  [{ description: ' \u00a0\u3164'.repeat(5) }, refusal('description_blank')],
  [{ description: 'Two coffees\n' }, `description ${NO_CONTROLS}`],
  [{ description: 'Two\u0085coffees' }, `description ${NO_CONTROLS}`],
  [{ description: 'Amina \u202eNakato' }, refusal('description_direction')],
  [{ customer_name: 'Amina \u2067Nakato' }, 'customer_name must not contain the control character U+2067'],
  [{ redirect_url: `https://shop.example/${'a'.repeat(2_028)}` }, 'redirect_url must have 9 to 2048 characters'],
  [{ redirect_url: 'http://shop.example/done' }, HTTPS],
  [{ redirect_url: 'javascript:alert(1)' }, HTTPS],
  [{ redirect_url: 'https:/shop.example' }, HTTPS],
  [{ redirect_url: 'https://shop.example/a#%4' }, 'redirect_url contains a % without two hexadecimal digits after it'],
  [{ redirect_url: 'https://shop.example/a?ids[]=1' }, NO_URL_CHARACTER],
  [{ redirect_url: 'https://shop.example/a b' }, NO_URL_CHARACTER],
  [{ redirect_url: 'https://shop.example/grün' }, NO_URL_CHARACTER],
  [{ redirect_url: 'https://shop.example/#a#b' }, NO_URL_CHARACTER],
  [{ redirect_url: 'https://shop.example\\@evil.example/' }, NO_URL_CHARACTER],
  [{ redirect_url: 'https://büro.example/\n' }, NO_URL_CHARACTER],
  [{ redirect_url: 'https://user@shop.example/' }, 'redirect_url must not contain a user name or a password'],
  [{ redirect_url: 'https://exa／mple.example' }, refusal('redirect_url_host')],
])('%j is refused with its own reason', async (values, message) => {
  expectError(await collect(url, values), 400, message)
})

test.each<readonly [values: Values, message: string]>([
  [{ account_number: '+256 752-000-123' }, `+256 752-000-123 ${NO_PHONE}`],
  [{ account_number: '(0772) 000 123' }, `(0772) 000 123 ${NO_PHONE}: ${WHAT_TO_SEND}`],
  [{ merchant_reference: 'auto' }, 'merchant_reference must have 8 to 36 characters'],
  [{ customer_name: 'Amina \u2066Nakato' }, 'customer_name must not contain the control character U+2066'],
])('%j is refused in a payout too', async (values, message) => {
  expectError(await payOut(url, values), 400, message)
})

test.each<Values>([
  { msisdn: '256392000123' },
  { merchant_reference: 'ABCdef.0_~-' },
  { merchant_reference: 'x'.repeat(36) },
  { description: '   支払い      ' },
  { description: 'é'.repeat(30) },
  { description: 'محمد עברית \u200f\u200e', customer_name: '👩\u200d🌾 می\u200cخواهم' },
  { redirect_url: `https://shop.example/${'a'.repeat(2_027)}` },
  { redirect_url: "https://[2001:db8::1]:8443/a%2Fb;c=1/@:!$&'()*+,=~?q=/?&%20#f/?" },
  { redirect_url: 'https://支払い.テスト:8443/?a=1' },
  { redirect_url: 'HTTP://LOCALHOST:3000/done' },
])('%j is accepted', async (values) => {
  expect((await collect(url, values)).status).toBe(202)
})

test('auto makes the gateway generate a reference', async () => {
  const { body } = await collect(url, { merchant_reference: 'auto' })
  expect(body.data.merchant_reference).toMatch(/^MREF[0-9A-HJKMNP-TV-Z]{16}$/)
})

test('an OTP is a whole number of 4 to 8 digits', async () => {
  for (const otp of [999, 100_000_000, 1234.5, '123456', -1]) {
    const guess = { internal_reference: 'MLP0123456789ABCDEFGHJKMN', otp }
    expect((await postJson(url, '/collections/authorize', guess)).status).toBe(400)
  }
})

describe("a merchant's host list", () => {
  test('allows only its hosts, and the refusal names the host', async () => {
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
})
