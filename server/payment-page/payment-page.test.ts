import { expect, test } from 'vitest'
import type { PaymentStep } from '../actions/view-payment.ts'
import { money } from '../domain/money.ts'
import { amountText } from './amount.ts'
import { ICON } from '../http/icon.ts'
import { STEPS } from './testing/fake-payments.ts'
import { LIVE_SCRIPT } from './live-script.ts'
import { TONGUES } from './languages.ts'
import { plainLine } from './text.ts'
import { start, pathOf, browse, opened, heading } from './testing/tab.ts'

test.each([
  ['choose_bank', 'Pay from your bank account', 'Pay NGN\u00a05,000.00</button>'],
  ['confirm_phone', 'Pay with your phone', 'Send the request to my phone</button>'],
  ['confirm_phone_otp', 'Pay with your phone', 'Send the password to my phone</button>'],
  ['enter_otp', 'Enter your one\u2011time password', '5 tries left.'],
  ['approve_phone', 'Approve on your phone', 'What if nothing comes?'],
  ['approve_bank', 'Waiting for your bank', 'Access Bank'],
  ['expired', 'Time is up', 'start again'],
  ['suspended', 'Payments are paused', 'takes no payments at the moment'],
  ['completed', 'Payment complete', 'UGX\u00a05,000'],
  ['failed', 'The payment did not go through', 'There is not enough money in the account.'],
  ['cancelled', 'Payment cancelled', 'Nothing was taken'],
] as const)('%s has one heading and one next step, within 20 kB with script and icon', async (step, title, text) => {
  const payments = start()
  const reply = await browse(payments, payments.add(STEPS[step])).get()
  expect(reply.statusCode).toBe(200)
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(reply.body.match(/<h1/g)).toHaveLength(1)
  expect(heading(reply.body)).toBe(title)
  expect(reply.body).toContain(text)
  expect(reply.body).toContain('<bdi>Duka la Mfano</bdi>')
  expect(Buffer.byteLength(reply.body) + LIVE_SCRIPT.length + ICON.length).toBeLessThan(20_000)
})

test('claims no sent request while the operator does not answer', async () => {
  const payments = start()
  const page = async (step: PaymentStep) => (await browse(payments, payments.add(step, { isDelayed: true })).get()).body
  const requested = await page(STEPS.approve_phone)
  expect(requested).toContain('Your payment is waiting and continues on its own')
  expect(requested).toContain('A request comes to the phone number')
  expect(requested).not.toContain('We sent a request')
  const beforehand = await page(STEPS.confirm_phone)
  expect(beforehand).toContain('You may go on: the request comes to your phone when it is back')
  expect(beforehand).not.toContain('Your payment waits')
})

test('the page loads nothing from elsewhere and runs no inline script', async () => {
  const payments = start()
  for (const step of Object.values(STEPS)) {
    const { body } = await browse(payments, payments.add(step)).get()
    expect(
      body.match(/(?:src|href|url)\s*=\s*"?(?!")[^\s">]+/g)?.filter((address) => /\/\//.test(address)) ?? [],
    ).toEqual([])
    expect(body).not.toMatch(/<script(?! src="\/pay\/assets\/[0-9a-f]{16}\.js" defer><\/script>)| on\w+=|style="/)
  }
})

test('shows a hostile description and name as one line of text without bidi marks', async () => {
  const payments = start()
  const hostile =
    '<img src=x onerror=alert(1)>\u202egnp.exe\u2066"\' onload=x</title></style><script>alert(1)</script>\n\0!'
  const reference = payments.add(STEPS.choose_bank, {
    description: hostile,
    merchantName: hostile,
    providerName: hostile,
  })
  const { body } = await browse(payments, reference).get()
  expect(body).not.toMatch(/<img|<script>|onload=x<|[\u202e\u2066\0]/)
  expect(body.match(/<\/(style|title)>/g)).toHaveLength(2)
  expect(body).toContain(
    '<bdi>&#60;img src&#61;x onerror&#61;alert(1)&#62; gnp.exe &#34;&#39; onload&#61;x&#60;/title&#62;',
  )
})

test('leaks no id, merchant reference, key or whole account number', async () => {
  const payments = start()
  for (const step of Object.values(STEPS)) {
    const { body } = await browse(payments, payments.add(step)).get()
    expect(body).not.toMatch(/77123|ORDER-SECRET-1|256772000123|233241234567|0123456789/)
  }
})

test('shows a charge that the customer bears, and a price in another currency', async () => {
  const payments = start()
  const dollars = { requested: money(10_000n, 'USD'), toPay: money(383_800n, 'UGX'), charge: money(3_800n, 'UGX') }
  const { body } = await browse(payments, payments.add(STEPS.confirm_phone, dollars)).get()
  expect(body).toContain('<p class="amount">UGX\u00a0383,800</p>')
  expect(body).toContain('UGX\u00a03,800, included')
  expect(body).toContain('USD\u00a0100.00, paid in UGX')
  expect((await browse(payments, payments.add(STEPS.confirm_phone)).get()).body).not.toContain('<dt>Charge</dt>')
})

test.each([
  [500_000n, 'NGN', 'NGN 5,000.00'],
  [5n, 'KES', 'KES 0.05'],
  [380_000n, 'UGX', 'UGX 380,000'],
  [1_234_567n, 'KWD', 'KWD 1,234.567'],
  [0n, 'RWF', 'RWF 0'],
  [5_000n, 'IQD', 'IQD 5.000'],
  [9_007_199_254_740_993_00n, 'NGN', 'NGN 9,007,199,254,740,993.00'],
])('%i minor units of %s read %s', (amountMinor, currency, text) =>
  expect(amountText(money(amountMinor, currency), 'en').replace('\u00a0', ' ')).toBe(text),
)

test.each([
  [29.9, '29 minutes'],
  [1.99, '1 minute'],
  [0.9, 'less than a minute'],
])('%d minutes left read as %s', (minutes, text) => expect(TONGUES.en.speech.minutes(minutes * 60_000)).toBe(text))

test('plain lines keep joiners and letters of every script', () =>
  expect(plainLine(' می\u200cخواهم \n\t👩\u200d🌾 \ud800')).toBe('می\u200cخواهم 👩\u200d🌾 \ufffd'))

test('half an hour shows no hurry: the clock runs in the last five minutes only', async () => {
  const payments = start()
  const tab = browse(payments, payments.add(STEPS.confirm_phone))
  expect((await tab.get()).body).toMatch(/<dt>Time left<\/dt><dd><span  data-left="1770" data-hurry="300">29 minutes</)
  payments.advance(25 * 60_000)
  expect((await tab.get()).body).toContain('<span class="soon" data-left="270"')
})

test('shows a waiting customer how long, across reloads, and what to do then', async () => {
  const payments = start()
  const tab = await opened(payments, payments.add(STEPS.confirm_phone))
  payments.advance(100_000)
  await tab.post('confirm')
  const first = (await tab.get('?from=form')).body
  const since = /data-since="(\d+)" data-at="\d+">([^<]+)</
  expect(since.exec(first)?.slice(1)).toEqual(['0', '0 seconds'])
  const next = /content="3;url=[^"?]+(\?since=\d+)"/.exec(first)?.[1] ?? ''
  payments.advance(42_000)
  expect(since.exec((await tab.get(next)).body)?.slice(1)).toEqual(['42', '42 seconds'])
  payments.advance(141_000)
  const later = (await tab.get(next)).body
  expect(since.exec(later)?.slice(1)).toEqual(['183', '3 minutes'])
  expect(later).toMatch(/content="8;url=[^"]+">/)
  expect(later).toMatch(
    /What if nothing comes\?.*Do not pay a second time.*You may close this page.*Still nothing after/s,
  )
  // An impossible time in the address is ignored: the wait is counted from the creation of the payment.
  for (const lie of ['?since=1', '?since=9999999999', '?since=x', ''])
    expect(since.exec((await tab.get(lie)).body)?.[1]).toBe('313')
})

test('a paid page is a receipt, whenever it is opened', async () => {
  const payments = start()
  const tab = browse(payments, payments.add(STEPS.completed))
  for (const _ of ['once', 'again']) {
    const { body } = await tab.get()
    expect(body).toMatch(/Receipt.*Date.*20 November 2026 at 13:00 GMT\+3.*Paid by.*MTN Uganda.*Reference.*MLPZ/s)
    payments.advance(86_400_000)
  }
})

test('the OTP is a field that phones fill in', async () => {
  const payments = start()
  const { body } = await browse(payments, payments.add(STEPS.enter_otp)).get()
  expect(body).toMatch(/<input class="otp"[^>]* inputmode="numeric" autocomplete="one-time-code"/)
})

test('marks the one thing to do: an expired OTP is no longer requested first', async () => {
  const payments = start()
  const tab = browse(payments, payments.add(STEPS.enter_otp))
  const buttons = async () => [...(await tab.get()).body.matchAll(/<button class="(\w+)"/g)].map(([, rank]) => rank)
  expect(await buttons()).toEqual(['primary', 'second'])
  payments.advance(300_000)
  expect(await buttons()).toEqual(['second', 'primary'])
})

test('the sandbox says so and what the number will do; live mode says nothing', async () => {
  const sandbox = start()
  const shown = await browse(sandbox, sandbox.add(STEPS.enter_otp)).get()
  expect(shown.body).toMatch(/no real money moves\..*ends in 567 pays\.[\s\S]*<strong>123456/)
  for (const step of [STEPS.cancelled, STEPS.expired]) {
    const reference = sandbox.add(STEPS.confirm_phone)
    sandbox.move(reference, step)
    const { body } = await browse(sandbox, reference).get()
    expect(body).toContain('no real money moves')
    expect(body).not.toMatch(/ends in|last three digits/)
  }
  const live = start({ sandbox: false })
  for (const step of ['choose_bank', 'enter_otp'] as const)
    expect((await browse(live, live.add(STEPS[step])).get()).body).not.toMatch(
      /sandbox"|Sandbox|123456|Simulated|ends in/,
    )
})

test('without script only a waiting page refreshes', async () => {
  const payments = start()
  const refreshes = async (step: keyof typeof STEPS) =>
    (await browse(payments, payments.add(STEPS[step])).get()).body.includes(
      '<noscript><meta http-equiv="refresh" content="3;',
    )
  expect(
    await Promise.all(
      (['approve_phone', 'approve_bank', 'expired', 'choose_bank', 'enter_otp', 'completed'] as const).map(refreshes),
    ),
  ).toEqual([true, true, true, false, false, false])
})

test('every reply carries the safety headers, redirects and refusals too', async () => {
  const payments = start()
  const [plain, final] = [payments.add(STEPS.confirm_phone), payments.add(STEPS.completed, {}, 'https://shop.example/')]
  const tab = await opened(payments, plain)
  const replies = [
    await tab.get(),
    await tab.get('/status'),
    await tab.post('confirm', { token: 'no' }),
    await tab.post('confirm'),
    await payments.app.inject(pathOf(final)),
    await payments.app.inject(pathOf('nothing')),
    await payments.app.inject({ method: 'PUT', url: pathOf(plain) }),
  ]
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 403, 303, 303, 404, 405])
  for (const { headers } of replies) {
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; (style-src 'sha256-[^']+'; img-src 'self'; )?(script-src 'self'; connect-src 'self'; )?form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'x-robots-tag': 'noindex',
    })
  }
})

test('HEAD has the reply of GET without a body', async () => {
  const payments = start()
  const url = pathOf(payments.add(STEPS.choose_bank))
  const [get, head] = [await payments.app.inject(url), await payments.app.inject({ method: 'HEAD', url })]
  expect([head.statusCode, head.body, head.headers['content-type']]).toEqual([
    get.statusCode,
    '',
    get.headers['content-type'],
  ])
})
