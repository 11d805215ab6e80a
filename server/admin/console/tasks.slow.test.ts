import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { present } from '../../domain/present.ts'
import { CHROMIUM, consoleKinds, launchBrowser } from '../../payment-page/testing/test-browser.ts'
import { addMerchant } from '../../verification/testing/another-merchant.ts'
import { forFile } from '../../verification/testing/for-file.ts'
import { collect, uniqueReference } from '../../verification/testing/requests.ts'
import { skipReason } from '../../verification/testing/skip-reason.ts'
import { demoConsole } from './testing/demo-console.ts'

// Two tasks as people do them, by clicks in a real Chromium: what only a browser does, such as a second click, the way back,
// a print and a download. The other tasks are tested without one, in the tests of their pages.

if (CHROMIUM === undefined) skipReason('no Chromium is installed', 'everyday tasks in the console')

const { after, baseUrl, clock, enter, entered, gateway } = await demoConsole()
const { pool } = gateway
const other = await addMerchant(gateway, { name: 'Another shop', payoutBalances: { UGX: 100_000 } }, clock.now())

const STUCK = uniqueReference()
await collect(gateway.url, { merchant_reference: STUCK, msisdn: '256772888006' })
for (let n = 0; n < 3; n += 1) await after(4 * 60_000)
const idOf = async (reference: string): Promise<bigint> => {
  const sql = 'select id from transactions where merchant_reference = $1'
  return present((await pool.query<{ id: bigint }>(sql, [reference])).rows[0], 'the payment').id
}

const collected = async (): Promise<bigint> => {
  const sql = `select balance_minor from accounts where merchant_id = 1 and kind = 'collection_available' and currency = 'UGX'`
  const { rows } = await pool.query<{ balance_minor: bigint }>(sql)
  return rows[0]?.balance_minor ?? 0n
}

/** What somebody sends whose role may not: no page links to it, it is refused, and the audit log has nothing of it. */
async function refuses(role: string, at: string, path: string, fields: object) {
  const browser = await entered(role)
  const { body } = await browser.get(at)
  for (const attribute of ['href', 'action']) expect(body).not.toContain(`${attribute}="${path}"`)
  const count = async () => (await pool.query(`select from audit_log where command <> 'sign in'`)).rowCount
  const before = await count()
  const sent = { reason: 'I would like to', idempotency_key: uniqueReference(), ...fields }
  const reply = await browser.post(path, { ...sent })
  expect(reply.status === 403 || reply.status === 404 || reply.body.includes('role="alert"')).toBe(true)
  expect(await count()).toBe(before)
}

describe.skipIf(CHROMIUM === undefined)('in a real browser', async () => {
  if (CHROMIUM === undefined) return
  const browser = await forFile(launchBrowser(undefined))
  const desk = present(consoleKinds()[2], 'a desk')

  async function as(role: string, run: (page: Page) => Promise<void>) {
    await browser.visit(desk, async ({ page, complaints }) => {
      await enter(page, role)
      await run(page)
      expect(complaints).toEqual([])
    })
  }
  const go = async (page: Page, ...links: readonly string[]) => {
    // In the navigation, what waits is counted behind the name.
    for (const name of links)
      await page
        .getByRole('link', { name: new RegExp(`^${name}( ?, .*)?$`) })
        .first()
        .click()
  }
  const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
  const because = (page: Page) => page.getByLabel('Reason').fill('As we agreed by phone')

  test('finance decides a stuck payment, and only an admin approves it, once', async () => {
    await pool.query(`insert into approval_rules (operation, created_at) values ('manual-resolution', $1)`, [
      clock.now(),
    ])
    const before = await collected()
    const path = `/payments/${await idOf(STUCK)}`
    await as('finance', async (page) => {
      await page.getByRole('link', { name: /^Waiting long/ }).click()
      await go(page, STUCK, 'Decide this payment')
      await page.getByLabel('What the operator says').selectOption('COMPLETED')
      await because(page)
      await page.getByRole('button', { name: 'Decide the payment' }).click()
      await says(page, /waits for a second person/)
      await go(page, 'Approvals')
      await page.locator('tbody a').first().click()
      expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    })
    expect(await collected()).toBe(before)
    await as('admin', async (page) => {
      await go(page, 'Approvals')
      await page.locator('tbody a').first().click()
      await because(page)
      await page.getByRole('button', { name: 'Approve' }).dblclick()
      await says(page, /is approved/)
      await page.goBack()
      await page.reload()
      await says(page, 'This request is decided.')
      await page.goto(`${baseUrl}${path}`)
      await says(page, 'The customer paid')
    })
    const { rows } = await pool.query<{ total_minor: bigint }>('select total_minor from transactions where id = $1', [
      await idOf(STUCK),
    ])
    expect((await collected()) - before).toBe(rows[0]?.total_minor)
    await pool.query('delete from approval_rules')
    await refuses('support', path, `${path}/resolve`, { status: 'COMPLETED' })
  })

  test('a monthly statement is printed, and its file ends with the same balance', async () => {
    await as('read-only', async (page) => {
      await go(page, 'Merchants', 'Another shop', 'Statement')
      const closing = await page.locator('tfoot b').last().textContent()
      expect(closing).toMatch(/^UGX\s100,000$/)
      await page.emulateMedia({ media: 'print' })
      expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
      expect(await page.getByRole('link', { name: 'CSV file' }).isVisible()).toBe(false)
      await page.emulateMedia({ media: 'screen' })
      const download = page.waitForEvent('download')
      await go(page, 'CSV file')
      const csv = await readFile(await (await download).path(), 'utf8')
      expect(csv.trim().split('\r\n').at(-1)).toContain('100000')
    })
    const stranger = await entered('read-only', 'merchants')
    const { body } = await stranger.get(`/statement?merchant=${other.id}`)
    expect(body).not.toContain('Another shop')
  })
})
