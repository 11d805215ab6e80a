import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { money } from '../domain/money.ts'
import { oneOfByDefault, sampledByDefault } from '../verification/testing/nightly.ts'
import { TONGUES, type Language } from './languages.ts'
import { fakePayments, LOGO_DIGEST, NOW, STEPS, type FakePayments } from './testing/fake-payments.ts'
import {
  CHROMIUM,
  KINDS,
  launchBrowser,
  phone,
  phoneWithoutScript,
  startSite,
  WITH_AND_WITHOUT_SCRIPT,
  type TestBrowser,
} from './testing/test-browser.ts'
import { skipReason } from '../verification/testing/skip-reason.ts'

// Tests each step with payments in memory; gateway-browser.slow.test.ts pays through the whole gateway. What a page
// weighs, escapes and forbids is tested without a browser, in payment-page.test.ts and refused.test.ts.

/** By the browser's clock: longer than the script's poll interval. */
const POLLS_AGAIN_MS = 4_000
const LANGUAGES = Object.keys(TONGUES) as Language[]
/** An amount of 10¹² with a charge as large: more than the contract accepts. */
const MOST = [
  ['choose_bank', money(200_000_000_000_000n, 'NGN')],
  ['approve_phone', money(2_000_000_000_000n, 'UGX')],
  ['completed', money(100_000_000_000n, 'ZMW')],
] as const
const BRAND = { colour: '#ffcb05', logoDigest: LOGO_DIGEST, supportContact: 'mailto:help@duka-la-mfano.example' }

if (CHROMIUM === undefined) skipReason('no Chromium is installed', 'the payment page in a browser')

describe.skipIf(CHROMIUM === undefined)('in a real browser', () => {
  let browser: TestBrowser
  let payments: FakePayments
  let shop: Awaited<ReturnType<typeof startSite>>
  let shopUrl: string
  let base: string

  beforeAll(async () => {
    browser = await launchBrowser(process.env.SCREENSHOTS)
    payments = fakePayments()
    base = await payments.app.listen({ host: '127.0.0.1', port: 0 })
    shop = await startSite((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end('<!doctype html><title>Shop</title><h1>Thank you</h1>'),
    )
    shopUrl = `${shop.url}/thanks`
  })
  afterAll(async () => {
    await browser?.close()
    await payments?.app.close()
    await shop?.close()
  })

  const goTo = (page: Page, reference: string) => page.goto(`${base}/pay/collection/${reference}`)
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

  /** Each step runs with one of them, and customer actions both with and without script. */
  const ofKinds = oneOfByDefault('sizes, scripts and schemes')

  const steps = Object.keys(STEPS) as (keyof typeof STEPS)[]
  const ofLanguages = oneOfByDefault('languages')
  const visits = sampledByDefault('steps for axe', steps, 2).flatMap((step) =>
    ofKinds(KINDS).flatMap((kind) =>
      ofLanguages(LANGUAGES).map((language) => ({ kind: { ...kind, language }, name: kind.name, step, language })),
    ),
  )
  test.each(visits)('$name, $language, $step: axe and console are clean, and it fits', async ({ kind, step }) => {
    await browser.visit(kind, async ({ page, complaints }) => {
      const description = 'Two coffees, and a slice of cake for the lady at the window table'
      await goTo(page, payments.add(STEPS[step], { description, brand: BRAND }))
      await browser.screenshot(page, `${step} ${kind.name}`)
      expect(await browser.faultsOf(page, kind)).toEqual([])
      expect(await browser.widthBeyond(page)).toBe(0)
      expect(complaints).toEqual([])
    })
  })

  // The markup is loaded into one open page: opening a page for each step costs ten times as much.
  test.each(LANGUAGES)(
    '%s: on the smallest phone every step fits, and no word of a button is broken',
    async (language) => {
      await browser.visit(phoneWithoutScript, async ({ page }) => {
        const add = (step: keyof typeof STEPS) => payments.add(STEPS[step], { brand: BRAND })
        const most = MOST.map(([step, toPay]) => [step, payments.add(STEPS[step], { toPay, charge: toPay })] as const)
        const all = [...steps.map((step) => [step, add(step)] as const), ...most, ['nowhere', 'nowhere'] as const]
        for (const [step, reference] of all) {
          const headers = { 'accept-language': language }
          const { body } = await payments.app.inject({ url: `/pay/collection/${reference}`, headers })
          await page.setContent(body.replaceAll(/<meta http-equiv="refresh"[^>]*>|<script[^>]*><\/script>/g, ''))
          expect([step, await page.locator('html').getAttribute('lang')]).toEqual([step, language])
          expect([step, await browser.widthBeyond(page), await browser.cutOff(page)]).toEqual([step, 0, []])
        }
      })
    },
  )

  describe.each(ofKinds(KINDS))('$name', (kind) => {
    test('errors: axe finds nothing, and the field has the focus', async () => {
      await browser.visit(kind, async ({ page }) => {
        await goTo(page, payments.add(STEPS.enter_otp))
        await page.getByLabel('One-time password').fill('111111')
        await page.getByRole('button', { name: 'Confirm the payment' }).click()
        await page.getByRole('alert').waitFor()
        await browser.screenshot(page, `wrong_otp ${kind.name}`)
        expect(await browser.faultsOf(page, kind)).toEqual([])
        expect(await page.evaluate('document.activeElement.id')).toBe('otp')
        await goTo(page, payments.add(STEPS.choose_bank))
        await page.getByLabel('Your bank').selectOption('uba_ng')
        await page.getByLabel('Account number').fill('123')
        await page.getByRole('button', { name: /^Pay NGN/ }).click()
        await page.getByRole('alert').waitFor()
        await browser.screenshot(page, `wrong_account ${kind.name}`)
        expect(await browser.faultsOf(page, kind)).toEqual([])
        expect(await page.evaluate('document.activeElement.id')).toBe('account_number')
        expect(await page.getByLabel('Your bank').inputValue()).toBe('uba_ng')
      })
    })

    test('unknown and stale: axe finds nothing', async () => {
      await browser.visit(kind, async ({ page, context }) => {
        await goTo(page, 'MLP0')
        await browser.screenshot(page, `unknown ${kind.name}`)
        expect(await browser.faultsOf(page, kind)).toEqual([])
        await goTo(page, payments.add(STEPS.confirm_phone))
        await context.clearCookies()
        await page.getByRole('button', { name: 'Send the request' }).click()
        await heading(page, 'This page was open for too long')
        await browser.screenshot(page, `stale ${kind.name}`)
        expect(await browser.faultsOf(page, kind)).toEqual([])
        await page.getByRole('link', { name: 'Open the payment again' }).click()
        await heading(page, 'Pay with your phone')
      })
    })
  })

  test.each(ofKinds(WITH_AND_WITHOUT_SCRIPT))(
    '$name: cancelling leads to the shop although form-action forbids a form to',
    async (kind) => {
      await browser.visit(kind, async ({ page, complaints }) => {
        await goTo(page, payments.add(STEPS.confirm_phone, {}, shopUrl))
        await page.getByText('Cancel this payment').click()
        await page.getByRole('button', { name: 'Yes' }).click()
        await page.waitForURL(`${shopUrl}?transaction_status=CANCELLED`)
        expect(complaints).toEqual([])
      })
    },
  )

  test('with script the page counts down, then offers a new OTP', async () => {
    await browser.visit(phone, async ({ page }) => {
      const expiresAt = new Date(NOW.getTime() + 310_000)
      await page.clock.install()
      await goTo(page, payments.add(STEPS.enter_otp, { expiresAt }))
      const again = page.getByRole('button', { name: 'Send a new password' })
      expect(await again.isDisabled()).toBe(true)
      expect(await again.textContent()).toMatch(/ in (20|1\d) s$/)
      const left = page.locator('[data-left]')
      expect(await left.textContent()).toBe('5 minutes')
      await page.clock.fastForward(20_000)
      await expect.poll(() => again.isEnabled()).toBe(true)
      expect(await again.textContent()).toBe('Send a new password')
      expect(await left.textContent()).toMatch(/^4:[345]\d$/)
    })
  })

  test('without script a request for a new OTP that comes too soon is refused kindly', async () => {
    await browser.visit(phoneWithoutScript, async ({ page }) => {
      await goTo(page, payments.add(STEPS.enter_otp))
      await page.getByRole('button', { name: 'Send a new password' }).click()
      await page.getByRole('alert').getByText('Wait 20 seconds').waitFor()
    })
  })

  test('a waiting page without a connection says so, and goes on when it returns', async () => {
    await browser.visit(phone, async ({ page, context }) => {
      const reference = payments.add(STEPS.approve_phone, {}, shopUrl)
      await page.clock.install()
      await goTo(page, reference)
      await context.setOffline(true)
      await page.clock.fastForward(POLLS_AGAIN_MS)
      await page.getByText('There is no connection at the moment').waitFor()
      payments.move(reference, STEPS.completed)
      await context.setOffline(false)
      await page.clock.fastForward(POLLS_AGAIN_MS)
      await page.waitForURL(/\/thanks/)
    })
  })

  test.each(ofKinds(WITH_AND_WITHOUT_SCRIPT))('$name: two quick clicks are one payment', async (kind) => {
    const slow = fakePayments({}, () => new Promise((resolve) => setTimeout(resolve, 300)))
    const url = await slow.app.listen({ host: '127.0.0.1', port: 0 })
    try {
      await browser.visit(kind, async ({ page }) => {
        const reference = slow.add(STEPS.confirm_phone)
        await page.goto(`${url}/pay/collection/${reference}`)
        await page.getByRole('button', { name: 'Send the request' }).dblclick({ noWaitAfter: true })
        await heading(page, 'Approve on your phone')
        // Without script both clicks may be sent: the second finds the step done (payment-steps.ts holds the lock that
        // decides).
        if (kind.script) expect(slow.calls.map(({ name }) => name)).toEqual(['confirm'])
      })
    } finally {
      await slow.app.close()
    }
  })
})
