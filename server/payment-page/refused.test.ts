import { describe, expect, test } from 'vitest'
import { StorageUnavailable } from '../actions/ports/store.ts'
import { newReference, STEPS, type FakePayments } from './testing/fake-payments.ts'
import { LIVE_SCRIPT_PATH } from './live-script.ts'
import { start, pathOf, browse, opened, heading } from './testing/tab.ts'

test('unknown, malformed and never existed: the same page, and one lookup each', async () => {
  let lookups = 0
  const payments = start({ view: async () => void lookups++ })
  const replies = []
  for (const reference of [
    newReference(),
    'MLP0',
    'mlp'.padEnd(24, '0'),
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

test('a link in small letters, or with text appended, leads to its payment', async () => {
  const payments = start()
  const reference = payments.add(STEPS.confirm_phone)
  for (const link of [reference.toLowerCase(), `${reference}.`, `${reference})`, `${reference}/`, `${reference}%20`]) {
    const { statusCode, headers } = await payments.app.inject(pathOf(link))
    expect([link, statusCode, headers.location]).toEqual([link, 303, pathOf(reference)])
  }
  for (const link of [`${reference}x`, `x${reference}`, `${reference}./x`])
    expect([link, (await payments.app.inject(pathOf(link))).statusCode]).toEqual([link, 404])
})

test.each(['%0D%0Aset-cookie:x', '%C3%A9', '%E2%80%A8', '%00', '%2F%2Fevil.example', '%3Cb%3E', '%22', '%5C'])(
  'a link of %s with a trailing slash leads to the same without, nowhere else',
  async (link) => {
    const { statusCode, headers } = await start().app.inject(`/pay/collection/${link}/`)
    expect(statusCode).toBe(303)
    expect(headers.location).toMatch(/^\/pay\/collection\/[\w%.~-]+$/)
  },
)

describe('forms of another origin', () => {
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
  test('accepts the right token from our own origin, in an old browser', async () =>
    expect(
      (
        await attempt(async () => ({
          headers: { 'sec-fetch-site': undefined, origin: 'http://pay.example:8080', host: 'pay.example:8080' },
        }))
      ).status,
    ).toBe(303))
})

test('the public origin counts behind a proxy that changes Host; the cookie is Secure', async () => {
  const payments = start({ pageBaseUrl: 'https://pay.example' })
  const tab = browse(payments, payments.add(STEPS.confirm_phone))
  const page = await tab.get()
  expect(page.headers['set-cookie']).toMatch(/; Secure$/)
  expect(page.headers['strict-transport-security']).toBe('max-age=31536000')
  const headers = { 'sec-fetch-site': undefined, origin: 'https://pay.example', host: 'inside:8080' }
  expect((await tab.post('confirm', {}, headers)).statusCode).toBe(303)
})

test('the cookie is for this page alone, and is kept while it is valid', async () => {
  const payments = start()
  const reference = payments.add(STEPS.confirm_phone)
  const tab = browse(payments, reference)
  expect((await tab.get()).headers['set-cookie']).toMatch(
    new RegExp(`^malipo_pay=[A-Za-z0-9_-]{22}; Path=${pathOf(reference)}; HttpOnly; SameSite=Lax$`),
  )
  expect((await tab.get()).headers['set-cookie']).toBeUndefined()
})

test('another form gets 413, 415 or 400, as a page with a way back', async () => {
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

test('a link to no payment shows a page, and never JSON', async () => {
  const { app } = start()
  for (const url of ['/pay', '/pay/', '/pay/collection', '/pay/else/x', `${pathOf('x')}/else`])
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const { statusCode, headers, body } = await app.inject({ method, url })
      expect([url, statusCode, headers['content-type'], heading(body)]).toEqual([
        url,
        404,
        'text/html; charset=utf-8',
        'There is no payment here',
      ])
      expect(headers['content-security-policy']).toContain("default-src 'none'")
    }
  const status = await app.inject(`${pathOf(newReference())}/status`)
  expect([status.statusCode, heading(status.body)]).toEqual([404, 'There is no payment here'])
})

test('other methods get 405 and the exact Allow, as a page with a way back', async () => {
  const { app } = start()
  const path = pathOf(newReference())
  const allow = async (method: 'POST' | 'PUT' | 'DELETE' | 'OPTIONS', url: string) => {
    const reply = await app.inject({ method, url })
    expect(heading(reply.body)).toBe('That cannot be done at this address')
    expect(reply.body.includes(`<a class="button primary" href="${path}">`)).toBe(url.startsWith(path))
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

test('an unavailable database and a fault of ours are pages too', async () => {
  const away = start({
    view: async () => {
      throw new StorageUnavailable(new Error('away'))
    },
  })
  const reference = newReference()
  const reply = await away.app.inject(pathOf(reference))
  // Without a script, a waiting page returns by itself.
  expect(reply.body).toContain(`<noscript><meta http-equiv="refresh" content="8;url=${pathOf(reference)}">`)
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
