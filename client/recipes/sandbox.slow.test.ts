import { once } from 'node:events'
import type { Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO_MERCHANT } from '../../server/local/sandbox/providers.ts'
import { freePort } from '../../server/verification/testing/free-port.ts'
import { gatewayTest } from '../../server/verification/testing/gateway-test.ts'
import { openPage, redirectOf, submitForm } from '../../server/verification/testing/page-visit.ts'
import { uniqueReference } from '../../server/verification/testing/requests.ts'
import { until } from '../../server/verification/testing/served-gateway.ts'
import { createMalipo } from '../index.ts'

// Each recipe behind a running sandbox: what Malipo itself sends is booked. What a recipe does with any other message
// is tested in recipes.test.ts, and the packed client in packaging/.

const WAIT_MS = 60_000
process.env['MALIPO_WEBHOOK_SECRET'] = DEMO_MERCHANT.keys.webhookSecret
process.env['MALIPO_SIGNING_KEY'] = DEMO_MERCHANT.keys.signingKey
const { orders, payouts } = await import('./shop.ts')
const { RECIPES, recipeServers } = await import('./testing/recipe-servers.ts')

/** Where each recipe runs in turn, so that the merchant's settings stay the same between them. */
const port = await freePort()
const shopUrl = `http://127.0.0.1:${port}`
// On the real clock: receivers reject anything older than five minutes.
const { gateway } = await gatewayTest({
  clock: 'real',
  surroundings: { runJobs: true },
  env: { MALIPO_SANDBOX_DELAY_MS: '0' },
})
await gateway.pool.query(
  "update merchants set collection_callback_url = $1, payout_callback_url = $1, verification_url = $2 where public_key = 'pub_sandbox_demo'",
  [`${shopUrl}/callbacks`, `${shopUrl}/handshake`],
)
await gateway.refresh()
const malipo = createMalipo({
  baseUrl: gateway.url,
  publicKey: DEMO_MERCHANT.keys.publicKey,
  secretKey: DEMO_MERCHANT.keys.secretKey,
})

describe.each(RECIPES)('%s', (recipe) => {
  let server: Server
  beforeAll(async () => {
    server = (await recipeServers[recipe]()).listen(port, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(async () => {
    const closed = once(server.close(), 'close')
    server.closeAllConnections()
    await closed
  })

  const booked = (reference: string, status: string) =>
    until(async () => orders.get(reference) === status, WAIT_MS, `${reference} is booked as ${status}`)
  const show = async (url: string) => fetch(url).then(async (reply) => [reply.status, await reply.text()])

  /** Pays as a customer does, with forms, and returns the address of the page's link back. */
  async function payOnPage(reference: string, accountNumber: string): Promise<string> {
    // Stored before the call: the callback may be faster than the reply.
    orders.set(reference, 'open')
    const { payment_url: paymentUrl } = await malipo.collections.initialize({
      transaction_method: 'BANK',
      provider_code: 'bank_ng',
      merchant_reference: reference,
      currency: 'NGN',
      amount: 5000,
      description: 'School fees of March',
      redirect_url: `${shopUrl}/paid?term=2`,
    })
    const bank = { bank_code: 'access_bank_ng', account_number: accountNumber }
    expect((await submitForm(gateway.url, await openPage(gateway.url, paymentUrl), 'confirm', bank)).status).toBe(303)
    const back = () => redirectOf(gateway.url, paymentUrl)
    return until(back, WAIT_MS, 'the page leads back to the shop')
  }

  test('books a collection paid on the payment page, and thanks its customer', async () => {
    const reference = uniqueReference()
    const back = await payOnPage(reference, '0123456123')
    expect(new URL(back).searchParams.get('term')).toBe('2')
    expect(await show(back)).toEqual([200, 'Thank you!'])
    await booked(reference, 'COMPLETED')
  })

  test('books a failed collection as failed, and its address cannot become a thank-you', async () => {
    const reference = uniqueReference()
    const back = await payOnPage(reference, '0123456456')
    expect(await show(back)).toEqual([200, 'The payment did not go through.'])
    const forged = back.replace('=FAILED', '=COMPLETED').replace('=transaction.failed', '=transaction.completed')
    expect(await show(forged)).toEqual([400, 'wrong_signature'])
    await booked(reference, 'FAILED')
  })

  test.each([
    ['confirms a payout of the shop, and books it', true, 'COMPLETED'],
    ['stops a payout sent with a stolen key', false, 'FAILED'],
  ] as const)('%s', async (_what, isOwn, status) => {
    const reference = uniqueReference()
    orders.set(reference, 'open')
    if (isOwn) payouts.add(reference)
    await malipo.payouts.send({
      transaction_method: 'MOBILE_MONEY',
      provider_code: 'mtn_ug',
      merchant_reference: reference,
      account_number: '256772000123',
      customer_name: 'Amina Nakato',
      currency: 'UGX',
      amount: 5000,
      description: 'Coffee farmer March',
    })
    await booked(reference, status)
  })
})
