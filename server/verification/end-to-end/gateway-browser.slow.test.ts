import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { seededRandom } from '../testing/gateway.ts'
import { oneOfByDefault } from '../testing/nightly.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { transfersOf } from '../testing/operators-book.ts'
import { collect, uniqueMsisdn, uniqueReference, verify } from '../testing/requests.ts'
import {
  CHROMIUM,
  launchBrowser,
  WITH_AND_WITHOUT_SCRIPT,
  type Kind,
  type TestBrowser,
} from '../../payment-page/testing/test-browser.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { forFile } from '../testing/for-file.ts'
import { rfc3986Query, startWaryShop, signedAt } from './testing/wary-shop.ts'

// Customers with a real browser pay through the real gateway, and return to a shop that trusts nothing it has not
// verified. On phones, as most do: browser.slow.test.ts covers other screens, and each step of the page by itself.

describe.skipIf(CHROMIUM === undefined)('paid in a real browser', async () => {
  const { gateway, clock, after, receiver } = await gatewayTest({
    toReceiver: ['collection_callback_url'],
    surroundings: { random: seededRandom('browser') },
  })
  const shop = await forFile(startWaryShop(gateway.url))
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await launchBrowser(process.env.SCREENSHOTS)
  })
  afterAll(() => browser?.close())
  afterEach(() => browser.closeVisits())

  interface StartedPayment {
    readonly paymentUrl: string
    readonly merchantReference: string
  }
  async function start(changes: Readonly<Record<string, unknown>>): Promise<StartedPayment> {
    const { status, body } = await collect(gateway.url, {
      redirect_url: `${shop.url}/done?order=7%20b&plus=a%2Bb#paid`,
      merchant_reference: uniqueReference(),
      ...changes,
    })
    expect([status, body.message]).toEqual([202, expect.anything()])
    return { paymentUrl: String(body.data.payment_url), merchantReference: String(body.data.merchant_reference) }
  }
  const startBank = (changes: object = {}) =>
    start({
      transaction_method: 'BANK',
      provider_code: 'bank_ng',
      msisdn: undefined,
      currency: 'NGN',
      amount: 5000,
      description: 'School fees of March',
      ...changes,
    })
  const startHosted = (ending = '123', changes: object = {}) =>
    start({ mobile_money_hpp: true, msisdn: uniqueMsisdn(ending), ...changes })

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  async function chooseBank(page: Page, account: string): Promise<void> {
    await page.getByLabel('Your bank').selectOption({ label: 'Access Bank' })
    await page.getByLabel('Account number').fill(account)
    await page.getByRole('button', { name: /^Pay NGN/ }).click()
  }

  /**
   * The shop has verified both signatures; redirect, verify and callback agree; the page, opened again, shows the
   * outcome, and its link leads to the shop again.
   */
  async function expectAtShop(page: Page, payment: StartedPayment, status: string, message: string): Promise<void> {
    await page.waitForURL(`${shop.url}/done?**`)
    await heading(page, `Order ${status}`)
    const query = redirectQuery(page)
    await expectSameReported(query, payment.merchantReference, { transaction_status: status, status_message: message })
    clock.advance(60_000)
    await page.goto(payment.paymentUrl)
    await page.getByRole('link', { name: 'Go back to' }).click()
    await page.waitForURL(`${shop.url}/done?**`)
    const later = redirectQuery(page)
    expect(withoutTime(later)).toEqual(withoutTime(query))
    expect(signedAt(later)).toBe(clock.now().getTime())
    await expectBalancedBooks(gateway)
  }

  /** The gateway's parameters in the redirect, besides the shop's own, which are returned unchanged. */
  function redirectQuery(page: Page): Record<string, string> {
    const url = new URL(page.url())
    const query = rfc3986Query(page.url())
    expect(Object.fromEntries(url.searchParams)).toEqual(query)
    const { order, plus, ...reported } = query
    expect([order, plus, url.hash]).toEqual(['7 b', 'a+b', '#paid'])
    return reported
  }

  /** The redirect says what verify says, signed, and the single callback contains all of it. */
  async function expectSameReported(query: Readonly<Record<string, string>>, reference: string, outcome: object) {
    const verified = (await verify(gateway.url, reference)).body.data
    expect(verified).toMatchObject(outcome)
    const { event, ...reported } = query
    expect(reported).toEqual({
      id: String(verified.id),
      merchant_reference: reference,
      internal_reference: verified.internal_reference,
      transaction_type: 'COLLECTION',
      ...outcome,
      hmac_signature: expect.anything(),
      rsa_signature: expect.anything(),
      rsa_key_id: expect.anything(),
    })
    await gateway.runDue()
    const callbacks = receiver.received.map(({ json }) => json)
    expect(callbacks.filter(({ payload }) => payload.merchant_reference === reference)).toEqual([
      { event, payload: verified },
    ])
  }

  const withoutTime = ({ hmac_signature = '', ...others }: Readonly<Record<string, string>>) => ({
    ...others,
    hmac: hmac_signature.replace(/^t=\d+/, ''),
  })

  const faultlessly = async (page: Page, kind: Kind, name: string) => {
    await browser.screenshot(page, `gateway ${name} ${kind.name}`)
    expect(await browser.faultsOf(page, kind)).toEqual([])
  }

  const inOneOf = oneOfByDefault('ways, with or without script, of each story')
  test.each(inOneOf(WITH_AND_WITHOUT_SCRIPT))('$name, bank: paid', async (kind) => {
    const { page, complaints } = await browser.open(kind)
    const payment = await startBank({ charge_customer: true })
    await page.goto(payment.paymentUrl)
    await page.getByText('NGN 75.00, included').waitFor()
    await faultlessly(page, kind, 'bank')
    await chooseBank(page, '0123456001')
    await heading(page, 'Waiting for your bank')
    await faultlessly(page, kind, 'bank waits')
    await after(1000)
    await expectAtShop(page, payment, 'COMPLETED', 'Transaction Completed Successfully')
    expect(complaints).toEqual([])
  })

  test.each(inOneOf(WITH_AND_WITHOUT_SCRIPT))('$name, OTP: wrong, a new one, right', async (kind) => {
    const { page } = await browser.open(kind)
    const payment = await startHosted('005')
    await page.goto(payment.paymentUrl)
    await page.getByRole('button', { name: 'Send the password' }).click()
    await heading(page, 'Enter your one\u2011time password')
    await faultlessly(page, kind, 'otp')
    const otp = page.getByLabel('One-time password')
    await otp.fill('654321')
    await page.getByRole('button', { name: 'Confirm the payment' }).click()
    await page.getByRole('alert').getByText('not right').waitFor()
    await page.getByText('4 tries left').waitFor()
    expect(await otp.inputValue()).toBe('')
    await after(30_000)
    await page.goto(payment.paymentUrl)
    await page.getByRole('button', { name: 'Send a new password' }).click()
    await page.getByText('A new password is on its way.').waitFor()
    await page.getByLabel('One-time password').fill('123456')
    await page.getByRole('button', { name: 'Confirm the payment' }).click()
    await heading(page, 'Approve on your phone')
    await after(1000)
    await expectAtShop(page, payment, 'COMPLETED', 'Transaction Completed Successfully')
  })

  test.each(inOneOf(WITH_AND_WITHOUT_SCRIPT))('$name, two tabs and the back button: one payment', async (kind) => {
    const { page: first, context } = await browser.open(kind)
    const payment = await startBank()
    const second = await context.newPage()
    await first.goto(payment.paymentUrl)
    await second.goto(payment.paymentUrl)
    await chooseBank(first, '0123456001')
    await heading(first, 'Waiting for your bank')
    await chooseBank(second, '9999999002')
    await heading(second, 'Waiting for your bank')
    await second.getByRole('main').getByText('ending in 001').waitFor()
    await first.goBack()
    await heading(first, 'Waiting for your bank')
    await after(1000)
    await expectAtShop(first, payment, 'COMPLETED', 'Transaction Completed Successfully')
    await second.waitForURL(`${shop.url}/done?**`)
    expect(await transfersOfPayment(payment)).toBe(1)
  })

  /** The amount moved according to the simulated operator's own records. */
  const transfersOfPayment = ({ paymentUrl }: StartedPayment) =>
    transfersOf(gateway.pool, paymentUrl.split('/').at(-1) ?? '')
})
