import { beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, launchBrowser, type Kind } from '../../../payment-page/testing/test-browser.ts'
import { forFile } from '../../../verification/testing/for-file.ts'
import { collect, payOut } from '../../../verification/testing/requests.ts'
import { skipReason } from '../../../verification/testing/skip-reason.ts'
import { signInTest } from '../../sign-in/testing/sign-in-test.ts'

// Payments and callbacks in a real Chromium, in both languages and both schemes.

if (CHROMIUM === undefined) skipReason('no Chromium is installed', 'the pages of payments')

const { gateway, baseUrl, merchantsUrl, after, person, setUp, browser: testBrowser, receiver } = await signInTest()
const { pool } = gateway
const PHONE = { width: 360, height: 740 }
const DESK = { width: 1440, height: 900 }
const KINDS: readonly Kind[] = [
  { name: 'phone light', viewport: PHONE, script: false, scheme: 'light', language: 'fr' },
  { name: 'phone dark', viewport: PHONE, script: true, scheme: 'dark' },
  { name: 'desk light', viewport: DESK, script: true, scheme: 'light' },
  { name: 'desk dark', viewport: DESK, script: false, scheme: 'dark', language: 'fr' },
]

beforeAll(async () => {
  await pool.query('update merchants set collection_callback_url = $1, payout_callback_url = $1', [receiver.url])
  await gateway.refresh()
  receiver.answer({ status: 500, body: '<h1>Internal Server Error</h1>' })
  await collect(gateway.url, { merchant_reference: 'PAID-0001', amount: 1_250_000, customer_name: 'Amina Nakato' })
  await collect(gateway.url, { merchant_reference: 'OPEN-0001', msisdn: '256772888006' })
  await payOut(gateway.url, {
    merchant_reference: 'FAILED-0001-A-REFERENCE-AS-LONG-AS-1',
    account_number: '256772888002',
  })
  for (let n = 0; n < 3; n += 1) await after(3_000)
})

describe.skipIf(CHROMIUM === undefined)('in a real browser', async () => {
  if (CHROMIUM === undefined) return
  const browser = await forFile(launchBrowser(process.env.SCREENSHOTS))

  test.each(KINDS)('$name: every page is clean for axe, and fits', async (kind) => {
    const audience = kind.viewport === PHONE ? 'merchants' : 'staff'
    const url = audience === 'staff' ? baseUrl : merchantsUrl
    const someone = await (audience === 'staff'
      ? person(`Wanjiru ${kind.name}`, 'finance')
      : person(`Wanjiru ${kind.name}`, 'owner', 1n))
    const { browser: signedIn } = await setUp(someone, testBrowser(undefined, audience))
    const { rows } = await pool.query<{ name: string; id: bigint }>(
      `select split_part(merchant_reference, '-', 1) as name, id from transactions
       union all select 'CALLBACK', min(id) from callbacks`,
    )
    const idOf = (name: string) => String(rows.find((row) => row.name === name)?.id)
    await browser.visit(kind, async ({ page, context, complaints }) => {
      await context.addCookies([...signedIn.cookies].map(([name, value]) => ({ name, value, url })))
      const looked = async (name: string) => {
        await browser.screenshot(page, `payments ${kind.name} ${name}`)
        // Codes and addresses are made to be broken on a phone.
        const cut = (await browser.cutOff(page)).filter((word) => !/\w[\d_.:/]+\w/.test(word))
        const faults = [...(await browser.faultsOf(page, kind)), ...cut]
        expect([name, faults, await browser.widthBeyond(page)]).toEqual([name, [], 0])
      }
      const pages = {
        list: '/payments?type=PAYOUT&since=2026-01-01',
        all: '/payments',
        stuck: '/payments?stuck=yes',
        'no match': '/payments?q=nothing',
        payment: `/payments/${idOf('PAID')}`,
        open: `/payments/${idOf('OPEN')}`,
        failed: `/payments/${idOf('FAILED')}`,
        full: `/payments/${idOf('PAID')}/full`,
        callbacks: '/callbacks?state=retrying',
        callback: `/callbacks/${idOf('CALLBACK')}`,
        'send again': '/callbacks/resend',
        ...(audience === 'staff' && { resolve: `/payments/${idOf('OPEN')}/resolve` }),
      }
      for (const [name, path] of Object.entries(pages)) {
        await page.goto(`${url}${path}`)
        await looked(name)
      }
      expect(complaints).toEqual([])
      await page.goto(`${url}/callbacks`)
      await page.getByRole('searchbox').fill('1,250,000')
      await page.getByRole('searchbox').press('Enter')
      await page.getByRole('heading', { name: 'PAID-0001' }).waitFor()
    })
  })
})
