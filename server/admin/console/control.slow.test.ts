import { describe, expect, test } from 'vitest'
import { CHROMIUM, launchBrowser, type Kind } from '../../payment-page/testing/test-browser.ts'
import { forFile } from '../../verification/testing/for-file.ts'
import { skipReason } from '../../verification/testing/skip-reason.ts'
import { controlTest, RAIL } from './testing/control-test.ts'

// The pages of reconciliation, rails, reports and statements in a real Chromium.

if (CHROMIUM === undefined) skipReason('no Chromium is installed', 'the pages of reconciliation in a browser')

const { baseUrl, merchantsUrl, person, setUp, gateway } = await controlTest()

const PHONE = { width: 360, height: 740 }
const DESK = { width: 1440, height: 900 }
const KINDS: readonly Kind[] = [
  { name: 'phone light', viewport: PHONE, script: false, scheme: 'light', language: 'fr' },
  { name: 'phone dark', viewport: PHONE, script: true, scheme: 'dark' },
  { name: 'desk light', viewport: DESK, script: true, scheme: 'light' },
  { name: 'desk dark', viewport: DESK, script: false, scheme: 'dark', language: 'fr' },
]

describe.skipIf(CHROMIUM === undefined)('in a real browser', async () => {
  if (CHROMIUM === undefined) return
  const browser = await forFile(launchBrowser(process.env.SCREENSHOTS))
  const { browser: signedIn } = await setUp(await person('Amina Finance', 'finance'))
  const { browser: owner } = await setUp(await person('Otieno Owner', 'owner', 1n))
  const { rows } = await gateway.pool.query<{ id: bigint }>(
    'select id from reconciliation_exceptions order by transaction_id nulls last, id limit 1',
  )
  const pages = [
    '/reconciliation',
    `/reconciliation/${rows[0]?.id}`,
    '/reconciliation/statements',
    '/rails',
    `/rails/${RAIL}`,
    `/rails/${RAIL}/movement`,
    '/reports',
    '/reports/balances',
    '/reports/statements?merchant=pub_sandbox_demo',
  ]

  test.each(KINDS)('$name: every page is clean for axe and fits', async (kind) => {
    await browser.visit(kind, async ({ page, complaints }) => {
      const asPerson = async (url: string, cookies: ReadonlyMap<string, string>) => {
        // Cookies belong to a host, whatever its port.
        await page.context().clearCookies()
        await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })))
      }
      await asPerson(baseUrl, signedIn.cookies)
      const faults = async (name: string) => {
        await browser.screenshot(page, `control ${kind.name} ${name.replaceAll(/\W+/g, ' ')}`)
        return [
          ...(await browser.faultsOf(page, kind)),
          ...(await browser.cutOff(page)),
          await browser.widthBeyond(page),
        ]
      }
      for (const path of pages) {
        await page.goto(`${baseUrl}${path}`)
        expect([path, await faults(path)]).toEqual([path, [0]])
      }
      await asPerson(merchantsUrl, owner.cookies)
      await page.goto(`${merchantsUrl}/statement`)
      expect(await faults('own statement')).toEqual([0])
      expect(complaints).toEqual([])
    })
  })
})
