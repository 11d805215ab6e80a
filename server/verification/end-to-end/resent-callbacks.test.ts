import { createServer, type ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { callbacksToResend, findCallback, resendCallbacks } from '../../admin/queries/callbacks.ts'
import { collect, uniqueReference } from '../testing/requests.ts'
import { until } from '../testing/served-gateway.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { forFile } from '../testing/for-file.ts'

// Staff correct a callback URL and resend with `malipo callback resend`, through the real gateway to real servers.

const HOUR_MS = 3_600_000

const { gateway, clock, receiver } = await gatewayTest()
const slow = await forFile(startSlowServer())

/** A server that accepts every callback and replies when the test says so. */
async function startSlowServer() {
  const waiting: ServerResponse[] = []
  const server = createServer((request, response) => {
    request.resume()
    waiting.push(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`,
    waiting,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function pointAt(url: string): Promise<void> {
  await gateway.pool.query('update merchants set collection_callback_url = $1', [url])
  await gateway.refresh()
}

/** A collection that its rail has completed; its callback is due. */
async function completed(): Promise<string> {
  const merchant_reference = uniqueReference()
  expect((await collect(gateway.url, { merchant_reference })).status).toBe(202)
  return merchant_reference
}

async function callbackOf(merchantReference: string) {
  const {
    rows: [row],
  } = await gateway.pool.query<{ id: bigint }>(
    'select c.id from callbacks c join transactions t on t.id = c.transaction_id where t.merchant_reference = $1',
    [merchantReference],
  )
  return row && findCallback(gateway.pool, String(row.id))
}

async function resend(merchantReference: string): Promise<void> {
  const { transaction_id } = (await callbackOf(merchantReference))!
  await resendCallbacks(
    gateway.pool,
    await callbacksToResend(gateway.pool, { transactionId: transaction_id }),
    clock.now(),
    new Date(clock.now().getTime() + 1_000),
  )
}

const reportedAbout = (merchantReference: string): number => receiver.about(merchantReference).length

describe('sent again to a corrected URL while an attempt at the old one hangs', () => {
  test.each([500, 410, 200])('and is then answered %i: it goes out to the new one within seconds', async (status) => {
    await pointAt(slow.url)
    const reference = await completed()
    await gateway.runDue()
    clock.advance(1_000)
    const run = gateway.runDue()
    await until(() => slow.waiting.length === 1, 5_000, 'the attempt at the old URL')
    await pointAt(receiver.url)
    await resend(reference)
    slow.waiting.shift()!.writeHead(status).end()
    await run
    expect(await callbackOf(reference)).toMatchObject({ status: 'PENDING' })
    clock.advance(2_000)
    await gateway.runDue()
    expect(reportedAbout(reference)).toBe(1)
    expect(await callbackOf(reference)).toMatchObject({ status: 'DELIVERED' })
  })
})

// It is tried again when the merchant says "not now".
test('a callback resent after its schedule ended gets a whole schedule again', async () => {
  await pointAt(receiver.url)
  receiver.answer(500)
  const reference = await completed()
  for (let n = 0; n < 16; n += 1) {
    await gateway.runDue()
    clock.advance(27 * HOUR_MS)
  }
  expect(await callbackOf(reference)).toMatchObject({ status: 'STOPPED', attempts: 10 })
  receiver.answer({ status: 503, headers: { 'retry-after': '5' } }, 200)
  await resend(reference)
  clock.advance(1_000)
  await gateway.runDue()
  expect(await callbackOf(reference)).toMatchObject({ status: 'PENDING', attempts: 11 })
  clock.advance(60_000)
  await gateway.runDue()
  expect(await callbackOf(reference)).toMatchObject({ status: 'DELIVERED', attempts: 12 })
})
