import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Audience } from '../../domain/people/audience.ts'
import { present } from '../../domain/present.ts'
import { CHROMIUM, consoleKinds, launchBrowser } from '../../payment-page/testing/test-browser.ts'
import { addMerchant } from '../../verification/testing/another-merchant.ts'
import { forFile } from '../../verification/testing/for-file.ts'
import { collect, uniqueReference } from '../../verification/testing/requests.ts'
import { skipReason } from '../../verification/testing/skip-reason.ts'
import { RAIL } from './testing/control-test.ts'
import { demoConsole } from './testing/demo-console.ts'

// Everyday tasks as people do them, by clicks and keys in a real Chromium, and what refuses a role that may not.

if (CHROMIUM === undefined) skipReason('no Chromium is installed', 'everyday tasks in the console')

const { after, baseUrl, clock, enter, entered, gateway, merchantsUrl, person, receiver, urlOf } = await demoConsole()
const { pool } = gateway
const other = await addMerchant(gateway, { name: 'Another shop', payoutBalances: { UGX: 100_000 } }, clock.now())
await person('Otieno Other', 'owner', other.id)
await pool.query('update merchants set collection_callback_url = $1, verification_url = $1', [receiver.url])
await gateway.refresh()

const [PAID, STUCK] = [uniqueReference(), uniqueReference()]
receiver.answer(500)
await collect(gateway.url, { merchant_reference: PAID, msisdn: '256772888123', amount: 1_234_500 })
await collect(gateway.url, { merchant_reference: STUCK, msisdn: '256772888006' })
for (let n = 0; n < 3; n += 1) await after(4 * 60_000)
const idOf = async (reference: string): Promise<bigint> => {
  const sql = 'select id from transactions where merchant_reference = $1'
  return present((await pool.query<{ id: bigint }>(sql, [reference])).rows[0], 'the payment').id
}
await pool.query(
  `insert into rail_references (transaction_id, rail_account, name, reference, recorded_at) values ($1, $2, 'receipt', 'SGL4X9KQ2Z', $3)`,
  [await idOf(PAID), RAIL, clock.now()],
)

const money = async (merchantId: bigint, kind = 'payout_available'): Promise<bigint> => {
  const sql = `select balance_minor from accounts where merchant_id = $1 and kind = $2 and currency = 'UGX'`
  const { rows } = await pool.query<{ balance_minor: bigint }>(sql, [merchantId, kind])
  return rows[0]?.balance_minor ?? 0n
}

/** What somebody sends whose role may not: no page links to it, it is refused, and the audit log has nothing of it. */
async function refuses(role: string, at: string, path: string, fields: object = {}, audience: Audience = 'staff') {
  const browser = await entered(role, audience)
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

  /** @param audience whose listener */
  async function as(role: string, run: (page: Page) => Promise<void>, audience: Audience = 'staff') {
    await browser.visit(desk, async ({ page, complaints }) => {
      await enter(page, role, audience)
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

  test('support finds a payment by phone, receipt and amount, from any page', async () => {
    await as('support', async (page) => {
      for (const [from, text] of [
        ['Merchants', '0772 888 123'],
        ['Rails', 'SGL4X9KQ2Z'],
        ['Audit log', '1,234,500'],
      ] as const) {
        await go(page, from)
        await page.getByRole('searchbox').fill(text)
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { name: PAID }).waitFor()
        await says(page, 'The customer paid UGX 1,234,500.')
      }
      expect(await page.content()).not.toContain('256772888123')
    })
    const path = `/payments/${await idOf(PAID)}`
    await refuses('read-only', path, `${path}/full`)
  })

  test('support sends a failed callback again', async () => {
    receiver.answer(200)
    await as('support', async (page) => {
      await go(page, 'Callbacks', 'To be tried again', PAID)
      await page.getByRole('button', { name: 'Send again' }).click()
      await says(page, /goes out within seconds/)
    })
    await after(1_000)
    expect(receiver.received.map(({ json }) => json.payload['merchant_reference'])).toEqual([PAID])
    const path = `/payments/${await idOf(PAID)}`
    await refuses('read-only', path, `${path}/resend`)
  })

  test('finance decides a stuck payment, and only an admin approves it, once', async () => {
    await pool.query(`insert into approval_rules (operation, created_at) values ('manual-resolution', $1)`, [
      clock.now(),
    ])
    const before = await money(1n, 'collection_available')
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
    expect(await money(1n, 'collection_available')).toBe(before)
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
    expect((await money(1n, 'collection_available')) - before).toBe(rows[0]?.total_minor)
    await pool.query('delete from approval_rules')
    await refuses('support', path, `${path}/resolve`, { status: 'COMPLETED' })
  })

  test('finance gives money back once, however often the button is pressed', async () => {
    const id = await idOf(PAID)
    await as('finance', async (page) => {
      await page.getByRole('searchbox').fill(PAID)
      await page.keyboard.press('Enter')
      await go(page, 'Refund')
      await page.getByLabel('Amount').fill('1000')
      await because(page)
      await page.getByRole('button', { name: 'Refund' }).dblclick()
      await says(page, 'The refund is on its way.')
    })
    expect((await pool.query('select from refunds where collection_id = $1', [id])).rowCount).toBe(1)
    await refuses('support', `/payments/${id}`, `/payments/${id}/refund`)
  })

  test('finance deposits once, however often the form is sent', async () => {
    const before = await money(other.id)
    const path = `/merchants/${other.id}/deposit`
    await as('finance', async (page) => {
      await go(page, 'Merchants', 'Another shop', 'Deposit')
      const fill = async (amount: string) => {
        await page.getByLabel('Currency').selectOption('UGX')
        await page.getByLabel('Amount').fill(amount)
        await page.getByLabel('Reference').fill('FT26324')
        await because(page)
      }
      await fill('5,000')
      await page.keyboard.press('Enter')
      await says(page, /amount must be/)
      expect(await page.getByLabel('Reference').inputValue()).toBe('FT26324')
      await go(page, 'Cancel', 'Deposit')
      await fill('5000')
      await page.getByRole('button', { name: 'Deposit' }).dblclick()
      await says(page, 'The deposit is booked.')
      await page.reload()
      await page.goBack()
      await fill('5000')
      await page.getByRole('button', { name: 'Deposit' }).click()
      await page.waitForLoadState()
    })
    expect((await money(other.id)) - before).toBe(5_000n)
    await refuses('support', `/merchants/${other.id}`, path, { currency: 'UGX', amount: '1', reference: 'X1' })
  })

  test('a monthly statement is printed, and its file ends with the same balance', async () => {
    await as('read-only', async (page) => {
      await go(page, 'Merchants', 'Another shop', 'Statement')
      const closing = await page.locator('tfoot b').last().textContent()
      expect(closing).toMatch(/^UGX\s105,000$/)
      await page.emulateMedia({ media: 'print' })
      expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
      expect(await page.getByRole('link', { name: 'CSV file' }).isVisible()).toBe(false)
      await page.emulateMedia({ media: 'screen' })
      const download = page.waitForEvent('download')
      await go(page, 'CSV file')
      const csv = await readFile(await (await download).path(), 'utf8')
      expect(csv.trim().split('\r\n').at(-1)).toContain('105000')
    })
    const stranger = await entered('read-only', 'merchants')
    const { body } = await stranger.get(`/statement?merchant=${other.id}`)
    expect(body).not.toContain('Another shop')
  })

  test("a merchant's owner sees only what is theirs", async () => {
    const someone = await browser.visit(desk, async ({ page }) => {
      await page.goto(`${merchantsUrl}/sign-in`)
      await page.getByRole('button', { name: 'Enter as Otieno Other, owner' }).click()
      await page.getByRole('searchbox').fill(PAID)
      await page.keyboard.press('Enter')
      await says(page, 'No payment matches')
      const places = [`/payments/${await idOf(PAID)}`, `/payments/${PAID}`, '/payments', '/callbacks', '/people', '/']
      const seen: string[] = []
      for (const place of places) {
        await page.goto(`${urlOf('merchants')}${place}`)
        seen.push(await page.content())
      }
      return seen.join('\n')
    })
    for (const theirs of ['Duka la Mfano', 'Amina Nakato', '888123', '1,234,500']) expect(someone).not.toContain(theirs)
  })
})
