import { existsSync, mkdtempSync } from 'node:fs'
import { createRequire } from 'node:module'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fakePayments, STEPS, type FakePayments } from './fake-payments.ts'

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path))
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-quic', '--no-first-run']
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const PHONE = { width: 360, height: 740 }
const DESKTOP = { width: 1280, height: 800 }
const WAIT_MS = 10_000

if (CHROMIUM === undefined) console.log('No Chromium is installed: the browser tests of the payment page are skipped.')

interface Kind {
  readonly name: string
  readonly viewport: typeof PHONE
  readonly script: boolean
  readonly scheme: 'light' | 'dark'
}
const KINDS: readonly Kind[] = [
  { name: 'phone', viewport: PHONE, script: true, scheme: 'light' }, { name: 'phone, no script', viewport: PHONE, script: false, scheme: 'light' },
  { name: 'phone, dark', viewport: PHONE, script: true, scheme: 'dark' }, { name: 'desktop', viewport: DESKTOP, script: true, scheme: 'light' },
  { name: 'desktop, no script', viewport: DESKTOP, script: false, scheme: 'dark' },
]
const WITH_AND_WITHOUT = [KINDS[0]!, KINDS[1]!] as const

describe.skipIf(CHROMIUM === undefined)('in a real browser', () => {
  let browser: Browser
  let payments: FakePayments
  let shop: Server
  let shopUrl: string
  let base: string
  let axe: string
  const shopVisits: string[] = []
  const screenshots = process.env.SCREENSHOTS ?? mkdtempSync(join(tmpdir(), 'malipo-page-'))
  const contexts: BrowserContext[] = []

  beforeAll(async () => {
    axe = await readFile(AXE, 'utf8')
    browser = await chromium.launch({ executablePath: CHROMIUM!, args: ARGS })
    payments = fakePayments()
    base = await payments.app.listen({ host: '127.0.0.1', port: 0 })
    shop = createServer((request, response) => {
      shopVisits.push(request.url!)
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<!doctype html><title>Shop</title><h1>Thank you</h1>')
    })
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
    // Another host name than the page's: another origin, as in life.
    shopUrl = `http://localhost:${(shop.address() as AddressInfo).port}/thanks`
  })
  afterAll(async () => {
    for (const context of contexts) await context.close()
    await browser?.close()
    await payments?.app.close()
    shop?.close()
    shop?.closeAllConnections()
  })

  /** A browser of its own; what it complains about fails the test. */
  async function openBrowser({ viewport, script, scheme }: Kind): Promise<{ page: Page; complaints: string[]; context: BrowserContext }> {
    const context = await browser.newContext({ viewport, javaScriptEnabled: script, colorScheme: scheme, ...(viewport === PHONE && { isMobile: true, hasTouch: true }) })
    contexts.push(context)
    context.setDefaultTimeout(WAIT_MS)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => { if (message.type() === 'error' && !message.text().includes('the server responded with a status of 4')) complaints.push(message.text()) })
    page.on('pageerror', (error) => complaints.push(String(error)))
    return { page, complaints, context }
  }
  const goTo = (page: Page, reference: string) => page.goto(`${base}/pay/collection/${reference}`)
  const shot = (page: Page, name: string) => page.screenshot({ path: join(screenshots, `${name.replaceAll(/[^a-z_]+/g, '-')}.png`), fullPage: true })
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

  /** Everything axe-core finds. Without script axe cannot run: the same markup, with what stands in `noscript`, is then looked at by a browser that has it. */
  async function faultsOf(page: Page, kind: Kind): Promise<string[]> {
    if (kind.script) return audit(page)
    const markup = (await page.content()).replaceAll(/<\/?noscript>|<meta http-equiv="refresh"[^>]*>/g, '') // refreshing is the only way these browsers have
    const { page: copy, context } = await openBrowser({ ...kind, script: true })
    await copy.setContent(markup)
    return audit(copy).finally(() => context.close())
  }
  const audit = (page: Page): Promise<string[]> => page.evaluate(`(() => { ${axe}; return axe.run() })()
    .then(({ violations }) => violations.map(({ id, impact, nodes }) => impact + ': ' + id + ' ' + nodes.map(({ html }) => html).join(' | ')))`)

  describe.each(KINDS)('$name', (kind) => {
    test.each(Object.keys(STEPS) as (keyof typeof STEPS)[])('%s: axe finds nothing, nothing is cut off, nobody complains', async (step) => {
      const { page, complaints, context } = await openBrowser(kind)
      await goTo(page, payments.add(STEPS[step], { description: 'Two coffees, and a slice of cake for the lady at the window table' }))
      await shot(page, `${step} ${kind.name}`)
      expect(await faultsOf(page, kind)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
      expect(complaints).toEqual([])
      await context.close()
    })

    test('errors: axe finds nothing, and the field has the focus', async () => {
      const { page, context } = await openBrowser(kind)
      await goTo(page, payments.add(STEPS.enter_otp))
      await page.getByLabel('One-time password').fill('111111')
      await page.getByRole('button', { name: 'Confirm the payment' }).click()
      await page.getByRole('alert').waitFor()
      await shot(page, `wrong_otp ${kind.name}`)
      expect(await faultsOf(page, kind)).toEqual([])
      expect(await page.evaluate('document.activeElement.id')).toBe('otp')
      await goTo(page, payments.add(STEPS.choose_bank))
      await page.getByLabel('Your bank').selectOption('uba_ng')
      await page.getByLabel('Account number').fill('123')
      await page.getByRole('button', { name: /^Pay NGN/ }).click()
      await page.getByRole('alert').waitFor()
      await shot(page, `wrong_account ${kind.name}`)
      expect(await faultsOf(page, kind)).toEqual([])
      expect(await page.evaluate('document.activeElement.id')).toBe('account_number')
      expect(await page.getByLabel('Your bank').inputValue()).toBe('uba_ng')
      await context.close()
    })

    test('unknown and stale: axe finds nothing', async () => {
      const { page, context } = await openBrowser(kind)
      await goTo(page, 'MLP0')
      await shot(page, `unknown ${kind.name}`)
      expect(await faultsOf(page, kind)).toEqual([])
      await goTo(page, payments.add(STEPS.confirm_phone))
      await context.clearCookies()
      await page.getByRole('button', { name: 'Send the request' }).click()
      await heading(page, 'This page was open for too long')
      await shot(page, `stale ${kind.name}`)
      expect(await faultsOf(page, kind)).toEqual([])
      await page.getByRole('link', { name: 'Open the payment again' }).click()
      await heading(page, 'Pay with your phone')
      await context.close()
    })
  })

  test.each(WITH_AND_WITHOUT)('$name: from the bank to the shop, by itself', async (kind) => {
    const { page, complaints } = await openBrowser(kind)
    const reference = payments.add(STEPS.choose_bank, {}, shopUrl)
    await goTo(page, reference)
    await page.getByLabel('Your bank').selectOption({ label: 'Access Bank' })
    await page.getByLabel('Account number').fill('0123 456 001')
    await page.getByRole('button', { name: /^Pay NGN 5,000/ }).click()
    await heading(page, 'Waiting for your bank')
    payments.move(reference, STEPS.completed)
    await page.waitForURL(`${shopUrl}?transaction_status=COMPLETED`)
    expect(complaints).toEqual([])
  })

  test.each(WITH_AND_WITHOUT)('$name: cancelling leads to the shop although form-action forbids a form to', async (kind) => {
    const { page, complaints } = await openBrowser(kind)
    await goTo(page, payments.add(STEPS.confirm_phone, {}, shopUrl))
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(`${shopUrl}?transaction_status=CANCELLED`)
    expect(complaints).toEqual([])
  })

  test('with script the page notices another tab, counts down, and offers a new password when its time has come', async () => {
    const { page } = await openBrowser(KINDS[0]!)
    const reference = payments.add({ ...STEPS.enter_otp, nextOtpAt: new Date(STEPS.enter_otp.nextOtpAt.getTime() - 18_000) })
    await goTo(page, reference)
    const again = page.getByRole('button', { name: 'Send a new password' })
    expect(await again.isDisabled()).toBe(true)
    expect(await again.textContent()).toMatch(/ in [12] s$/)
    await page.getByText(/^29:2\d$/).waitFor()
    await expect.poll(() => again.isEnabled()).toBe(true)
    expect(await again.textContent()).toBe('Send a new password')
  })

  test('without script a request for a new password that comes too soon is refused kindly', async () => {
    const { page } = await openBrowser(KINDS[1]!)
    await goTo(page, payments.add(STEPS.enter_otp))
    await page.getByRole('button', { name: 'Send a new password' }).click()
    await page.getByRole('alert').getByText('Wait 20 seconds').waitFor()
  })

  test('while waiting without a connection the page says so, and goes on when it is back', async () => {
    const { page, context } = await openBrowser(KINDS[0]!)
    const reference = payments.add(STEPS.approve_phone, {}, shopUrl)
    await goTo(page, reference)
    await context.setOffline(true)
    await page.getByText('There is no connection at the moment').waitFor()
    payments.move(reference, STEPS.completed)
    await context.setOffline(false)
    await page.waitForURL(/\/thanks/)
  })

  test.each(WITH_AND_WITHOUT)('$name: two quick clicks are one payment', async (kind) => {
    const slow = fakePayments({}, () => new Promise((resolve) => setTimeout(resolve, 300)))
    const url = await slow.app.listen({ host: '127.0.0.1', port: 0 })
    try {
      const { page } = await openBrowser(kind)
      const reference = slow.add(STEPS.confirm_phone)
      await page.goto(`${url}/pay/collection/${reference}`)
      await page.getByRole('button', { name: 'Send the request' }).dblclick({ noWaitAfter: true })
      await heading(page, 'Approve on your phone')
      // Without script both clicks may be sent: the second finds the step done (payment-steps.ts holds the lock that decides).
      if (kind.script) expect(slow.calls.map(({ name }) => name)).toEqual(['confirm'])
    } finally {
      await slow.app.close()
    }
  })

  test('a frame around the page stays empty', async () => {
    const { page } = await openBrowser(KINDS[3]!)
    const reference = payments.add(STEPS.choose_bank)
    const framer = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<iframe src="${base}/pay/collection/${reference}"></iframe>`))
    await new Promise<void>((resolve) => framer.listen(0, '127.0.0.1', resolve))
    try {
      await page.goto(`http://localhost:${(framer.address() as AddressInfo).port}/`)
      await page.waitForTimeout(500)
      expect(await page.frames()[1]!.locator('h1').count()).toBe(0)
    } finally {
      framer.close()
      framer.closeAllConnections()
    }
  })

  test('a form on another site that knows everything but the cookie\'s token is refused', async () => {
    const { page } = await openBrowser(KINDS[3]!)
    const reference = payments.add(STEPS.confirm_phone)
    await goTo(page, reference)
    await page.goto(shopUrl)
    await page.setContent(`<form method="post" action="${base}/pay/collection/${reference}/cancel"><input name="token" value="x"><button>Win a prize</button></form>`)
    await page.getByRole('button').click()
    await heading(page, 'That came from another site')
    expect(payments.calls.filter((call) => call.reference === reference)).toEqual([])
  })

  test('a hostile description runs nothing and shows as it was written', async () => {
    const { page, complaints } = await openBrowser(KINDS[0]!)
    let dialogs = 0
    page.on('dialog', (dialog) => { dialogs++; void dialog.dismiss() })
    await goTo(page, payments.add(STEPS.choose_bank, { description: '<img src=x onerror=alert(1)> \u202eevil \u0627\u0644\u0633\u0644\u0627\u0645' }))
    await page.getByText('<img src=x onerror=alert(1)>').waitFor()
    await shot(page, 'hostile')
    expect([dialogs, complaints]).toEqual([0, []])
  })

  test('everything together weighs less than 50 kB', async () => {
    const weights: Record<string, number> = {}
    for (const step of Object.keys(STEPS) as (keyof typeof STEPS)[]) {
      const { page, context } = await openBrowser(KINDS[0]!)
      let bytes = 0
      let requests = 0
      page.on('response', async (response) => { requests++; bytes += (await response.body().catch(() => Buffer.alloc(0))).length })
      await goTo(page, payments.add(STEPS[step]))
      await page.waitForLoadState('load')
      await context.close()
      weights[step] = bytes
      expect(requests).toBeLessThanOrEqual(2)
      expect(bytes).toBeLessThan(50_000)
    }
    console.log(`Payment page, bytes in all, uncompressed: ${Object.entries(weights).map(([step, bytes]) => `${step} ${bytes}`).join(', ')}`)
  })
})
