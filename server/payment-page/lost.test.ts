import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../http/app.ts'
import { failure } from '../http/envelope.ts'
import { lostPages, unreadablePages, type PageHosts } from './lost.ts'
import { heading } from './testing/tab.ts'
import { en } from './texts/en.ts'
import { fr } from './texts/fr.ts'
import { sw } from './texts/sw.ts'

/** A gateway without any API operation. */
function lonely(hosts: PageHosts) {
  const app = createApp({
    api: { handle: async () => ({ reply: failure(404, 'There is nothing at this path'), operationId: undefined }) },
    logger: pino({ level: 'silent' }),
    random: { bytes: (size) => new Uint8Array(size) },
    routes: () => {},
    lost: lostPages(hosts),
    unreadable: unreadablePages(hosts),
  })
  onTestFinished(() => app.close())
  return app
}

/** The replies of such a gateway. */
function answers(hosts: PageHosts) {
  const app = lonely(hosts)
  return async (host: string, url: string, method: 'GET' | 'POST' = 'GET') => {
    const { statusCode, body, headers } = await app.inject({ method, url, headers: { host } })
    const isPage = headers['content-type'] === 'text/html; charset=utf-8'
    if (isPage) expect(headers['content-security-policy']).toContain("default-src 'none'")
    return [statusCode, isPage ? heading(body) : (JSON.parse(body) as { message: string }).message]
  }
}

const APART = { paymentPageBaseUrl: 'https://pay.example', publicBaseUrl: 'https://api.example' }
const NO_PAYMENT = 'There is no payment here'
const NOTHING = 'There is nothing at this path'

test('invalid percent-encoding gets a page under /pay, the envelope elsewhere', async () => {
  const answer = answers({})
  expect(await answer('localhost', '/pay/collection/%zz')).toEqual([400, NO_PAYMENT])
  expect(await answer('localhost', '/collections/%zz')).toEqual([400, 'The path is not valid percent-encoding'])
  expect(await answer('localhost', '/payout')).toEqual([404, NOTHING])
})

test.each(['//pay/x', '/Pay/collection/MLP', '/PAY', '/pay%2Fcollection', '/pay;x', '/pay.', '/pay)'])(
  'a link that was typed or mangled into %s leads to a page',
  async (url) => expect(await answers({})('localhost', url)).toEqual([404, NO_PAYMENT]),
)

test.each(['/payx', '/pay-out', '/payout/x', '/x/pay'])('%s is no link to a payment', async (url) => {
  expect(await answers({})('localhost', url)).toEqual([404, NOTHING])
})

// Its first packet decides.
test("what Node's parser refuses gets a page in the customer's language", () => {
  const page = (packet: string, hosts: PageHosts = {}) => {
    const { html, headers } = unreadablePages(hosts)(Buffer.from(packet, 'latin1')) ?? {}
    return html === undefined ? undefined : [heading(html), headers?.['content-language']]
  }
  const long = `/pay/collection/${'x'.repeat(20_000)}`
  expect(page(`GET ${long}`)).toEqual([NO_PAYMENT, 'en'])
  expect(page(`GET http://a${long} HTTP/1.1\r\nAccept-Language: fr\r\n`)).toEqual([fr.unknownTitle, 'fr'])
  const cookies = `GET /pay/x HTTP/1.1\r\nhost: a\r\ncookie: malipo_lang=sw; x=${'x'.repeat(20_000)}`
  expect(page(cookies)).toEqual([sw.notUnderstoodTitle, 'sw'])
  expect(page('FOO /pay/x HTTP/1.1\r\n\r\n')).toEqual([en.notUnderstoodTitle, 'en'])
  expect(page('FOO /x HTTP/1.1\r\nHost: pay.example\r\n\r\n', APART)).toEqual([en.notUnderstoodTitle, 'en'])
  for (const packet of ['', '\0', 'FOO', 'GET /payout HTTP/1.1\r\nhost: pay.example', 'FOO /x HTTP/1.1\r\nx: /pay/'])
    expect(page(packet)).toBeUndefined()
})

test("answers too long a link with a page, and the API's path with the envelope", async () => {
  const app = lonely({})
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const answer = async (sent: string) => text(connect(port, '127.0.0.1').end(sent, 'latin1'))
  const page = await answer(`GET /pay/${'x'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`)
  expect(page).toMatch(/^HTTP\/1\.1 431 .*\r\ncontent-security-policy: default-src 'none'; style-src/s)
  expect(heading(page)).toBe(NO_PAYMENT)
  expect(await answer(`GET /payout/${'x'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`)).toMatch(/^HTTP.*"code":431/s)
  // A request behind another one may belong to the API.
  expect(await answer('GET /pay/x HTTP/1.1\r\nhost: a\r\n\r\nFOO /payout HTTP/1.1\r\n\r\n')).toContain('"code":400')
})

test('an own page host answers every unknown path with a page; the API host has none', async () => {
  const answer = answers(APART)
  expect(await answer('pay.example', '/collection/MLP')).toEqual([404, NO_PAYMENT])
  expect(await answer('pay.example', '/x', 'POST')).toEqual([404, NO_PAYMENT])
  expect(await answer('api.example', '/collection/MLP')).toEqual([404, NOTHING])
  expect(await answer('evil.example', '/collection/MLP')).toEqual([404, NOTHING])
})

test("where page and API share a host, a wrong path is the API's", async () => {
  const answer = answers({ paymentPageBaseUrl: 'https://api.example', publicBaseUrl: 'https://api.example' })
  expect(await answer('api.example', '/collection/MLP')).toEqual([404, NOTHING])
})
