import { existsSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { listening } from '../../verification/testing/listening.ts'

// For tests: a real Chromium, as customers use, and axe-core to check the pages.

export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-quic', '--no-first-run']
/** A wait ends as soon as its event is there: this bounds one on a machine that does much else. */
const WAIT_MS = 45_000
const PHONE = { width: 360, height: 740 }
const DESKTOP = { width: 1280, height: 800 }

export interface Kind {
  readonly name: string
  readonly viewport: typeof PHONE
  readonly script: boolean
  readonly scheme: 'light' | 'dark'
  /** The browser's preferred language; English by default. */
  readonly language?: string
}
// Pairwise coverage of size, script and scheme.
const phone: Kind = { name: 'phone', viewport: PHONE, script: true, scheme: 'light' }
const phoneWithoutScript: Kind = { name: 'phone, no script', viewport: PHONE, script: false, scheme: 'dark' }
const desktop: Kind = { name: 'desktop', viewport: DESKTOP, script: true, scheme: 'dark' }
const desktopWithoutScript: Kind = { name: 'desktop, no script', viewport: DESKTOP, script: false, scheme: 'light' }
export const KINDS: readonly Kind[] = [phone, phoneWithoutScript, desktop, desktopWithoutScript]
export const WITH_AND_WITHOUT_SCRIPT = [phone, phoneWithoutScript] as const
export { desktop, desktopWithoutScript, phone, phoneWithoutScript }

const WIDE = { width: 1440, height: 900 }
/** How the pages of people are looked at: on a phone and a desk. @param other the language of those without script */
export const consoleKinds = (other?: string): readonly Kind[] => {
  const withoutScript = { script: false, ...(other !== undefined && { language: other }) }
  return [
    { name: 'phone light', viewport: PHONE, scheme: 'light', ...withoutScript },
    { name: 'phone dark', viewport: PHONE, scheme: 'dark', script: true },
    { name: 'desk dark', viewport: WIDE, scheme: 'dark', script: true },
    { name: 'desk light', viewport: WIDE, scheme: 'light', ...withoutScript },
  ]
}

interface PageVisit {
  readonly page: Page
  readonly context: BrowserContext
  /**
   * Errors that the browser reported: a policy violation, a failed script. Refusals that a test expects are not
   * included.
   */
  readonly complaints: string[]
}

export interface TestBrowser {
  /** Opens a separate browser profile, which `closeVisits` closes. */
  open(kind: Kind): Promise<PageVisit>
  /** Opens a separate browser profile for the duration of the callback: several can run at the same time. */
  visit<Result>(kind: Kind, during: (visit: PageVisit) => Promise<Result>): Promise<Result>
  /** All violations that axe-core finds, of any impact. */
  faultsOf(page: Page, kind: Kind): Promise<string[]>
  /** By how many pixels the content exceeds the right edge of the page. */
  widthBeyond(page: Page): Promise<number>
  /** Headings, buttons and labels that are partly cut off, or with a word broken across lines. */
  cutOff(page: Page): Promise<string[]>
  screenshot(page: Page, name: string): Promise<unknown>
  /** Closes what is open: an abandoned waiting page would poll for ever. */
  closeVisits(): Promise<void>
  close(): Promise<void>
}

// Words that do not fit are broken, so that nothing is cut off: this reports a word that spans two lines. Addresses,
// which are made to be broken, are not checked.
const CUT_OFF = `(() => {
    const width = document.documentElement.clientWidth
    const beyond = [...document.querySelectorAll('h1, h2, button, .button, label, dt, .languages, .mark')].filter((element) => {
      const { right, left } = element.getBoundingClientRect()
      const isCut = element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline'
      return isCut || left < 0 || right > width
    })
    const broken = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { currentNode: node } = texts
      if (node.parentElement.closest('a[href^=mailto], a[href^=https], option, noscript, .unseen')) continue
      for (const { 0: word, index } of node.data.matchAll(/[^\\s-]+/g)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word)
      }
    }
    return [...beyond.map(({ tagName, textContent }) => tagName + ': ' + textContent.trim()), ...broken]
  })()`

/** What the style files of a page hold: an auditing page loads none. */
const STYLE_FILES = `[...document.styleSheets].filter(({ href }) => href).flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText)).join('')`

/**
 * Evaluates `expression` in the page. A waiting page reloads itself now and then: an evaluation that a reload
 * interrupts is repeated.
 */
const calmly = <Value>(page: Page, expression: string): Promise<Value> =>
  whenCalm(page, () => page.evaluate(expression))

async function whenCalm<Value>(page: Page, poll: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await poll()
    } catch (error) {
      if (tries === 3 || !/Execution context was destroyed|page is navigating/.test(String(error))) throw error
      await page.waitForLoadState()
    }
  }
}

/** @param screenshots the target folder; absent: no screenshots, because each costs as much as the page itself */
export async function launchBrowser(screenshots: string | undefined): Promise<TestBrowser> {
  if (CHROMIUM === undefined) throw new Error('no Chromium is installed')
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS })
  const visits = new Set<PageVisit>()
  return {
    open: async (kind) => {
      const visit = await visitAs(kind, browser)
      visits.add(visit)
      return visit
    },
    async visit(kind, during) {
      const visit = await visitAs(kind, browser)
      try {
        return await during(visit)
      } finally {
        await visit.context.close()
      }
    },
    faultsOf: auditing(browser),
    widthBeyond: (page) => calmly(page, 'document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    cutOff: (page) => calmly(page, CUT_OFF),
    screenshot: async (page, name) =>
      screenshots &&
      page.screenshot({ path: join(screenshots, `${name.replaceAll(/[^A-Za-z0-9_]+/g, '-')}.png`), fullPage: true }),
    async closeVisits() {
      await Promise.all([...visits].map(({ context }) => context.close()))
      visits.clear()
    },
    close: () => browser.close(),
  }
}

async function visitAs({ viewport, script, scheme, language }: Kind, browser: Browser): Promise<PageVisit> {
  const context = await browser.newContext({
    viewport,
    javaScriptEnabled: script,
    colorScheme: scheme,
    locale: language ?? 'en',
    ...(viewport === PHONE && { isMobile: true, hasTouch: true }),
  })
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('the server responded with a status of 4'))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, context, complaints }
}

/**
 * Checks the markup of a page with axe-core in a second, warm page of the same size and scheme that has axe loaded:
 * loading it into every page takes longer than all its rules.
 */
function auditing(browser: Browser): TestBrowser['faultsOf'] {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  const auditors = new Map<string, Promise<PageVisit>>()
  const newAuditor = async (kind: Kind): Promise<PageVisit> => {
    const visit = await visitAs({ ...kind, script: true }, browser)
    await visit.page.setContent('<!doctype html><html lang="en"></html>')
    await visit.page.evaluate(`(() => { ${axe} })()`)
    return visit
  }
  /** One check at a time: two pages in it at the same time would be mixed up. */
  const polls = new Map<string, Promise<unknown>>()
  const inTurn = <Result>(name: string, poll: () => Promise<Result>): Promise<Result> => {
    const result = (polls.get(name) ?? Promise.resolve()).then(poll)
    polls.set(
      name,
      result.catch(() => undefined),
    )
    return result
  }
  return async (page, kind) => {
    const opened = auditors.get(kind.name) ?? newAuditor(kind)
    auditors.set(kind.name, opened)
    const { page: auditor } = await opened
    // In a browser without script only a refresh can redirect the page, so the refresh is not a violation.
    const markup = (await whenCalm(page, () => page.content())).replaceAll(
      kind.script ? /<noscript>.*?<\/noscript>/gs : /<\/?noscript>|<meta http-equiv="refresh"[^>]*>/g,
      '',
    )
    const files = await calmly<string>(page, STYLE_FILES)
    const styled = markup.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${files}</style>`)
    if (!styled.includes('<style')) throw new Error('a page whose style is not in it cannot be looked at elsewhere')
    return inTurn(kind.name, () =>
      auditor.evaluate(`(() => {
        document.replaceChild(document.adoptNode(new DOMParser().parseFromString(${JSON.stringify(styled)}, 'text/html').documentElement), document.documentElement)
        return axe.run({ resultTypes: ['violations'] })
      })().then(({ violations, passes }) => [
        ...(passes.length === 0 ? ['nothing was looked at'] : []),
        ...violations.map(({ id, impact, nodes }) => impact + ': ' + id + ' ' + nodes.map(({ html }) => html).join(' | ')),
      ])`),
    )
  }
}

/** A web site on this machine under another host name than the page's: a different origin, as in production. */
export async function startSite(answer: RequestListener): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { port, close } = await listening(createServer(answer))
  return { url: `http://localhost:${port}`, close }
}
