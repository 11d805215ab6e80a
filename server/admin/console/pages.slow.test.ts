import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { present } from '../../domain/present.ts'
import { CHROMIUM, consoleKinds, launchBrowser, type Kind } from '../../payment-page/testing/test-browser.ts'
import { forFile } from '../../verification/testing/for-file.ts'
import { sampledByDefault } from '../../verification/testing/nightly.ts'
import { skipReason } from '../../verification/testing/skip-reason.ts'
import { known } from './look/known.ts'
import { TEXTS } from './payments/texts.ts'
import { demoConsole, EVERYBODY, followLinks, linksOf } from './testing/demo-console.ts'

// Every page of the console, found by its links: for every role, and for an admin and an owner in a real Chromium.
// SCREENSHOTS=<folder> stores a picture of each, PICTURES=. makes those of the README and of the docs again.

if (CHROMIUM === undefined) skipReason('no Chromium is installed', 'the pages of the console in a browser')

const { after, enter, entered, gateway, urlOf } = await demoConsole()
/** What a link leads to only at times. */
const SOMETIMES = ['/payments?q=nothing', '/payments?stuck=yes', '/payments?status=FAILED', '/callbacks?state=retrying']
const OF_STAFF = ['/merchants?q=nobody', '/reports/statements?merchant=pub_sandbox_demo']
const begin = (audience: string): readonly string[] => ['/', ...SOMETIMES, ...(audience === 'staff' ? OF_STAFF : [])]
await after(11 * 60_000)

test.each(EVERYBODY)('no link that $role of $audience sees leads nowhere', async ({ role, audience }) => {
  const { pages, dead } = await followLinks(await entered(role, audience), begin(audience))
  expect(dead).toEqual([])
  expect(pages.length).toBeGreaterThan(begin(audience).length + 5)
})

test('a line of Today leads to as many rows as it counts', async () => {
  const browser = await entered('finance')
  const { body } = await browser.get('/')
  const counted = new Map<string, number>()
  for (const { href, text } of linksOf(body)) {
    const [, count] = /: (\d+)$/.exec(text) ?? []
    if (count !== undefined) counted.set(href, (counted.get(href) ?? 0) + Number(count))
  }
  expect(counted.size).toBeGreaterThan(2)
  counted.delete('/rails')
  for (const [href, count] of counted) {
    const rows = (await browser.get(href)).body.split('<tbody')[1]?.match(/<tr /g) ?? []
    expect([href, rows.length]).toEqual([href, count])
  }
})

test('what happened to payments is in French, with its values', async () => {
  const { rows } = await gateway.pool.query<{ text: string }>(
    `select distinct unnest(array[detail, replace(kind, '_', ' ')]) as text from transaction_events`,
  )
  const english = rows.filter(({ text }) => known({ language: 'fr' }, text) === text).map(({ text }) => text)
  expect(english.filter((text) => !(text.replaceAll(' ', '_') in TEXTS.fr))).toEqual([])
})

test('any page has the search field, by which a payment is two steps away', async () => {
  const browser = await entered('read-only')
  const { rows } = await gateway.pool.query<{ merchant_reference: string; id: bigint }>(
    'select merchant_reference, id from transactions order by id limit 1',
  )
  const [{ merchant_reference: reference, id } = { merchant_reference: '', id: 0n }] = rows
  for (const { href: page } of linksOf((await browser.get('/')).body).filter(({ href }) => href !== '/account'))
    expect([page, (await browser.get(page)).body]).toEqual([page, expect.stringContaining('<form role="search"')])
  expect((await browser.get(`/payments?q=${reference}`)).location).toBe(`/payments/${id}`)
})

describe.skipIf(CHROMIUM === undefined)('in a real browser', async () => {
  if (CHROMIUM === undefined) return
  const { SCREENSHOTS, PICTURES } = process.env
  const browser = await forFile(launchBrowser(SCREENSHOTS))
  const visits = consoleKinds('fr').flatMap((kind) => [
    { kind, audience: 'staff' as const, role: 'admin' },
    { kind, audience: 'merchants' as const, role: 'owner' },
  ])

  /** By how much a page is too wide, on a desk also for a smaller window. */
  async function widest(page: Page, { viewport }: Kind): Promise<number> {
    const beyond = await browser.widthBeyond(page)
    if (viewport.width < 900) return beyond
    await page.setViewportSize({ ...viewport, width: 1100 })
    const inSmaller = await browser.widthBeyond(page)
    await page.setViewportSize(viewport)
    return Math.max(beyond, inSmaller)
  }

  // By default the admin on a phone and the owner at a desk.
  test.each(SCREENSHOTS ? visits : sampledByDefault('kinds of browsers with a role', visits, 5))(
    '$kind.name: every page of $role is clean for axe and fits',
    { timeout: 600_000 },
    async ({ kind, audience, role }) => {
      const { pages } = await followLinks(await entered(role, audience), begin(audience))
      await browser.visit(kind, async ({ page, complaints }) => {
        await enter(page, role, audience)
        const faulty: unknown[] = []
        // A page that loads itself again while it is measured is otherwise like the one without.
        for (const path of pages.filter((each) => !/\.csv|[?&]watch=/.test(each))) {
          await page.goto(`${urlOf(audience)}${path}`)
          await browser.screenshot(page, `${role} ${kind.name} ${path}`)
          // Codes and addresses are made to be broken on a phone.
          const cut = (await browser.cutOff(page)).filter((word) => !/\w[\d_.:/@]+\w|^\w{12,}$/.test(word))
          const faults = [...(await browser.faultsOf(page, kind)), ...cut]
          const widthBeyond = await widest(page, kind)
          if (faults.length > 0 || widthBeyond > 0) faulty.push({ path, faults, widthBeyond })
        }
        expect(faulty).toEqual([])
        expect(complaints).toEqual([])
      })
    },
  )

  if (PICTURES !== undefined)
    test('the pictures of the README and of the docs are small', async () => {
      const { rows } = await gateway.pool.query<{ id: bigint }>(
        `select transaction_id as id from callbacks where status = 'PENDING' and attempts > 1 order by id desc limit 1`,
      )
      const places = {
        today: '/',
        payments: '/payments',
        payment: `/payments/${rows[0]?.id}`,
        reconciliation: '/reconciliation/1',
      }
      const ofDocs = ['today', 'payment']
      const kind = { name: 'picture', viewport: { width: 1280, height: 800 }, script: true, scheme: 'light' } as const
      await browser.visit(kind, async ({ page, context }) => {
        await enter(page, 'finance')
        const session = await context.newCDPSession(page)
        const store = async (file: string, bytesMax: number, quality: number, scale = 1) => {
          const clip = { x: 0, y: 0, ...present(page.viewportSize(), 'the size'), scale }
          const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality, clip })
          expect(data.length * 0.75).toBeLessThan(bytesMax)
          await writeFile(join(PICTURES, file), data, 'base64')
        }
        for (const [name, path] of Object.entries(places)) {
          await page.setViewportSize(kind.viewport)
          await page.goto(`${urlOf('staff')}${path}`)
          await store(`.github/pictures/${name}.webp`, 60_000, 60)
          await page.setViewportSize({ width: 1000, height: 620 })
          if (ofDocs.includes(name)) await store(`openapi/docs/site/pictures/${name}.webp`, 19_000, 28, 0.68)
        }
      })
    })
})
