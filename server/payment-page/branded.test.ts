import { expect, test } from 'vitest'
import { LOGO_DIGEST, newReference, ONE_PIXEL, STEPS } from './testing/fake-payments.ts'
import { browse, heading, start } from './testing/tab.ts'

const BRAND = { colour: '#ffcb05', logoDigest: LOGO_DIGEST, supportContact: 'tel:+256772000123' }
const styleOf = (body: string): string => /<style>(.*?)<\/style>/s.exec(body)?.[1] ?? ''

test("shows the merchant's name, logo, colour and contact, and the provider's mark", async () => {
  const payments = start()
  const { body } = await browse(payments, payments.add(STEPS.confirm_phone, { brand: BRAND })).get()
  expect(body).toContain(`<img class="logo" src="/pay/logo/${LOGO_DIGEST}" alt="">`)
  expect(styleOf(body)).toContain('--fill: #ffcb05; --press: #ffd537; --on-fill: #000000;')
  expect(body).toContain('<a href="tel:+256772000123">+256\u00a0772\u00a0000123</a>')
  expect(body).toContain('<bdi class="mark mark-mtn">MTN Uganda</bdi>')
})

test('the policy allows own pictures, a script where one exists, and nothing else', async () => {
  const payments = start()
  const policy = async (step: keyof typeof STEPS) => {
    const { headers } = await browse(payments, payments.add(STEPS[step])).get()
    return String(headers['content-security-policy']).replace(/'sha256-[^']+'/, 'DIGEST')
  }
  const ends = "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  const begins = "default-src 'none'; style-src DIGEST; img-src 'self'"
  const script = "script-src 'self'; connect-src 'self'"
  expect(await policy('confirm_phone')).toBe(`${begins}; ${script}; ${ends}`)
  expect(await policy('completed')).toBe(`${begins}; ${ends}`)
})

test('the dark theme is for screens: prints stand on white paper', async () => {
  const payments = start()
  const { body } = await browse(payments, payments.add(STEPS.completed, { brand: BRAND })).get()
  const dark = styleOf(body).match(/@media[^{]*prefers-color-scheme[^{]*/g)
  expect(dark).toEqual(Array(2).fill('@media screen and (prefers-color-scheme: dark) '))
})

test('a logo is cached for ever, and is only a picture', async () => {
  const { app } = start()
  const reply = await app.inject(`/pay/logo/${LOGO_DIGEST}`)
  expect(reply.rawPayload).toEqual(ONE_PIXEL)
  expect(reply.headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  })
  for (const digest of ['f'.repeat(32), 'x', newReference(), '..%2f..%2fetc'])
    expect([(await app.inject(`/pay/logo/${digest}`)).statusCode, digest]).toEqual([404, digest])
  const wrongMethod = await app.inject({ method: 'POST', url: `/pay/logo/${LOGO_DIGEST}` })
  expect([wrongMethod.statusCode, wrongMethod.headers.allow]).toEqual([405, 'GET, HEAD'])
})

test.each([
  ['Nakasero Farmers Market Stores', 'Go back to <bdi>Nakasero Farmers Market Stores</bdi>'],
  ['Cooperative Savings and Credit Society of Smallholder Coffee Growers of Bugisu', 'Go back to the shop'],
  ['\u200b', 'Go back to the shop'],
])('the button of a shop that is called %j says: %s', async (merchantName, words) => {
  const payments = start()
  for (const step of [STEPS.completed, STEPS.cancelled, STEPS.expired]) {
    const tab = browse(payments, payments.add(step, { merchantName }, 'https://shop.example/thanks'))
    const { body } = await tab.get('?from=form')
    expect(/<a class="button primary"[^>]*>(.*?)<\/a>/.exec(body)?.[1]).toBe(words)
  }
})

test('only a colour and a contact come out of storage', async () => {
  const payments = start()
  const brand = { colour: 'red}</style><script>', supportContact: 'javascript:alert(1)', logoDigest: '"><script>' }
  const { body } = await browse(payments, payments.add(STEPS.failed, { brand })).get()
  expect(body).not.toMatch(/<script|javascript:|red}/)
  expect(heading(body)).toBe('The payment did not go through')
})

test('names an encrypted connection with its host, and claims none that is absent', async () => {
  const page = async (changes: Parameters<typeof start>[0]) => {
    const payments = start(changes)
    return (await browse(payments, payments.add(STEPS.confirm_phone)).get()).body
  }
  expect(await page({ pageBaseUrl: 'https://pay.example' })).toContain(
    'Your connection to <strong>pay.example</strong> is encrypted. This page never asks for your PIN',
  )
  expect(await page({})).not.toContain('encrypted')
})
