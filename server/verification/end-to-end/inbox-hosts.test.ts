import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { gatewayTest } from '../testing/gateway-test.ts'

const { gateway } = await gatewayTest({ env: { MALIPO_ALLOWED_HOSTS: 'malipo' } })

/** Sends what a browser sends on a page of the site `host`, whose name resolves to our address. */
function sendRequest(
  method: string,
  path: string,
  host: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    request(
      `${gateway.url}${path}`,
      { method, headers: { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin', ...headers } },
      (response) => {
        text(response).then((body) => resolve({ status: response.statusCode, body }), reject)
      },
    )
      .on('error', reject)
      .end(method === 'POST' && path === '/sandbox/inbox' ? '{}' : undefined)
  })
}

const JSON_BODY = { 'content-type': 'application/json' }
const messages = async () =>
  Number((await gateway.pool.query<{ count: bigint }>('select count(*) from sandbox.inbox')).rows[0]!.count)

test.each([
  ['GET', '/sandbox/inbox', {}],
  ['HEAD', '/sandbox/inbox', {}],
  ['GET', '/sandbox/inbox/1', {}],
  ['POST', '/sandbox/inbox', JSON_BODY],
  ['GET', '/sandbox/inbox/handshake?reference=ORDER-0001', {}],
  ['POST', '/sandbox/inbox/clear', {}],
  ['POST', '/sandbox/inbox/1/resend', {}],
  ['GET', '/sandbox/inbox/stream', {}],
  ['GET', '/sandbox/transactions/ORDER-0001', {}],
  ['GET', '/sandbox/requests', {}],
  ['DELETE', '/sandbox/inbox', {}],
] as const)('%s %s refuses a page under another name for our address', async (method, path, headers) => {
  expect((await sendRequest('POST', '/sandbox/inbox', 'localhost', JSON_BODY)).status).toBe(200)
  const before = await messages()
  for (const host of ['evil.example', `evil.example:${new URL(gateway.url).port}`]) {
    const { status, body } = await sendRequest(method, path, host, headers)
    expect(status).toBe(421)
    if (method !== 'HEAD') {
      expect(JSON.parse(body)).toEqual({
        code: 421,
        status: 'error',
        reason: 'invalid_request',
        data: {},
        message: `The inbox does not answer to ${host}: use a name of this machine, or add that one to MALIPO_ALLOWED_HOSTS`,
      })
    }
  }
  expect(await messages()).toBe(before)
})

test('loopback and configured hosts get their reply', async () => {
  for (const host of ['localhost', '127.0.0.1:8080', '[::1]:8080', 'malipo:8080'])
    expect((await sendRequest('GET', '/sandbox/inbox', host)).status, host).toBe(200)
  expect((await sendRequest('POST', '/sandbox/inbox/clear', 'localhost:8080')).status).toBe(303)
  expect(await messages()).toBe(0)
})
