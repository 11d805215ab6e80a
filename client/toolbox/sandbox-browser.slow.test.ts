import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  CHROMIUM,
  KINDS,
  launchBrowser,
  phone,
  WITH_AND_WITHOUT_SCRIPT,
  type TestBrowser,
} from '../../server/payment-page/testing/test-browser.ts'
import { forFile } from '../../server/verification/testing/for-file.ts'
import { freePort } from '../../server/verification/testing/free-port.ts'
import { oneOfByDefault } from '../../server/verification/testing/nightly.ts'
import { until } from '../../server/verification/testing/served-gateway.ts'
import { skipReason } from '../../server/verification/testing/skip-reason.ts'
import { listeningAt, sandboxes, WAIT_MS } from './testing/listening.ts'
import { startFastifyShop } from './testing/shop.ts'

// A customer at the shop that `new shop` writes, with a real sandbox behind it; `listen` brings it the callbacks.

const startGateway = await sandboxes()
const gateway = await forFile(startGateway())
const { listen } = listeningAt(() => gateway.url)

/** How often each order was fulfilled. */
const fulfilmentsAt = async (shopUrl: string) =>
  JSON.parse(await (await fetch(`${shopUrl}/dev/effects`)).text()) as Readonly<Record<string, number>>

if (CHROMIUM === undefined) skipReason('no Chromium is installed', 'the sandbox of the toolbox in a browser')
describe.skipIf(CHROMIUM === undefined)('the shop in a real browser', async () => {
  const shop = await forFile(startFastifyShop({ port: await freePort(), gatewayUrl: gateway.url }))
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await launchBrowser(process.env.SCREENSHOTS)
  })
  afterEach(() => browser.closeVisits())
  afterAll(() => browser?.close())

  const ofKinds = oneOfByDefault('sizes, scripts and schemes')
  test.each(ofKinds(WITH_AND_WITHOUT_SCRIPT))(
    'pays, and the callback that listen brings fulfils the order: $name',
    async (kind) => {
      const terminal = await listen('--forward-to', `${shop.url}/callbacks`)
      const { page, complaints } = await browser.open(kind)
      await page.goto(shop.url)
      await browser.screenshot(page, `shop order ${kind.name}`)
      await page.getByLabel('Pay with').selectOption({ label: 'MTN Uganda' })
      await page.getByLabel('Phone number').fill('256772000123')
      await page.getByRole('button', { name: 'Pay UGX 20,000' }).click()
      await page.waitForURL(`${gateway.url}/pay/collection/**`)
      await page.getByRole('button', { name: 'Send the request' }).click()
      await page.waitForURL(`${shop.url}/paid?**`)
      await page.getByRole('heading', { level: 1, name: 'Thank you, your coffee is on its way' }).waitFor()
      await browser.screenshot(page, `shop paid ${kind.name}`)
      const reference = String(new URL(page.url()).searchParams.get('merchant_reference'))
      await until(() => terminal.printed.some((line) => line.includes('← 204')), WAIT_MS, 'the callback was forwarded')
      expect((await fulfilmentsAt(shop.url))[reference]).toBe(1)
      expect(complaints).toEqual([])
    },
  )

  test('a failed payment fulfils nothing, and the customer reads so', async () => {
    const { page } = await browser.open(phone)
    await page.goto(shop.url)
    await page.getByLabel('Pay with').selectOption({ label: 'MTN Uganda' })
    await page.getByLabel('Phone number').fill('256772000456')
    await page.getByRole('button', { name: 'Pay UGX 20,000' }).click()
    await page.waitForURL(`${gateway.url}/pay/collection/**`)
    await page.getByRole('button', { name: 'Send the request' }).click()
    await page.waitForURL(`${shop.url}/paid?**`)
    await page.getByRole('heading', { level: 1, name: 'The payment did not go through' }).waitFor()
    expect(
      (await fulfilmentsAt(shop.url))[String(new URL(page.url()).searchParams.get('merchant_reference'))],
    ).toBeUndefined()
  })

  test.each(ofKinds(KINDS))('axe-core finds nothing, and nothing is wider than the screen: $name', async (kind) => {
    const { page } = await browser.open(kind)
    for (const path of ['/', '/paid?nothing=1']) {
      await page.goto(`${shop.url}${path}`)
      expect(await browser.faultsOf(page, kind)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth').catch(() => true)).toBe(true)
    }
    await page.goto(shop.url)
    await page.getByLabel('Phone number').fill('1')
    await page.getByRole('button', { name: /Pay/ }).click()
    await page.getByRole('alert').waitFor()
    await browser.screenshot(page, `shop fault ${kind.name}`)
    expect(await browser.faultsOf(page, kind)).toEqual([])
  })
})
