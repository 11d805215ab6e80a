import { expect, test, vi } from 'vitest'
import { SIMULATORS, startSimulator } from '../../../openapi/operators/simulator/index.ts'
import { present } from '../../domain/present.ts'
import { forFile } from '../testing/for-file.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { installRail } from '../testing/installed-rail.ts'
import { collect, send, uniqueMsisdn, uniqueReference, verify } from '../testing/requests.ts'
import { OWN_RAILS } from '../testing/sandbox-rails.ts'

// In real time: a circuit breaker opens and closes by itself, and merchants and customers see the change.

const { gateway } = await gatewayTest({ clock: 'real', surroundings: { runJobs: true }, env: OWN_RAILS })
const operator = () => present(SIMULATORS['mtn-momo'], 'the simulator of MTN')({ currency: 'UGX' })
let mtn = await forFile(startSimulator(operator(), { auto: true }))
await installRail(gateway, mtn, {
  name: 'mtn-uganda',
  providers: ['mtn_ug'],
  settings: { target_environment: 'sandbox', failures_until_open: '2', retry_after_ms: '300' },
})

async function isOffered(): Promise<unknown> {
  const { body } = await send(gateway.url, 'GET', '/data/payment-providers?currency=UGX&transaction_type=COLLECTION')
  const options = body.data['payment_providers'] as { provider_code: string; is_active: boolean }[]
  return options.find(({ provider_code }) => provider_code === 'mtn_ug')?.is_active
}

// Merchants and customers are notified.
test("an operator's outage delays its payments, is reported, and ends without loss", async () => {
  expect(await isOffered()).toBe(true)
  const port = Number(new URL(mtn.url).port)
  await mtn.close()

  const merchant_reference = uniqueReference()
  const { body } = await collect(gateway.url, {
    merchant_reference,
    msisdn: uniqueMsisdn(),
    mobile_money_hpp: true,
    redirect_url: 'https://shop.example/paid',
  })
  const page = String(body.data['payment_url'])
  for (let n = 0; n < 3; n += 1) await collect(gateway.url)
  await vi.waitFor(async () => expect(await isOffered()).toBe(false), { timeout: 60_000, interval: 200 })
  expect(await (await fetch(page)).text()).toContain('</bdi> is not answering at the moment.')
  // A request that a merchant sends all the same is accepted, and waits.
  const late = uniqueReference()
  expect((await collect(gateway.url, { merchant_reference: late, msisdn: uniqueMsisdn() })).status).toBe(202)

  mtn = await startSimulator(operator(), { auto: true, port })
  try {
    await vi.waitFor(async () => expect(await isOffered()).toBe(true), { timeout: 60_000, interval: 200 })
    await vi.waitFor(
      async () =>
        expect((await verify(gateway.url, late)).body.data).toMatchObject({ transaction_status: 'COMPLETED' }),
      { timeout: 60_000, interval: 500 },
    )
    expect(await (await fetch(page)).text()).not.toContain('is not answering at the moment')
    expect(mtn.world.orders.all().every(({ moved }) => moved <= 1)).toBe(true)
  } finally {
    await mtn.close()
  }
})
