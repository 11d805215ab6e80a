import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { listen } from '../harness/listen.ts'
import { KeyRing } from './key-ring.ts'
import { oauthClientCredentials, type ClientCredentials } from './oauth.ts'

/** Requests a token from a server with this reply. @returns the request that it received */
async function sendRequest(status: number, reply: unknown, more: Partial<ClientCredentials> = {}) {
  let [authorization, form]: (string | undefined)[] = []
  const server = await listen(
    createServer((request, response) => {
      authorization = request.headers.authorization
      void text(request).then((body) => {
        form = body
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
      })
    }),
  )
  const source = oauthClientCredentials({ tokenUrl: server.url, clientId: 'me:1', clientSecret: 'a+b c', ...more })
  try {
    return { key: await source(), authorization, form }
  } finally {
    await server.close()
  }
}

test('authenticates by Basic, both halves encoded, or in the form', async () => {
  const good = { access_token: 'token-1', expires_in: 3600 }
  const basic = await sendRequest(200, good, { scope: 'read write', more: { audience: 'things' } })
  expect(basic.form).toBe('grant_type=client_credentials&scope=read+write&audience=things')
  expect(basic.authorization).toBe(`Basic ${Buffer.from('me%3A1:a%2Bb+c').toString('base64')}`)
  const form = await sendRequest(200, good, { authentication: 'form' })
  expect(form.form).toBe('grant_type=client_credentials&client_id=me%3A1&client_secret=a%2Bb+c')
  expect(form.authorization).toBeUndefined()
})

test('reports a refusal by its code, or a missing token, never the secret', async () => {
  await expect(sendRequest(401, { error: 'invalid_client', hint: 'a+b c' })).rejects.toThrow(
    /refuses the client: invalid_client$/,
  )
  await expect(sendRequest(400, 'a+b c')).rejects.toThrow(/refuses the client: 400$/)
  await expect(sendRequest(503, {})).rejects.toThrow(/\(503\) gave no access_token$/)
})

test('renews a key ten seconds before its end and replaces earlier ones', async () => {
  let [now, count] = [0, 0]
  const ring = await KeyRing.open(
    { fixed: 'fixed-key', token: () => ({ value: `token-${++count}`, expiresAt: now + 60_000 }) },
    () => now,
  )
  const sent = async () => (await ring.renewed())('Bearer token-1, fixed-key')
  expect(ring.hasEnds).toBe(true)
  now = 49_999
  expect(await sent()).toBe('Bearer token-1, fixed-key')
  now = 50_000
  expect(await sent()).toBe('Bearer token-2, fixed-key')
  now = 100_000
  expect(await sent()).toBe('Bearer token-3, fixed-key')
  for (let renewals = 0; renewals < 8; renewals++) {
    now += 60_000
    await ring.renewed()
  }
  expect((await ring.renewed())('token-11 token-1 token-10')).toBe('token-11 token-11 token-11')
  expect(ring.issued.slice(0, 4)).toEqual([
    ['fixed', 'fixed-key'],
    ['token', 'token-1'],
    ['token', 'token-2'],
    ['token', 'token-3'],
  ])
})
