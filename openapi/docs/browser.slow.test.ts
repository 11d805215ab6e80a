import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildDocs } from './build.ts'
import { writtenPages } from '../testing/written-operations.ts'
import {
  CHROMIUM,
  desktop,
  desktopWithoutScript,
  launchBrowser,
  phone,
  phoneWithoutScript,
  startSite,
  type TestBrowser,
} from '../../server/payment-page/testing/test-browser.ts'
import { oneOfByDefault, sampledByDefault } from '../../server/verification/testing/nightly.ts'
import { verify } from '../../server/verification/testing/requests.ts'
import { answered, dialogOf, referenceIn, replyIn, sendIn, sentIn } from './testing/console-dialog.ts'
import { faultsIn, measured, NOTHING_WRONG, PAGES_MEASURED, widerThanScreen } from './testing/docs-measures.ts'
import { runShell } from '../../contract-tests/consumers/samples/run-sample.ts'
import { gatewayTest } from '../../server/verification/testing/gateway-test.ts'
import { skipReason } from '../../server/verification/testing/skip-reason.ts'

// The docs as a customer reads them: served by a gateway, in a real browser, on a phone and on a desktop.

if (CHROMIUM === undefined) skipReason('no Chromium is installed', 'the docs in a browser')

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url))
const DOCS_FILE = `${DIST}docs.html`
const faultsOfConsole = (page: Page): Promise<string[]> => faultsIn(page, '#try')

// The docs are one large file, which takes time on a busy machine.
describe.skipIf(CHROMIUM === undefined)('the docs in a real browser', async () => {
  const { gateway } = await gatewayTest({ clock: 'real', env: { MALIPO_SANDBOX_DELAY_MS: '0' } })
  let browser: TestBrowser
  beforeAll(async () => {
    buildDocs(DIST)
    browser = await launchBrowser(process.env.SCREENSHOTS)
  }, 180_000)
  afterAll(() => browser?.close())
  afterEach(() => browser.closeVisits())

  async function open(kind: typeof phone, address: string) {
    const visit = await browser.open(kind)
    const requested: string[] = []
    visit.page.on('request', (request) => requested.push(request.url()))
    await visit.page.goto(address)
    return { ...visit, asked: requested }
  }
  const ofSizes = oneOfByDefault('sizes')
  /** @param page with a leading slash, and a hash where it has one */
  const docs = (page = '') => `${gateway.url}/docs${page}`
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 4; turn++) await gateway.runDue()
  }

  test.each(ofSizes([phone, desktop, phoneWithoutScript, desktopWithoutScript]))(
    '$name: pages fit the screen, clip nothing and load nothing from other hosts',
    async (kind) => {
      const { page, complaints, asked: requested } = await open(kind, docs())
      for (const path of PAGES_MEASURED) {
        await page.goto(docs(path))
        await browser.screenshot(page, `docs${path} ${kind.name}`)
        expect(await measured(page), path).toEqual(NOTHING_WRONG)
      }
      expect(complaints).toEqual([])
      expect(requested.filter((url) => !url.startsWith(gateway.url) && !/^(data|blob):/.test(url))).toEqual([])
    },
  )

  test('opens the menu over the page on a phone, and links to the list without script', async () => {
    const { page } = await open(phone, docs('/errors'))
    await page.getByRole('button', { name: 'Menu' }).click()
    expect(await faultsIn(page, 'dialog.menu')).toEqual([])
    await page.keyboard.press('Escape')
    expect(await page.locator('.frame > #pages').count()).toBe(1)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.locator('dialog.menu').getByRole('link', { name: 'Going live' }).click()
    await page.waitForURL(docs('/going-live'))
    const { page: plain } = await open(phoneWithoutScript, docs('/errors'))
    expect(await plain.getByRole('link', { name: 'Menu' }).getAttribute('href')).toBe('#pages')
  })

  test('redirects old addresses to the current pages', async () => {
    const { page } = await open(desktop, docs())
    for (const [former, path, title] of [
      ['#tag/errors', '/errors', 'Errors'],
      ['#/errors', '/errors', 'Errors'],
      ['#operation/sendFunds', '/send-funds', 'Send funds'],
      ['#/payouts/sendfunds', '/send-funds', 'Send funds'],
      ['#operation/customerRedirect', '/customer-redirect', 'Customer redirect'],
    ] as const) {
      // Loads another page first: a new hash alone would only scroll on the same page.
      await page.goto('about:blank')
      await page.goto(docs(former))
      await page.waitForURL(docs(path))
      await page.getByRole('heading', { name: title, level: 1 }).waitFor()
      expect(await page.title(), former).toBe(`${title} · Malipo docs`)
    }
  })

  test('every page is accessible, dark and light, on a phone and on a desktop', async () => {
    for (const kind of ofSizes([phone, desktop]))
      for (const path of sampledByDefault('pages', ['/send-funds', '', '/life-of-a-transaction', '/errors'], 2)) {
        const { page } = await open(kind, docs(path))
        expect([path, await faultsIn(page, 'body')]).toEqual([path, []])
        await page.getByRole('button', { name: kind.scheme === 'dark' ? 'Light' : 'Dark', exact: true }).click()
        expect([path, await faultsIn(page, 'body')]).toEqual([path, []])
      }
  })

  test("keeps the reader's language, colours and values on every page", async () => {
    const { page, context, asked: requested } = await open(desktop, docs('/send-funds'))
    const sample = page.locator('.tabs[data-remembered] .panel').filter({ visible: true })
    await page.getByRole('radio', { name: 'Python' }).check()
    await page.getByRole('button', { name: 'Light', exact: true }).click()
    await page.getByRole('button', { name: 'Your keys' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your address and keys' })
    const publicKey = dialog.getByRole('textbox', { name: 'Public key' })
    expect(await dialog.getByLabel('Secret key', { exact: true }).getAttribute('type')).toBe('password')
    await dialog.getByRole('button', { name: 'Show: Public key' }).click()
    await dialog.getByLabel('Base URL').fill('https://pay.example/')
    await publicKey.fill("pub'; rm -rf /")
    expect(await faultsIn(page, 'dialog.reader-values')).toEqual([])
    await dialog.getByRole('button', { name: 'Put them in' }).click()
    await dialog.getByText('Public key: letters').waitFor()
    await publicKey.fill('pub_of_mine')
    await dialog.getByRole('button', { name: 'Put them in' }).click()
    await dialog.waitFor({ state: 'hidden' })

    await page.goto(docs('/initialize-collection'))
    const shown = (await sample.textContent()) ?? ''
    expect(shown).toContain('import urllib.request')
    expect(shown).toContain("'https://pay.example/collections/initialize'")
    expect(shown).toContain("'public-key': 'pub_of_mine'")
    expect(await page.evaluate('document.documentElement.className')).toBe('light')
    await page.goto(docs('/send-funds'))
    expect(await sample.textContent()).toContain("'secret-key': 'sec_sandbox_demo'")

    const inAllLanguages = page.locator('.tabs[data-remembered] .panel code')
    for (const name of sampledByDefault('pages with samples', writtenPages)) {
      await page.goto(docs(`/${name}`))
      const texts = await inAllLanguages.allTextContents()
      expect(texts.length, name).toBeGreaterThan(6)
      for (const text of texts) {
        expect(text).toContain('https://pay.example')
        expect(text).toContain('pub_of_mine')
        expect(text).not.toContain(gateway.url)
        expect(text).not.toContain('pub_sandbox_demo')
      }
    }
    expect(requested.filter((url) => /pay\.example|of_mine/.test(url))).toEqual([])
    const otherTab = await context.newPage()
    await otherTab.goto(docs('/send-funds'))
    expect(await otherTab.locator('.panel code').first().textContent()).toContain('pub_sandbox_demo')
  })

  test('the copy button copies the block below it', async () => {
    const { page, context } = await open(desktop, docs('/errors'))
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(JSON.parse(await page.evaluate('navigator.clipboard.readText()'))).toMatchObject({ code: 400 })
  })

  test.each(ofSizes([phone, desktop]))(
    '$name: pays a collection by keyboard, shows it in the inbox and verifies it',
    async (kind) => {
      const { page, complaints } = await open(kind, docs('/initialize-collection'))
      await page.getByRole('button', { name: 'Try it', exact: true }).focus()
      await page.keyboard.press('Enter')
      const dialog = dialogOf(page)
      await dialog.getByLabel('Operation').waitFor()
      expect(await page.evaluate('document.activeElement.id')).toBe('try-operation')
      expect(await dialog.getByLabel('Operation').inputValue()).toBe('initializeCollection')
      const reference = await referenceIn(dialog)
      await sendIn(dialog).focus()
      await page.keyboard.press('Enter')
      await answered(dialog, '202 Accepted')
      expect(await replyIn(dialog)).toContain(`"merchant_reference": "${reference}"`)
      expect(await dialog.locator('#try-reply-headers').textContent()).toContain('x-request-id: ')
      await browser.screenshot(page, `console reply ${kind.name}`)
      expect(await faultsOfConsole(page)).toEqual([])
      expect(await widerThanScreen(page)).toBe(0)
      expect(
        await page.evaluate(
          "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.getElementById('try'))",
        ),
      ).toBe(0)
      await settle()

      await dialog.getByText('Its callback is there.').waitFor()
      await browser.screenshot(page, `console callback ${kind.name}`)
      expect(await faultsOfConsole(page)).toEqual([])
      const message = await dialog.getByRole('link', { name: 'Open transaction.completed' }).getAttribute('href')
      expect(message).toMatch(/^\/sandbox\/inbox\/\d+$/)
      expect(await (await fetch(`${gateway.url}${message}`)).text()).toContain(reference)

      const arriving = page.context().waitForEvent('page')
      await dialog.getByRole('link', { name: 'See its callback arrive in the inbox' }).click()
      const inbox = await arriving
      await inbox.getByText(reference).first().waitFor()
      expect(await inbox.getByText('A signature is bad').count()).toBe(0)
      expect(await inbox.getByRole('article').count()).toBe(1)

      await dialog.getByRole('button', { name: 'Verify a transaction' }).click()
      expect(await dialog.getByLabel('merchant_reference').inputValue()).toBe(reference)
      await sendIn(dialog).click()
      await answered(dialog, '200 OK')
      expect(await replyIn(dialog)).toContain('"transaction_status": "COMPLETED"')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      expect(complaints).toEqual([])
    },
  )

  test('renews the reference after each accepted call, and the curl line works too', async () => {
    const { page } = await open(desktop, docs('/send-funds#try/sendFunds'))
    const dialog = dialogOf(page)
    await dialog.getByLabel('secret-key').waitFor()
    expect(await dialog.getByLabel('secret-key').inputValue()).toBe('sec_sandbox_demo')
    const references: string[] = []
    for (const turn of [1, 2]) {
      references.push(await referenceIn(dialog))
      await sendIn(dialog).click()
      await dialog.getByRole('link', { name: 'See its callback arrive in the inbox' }).waitFor()
      await page.waitForFunction(
        `document.getElementById('try-reply-body').textContent.includes('${references.at(-1)}')`,
      )
      expect(await sentIn(dialog)).toContain(`"merchant_reference": "${references.at(-1)}"`)
      expect(references).toHaveLength(turn)
    }
    const { exitCode, stdout } = await runShell((await dialog.locator('#try-curl').textContent()) ?? '')
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('HTTP/1.1 202 Accepted')])
    await settle()
    for (const reference of references)
      expect((await verify(gateway.url, reference)).body.data.transaction_status).toBe('COMPLETED')
    expect(new Set(references).size).toBe(2)
  })

  test('keeps calls without keys across pages: resends them as sent, or makes them new', async () => {
    const { page } = await open(desktop, docs('/send-funds#try/sendFunds'))
    const dialog = dialogOf(page)
    const reference = await referenceIn(dialog)
    await sendIn(dialog).click()
    await answered(dialog, '202 Accepted')
    await page.goto(docs('/verify-transaction#try/verifyTransaction'))
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toMatch(/(pub|sec)_sandbox/)

    const past = dialog.getByRole('region', { name: 'Sent before' })
    await past.getByRole('button', { name: 'Show: Send funds' }).click()
    await answered(dialog, '202 Accepted')
    expect(await sentIn(dialog)).toContain(`"merchant_reference": "${reference}"`)
    expect(await sentIn(dialog)).toContain("'secret-key: (not kept)'")

    await past.getByRole('button', { name: 'Replay: Send funds' }).click()
    await answered(dialog, '409 Conflict')
    expect(await sentIn(dialog)).toContain("'secret-key: sec_sandbox_demo'")
    expect(await replyIn(dialog)).toContain(`merchant_reference (${reference}) has already been used`)

    await past.getByRole('button', { name: 'Edit as new: Send funds' }).last().click()
    expect(await referenceIn(dialog)).not.toBe(reference)
    await sendIn(dialog).click()
    await answered(dialog, '202 Accepted')
    expect(await past.getByRole('listitem').count()).toBe(3)
    await browser.screenshot(page, 'console history desktop')
    expect(await faultsOfConsole(page)).toEqual([])
    await past.getByRole('button', { name: 'Forget them' }).click()
    expect(await page.evaluate("localStorage.getItem('malipo-docs-console-history')")).toBeNull()
    expect(await past.count()).toBe(0)
  })

  test('shows a refusal as it was received', async () => {
    const { page } = await open(desktop, docs('#try/initializeCollection'))
    const dialog = dialogOf(page)
    await dialog.getByLabel('JSON').fill('{"amount": }')
    await sendIn(dialog).click()
    await answered(dialog, '400 Bad Request')
    expect(await replyIn(dialog)).toContain('The request body is not valid JSON')
    expect(await dialog.getByRole('link').count()).toBe(0)
  })

  test('opens the console with the operation of the page', async () => {
    const { page } = await open(desktop, docs('/verify-transaction'))
    // The entry is far down the list of pages, which must still show the current page.
    const here = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /Verify a transaction/ })
    expect((await here.boundingBox())?.y).toBeLessThan(desktop.viewport.height)
    await page.getByRole('button', { name: 'Try it', exact: true }).click()
    await dialogOf(page).getByLabel('Operation').waitFor()
    expect(await dialogOf(page).getByLabel('Operation').inputValue()).toBe('verifyTransaction')
    // A link to another operation on the current page.
    await page.keyboard.press('Escape')
    await page.goto(docs('/verify-transaction#try/listPayoutBanks'))
    await dialogOf(page).getByLabel('Operation').waitFor()
    expect(await dialogOf(page).getByLabel('Operation').inputValue()).toBe('listPayoutBanks')
  })

  test('works from disk as one file, and says in the console that there is no gateway', async () => {
    const { page } = await open(phone, `${pathToFileURL(DOCS_FILE).href}#operation/sendFunds`)
    await page.getByRole('heading', { name: 'Send funds' }).first().waitFor()
    await page.getByRole('button', { name: 'Try it', exact: true }).click()
    await dialogOf(page).getByText('This page was opened from disk').waitFor()
    expect(await sendIn(dialogOf(page)).count()).toBe(0)
    expect(await faultsOfConsole(page)).toEqual([])
  })

  test('sends nothing from the console unless a sandbox serves the page', async () => {
    const paths: string[] = []
    const site = await startSite(({ url = '' }, response) => {
      paths.push(url)
      if (url.startsWith('/docs'))
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(readFileSync(DOCS_FILE))
      else response.writeHead(404).end()
    })
    const { page } = await open(desktop, `${site.url}/docs#try/sendFunds`)
    await dialogOf(page).getByText('No sandbox answers here').waitFor()
    expect(await sendIn(dialogOf(page)).count()).toBe(0)
    expect(paths.filter((path) => !['/docs', '/sandbox/inbox', '/favicon.ico'].includes(path))).toEqual([])
    await site.close()
  })

  test('loads the search on demand and works by keyboard', async () => {
    const { page, asked: requested, complaints } = await open(desktop, docs('/money'))
    await page.getByRole('button', { name: 'Search' }).waitFor()
    expect(requested.filter((url) => url.includes('search'))).toEqual([])
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox', { name: 'Search the docs' }).waitFor()
    await page.keyboard.type('retry')
    expect(await page.locator('.hits mark').first().textContent()).toMatch(/retr(y|ies)/i)
    await browser.screenshot(page, 'docs search')
    expect(await faultsIn(page, 'dialog.search')).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(docs('/idempotency-and-retries'))
    await page.keyboard.press('/')
    await page.getByRole('searchbox', { name: 'Search the docs' }).fill('256772000002')
    await page.getByText('Test number that ends in 002').waitFor()
    await page.getByRole('searchbox', { name: 'Search the docs' }).fill('extra_params.bank_code')
    await page
      .getByRole('link', { name: /^extra_params\.bank_code/ })
      .first()
      .click()
    await page.waitForURL(/\/docs\/send-funds#body-bank-payout-extra-params-bank-code$/)
    expect(complaints).toEqual([])
    // Does nothing without a script.
    const { page: plain } = await open(phoneWithoutScript, docs('/money'))
    expect(await plain.getByRole('button', { name: 'Search' }).count()).toBe(0)
  })
})
