import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../http/app.ts'
import { failure } from '../http/envelope.ts'
import { lostPages, type PageHosts } from './lost.ts'
import { heading } from './testing/tab.ts'

/** What a gateway without a single operation answers. */
function answers(hosts: PageHosts) {
  const app = createApp({
    api: { handle: async () => ({ reply: failure(404, 'There is nothing at this path'), operationId: undefined }) },
    logger: pino({ level: 'silent' }),
    random: { bytes: (size) => new Uint8Array(size) },
    routes: () => {},
    lost: lostPages(hosts),
  })
  onTestFinished(() => app.close())
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

test('an address that no percent-encoding makes is a page under /pay, and the envelope elsewhere', async () => {
  const answer = answers({})
  expect(await answer('localhost', '/pay/collection/%zz')).toEqual([400, NO_PAYMENT])
  expect(await answer('localhost', '/collections/%zz')).toEqual([400, 'The path is not valid percent-encoding'])
  expect(await answer('localhost', '/payout')).toEqual([404, NOTHING])
})

test('a host of its own has pages for whatever it does not know, and the host of the API has none', async () => {
  const answer = answers(APART)
  expect(await answer('pay.example', '/collection/MLP')).toEqual([404, NO_PAYMENT])
  expect(await answer('pay.example', '/x', 'POST')).toEqual([404, NO_PAYMENT])
  expect(await answer('api.example', '/collection/MLP')).toEqual([404, NOTHING])
  expect(await answer('evil.example', '/collection/MLP')).toEqual([404, NOTHING])
})

test('where page and API share a host, a wrong path is the API’s', async () => {
  const answer = answers({ paymentPageBaseUrl: 'https://api.example', publicBaseUrl: 'https://api.example' })
  expect(await answer('api.example', '/collection/MLP')).toEqual([404, NOTHING])
})
