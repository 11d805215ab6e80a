import { describe, expect, test } from 'vitest'
import { CHROMIUM, launchBrowser, type Kind } from '../../../payment-page/testing/test-browser.ts'
import { forFile } from '../../../verification/testing/for-file.ts'
import { skipReason } from '../../../verification/testing/skip-reason.ts'
import { signInTest } from '../../sign-in/testing/sign-in-test.ts'

// The pages of merchants, keys and settings in a real Chromium: clean, and used for the daily tasks.

if (CHROMIUM === undefined) skipReason('no Chromium is installed', 'the pages of merchants in a browser')

const { baseUrl, merchantsUrl, person, setUp } = await signInTest()

const PHONE = { width: 360, height: 740 }
const DESK = { width: 1440, height: 900 }
const KINDS: readonly Kind[] = [
  { name: 'phone light', viewport: PHONE, script: false, scheme: 'light', language: 'fr' },
  { name: 'desk dark', viewport: DESK, script: true, scheme: 'dark' },
]
const STAFF_PAGES = [
  '/merchants',
  '/merchants?q=nobody',
  '/merchants/new',
  '/merchants/1',
  '/merchants/1/suspend',
  '/merchants/1/transfer',
  '/merchants/1/charges',
  '/merchants/1/settings',
  '/merchants/1/keys',
  '/settings',
  '/settings/providers/mtn_ug/COLLECTION',
  '/settings/providers/mtn_ug/numbers',
  '/settings/rate',
]
const OWN_PAGES = ['/settings', '/settings/urls', '/settings/brand', '/keys', '/keys/signing_key']

describe.skipIf(CHROMIUM === undefined)('in a real browser', async () => {
  if (CHROMIUM === undefined) return
  const browser = await forFile(launchBrowser(process.env.SCREENSHOTS))
  const [staff, own] = [await setUp(await person('Amina', 'admin')), await setUp(await person('Otieno', 'owner', 1n))]

  test.each(
    KINDS.flatMap((kind) => [
      { kind, url: baseUrl, paths: STAFF_PAGES, cookies: staff.browser.cookies, who: 'staff' },
      { kind, url: merchantsUrl, paths: OWN_PAGES, cookies: own.browser.cookies, who: 'an owner' },
    ]),
  )('$kind.name: every page of $who is clean for axe and fits', async ({ kind, url, paths, cookies, who }) => {
    await browser.visit(kind, async ({ page, context, complaints }) => {
      await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })))
      for (const path of paths) {
        await page.goto(`${url}${path}`)
        await browser.screenshot(page, `${who} ${kind.name} ${path}`)
        expect([path, await page.getByRole('alert').count()]).toEqual([path, 0])
        const cut = (await browser.cutOff(page)).filter((word) => !word.startsWith('http'))
        const faults = [...(await browser.faultsOf(page, kind)), ...cut]
        expect([path, faults, await browser.widthBeyond(page)]).toEqual([path, [], 0])
      }
      expect(complaints).toEqual([])
    })
  })
})
