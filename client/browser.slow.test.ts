import { readFile } from 'node:fs/promises'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, desktop, launchBrowser, type TestBrowser } from '../server/payment-page/testing/test-browser.ts'
import { skipReason } from '../server/verification/testing/skip-reason.ts'

// The client as a careless shop would ship it to its customers: the modules themselves, in a real browser.

if (CHROMIUM === undefined) skipReason('no Chromium is installed', 'the client in a browser')

const SITE = 'http://shop.example/'
const CREATE = `
  import { createMalipo } from '/client/index.ts'
  let outcome = 'created'
  try { createMalipo({ baseUrl: 'https://malipo.example', publicKey: 'pub_test' }) } catch (error) { outcome = String(error) }
`

/** Serves the shop's page, and the client's modules under their own names. */
async function served(path: string): Promise<string> {
  if (path === '/page.js') return `${CREATE} document.title = outcome`
  if (path === '/worker.js') return `${CREATE} postMessage(outcome)`
  if (path === '/openapi-fetch') return readFile(new URL(import.meta.resolve('openapi-fetch')), 'utf8')
  const module = await readFile(new URL(`..${path}`, import.meta.url), 'utf8')
  const { outputText } = ts.transpileModule(module, {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
  })
  return outputText.replaceAll("'openapi-fetch'", "'/openapi-fetch'")
}

describe.skipIf(CHROMIUM === undefined)(
  'createMalipo throws in a real browser: the public key is confidential too',
  () => {
    let browser: TestBrowser
    beforeAll(async () => {
      browser = await launchBrowser(undefined)
    }, 60_000)
    afterAll(() => browser?.close())

    test.each([
      ['in a page', `<script type="module" src="/page.js"></script>`],
      [
        'in a worker',
        `<script>new Worker('/worker.js', { type: 'module' }).onmessage = ({ data }) => { document.title = data }</script>`,
      ],
    ])('%s', async (_where, script) => {
      const { page, context } = await browser.open(desktop)
      await context.route(`${SITE}**`, async (route) => {
        const { pathname } = new URL(route.request().url())
        const isPage = pathname === '/'
        await route.fulfill({
          contentType: isPage ? 'text/html' : 'text/javascript',
          body: isPage ? `<title></title>${script}` : await served(pathname),
        })
      })
      await page.goto(SITE)
      await page.waitForFunction('document.title')
      expect(await page.title()).toMatch(/^TypeError: createMalipo is for servers/)
    })
  },
)
