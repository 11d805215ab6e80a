import { expect, test } from 'vitest'
import { gatewayTest } from '../../verification/testing/gateway-test.ts'
import { collect, uniqueReference } from '../../verification/testing/requests.ts'
import { seedSandbox } from './seed-sandbox.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { MASTER_KEY, seededRandom } from '../../verification/testing/gateway.ts'

// `malipo-dev listen` borrows the demo merchant's URLs for the inbox: they are restored at the end, and also
// if the borrower dies.

const { gateway, clock, receiver, after } = await gatewayTest({ toReceiver: ['collection_callback_url'] })
const URLS = `${gateway.url}/sandbox/callback-urls`

interface Wire {
  readonly collection_callback_url: string | null
  readonly borrowed_until: string | null
}
const request = async (path = '', method = 'GET', headers: Readonly<Record<string, string>> = {}) => {
  const reply = await fetch(`${URLS}${path}`, { method, headers })
  return { status: reply.status, body: (await reply.json()) as Wire }
}
const borrow = (seconds = 30) => request(`/borrow?seconds=${seconds}`, 'POST')
const giveBack = () => request('/return', 'POST')

/** Creates a collection now, and reports where its callback arrives. */
async function callbackGoesTo(): Promise<string> {
  const reference = uniqueReference()
  const before = receiver.received.length
  await gateway.refresh()
  await collect(gateway.url, { merchant_reference: reference })
  await after(10_000)
  await after(0)
  const accept = { accept: 'application/json' }
  const inbox = await fetch(`${gateway.url}/sandbox/inbox?reference=${reference}`, { headers: accept })
  const { messages } = (await inbox.json()) as { readonly messages: readonly unknown[] }
  return `inbox ${messages.length}, receiver ${receiver.received.length - before}`
}

test('borrowed URLs lead to the inbox, and lead back once returned', async () => {
  expect((await request()).body).toMatchObject({ collection_callback_url: receiver.url, borrowed_until: null })
  expect(await callbackGoesTo()).toBe('inbox 0, receiver 1')
  const { body } = await borrow()
  expect(body).toMatchObject({
    collection_callback_url: receiver.url,
    borrowed_until: new Date(clock.now().getTime() + 30_000).toISOString(),
  })
  expect(await callbackGoesTo()).toBe('inbox 1, receiver 0')
  await borrow() // extends the lease: the previous URL is not lost
  expect((await giveBack()).body).toMatchObject({ collection_callback_url: receiver.url, borrowed_until: null })
  expect(await callbackGoesTo()).toBe('inbox 0, receiver 1')
})

test('an unrenewed lease expires, and the next callback goes where it belongs', async () => {
  await borrow(5)
  const reference = uniqueReference()
  await gateway.refresh()
  await collect(gateway.url, { merchant_reference: reference })
  await after(10_000)
  await gateway.refresh()
  await after(600_000)
  await after(0)
  expect(receiver.received.map(({ json }) => String(json.payload.merchant_reference))).toContain(reference)
  expect((await request()).body).toMatchObject({ collection_callback_url: receiver.url, borrowed_until: null })
})

test('an unrenewed lease is returned at its end without a request', async () => {
  const reported = async () =>
    (
      await gateway.pool.query<{ url: string }>(
        "select collection_callback_url as url from merchants where public_key = 'pub_sandbox_demo'",
      )
    ).rows[0]?.url
  await borrow(1)
  expect(await reported()).toContain('borrowed=')
  clock.advance(1_500)
  // Its timer uses the machine's clock.
  await expect.poll(reported).toBe(receiver.url)
})

test('the next start returns what is still borrowed', async () => {
  await borrow(600)
  await seedSandbox(gateway.pool, createSecretBox(MASTER_KEY, seededRandom('borrowed URLs')), gateway.url, clock.now())
  expect((await request()).body).toMatchObject({ collection_callback_url: receiver.url, borrowed_until: null })
})

test.each(['0', '601', '1.5', 'long'])('a lease of %s seconds is refused', async (seconds) => {
  expect((await request(`/borrow?seconds=${seconds}`, 'POST')).status).toBe(400)
})

test.each(['/borrow?seconds=30', '/return'])("another site's page cannot POST %s", async (path) => {
  expect((await request(path, 'POST', { origin: 'https://evil.example' })).status).toBe(403)
  expect((await request(path)).status).toBe(405)
})
