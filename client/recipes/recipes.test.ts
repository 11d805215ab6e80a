import type { Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { signedCallback, signedHandshake, signedHeaders, signedRedirect } from '@malipo/client/testing'
import { listening } from '../../server/verification/testing/listening.ts'

const { secret, signingKey } = vi.hoisted(() => {
  process.env['MALIPO_WEBHOOK_SECRET'] = 'whsec_c2hvcC1vZi10aGUtcmVjaXBlcyE='
  process.env['MALIPO_SIGNING_KEY'] = 'SHOPOFTHERECIPESKEY1'
  return { secret: process.env['MALIPO_WEBHOOK_SECRET'], signingKey: process.env['MALIPO_SIGNING_KEY'] }
})
const { orders, payouts, shop } = await import('./shop.ts')
const { RECIPES, recipeServers } = await import('./testing/recipe-servers.ts')
const otherSecret = 'whsec_c29tZWJvZHktZWxzZS1lbnRpcmVseSE='

type Fetch = (request: Request) => Promise<Response>

async function fetchFrom(server: Server): Promise<Fetch> {
  const { url: origin, close } = await listening(server)
  afterAll(close)
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    return fetch(origin + pathname + search, {
      method: request.method,
      headers: request.headers,
      ...(request.method === 'POST' && { body: await request.text() }),
    })
  }
}

describe.each(RECIPES)('%s', (name) => {
  let serve: Fetch
  const reference = (order: string) => `${name}-${order}`
  const post = async (
    input: Omit<Parameters<typeof signedCallback>[0], 'secret'> & { secret?: string },
    change = (body: string) => body,
  ) => {
    const { headers, body } = await signedCallback({ secret, ...input })
    const changed = change(body)
    const length = String(Buffer.byteLength(changed))
    return serve(
      new Request('http://localhost/callbacks', {
        method: 'POST',
        headers: { ...headers, 'content-length': length },
        body: changed,
      }),
    )
  }

  beforeAll(async () => {
    // Express logs the error to the console, as it should.
    vi.spyOn(console, 'error').mockImplementation(() => {})
    serve = await fetchFrom(await recipeServers[name]())
  })

  test('books an authentic callback, and not a duplicate of its message', async () => {
    const payload = { merchant_reference: reference('order-1') }
    orders.set(payload.merchant_reference, 'open')
    expect((await post({ payload, webhookId: reference('cb_1') })).status).toBe(204)
    expect(orders.get(payload.merchant_reference)).toBe('COMPLETED')
    orders.set(payload.merchant_reference, 'shipped')
    expect((await post({ payload, webhookId: reference('cb_1') })).status).toBe(204)
    expect(orders.get(payload.merchant_reference)).toBe('shipped')
  })

  test('books a second final status as a change', async () => {
    const payload = { merchant_reference: reference('order-2') }
    orders.set(payload.merchant_reference, 'open')
    for (const kind of ['collection.failed', 'collection.completed'] as const)
      expect((await post({ kind, payload })).status).toBe(204)
    expect(orders.get(payload.merchant_reference)).toBe('COMPLETED, to be looked at')
  })

  test('acknowledges an event that it does not know, such as the end of a batch', async () => {
    const later = (body: string) => body.replace('transaction.completed', 'payout_batch.completed')
    const { body } = await signedCallback({ secret })
    const told = later(body)
    expect(told).not.toBe(body)
    const signed = await signedHeaders({ secret, body: told })
    const headers = { 'content-type': 'application/json', ...signed, 'content-length': String(Buffer.byteLength(told)) }
    const request = { method: 'POST', headers, body: told }
    expect((await serve(new Request('http://localhost/callbacks', request))).status).toBe(204)
  })

  test('books nothing for a wrong signature, body, time or media type', async () => {
    const payload = { merchant_reference: reference('order-3') }
    orders.set(payload.merchant_reference, 'open')
    const replies = [
      await post({ payload, secret: otherSecret }),
      await post({ payload }, (body) => body.replace('5000', '5001')),
      await post({ payload, now: new Date(Date.now() - 600_000) }),
      await serve(new Request('http://localhost/callbacks', { method: 'POST', body: '{}' })),
    ]
    expect(await Promise.all(replies.slice(0, 3).map(async (reply) => [reply.status, await reply.text()]))).toEqual([
      [400, 'wrong_signature'],
      [400, 'wrong_signature'],
      [400, 'too_old'],
    ])
    expect([400, 415]).toContain(replies[3]!.status)
    expect(orders.get(payload.merchant_reference)).toBe('open')
  })

  test('replies 500 to what cannot be booked yet, and books the next attempt', async () => {
    const payload = { merchant_reference: reference('order-4') }
    const webhookId = reference('cb_4')
    expect((await post({ payload, webhookId })).status).toBe(500)
    orders.set(payload.merchant_reference, 'open')
    expect((await post({ payload, webhookId })).status).toBe(204)
    expect(orders.get(payload.merchant_reference)).toBe('COMPLETED')
  })

  test('refuses a body that is too large', async () => {
    const { status } = await post({
      payload: { merchant_reference: reference('order-5'), filler: 'x'.repeat(2 * 1024 * 1024) },
    }).catch(() => ({ status: 413 }))
    // Next limits bodies in front of the handler; there the reply is about the unknown order.
    expect(name === 'next' ? [500] : [400, 413]).toContain(status)
  })

  test('confirms the handshake for our own payout only', async () => {
    payouts.add(reference('payout-1'))
    const sendRequest = async (payout: string, by = secret) => {
      const { url, headers } = await signedHandshake({ secret: by, reference: reference(payout) })
      return (await serve(new Request(url, { headers: { ...headers } }))).status
    }
    expect(await sendRequest('payout-1')).toBe(200)
    expect(await sendRequest('payout-2')).toBe(404)
    expect(await sendRequest('payout-1', otherSecret)).toBe(400)
    expect((await serve(new Request(`http://localhost/handshake?reference=${reference('payout-1')}`))).status).toBe(400)
  })

  test('replies 500 without its secret, so that no payout is rejected for good', async () => {
    payouts.add(reference('payout-3'))
    const { url, headers } = await signedHandshake({ secret, reference: reference('payout-3') })
    onTestFinished(() => void (shop.webhookSecret = secret))
    shop.webhookSecret = ''
    expect((await serve(new Request(url, { headers: { ...headers } }))).status).toBe(500)
  })

  test('the redirect page thanks for a payment only', async () => {
    const show = async (url: string) =>
      serve(new Request(url)).then(async (reply) => [reply.status, await reply.text()])
    expect(await show(await signedRedirect({ signingKey }))).toEqual([200, 'Thank you!'])
    const failed = await signedRedirect({ signingKey, kind: 'collection.failed' })
    expect(await show(failed)).toEqual([200, 'The payment did not go through.'])
    expect(
      await show(failed.replace('FAILED', 'COMPLETED').replace('transaction.failed', 'transaction.completed')),
    ).toEqual([400, 'wrong_signature'])
  })
})
