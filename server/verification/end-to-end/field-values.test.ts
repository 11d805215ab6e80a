import { describe, expect, test } from 'vitest'
import { createMerchant, newMerchantKeys, updateMerchant } from '../../admin/queries/merchants.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { DEMO_KEYS, seededRandom, MASTER_KEY } from '../testing/gateway.ts'
import { collect, mobileMoneyCollection, postJson, uniqueReference, verify } from '../testing/requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { expectError } from '../testing/expect-error.ts'

// The valid values of request fields, and the message of each rejection.

const { gateway } = await gatewayTest({
  surroundings: { random: seededRandom('requests') },
  env: { MALIPO_RATE_LIMIT: '100000' },
})
const { url } = gateway

describe('phone number', () => {
  test.each(['256772000123', '+256772000123', '256392000123', '0772000123', '256 772 000-123'])(
    '%s is accepted',
    async (msisdn) => {
      expect((await collect(url, { msisdn })).status).toBe(202)
    },
  )
  test('a leading plus is dropped', async () => {
    const reference = uniqueReference()
    await collect(url, { msisdn: '+256772000124', merchant_reference: reference })
    expect((await verify(url, reference)).body.data.transaction_account).toBe('256772000124')
  })
  test.each([
    ['another operator', '256752000123'],
    ['another operator in national form', '0752 000 123'],
  ])('%s: %s', async (_case, msisdn) => {
    expectError(await collect(url, { msisdn }), 400, `${msisdn} is not a valid MTN Uganda (mtn_ug) phone number`)
  })
  test.each([
    ['another country', '254712000123'],
    ['too short', '25677200'],
    ['too long', '25677200012345'],
    ['a trunk zero', '2560772000123'],
    ['letters', '25677200abc'],
    ['full stops', '256.772.000.123'],
    ['two plus signs', '++256772000123'],
    ['only a plus', '+'],
  ])('%s: %s', async (_case, msisdn) => {
    expectError(
      await collect(url, { msisdn }),
      400,
      `${msisdn} is not a valid MTN Uganda (mtn_ug) phone number: send 256 and the whole national number, digits only`,
    )
  })
})

describe('merchant_reference characters', () => {
  test.each(['ABCdef.0_~-', 'x'.repeat(36)])('%s is accepted', async (merchant_reference) =>
    expect((await collect(url, { merchant_reference })).status).toBe(202),
  )
  test.each(['ORDER:0001', 'ORDER 0001', 'ORDËR-0001', 'ORDER/0001', 'short', 'x'.repeat(37), 'AUTO'])(
    '%s is refused',
    async (merchant_reference) => {
      const reply = await collect(url, { merchant_reference })
      expect(reply.status).toBe(400)
      expect(reply.body.message).toBe(
        'merchant_reference must be auto, or have 8 to 36 characters out of A-Z a-z 0-9 . _ ~ -',
      )
    },
  )
  test.each(['abc', 'short'])('%s is too short: 8 to 36, nowhere 4', async (merchant_reference) => {
    expectError(
      await collect(url, { merchant_reference }),
      400,
      'merchant_reference must be auto, or have 8 to 36 characters out of A-Z a-z 0-9 . _ ~ -',
    )
    const payout = {
      ...mobileMoneyCollection({ merchant_reference, customer_name: 'Ada Obi', account_number: '256772000123' }),
      msisdn: undefined,
    }
    expectError(
      await postJson(url, '/payout/send-funds', payout, DEMO_KEYS),
      400,
      'merchant_reference must have 8 to 36 characters',
    )
  })
  test('auto makes the gateway generate one', async () => {
    expect((await collect(url, { merchant_reference: 'auto' })).body.data.merchant_reference).toMatch(
      /^MREF[0-9A-HJKMNP-TV-Z]{16}$/,
    )
  })
})

describe('card_cipher', () => {
  test('is accepted and kept nowhere', async () => {
    const canary = 'CANARY4111111111111111'
    const merchant_reference = uniqueReference()
    expect(
      (await collect(url, { card_cipher: canary, merchant_reference }, { 'idempotency-key': merchant_reference }))
        .status,
    ).toBe(202)
    const { rows: tables } = await gateway.pool.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_schema in ('public', 'sandbox')`,
    )
    for (const { name } of tables) {
      const { rowCount } = await gateway.pool.query(`select from ${name} t where t::text like '%' || $1 || '%'`, [
        canary,
      ])
      expect(rowCount, name).toBe(0)
    }
  })
  test('its length is capped', async () => {
    expectError(
      await collect(url, { card_cipher: 'x'.repeat(4097) }),
      400,
      'card_cipher must have 1 to 4096 characters',
    )
  })
})

describe('description', () => {
  test.each([
    ' '.repeat(10),
    '\u00a0'.repeat(12),
    ' \u00a0'.repeat(15),
    '\u3000'.repeat(10),
    '\u2003 \u2009'.repeat(5),
    '\ufeff'.repeat(10),
    '\u200b'.repeat(12),
    '\u3164'.repeat(12),
    ' \u2800'.repeat(8),
  ])('of blanks only is refused: %j', async (description) => {
    expectError(await collect(url, { description }), 400, 'description must not be blank')
  })
  test.each(['         .', '.         ', '   支払い      ', 'é'.repeat(30)])(
    'accepts one that is not blank: %j',
    async (description) => {
      expect((await collect(url, { description })).status).toBe(202)
    },
  )
  test.each(['Two coffees\n', '\tTwo coffees', 'Two\u0085coffees'])(
    'control characters are refused: %j',
    async (description) => {
      expectError(await collect(url, { description }), 400, 'description must not contain control characters')
    },
  )
})

describe('bidirectional controls', () => {
  const CONTROLS = [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]
  const payout = (changes: object) => ({
    transaction_method: 'MOBILE_MONEY',
    merchant_reference: uniqueReference(),
    currency: 'UGX',
    amount: 5000,
    provider_code: 'mtn_ug',
    account_number: '256772000123',
    customer_name: 'Amina Nakato',
    description: 'Refund of an order',
    ...changes,
  })
  test.each(['description', 'customer_name'])('are refused in %s, by their code', async (field) => {
    for (const code of CONTROLS) {
      const fields = { [field]: `Amina ${String.fromCharCode(code)}Nakato` }
      const message = `${field} must not contain the control character U+${code.toString(16).toUpperCase()}`
      expectError(await collect(url, fields), 400, message)
      expectError(await postJson(url, '/payout/send-funds', payout(fields), DEMO_KEYS), 400, message)
    }
  })
  test.each(['محمد עברית \u200f\u200e', 'አበበ ቢቂላ e\u0301 A\u030a', '👩\u200d🌾 می\u200cخواهم 👍🏽'])(
    'do not include letters, marks and joiners of a script: %j',
    async (text) => {
      const fields = { description: text, customer_name: text }
      expect((await collect(url, fields)).status).toBe(202)
      expect((await postJson(url, '/payout/send-funds', payout(fields), DEMO_KEYS)).status).toBe(202)
    },
  )
})

describe('redirect_url', () => {
  test.each([
    'HTTPS://SHOP.EXAMPLE/Paid',
    'https://a',
    'https://shop.example',
    'https://shop.example.',
    'https://shop_2.example/',
    'https://shop.example:8443?x',
    'https://shop.example:/',
    'https://[2001:db8::1]:8443/paid',
    'https://192.0.2.7/paid',
    "https://shop.example/a%2Fb;c=1/@:!$&'()*+,=~?q=/?&%20#f/?",
    'https://%73hop.example/',
    'https://büro.example/paid',
    'https://xn--bro-hoa.example/paid',
    'https://支払い.テスト:8443/?a=1',
    'https://متجر.example/',
    `https://shop.example/${'a'.repeat(2_027)}`,
    'HTTP://LOCALHOST:3000/done',
  ])('%s is valid', async (redirect_url) => expect((await collect(url, { redirect_url })).status).toBe(202))
  const HTTPS = 'must be an https URL'
  const PERCENT = 'contains a % without two hexadecimal digits after it'
  const CHARACTER = 'contains a character that a URL cannot have'
  const CREDENTIALS = 'must not contain a user name or a password'
  const HOST = 'has a host or a port that is not valid'
  test.each([
    [`https://shop.example/${'a'.repeat(2_028)}`, 'must have 9 to 2048 characters'],
    ['https://', 'must have 9 to 2048 characters'],
    ['http://shop.example/done', HTTPS],
    ['HTTP://shop.example/', HTTPS],
    ['ftp://shop.example/done', HTTPS],
    ['javascript:alert(1)', HTTPS],
    ['//evil.example', HTTPS],
    ['shop.example/paid', HTTPS],
    ['https:/shop.example', HTTPS],
    ['https:shop.example', HTTPS],
    ['https://shop.example/%zz', PERCENT],
    ['https://shop.example/a?b=50%', PERCENT],
    ['https://shop.example/a#%4', PERCENT],
    ['https://shop%2.example/', PERCENT],
    ['https://shop.example/a[]=1', CHARACTER],
    ['https://shop.example/a?ids[]=1', CHARACTER],
    ['https://shop.example/a|b', CHARACTER],
    ['https://shop.example/a?b|c', CHARACTER],
    ['https://shop.example/a b', CHARACTER],
    ['https://shop.example/<script>', CHARACTER],
    ['https://shop.example/{order}', CHARACTER],
    ['https://shop.example/"', CHARACTER],
    ['https://shop.example/a^b`c', CHARACTER],
    ['https://shop.example/grün', CHARACTER],
    ['https://shop.example/😀', CHARACTER],
    ['https://shop.example/#a#b', CHARACTER],
    ['https://büro.example/\n', CHARACTER],
    ['https://shop.example\\@evil.example/', CHARACTER],
    ['https://sh\u00a0op.example/', CHARACTER],
    [' https://shop.example/', HTTPS],
    ['https://user@shop.example/', CREDENTIALS],
    ['https://user:pass@shop.example/', CREDENTIALS],
    ['https://:@shop.example/', CREDENTIALS],
    ['http://user@shop.example/', CREDENTIALS],
    ['https:///paid', HOST],
    ['https://?paid', HOST],
    ['https://shop.example:99999/', HOST],
    ['https://shop.example:80a/', HOST],
    ['https://256.256.256.256/', HOST],
    ['https://[::1', HOST],
    ['https://exa／mple.example', HOST],
  ])('%j is refused with its own reason', async (redirect_url, reason) =>
    expectError(await collect(url, { redirect_url }), 400, `redirect_url ${reason}`),
  )
  test("a merchant's host list allows only its hosts, and the refusal names the host", async () => {
    const keys = newMerchantKeys(seededRandom('redirect hosts'))
    const box = createSecretBox(MASTER_KEY, seededRandom('box of redirect hosts'))
    const id = await createMerchant(
      gateway.pool,
      box,
      { name: 'Careful', keys, sandboxOnly: false, redirectHosts: ['shop.example', '*.shop.example'] },
      new Date(),
    )
    await gateway.refresh()
    const sentTo = (redirect_url: string) => collect(url, { redirect_url }, { 'public-key': keys.publicKey })
    expect((await sentTo('https://pay.shop.example:8443/done')).status).toBe(202)
    expectError(
      await sentTo('https://evil.example/done'),
      400,
      'redirect_url leads to a host (evil.example) that your account does not allow',
    )
    await updateMerchant(gateway.pool, id, { redirectHosts: [] })
    await gateway.refresh()
    expect((await sentTo('https://evil.example/done')).status).toBe(202)
  })
  test.each(['https://shop.example/done?order=1#top', 'http://127.0.0.1:3000/done', 'http://localhost/done'])(
    '%s is accepted in sandbox mode',
    async (redirect_url) => {
      expect((await collect(url, { redirect_url })).status).toBe(202)
    },
  )
})
