import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  CHROMIUM,
  KINDS,
  launchBrowser,
  phone,
  phoneWithoutScript,
  WITH_AND_WITHOUT_SCRIPT,
  type TestBrowser,
} from '../../../../server/payment-page/testing/test-browser.ts'
import { oneOfByDefault } from '../../../../server/verification/testing/nightly.ts'
import { ANYBODY, mtnCaller } from '../mtn-momo/testing/mtn-caller.ts'
import { postForm, simulatedMtn } from '../testing/simulated.ts'
import { skipReason } from '../../../../server/verification/testing/skip-reason.ts'

if (CHROMIUM === undefined) skipReason('no Chromium is installed', 'the virtual phone in a browser')

describe.skipIf(CHROMIUM === undefined)('in a real browser', () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await launchBrowser(process.env.SCREENSHOTS)
  })
  afterEach(() => browser.closeVisits())
  afterAll(() => browser?.close())

  /** A phone with two prompts and a message. */
  async function busyPhone() {
    const simulator = await simulatedMtn()
    const mtn = mtnCaller(simulator)
    const first = await mtn.collect({ amount: '12.50', externalId: 'first' })
    await mtn.collect({ payerMessage: 'Two coffees, and a slice of cake for the lady at the window table' })
    const third = await mtn.collect()
    await postForm(`${simulator.url}/phone/${ANYBODY}`, { order: third.id, decision: 'cancelled' })
    return { simulator, first, url: simulator.url, phoneUrl: `${simulator.url}/phone/${ANYBODY}` }
  }

  const ofKinds = oneOfByDefault('sizes, scripts and schemes')
  test.each(ofKinds(KINDS))(
    '$name: axe finds nothing on any page, nothing is cut off, no errors are logged',
    async (kind) => {
      const { url, phoneUrl } = await busyPhone()
      const { page, complaints } = await browser.open(kind)
      for (const path of [
        '/',
        '/phone',
        '/phone/open?msisdn=x',
        '/simulator/orders',
        '/simulator/exchanges',
        phoneUrl,
      ]) {
        await page.goto(new URL(path, url).href)
        await browser.screenshot(page, `simulator ${path.replace(url, '')} ${kind.name}`)
        expect([path, await browser.faultsOf(page, kind)]).toEqual([path, []])
        expect([path, await browser.widthBeyond(page)]).toEqual([path, 0])
      }
      await page.getByRole('button', { name: 'Approve' }).first().click()
      await page.getByText('Enter the PIN to approve.').waitFor()
      await browser.screenshot(page, `simulator no PIN ${kind.name}`)
      expect(await browser.faultsOf(page, kind)).toEqual([])
      expect(complaints).toEqual([])
    },
  )

  test.each(ofKinds(WITH_AND_WITHOUT_SCRIPT))('$name: a customer approves with the keyboard alone', async (kind) => {
    const { phoneUrl, simulator, first } = await busyPhone()
    const { page } = await browser.open(kind)
    await page.goto(phoneUrl)
    const prompt = page.getByRole('article', { name: 'Approve a payment' }).first()
    await prompt.getByLabel('PIN').focus()
    await page.keyboard.type('1234')
    await page.keyboard.press('Enter')
    await page.getByText('You have paid EUR 12.50').waitFor()
    expect(simulator.world.orders.find('collection', first.id)?.state).toBe('succeeded')
  })

  test('with script a prompt appears on its own, and keeps what is typed', async () => {
    const simulator = await simulatedMtn()
    const mtn = mtnCaller(simulator)
    const { page } = await browser.open(phone)
    await page.goto(`${simulator.url}/phone/${ANYBODY}`)
    await mtn.collect()
    const pin = page.getByLabel('PIN')
    await pin.waitFor()
    await pin.fill('12')
    await mtn.collect()
    await page.waitForResponse((response) => response.url().endsWith(`/phone/${ANYBODY}`))
    await page.waitForResponse((response) => response.url().endsWith(`/phone/${ANYBODY}`))
    expect(await pin.inputValue()).toBe('12')
  })

  test('without script there is a link that reloads', async () => {
    const simulator = await simulatedMtn()
    const { page } = await browser.open(phoneWithoutScript)
    await page.goto(`${simulator.url}/phone/${ANYBODY}`)
    await mtnCaller(simulator).collect()
    await page.getByRole('link', { name: 'Reload' }).click()
    await page.getByLabel('PIN').waitFor()
  })
})
