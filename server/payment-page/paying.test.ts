import { expect, test } from 'vitest'
import { NOW, STEPS } from './testing/fake-payments.ts'
import { start, pathOf, browse, opened, heading, alertOf } from './testing/tab.ts'

test('bank: the choice reaches the action once, digits only; the browser returns', async () => {
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
])('bank: %j gets an error at its field, and the input stays', async (fields, message, field) => {
  const payments = start()
  const tab = await opened(payments, payments.add(STEPS.choose_bank))
  const reply = await tab.post('confirm', fields)
  expect(reply.statusCode).toBe(400)
  expect(alertOf(reply.body)).toBe(message)
  expect(reply.body).toMatch(new RegExp(`id="${field}"[^>]*aria-describedby="error[ "][^>]*aria-invalid="true"`))
  expect(reply.body).toContain('<title>Error: Pay from your bank account')
  expect(reply.body).toContain(`value="${fields.account_number.replace('<b>"', '&#60;b&#62;&#34;')}"`)
  if (fields.bank_code !== '') expect(reply.body).toContain('value="uba_ng" selected')
  // The form in the reply works at once.
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

test('OTP: spaces do not matter, the right one goes on', async () => {
  const payments = start()
  const reference = payments.add(STEPS.enter_otp)
  const tab = await opened(payments, reference)
  expect((await tab.post('otp', { otp: '123 456' })).statusCode).toBe(303)
  expect(payments.calls).toEqual([{ name: 'submitOtp', reference, given: 123456 }])
})

test('OTP: a wrong one costs a try, says so, and is not shown again', async () => {
  const payments = start()
  const tab = await opened(payments, payments.add(STEPS.enter_otp))
  const reply = await tab.post('otp', { otp: '987654' })
  expect(reply.statusCode).toBe(400)
  expect(alertOf(reply.body)).toBe('That password is not right. Check the message and try again.')
  expect(reply.body).toContain('4 tries left.')
  expect(reply.body).not.toContain('987654')
})

test.each(['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦', '-12345', '1e5000'])(
  'OTP: %j is no OTP and costs no try',
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

test('OTP: after its five minutes the reply says what to do', async () => {
  const payments = start()
  const tab = await opened(payments, payments.add(STEPS.enter_otp))
  payments.advance(281_000)
  expect(alertOf((await tab.post('otp', { otp: '111111' })).body)).toBe(
    'That password is no longer good. Ask for a new one.',
  )
  expect((await tab.get()).body).toContain('They are no longer good.')
})

test('OTP: the last wrong try ends on the failed page', async () => {
  const payments = start()
  const tab = await opened(payments, payments.add({ ...STEPS.enter_otp, triesLeft: 1 }))
  const reply = await tab.post('otp', { otp: '111111' })
  expect(reply.statusCode).toBe(303)
  expect((await tab.get('?from=form')).body).toContain('Too many wrong one-time passwords')
})

test('OTP: a new one is refused kindly before its time, then sent', async () => {
  const payments = start()
  const reference = payments.add(STEPS.enter_otp)
  const tab = await opened(payments, reference)
  const early = await tab.post('otp/new')
  expect([early.statusCode, alertOf(early.body)]).toEqual([409, 'Wait 20 seconds before you ask for another password.'])
  expect(early.body).toMatch(/role="alert" id="error" tabindex="-1" autofocus/)
  payments.advance(20_000)
  const sent = await tab.post('otp/new')
  expect(sent.headers.location).toBe(`${pathOf(reference)}?from=new-password`)
  expect((await tab.get('?from=new-password')).body).toMatch(/role="status">A new password is on its way\./)
})

test('OTP: when there are no more, no button promises one', async () => {
  const payments = start()
  const { nextOtpAt: _none, ...last } = STEPS.enter_otp
  const { body } = await browse(payments, payments.add(last)).get()
  expect(body).not.toContain('otp/new')
  expect(body).toContain('No more passwords can be sent.')
})

test('OTP: an expired last one does not make the page offer another', async () => {
  const payments = start()
  const { nextOtpAt: _none, ...last } = STEPS.enter_otp
  const tab = await opened(payments, payments.add(last))
  payments.advance(281_000)
  const { body } = await tab.post('otp', { otp: '111111' })
  expect(alertOf(body)).toBe('That password is no longer good.')
  expect(body).toContain('Cancel this payment and start again in the shop.')
  expect(body).not.toMatch(/Ask for a new/)
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

const shop = 'https://shop.example/thanks'

test.each(['completed', 'failed', 'cancelled'] as const)(
  '%s: the page leads to the shop, and a later visit shows it with a link',
  async (step) => {
    const payments = start()
    const reference = payments.add(STEPS[step], {}, shop)
    const led = [303, `${shop}?transaction_status=${STEPS[step].status}`, 'no-store', 'no-referrer']
    const tab = browse(payments, reference)
    const seen = async (suffix = '') => {
      const { statusCode, headers } = await tab.get(suffix)
      return [statusCode, headers.location, headers['cache-control'], headers['referrer-policy']]
    }
    expect(await seen()).toEqual(led)
    expect(await seen()).toEqual([200, undefined, 'no-store', 'no-referrer'])
    const { body } = await tab.get()
    expect(body).toContain(`<a class="button primary" href="${pathOf(reference)}?to&#61;merchant">`)
    expect(body).not.toContain('http-equiv="refresh"')
    expect(await seen('?to=merchant')).toEqual(led)
    const head = await payments.app.inject({ method: 'HEAD', url: pathOf(reference) })
    expect([head.statusCode, head.headers.location]).toEqual(led.slice(0, 2))
  },
)
test('a second waiting tab goes on too, but not a later visit', async () => {
  const payments = start()
  const reference = payments.add(STEPS.completed, {}, shop)
  const tab = browse(payments, reference)
  const since = `?since=${NOW.getTime() / 1000 - 10}`
  const statuses = [await tab.get(since), await tab.get(since), await tab.get()]
  payments.advance(60_000)
  statuses.push(await tab.get(since))
  expect(statuses.map(({ statusCode }) => statusCode)).toEqual([303, 303, 200, 200])
})
test('leaves a form by a page with a refresh and a link, never by redirects alone', async () => {
  const payments = start()
  const reference = payments.add(STEPS.confirm_phone, {}, shop)
  const tab = await opened(payments, reference)
  expect((await tab.post('cancel')).headers.location).toBe(`${pathOf(reference)}?from=form`)
  const { statusCode, body } = await tab.get('?from=form')
  expect(statusCode).toBe(200)
  expect(body).toContain(`<meta http-equiv="refresh" content="0;url=${pathOf(reference)}?to&#61;merchant">`)
  expect(body).toContain(`<a class="button primary" href="${pathOf(reference)}?to&#61;merchant">`)
  expect(body).not.toContain('shop.example')
})
test('an expired page has a way back to the shop, with an outcome once there is one', async () => {
  const payments = start()
  const reference = payments.add(STEPS.expired, {}, shop)
  const tab = browse(payments, reference)
  const { statusCode, body } = await tab.get()
  expect([statusCode, heading(body)]).toEqual([200, 'Time is up'])
  expect(body).toContain(`href="${pathOf(reference)}?to&#61;merchant"`)
  expect((await tab.get('?to=merchant')).headers.location).toBe(shop)
  payments.move(reference, { step: 'final', status: 'FAILED', statusMessage: 'Payment page expired' })
  expect((await tab.get()).headers.location).toBe(`${shop}?transaction_status=FAILED`)
  expect(heading((await tab.get()).body)).toBe('Time is up')
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
