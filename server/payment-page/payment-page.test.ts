import { Script } from 'node:vm'
import { afterEach, describe, expect, test } from 'vitest'
import { StorageUnavailable } from '../actions/ports/store.ts'
import { money } from '../domain/money.ts'
import { amountText } from './amount.ts'
import { fakePayments, newReference, STEPS, type FakePayments } from './testing/fake-payments.ts'
import { LIVE_SCRIPT, LIVE_SCRIPT_PATH } from './live-script.ts'
import { minutesText, plainLine } from './text.ts'

const open: FakePayments[] = []
const start = (...args: Parameters<typeof fakePayments>): FakePayments => {
  const payments = fakePayments(...args)
  open.push(payments)
  return payments
}
afterEach(async () => {
  for (const { app } of open.splice(0)) await app.close()
})

const pathOf = (reference: string) => `/pay/collection/${reference}`

/** A browser with one tab: it keeps the cookie, and takes the form's token out of the page. */
function browse({ app }: FakePayments, reference: string) {
  let cookie: string | undefined
  let token = ''
  const keep = (reply: Awaited<ReturnType<typeof app.inject>>) => {
    cookie = /^[^;]+/.exec(String(reply.headers['set-cookie'] ?? ''))?.[0] || cookie
    token = /name="token" value="([^"]+)"/.exec(reply.body)?.[1] ?? token
    return reply
  }
  return {
    get cookie() {
      return cookie
    },
    get token() {
      return token
    },
    get: async (suffix = '') =>
      keep(await app.inject({ url: pathOf(reference) + suffix, headers: cookie === undefined ? {} : { cookie } })),
    post: async (
      action: string,
      fields: Record<string, string> = {},
      headers: Record<string, string | undefined> = {},
    ) =>
      keep(
        await app.inject({
          method: 'POST',
          url: `${pathOf(reference)}/${action}`,
          headers: sent({
            'content-type': 'application/x-www-form-urlencoded',
            'sec-fetch-site': 'same-origin',
            origin: 'null',
            cookie,
            ...headers,
          }),
          payload: new URLSearchParams({ token, ...fields }).toString(),
        }),
      ),
  }
}

/** A header given as undefined is left out. */
const sent = (headers: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined))

async function opened(payments: FakePayments, reference: string) {
  const tab = browse(payments, reference)
  await tab.get()
  return tab
}

const heading = (page: string) => /<h1>([^<]*)<\/h1>/.exec(page)?.[1]
const alertOf = (page: string) => /role="alert"[^>]*>([^<]*)</.exec(page)?.[1]

describe('what is shown', () => {
  test.each([
    ['choose_bank', 'Pay from your bank account', 'Pay NGN\u00a05,000.00</button>'],
    ['confirm_phone', 'Pay with your phone', 'Send the request to my phone</button>'],
    ['enter_otp', 'Enter your one-time password', '5 tries left.'],
    ['approve_phone', 'Approve on your phone', 'No message came?'],
    ['approve_bank', 'Waiting for your bank', 'Access Bank'],
    ['expired', 'Time is up', 'start again'],
    ['completed', 'Payment complete', 'UGX\u00a05,000'],
    ['failed', 'The payment did not go through', 'Insufficient balance on the customer account'],
    ['cancelled', 'Payment cancelled', 'Nothing was taken'],
  ] as const)('%s has one heading and one next step, within 50 kB with script', async (step, title, text) => {
    const payments = start()
    const reply = await browse(payments, payments.add(STEPS[step])).get()
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.body.match(/<h1/g)).toHaveLength(1)
    expect(heading(reply.body)).toBe(title)
    expect(reply.body).toContain(text)
    expect(reply.body).toContain('<bdi>Duka la Mfano</bdi>')
    expect(Buffer.byteLength(reply.body) + LIVE_SCRIPT.length).toBeLessThan(50_000)
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

  test('a hostile description and merchant name are text, in one line, without marks that turn it around', async () => {
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

  test('nothing inside leaks: no id, no merchant reference, no key, no whole account number', async () => {
    const payments = start()
    for (const step of Object.values(STEPS)) {
      const { body } = await browse(payments, payments.add(step)).get()
      expect(body).not.toMatch(/77123|ORDER-SECRET-1|256772000123|233241234567|0123456789/)
    }
  })

  test('the charge is named when the customer bears it, the price when it is in another currency', async () => {
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
    expect(amountText(money(amountMinor, currency)).replace('\u00a0', ' ')).toBe(text),
  )

  test.each([
    [29.9, '29 minutes'],
    [1.99, '1 minute'],
    [0.9, 'less than a minute'],
  ])('%d minutes left read as %s', (minutes, text) => expect(minutesText(minutes * 60_000)).toBe(text))

  test('plain lines keep joiners and letters of every script', () =>
    expect(plainLine(' می\u200cخواهم \n\t👩\u200d🌾 \ud800')).toBe('می\u200cخواهم 👩\u200d🌾 \ufffd'))

  test('the sandbox says so and what the number will do; live mode says nothing', async () => {
    const sandbox = start()
    const shown = await browse(sandbox, sandbox.add(STEPS.enter_otp)).get()
    expect(shown.body).toMatch(/no real money moves\..*end in 567 pay\.[\s\S]*123456/)
    const live = start({ sandbox: false })
    for (const step of ['choose_bank', 'enter_otp'] as const)
      expect((await browse(live, live.add(STEPS[step])).get()).body).not.toMatch(
        /sandbox"|Sandbox|123456|Simulated|end in/,
      )
  })

  test('without script a waiting page refreshes itself, and only a waiting one', async () => {
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
})

describe('paying', () => {
  test('bank: the choice reaches the action once, digits only, and the browser comes back to the page', async () => {
    const payments = start()
    const reference = payments.add(STEPS.choose_bank)
    const tab = await opened(payments, reference)
    const reply = await tab.post('confirm', { bank_code: 'uba_ng', account_number: ' 012-345 6001 ' })
    expect([reply.statusCode, reply.headers.location]).toEqual([303, `${pathOf(reference)}?from=form`])
    expect(payments.calls).toEqual([
      { name: 'confirm', reference, given: { bankCode: 'uba_ng', accountNumber: '0123456001' } },
    ])
    expect(heading((await tab.get('?from=form')).body)).toBe('Waiting for your bank')
  })

  test.each([
    [{ bank_code: '', account_number: '0123456001' }, 'Choose your bank.', 'bank_code'],
    [{ bank_code: 'uba_ng', account_number: '12<b>"' }, 'Enter your account number: 6 to 20 digits.', 'account_number'],
    [
      { bank_code: 'uba_ng', account_number: '0123456999' },
      'With this payment the account would go over its limit for one day. Use another account, or try again tomorrow.',
      'account_number',
    ],
  ])('bank: %j is answered at its field, and what was typed is kept', async (fields, message, field) => {
    const payments = start()
    const tab = await opened(payments, payments.add(STEPS.choose_bank))
    const reply = await tab.post('confirm', fields)
    expect(reply.statusCode).toBe(400)
    expect(alertOf(reply.body)).toBe(message)
    expect(reply.body).toMatch(new RegExp(`id="${field}"[^>]*aria-describedby="error[ "][^>]*aria-invalid="true"`))
    expect(reply.body).toContain('<title>Error: Pay from your bank account')
    expect(reply.body).toContain(`value="${fields.account_number.replace('<b>"', '&#60;b&#62;&#34;')}"`)
    if (fields.bank_code !== '') expect(reply.body).toContain('value="uba_ng" selected')
    // The page it was answered with works at once.
    expect((await tab.post('confirm', { bank_code: 'uba_ng', account_number: '0123456001' })).statusCode).toBe(303)
  })

  test('phone: one button; a second click and a second tab find it done', async () => {
    const payments = start()
    const reference = payments.add(STEPS.confirm_phone)
    const [first, second] = [await opened(payments, reference), await opened(payments, reference)]
    const replies = [
      await first.post('confirm'),
      await first.post('confirm'),
      await second.post('confirm'),
      await second.post('cancel'),
    ]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303, 303])
    expect(payments.calls.filter(({ name }) => name === 'confirm')).toHaveLength(1)
    expect(heading((await second.get('?from=form')).body)).toBe('Approve on your phone')
  })

  test('one-time password: spaces do not matter, the right one goes on', async () => {
    const payments = start()
    const reference = payments.add(STEPS.enter_otp)
    const tab = await opened(payments, reference)
    expect((await tab.post('otp', { otp: '123 456' })).statusCode).toBe(303)
    expect(payments.calls).toEqual([{ name: 'submitOtp', reference, given: 123456 }])
  })

  test('one-time password: a wrong one costs a try, says so, and is not shown again', async () => {
    const payments = start()
    const tab = await opened(payments, payments.add(STEPS.enter_otp))
    const reply = await tab.post('otp', { otp: '987654' })
    expect(reply.statusCode).toBe(400)
    expect(alertOf(reply.body)).toBe('That password is not right. Check the message and try again.')
    expect(reply.body).toContain('4 tries left.')
    expect(reply.body).not.toContain('987654')
  })

  test.each(['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦', '-12345', '1e5000'])(
    'one-time password: %j is no password and costs no try',
    async (otp) => {
      const payments = start()
      const tab = await opened(payments, payments.add(STEPS.enter_otp))
      const reply = await tab.post('otp', { otp })
      expect([reply.statusCode, alertOf(reply.body), payments.calls]).toEqual([
        400,
        'Enter the 6 digits of the password.',
        [],
      ])
    },
  )

  test('one-time password: after its five minutes the answer says what to do', async () => {
    const payments = start()
    const tab = await opened(payments, payments.add(STEPS.enter_otp))
    payments.advance(281_000)
    expect(alertOf((await tab.post('otp', { otp: '111111' })).body)).toBe(
      'That password is no longer good. Ask for a new one.',
    )
    expect((await tab.get()).body).toContain('They are no longer good.')
  })

  test('one-time password: the last wrong try ends on the failed page', async () => {
    const payments = start()
    const tab = await opened(payments, payments.add({ ...STEPS.enter_otp, triesLeft: 1 }))
    const reply = await tab.post('otp', { otp: '111111' })
    expect(reply.statusCode).toBe(303)
    expect((await tab.get('?from=form')).body).toContain('Too many wrong one-time passwords')
  })

  test('one-time password: a new one is refused kindly before its time, then sent', async () => {
    const payments = start()
    const reference = payments.add(STEPS.enter_otp)
    const tab = await opened(payments, reference)
    const early = await tab.post('otp/new')
    expect([early.statusCode, alertOf(early.body)]).toEqual([
      409,
      'Wait 20 seconds before you ask for another password.',
    ])
    expect(early.body).toMatch(/role="alert" id="error" tabindex="-1" autofocus/)
    payments.advance(20_000)
    const sent = await tab.post('otp/new')
    expect(sent.headers.location).toBe(`${pathOf(reference)}?from=new-password`)
    expect((await tab.get('?from=new-password')).body).toMatch(/role="status">A new password is on its way\./)
  })

  test('one-time password: when there are no more, no button promises one', async () => {
    const payments = start()
    const { nextOtpAt: _none, ...last } = STEPS.enter_otp
    const { body } = await browse(payments, payments.add(last)).get()
    expect(body).not.toContain('otp/new')
    expect(body).toContain('No more passwords can be sent.')
  })

  test('a thousand guesses: only ten a minute reach the action, the others get 429', async () => {
    const payments = start()
    const tab = await opened(payments, payments.add({ ...STEPS.enter_otp, triesLeft: 2_000 }))
    const replies = []
    for (let guess = 0; guess < 1_000; guess++) replies.push(await tab.post('otp', { otp: String(200_000 + guess) }))
    expect(payments.calls).toHaveLength(10)
    const last = replies.at(-1)!
    expect(last.statusCode).toBe(429)
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0)
    expect(alertOf(last.body)).toMatch(/^Too many tries\. Wait \d+ seconds/)
  })

  test('cancel: while nothing has gone out', async () => {
    const payments = start()
    for (const step of ['choose_bank', 'confirm_phone', 'enter_otp'] as const) {
      const tab = await opened(payments, payments.add(STEPS[step]))
      expect((await tab.post('cancel')).statusCode).toBe(303)
      expect(heading((await tab.get('?from=form')).body)).toBe('Payment cancelled')
    }
    for (const step of ['approve_phone', 'approve_bank', 'expired', 'completed'] as const)
      expect((await browse(payments, payments.add(STEPS[step])).get()).body).not.toContain('/cancel')
  })
})

describe('on to the merchant', () => {
  const shop = 'https://shop.example/thanks'

  test.each(['completed', 'failed', 'cancelled'] as const)(
    '%s: opening the page leads to the shop, each time anew',
    async (step) => {
      const payments = start()
      const reference = payments.add(STEPS[step], {}, shop)
      for (const method of ['GET', 'GET', 'HEAD'] as const) {
        const reply = await payments.app.inject({ method, url: pathOf(reference) })
        expect([
          reply.statusCode,
          reply.headers.location,
          reply.headers['cache-control'],
          reply.headers['referrer-policy'],
        ]).toEqual([303, `${shop}?transaction_status=${STEPS[step].status}`, 'no-store', 'no-referrer'])
      }
    },
  )
  test('a form never leads there by redirects alone: its page goes on by a refresh, and has a link', async () => {
    const payments = start()
    const reference = payments.add(STEPS.confirm_phone, {}, shop)
    const tab = await opened(payments, reference)
    expect((await tab.post('cancel')).headers.location).toBe(`${pathOf(reference)}?from=form`)
    const { statusCode, body } = await tab.get('?from=form')
    expect(statusCode).toBe(200)
    expect(body).toContain(`<meta http-equiv="refresh" content="0;url&#61;${pathOf(reference)}">`.replace('&#61;', '='))
    expect(body).toContain(`<a class="button primary" href="${pathOf(reference)}">`)
    expect(body).not.toContain('shop.example')
  })
  test.each(['javascript:alert(1)', '//evil.example', 'data:text/html,x', '/elsewhere'])(
    'never to %s, whatever is stored',
    async (address) => {
      const payments = start({ redirect: async () => address })
      const reply = await browse(payments, payments.add(STEPS.completed)).get()
      expect([reply.statusCode, reply.headers.location]).toEqual([200, undefined])
    },
  )
  test('an address with other letters is encoded as a browser would', async () => {
    const payments = start({ redirect: async () => 'https://shop.example/ça\r\nset-cookie: x?é=✓' })
    expect((await browse(payments, payments.add(STEPS.completed)).get()).headers.location).toBe(
      'https://shop.example/%C3%A7a%0D%0Aset-cookie:%20x?%C3%A9=%E2%9C%93',
    )
  })
})

describe('the live script', () => {
  test('is one address that changes with its text, kept for ever', async () => {
    const payments = start()
    expect((await browse(payments, payments.add(STEPS.approve_phone)).get()).body).toContain(
      `<script src="${LIVE_SCRIPT_PATH}" defer>`,
    )
    const reply = await payments.app.inject(LIVE_SCRIPT_PATH)
    expect([
      reply.statusCode,
      reply.headers['content-type'],
      reply.headers['cache-control'],
      reply.headers['x-content-type-options'],
    ]).toEqual([200, 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable', 'nosniff'])
    expect(() => new Script(reply.body)).not.toThrow()
  })
  test('the state is that of the page, stays while nothing changes, and tells nothing', async () => {
    const payments = start()
    const reference = payments.add(STEPS.enter_otp)
    const tab = browse(payments, reference)
    const inPage = /data-state="([^"]+)"/.exec((await tab.get()).body)?.[1]
    const state = async () => (await tab.get('/status')).json<{ state: string }>().state
    payments.advance(60_000)
    expect(await state()).toBe(inPage)
    expect(inPage).toMatch(/^[A-Za-z0-9_-]{16}$/)
    payments.move(reference, STEPS.approve_phone)
    const approving = await state()
    expect(approving).not.toBe(inPage)
    payments.move(reference, STEPS.completed)
    expect(await state()).not.toBe(approving)
    // Another gateway, another key: the same step looks different.
    const other = start()
    expect((await browse(other, other.add(STEPS.completed)).get('/status')).json<{ state: string }>().state).not.toBe(
      await state(),
    )
  })
})

describe('refused', () => {
  test('unknown, malformed and never existed: the same page, and one look-up each', async () => {
    let lookups = 0
    const payments = start({ view: async () => void lookups++ })
    const replies = []
    for (const reference of [
      newReference(),
      'MLP0',
      'mlp'.padEnd(25, '0'),
      `MLP${'U'.repeat(22)}`,
      '%00',
      '%F0%9F%92%A9',
      "';--",
      'a'.repeat(100),
    ])
      replies.push(await payments.app.inject(pathOf(reference)))
    expect(new Set(replies.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    expect(replies[0]!.statusCode).toBe(404)
    expect(heading(replies[0]!.body)).toBe('There is no payment here')
    expect(replies.every(({ headers }) => headers['set-cookie'] === undefined)).toBe(true)
    expect(lookups).toBe(replies.length)
    expect((await payments.app.inject(`${pathOf(newReference())}/status`)).statusCode).toBe(404)
  })

  describe('forms that are not ours', () => {
    const attempt = async (
      forge: (
        tab: Awaited<ReturnType<typeof opened>>,
        payments: FakePayments,
      ) => Promise<{ token?: string; headers?: Record<string, string | undefined> }>,
    ) => {
      const payments = start()
      const tab = await opened(payments, payments.add(STEPS.confirm_phone))
      const { token, headers } = await forge(tab, payments)
      const reply = await tab.post('confirm', token === undefined ? {} : { token }, headers)
      return {
        status: reply.statusCode,
        calls: payments.calls.length,
        heading: heading(reply.body),
        link: reply.body.includes('Open the payment again'),
      }
    }
    const stale = { status: 403, calls: 0, heading: 'This page was open for too long', link: true }
    const foreign = { ...stale, heading: 'That came from another site' }

    test('no token', async () => expect(await attempt(async () => ({ token: '' }))).toEqual(stale))
    test('a forged token', async () =>
      expect(
        await attempt(async ({ token }) => ({ token: token.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) })),
      ).toEqual(stale))
    test('a longer token', async () =>
      expect(await attempt(async ({ token }) => ({ token: `${token}A` }))).toEqual(stale))
    test('no cookie', async () => expect(await attempt(async () => ({ headers: { cookie: '' } }))).toEqual(stale))
    test('another cookie', async () =>
      expect(await attempt(async () => ({ headers: { cookie: `malipo_pay=${'A'.repeat(22)}` } }))).toEqual(stale))
    test('the token and cookie of another payment', async () =>
      expect(
        await attempt(async (_tab, payments) => {
          const other = await opened(payments, payments.add(STEPS.confirm_phone))
          return { token: other.token, headers: { cookie: other.cookie! } }
        }),
      ).toEqual(stale))
    test.each(['cross-site', 'same-site'])('the right token, Sec-Fetch-Site: %s', async (site) =>
      expect(await attempt(async () => ({ headers: { 'sec-fetch-site': site } }))).toEqual(foreign),
    )
    test('the right token, a foreign Origin, an old browser', async () =>
      expect(
        await attempt(async () => ({ headers: { 'sec-fetch-site': undefined, origin: 'https://evil.example' } })),
      ).toEqual(foreign))
    test('the right token from our own origin, an old browser: taken', async () =>
      expect(
        (
          await attempt(async () => ({
            headers: { 'sec-fetch-site': undefined, origin: 'http://pay.example:8080', host: 'pay.example:8080' },
          }))
        ).status,
      ).toBe(303))
  })

  test('behind a proxy that changes Host, the public origin counts, and the cookie is Secure', async () => {
    const payments = start({ pageBaseUrl: 'https://pay.example' })
    const tab = browse(payments, payments.add(STEPS.confirm_phone))
    const page = await tab.get()
    expect(page.headers['set-cookie']).toMatch(/; Secure$/)
    expect(page.headers['strict-transport-security']).toBe('max-age=31536000')
    const headers = { 'sec-fetch-site': undefined, origin: 'https://pay.example', host: 'inside:8080' }
    expect((await tab.post('confirm', {}, headers)).statusCode).toBe(303)
  })

  test('the cookie is for this page alone, and is kept while it is good', async () => {
    const payments = start()
    const reference = payments.add(STEPS.confirm_phone)
    const tab = browse(payments, reference)
    expect((await tab.get()).headers['set-cookie']).toMatch(
      new RegExp(`^malipo_pay=[A-Za-z0-9_-]{22}; Path=${pathOf(reference)}; HttpOnly; SameSite=Lax$`),
    )
    expect((await tab.get()).headers['set-cookie']).toBeUndefined()
  })

  test('what is no form of ours gets 413, 415 or 400, as a page with a way back', async () => {
    const payments = start()
    const reference = payments.add(STEPS.confirm_phone)
    const tab = await opened(payments, reference)
    const large = await tab.post('confirm', { more: 'x'.repeat(5_000) })
    const chunked = await payments.app.inject({
      method: 'POST',
      url: `${pathOf(reference)}/confirm`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: (await import('node:stream')).Readable.from(['x'.repeat(3_000), 'x'.repeat(3_000)]),
    })
    const json = await tab.post('confirm', {}, { 'content-type': 'application/json' })
    expect([large.statusCode, chunked.statusCode, json.statusCode]).toEqual([413, 413, 415])
    expect(large.headers.connection).toBe('close')
    for (const { body } of [large, chunked, json]) expect(body).toContain('Open the payment again')
    expect(payments.calls).toEqual([])
  })

  test('other methods get 405 and the exact Allow', async () => {
    const { app } = start()
    const path = pathOf(newReference())
    const allow = async (method: 'POST' | 'PUT' | 'DELETE' | 'OPTIONS', url: string) => {
      const reply = await app.inject({ method, url })
      return [reply.statusCode, reply.headers.allow]
    }
    expect(await allow('POST', path)).toEqual([405, 'GET, HEAD'])
    expect(await allow('OPTIONS', path)).toEqual([405, 'GET, HEAD'])
    expect(await allow('DELETE', `${path}/status`)).toEqual([405, 'GET, HEAD'])
    expect(await allow('POST', LIVE_SCRIPT_PATH)).toEqual([405, 'GET, HEAD'])
    for (const form of ['confirm', 'otp', 'otp/new', 'cancel'])
      expect(await allow('PUT', `${path}/${form}`)).toEqual([405, 'GET, HEAD, POST'])
  })

  test("a form's address, opened later by GET, leads back to the page", async () => {
    const payments = start()
    const reference = payments.add(STEPS.enter_otp)
    const reply = await payments.app.inject(`${pathOf(reference)}/otp/new`)
    expect([reply.statusCode, reply.headers.location]).toEqual([303, pathOf(reference)])
  })

  test('a database that is away and a fault of ours are pages too', async () => {
    const away = start({
      view: async () => {
        throw new StorageUnavailable(new Error('away'))
      },
    })
    const reply = await away.app.inject(pathOf(newReference()))
    expect([reply.statusCode, reply.headers['retry-after'], heading(reply.body)]).toEqual([
      503,
      '2',
      'One moment, please',
    ])
    const broken = start({
      view: async () => {
        throw new Error('secret inside')
      },
    })
    const fault = await broken.app.inject(pathOf(newReference()))
    expect([fault.statusCode, fault.body.includes('secret')]).toEqual([500, false])
  })
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
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
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

test('HEAD answers as GET does, without a body', async () => {
  const payments = start()
  const url = pathOf(payments.add(STEPS.choose_bank))
  const [get, head] = [await payments.app.inject(url), await payments.app.inject({ method: 'HEAD', url })]
  expect([head.statusCode, head.body, head.headers['content-type']]).toEqual([
    get.statusCode,
    '',
    get.headers['content-type'],
  ])
})
