import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import {
  CHROMIUM,
  desktop,
  KINDS,
  launchBrowser,
  phone,
  phoneWithoutScript,
  type Kind,
  type TestBrowser,
} from '../../payment-page/testing/test-browser.ts'
import { oneOfByDefault, testNightly } from '../../verification/testing/nightly.ts'
import { inboxTest } from './testing/inbox-test.ts'
import { skipReason } from '../../verification/testing/skip-reason.ts'

if (CHROMIUM === undefined) skipReason('no Chromium is installed', 'the inbox in a browser')

const { gateway, inbox, paid, deliver, forge } = await inboxTest()

describe.skipIf(CHROMIUM === undefined)('the inbox in a real browser', () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await launchBrowser(process.env.SCREENSHOTS)
  })
  afterEach(() => browser.closeVisits())
  afterAll(() => browser?.close())

  const LIVE = 'Live: what arrives appears here by itself.'
  const messageOf = (page: Page, reference: string) => page.getByRole('article').filter({ hasText: reference })

  test('new messages appear above an opened one, without a reload, and are counted', async () => {
    const { page, complaints } = await browser.open(phone)
    await page.goto(inbox)
    await page.getByText(LIVE).waitFor()
    const first = (await paid()).merchant_reference
    await messageOf(page, first).getByText('Headers').click()
    const second = (await paid('256772000002')).merchant_reference
    await messageOf(page, second).waitFor()
    await page.getByText('1 new message.').waitFor()
    expect(await page.getByRole('article').count()).toBe(2)
    expect(await page.getByRole('article').first().textContent()).toContain(second)
    expect(await messageOf(page, first).locator('details[open]').count()).toBe(1)
    expect(await page.getByRole('link', { name: 'Failed' }).textContent()).toBe('Failed\u00a01')
    expect(complaints).toEqual([])
  })

  test('a button resends a callback, which arrives as its second delivery', async () => {
    const { page, complaints } = await browser.open(desktop)
    const reference = (await paid()).merchant_reference
    await page.goto(`${inbox}?reference=${reference}`)
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('goes out again under its webhook-id').waitFor()
    await deliver()
    await page.getByText('delivery 2').first().waitFor()
    expect(new URL(page.url()).search).toBe(`?reference=${reference}`)
    await page.getByRole('link', { name: 'Events' }).first().click()
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await page.getByText('callback resent').waitFor()
    expect(complaints).toEqual([])
  })

  test('without script a reload shows new messages, and links select states', async () => {
    const { page } = await browser.open(phoneWithoutScript)
    await page.goto(inbox)
    await page.getByText('Nothing has arrived yet').waitFor()
    await forge({ merchant_reference: 'FORGED-0001' })
    await page.getByRole('link', { name: 'Refresh' }).click()
    await messageOf(page, 'FORGED-0001').waitFor()
    await page.getByRole('link', { name: 'Completed' }).click()
    await page.getByText('Only “Completed” is shown.').waitFor()
    await page.getByRole('link', { name: 'Bad signatures' }).click()
    await messageOf(page, 'FORGED-0001').waitFor()
  })

  /** Opens the pages in this kind of browser window and checks them. */
  async function looksRight(kind: Kind, pages: Readonly<Record<string, string>>): Promise<void> {
    const { page, complaints } = await browser.open(kind)
    for (const [name, url] of Object.entries(pages)) {
      await page.goto(url)
      if (kind.script && name.startsWith('inbox')) await page.getByText(LIVE).waitFor()
      await browser.screenshot(page, `${name} ${kind.name}`)
      expect(await browser.faultsOf(page, kind)).toEqual([])
      expect(await browser.widthBeyond(page)).toBe(0)
    }
    expect(complaints).toEqual([])
  }
  const ofKinds = oneOfByDefault('sizes, scripts and schemes')

  test.each(ofKinds(KINDS))('$name: axe finds nothing, and nothing is wider than the screen', async (kind) => {
    const { merchant_reference: reference } = await paid()
    await forge({ merchant_reference: 'FORGED-0002' })
    await looksRight(kind, {
      inbox: `${inbox}?sent=1#of-${reference}`,
      events: `${gateway.url}/sandbox/transactions/${reference}`,
    })
  })

  testNightly.each(KINDS)('$name: axe finds nothing on rarely opened pages, and they fit the screen', async (kind) => {
    const { merchant_reference: reference, id } = await paid()
    await looksRight(kind, {
      message: `${inbox}/${id}`,
      'inbox none': `${inbox}?reference=${reference}&state=failed`,
      'inbox empty': `${inbox}?reference=NOBODYS-0001`,
      missing: `${gateway.url}/sandbox/transactions/NONE`,
    })
  })
})
