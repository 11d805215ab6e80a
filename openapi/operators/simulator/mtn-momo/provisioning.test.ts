import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { advance, simulatedMtn } from '../testing/simulated.ts'
import { mtnCaller } from './testing/mtn-caller.ts'
import { BUILT_IN_CREDENTIALS } from './credentials.ts'

const { subscriptionKey, apiUser, apiKey } = BUILT_IN_CREDENTIALS.collection
const KEY = { 'ocp-apim-subscription-key': subscriptionKey }
const basic = (user: string, key: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`,
})

const post = (url: string, headers: Record<string, string>, body?: string) =>
  fetch(url, { method: 'POST', headers, ...(body !== undefined && { body }) })

test('creates, finds and keys an API user, whose token pays', async () => {
  const { url } = await simulatedMtn()
  const id = randomUUID()
  const make = () =>
    post(
      `${url}/v1_0/apiuser`,
      { ...KEY, 'x-reference-id': id, 'content-type': 'application/json' },
      JSON.stringify({ providerCallbackHost: 'malipo.example' }),
    )
  const made = await make()
  expect([made.status, made.headers.get('content-length')]).toEqual([201, '0'])
  expect((await make()).status).toBe(409)

  const found = await fetch(`${url}/v1_0/apiuser/${id}`, { headers: KEY })
  expect(await found.json()).toEqual({ providerCallbackHost: 'malipo.example', targetEnvironment: 'sandbox' })

  const keyed = await post(`${url}/v1_0/apiuser/${id}/apikey`, KEY)
  const { apiKey: newKey } = (await keyed.json()) as { apiKey: string }
  expect([keyed.status, newKey]).toEqual([201, expect.stringMatching(/^[0-9a-f]{32}$/)])

  const answer = await post(`${url}/collection/token/`, { ...KEY, ...basic(id, newKey) })
  expect(await answer.json()).toEqual({
    access_token: expect.any(String),
    token_type: 'access_token',
    expires_in: 3600,
  })
})

test('an unknown API user has no key', async () => {
  const { url } = await simulatedMtn()
  expect((await post(`${url}/v1_0/apiuser/${randomUUID()}/apikey`, KEY)).status).toBe(404)
  expect((await post(`${url}/v1_0/apiuser/${randomUUID()}/apikey`, {})).status).toBe(401)
})

test('refuses a token for wrong or another product’s credentials, and with a body', async () => {
  const { url } = await simulatedMtn()
  const token = (headers: Record<string, string>, body?: string, product = 'collection') =>
    post(`${url}/${product}/token/`, headers, body)
  const good = { ...KEY, ...basic(apiUser, apiKey) }

  expect((await token(good)).status).toBe(200)
  const wrong = await token({ ...KEY, ...basic(apiUser, 'wrong') })
  expect([wrong.status, await wrong.json()]).toEqual([401, { error: 'login_failed' }])
  expect((await token({ ...good, 'ocp-apim-subscription-key': 'wrong' })).status).toBe(401)
  expect((await token(good, undefined, 'disbursement')).status).toBe(401)
  const otherKey = { 'ocp-apim-subscription-key': BUILT_IN_CREDENTIALS.disbursement.subscriptionKey }
  const foreign = await token({ ...good, ...otherKey }, undefined, 'disbursement')
  expect([foreign.status, await foreign.json()]).toEqual([401, { error: 'login_failed' }])
  expect((await token(good, '{"grant_type":"client_credentials"}')).status).toBe(400)
})

test('a second token leaves the first one valid, and each ends after an hour', async () => {
  const simulator = await simulatedMtn()
  const [first, second] = [mtnCaller(simulator), mtnCaller(simulator)]
  const balance = async (mtn: typeof first) => (await mtn.call('GET', '/collection/v1_0/account/balance')).status
  expect([await balance(first), await balance(second), await balance(first)]).toEqual([200, 200, 200])
  await advance(simulator, 3_599_999)
  expect(await balance(first)).toBe(200)
  await advance(simulator, 1)
  expect(await balance(first)).toBe(401)
})

test.each([
  ['has no length', '', ''],
  ['is chunked', 'Transfer-Encoding: chunked\r\n', '0\r\n\r\n'],
])('a POST without a body that %s gets 411 and a page', async (_what, header, body) => {
  const { url } = await simulatedMtn()
  const { Authorization } = { Authorization: basic(apiUser, apiKey).authorization }
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(
    `POST /collection/token/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: ${Authorization}\r\n` +
      `Ocp-Apim-Subscription-Key: ${subscriptionKey}\r\n${header}\r\n${body}`,
  )
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
  await once(socket, 'close')
  expect(answer).toMatch(/^HTTP\/1\.1 411 /)
  expect(answer).toContain('content-type: text/html')
  expect(answer).toContain('<h2>Length Required</h2>')
})
