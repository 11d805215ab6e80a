import { existsSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'

// For tests: a real Chromium as customers have it, and axe-core to look at what it shows.

export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-quic', '--no-first-run']
const WAIT_MS = 10_000
const PHONE = { width: 360, height: 740 }
const DESKTOP = { width: 1280, height: 800 }

export interface Kind {
  readonly name: string
  readonly viewport: typeof PHONE
  readonly script: boolean
  readonly scheme: 'light' | 'dark'
  /** What the browser likes to read; English unless given. */
  readonly language?: string
}
// Of size, script and scheme each pair is there.
const phone: Kind = { name: 'phone', viewport: PHONE, script: true, scheme: 'light' }
const phoneWithoutScript: Kind = { name: 'phone, no script', viewport: PHONE, script: false, scheme: 'dark' }
const desktop: Kind = { name: 'desktop', viewport: DESKTOP, script: true, scheme: 'dark' }
const desktopWithoutScript: Kind = { name: 'desktop, no script', viewport: DESKTOP, script: false, scheme: 'light' }
export const KINDS: readonly Kind[] = [phone, phoneWithoutScript, desktop, desktopWithoutScript]
export const WITH_AND_WITHOUT_SCRIPT = [phone, phoneWithoutScript] as const
export { desktop, desktopWithoutScript, phone, phoneWithoutScript }

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /**
   * What the browser complained about: a policy broken, a script that failed. Refusals that a test asks for are none.
   */
  readonly complaints: string[]
}

export interface TestBrowser {
  /** A browser profile of its own, which `closeVisits` ends. */
  open(kind: Kind): Promise<Visit>
  /** A browser profile of its own for as long as this takes: several go on at the same time. */
  visit<Result>(kind: Kind, during: (visit: Visit) => Promise<Result>): Promise<Result>
  /** Everything axe-core finds, of any weight. */
  faultsOf(page: Page, kind: Kind): Promise<string[]>
  /** How many pixels of it are beyond its right edge. */
  widthBeyond(page: Page): Promise<number>
  /** Headings, buttons and labels of which something is cut off, or whose words do not fit into one line. */
  cutOff(page: Page): Promise<string[]>
  screenshot(page: Page, name: string): Promise<unknown>
  /** Ends what is open: a waiting page that is left behind would ask for ever. */
  closeVisits(): Promise<void>
  close(): Promise<void>
}

// Words are broken where they do not fit, so that nothing is cut off: a word that stands in two lines is told. What is
// made to be broken, an address, is not looked at.
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
      if (node.parentElement.closest('a[href^=mailto], a[href^=https], option, noscript')) continue
      for (const { 0: word, index } of node.data.matchAll(/[^\\s-]+/g)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word)
      }
    }
    return [...beyond.map(({ tagName, textContent }) => tagName + ': ' + textContent.trim()), ...broken]
  })()`

/**
 * What `expression` says of the page. A page that waits loads itself again now and then: what was asked in the middle
 * of it is asked once more.
 */
const calmly = <Answer>(page: Page, expression: string): Promise<Answer> =>
  whenCalm(page, () => page.evaluate(expression))

async function whenCalm<Answer>(page: Page, look: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await look()
    } catch (error) {
      if (tries === 3 || !/Execution context was destroyed|page is navigating/.test(String(error))) throw error
      await page.waitForLoadState()
    }
  }
}

/** @param screenshots the folder where they go; absent: none are taken, each costs as much as the page itself */
export async function launchBrowser(screenshots: string | undefined): Promise<TestBrowser> {
  if (CHROMIUM === undefined) throw new Error('no Chromium is installed')
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS })
  const visits = new Set<Visit>()
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

async function visitAs({ viewport, script, scheme, language }: Kind, browser: Browser): Promise<Visit> {
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
 * Looks at the markup of a page with axe-core, in another page of the same size and scheme that has axe in it, warm: to
 * load it into every page takes longer than all its rules.
 */
function auditing(browser: Browser): TestBrowser['faultsOf'] {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  const auditors = new Map<string, Promise<Visit>>()
  const newAuditor = async (kind: Kind): Promise<Visit> => {
    const visit = await visitAs({ ...kind, script: true }, browser)
    await visit.page.setContent('<!doctype html><html lang="en"></html>')
    await visit.page.evaluate(`(() => { ${axe} })()`)
    return visit
  }
  /** One look after the other: of two pages in it at the same time, it would see a mixture. */
  const looks = new Map<string, Promise<unknown>>()
  const inTurn = <Result>(name: string, look: () => Promise<Result>): Promise<Result> => {
    const result = (looks.get(name) ?? Promise.resolve()).then(look)
    looks.set(
      name,
      result.catch(() => undefined),
    )
    return result
  }
  return async (page, kind) => {
    const opened = auditors.get(kind.name) ?? newAuditor(kind)
    auditors.set(kind.name, opened)
    const { page: auditor } = await opened
    // A browser without script has no other way than to be sent on by the page.
    const markup = (await whenCalm(page, () => page.content())).replaceAll(
      kind.script ? /<noscript>.*?<\/noscript>/gs : /<\/?noscript>|<meta http-equiv="refresh"[^>]*>/g,
      '',
    )
    if (!markup.includes('<style')) throw new Error('a page whose style is not in it cannot be looked at elsewhere')
    return inTurn(kind.name, () =>
      auditor.evaluate(`(() => {
        document.replaceChild(document.adoptNode(new DOMParser().parseFromString(${JSON.stringify(markup)}, 'text/html').documentElement), document.documentElement)
        return axe.run({ resultTypes: ['violations'] })
      })().then(({ violations, passes }) => [
        ...(passes.length === 0 ? ['nothing was looked at'] : []),
        ...violations.map(({ id, impact, nodes }) => impact + ': ' + id + ' ' + nodes.map(({ html }) => html).join(' | ')),
      ])`),
    )
  }
}

/** A web site on this machine, by another host name than the page's: another origin, as in life. */
export async function startSite(answer: RequestListener): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
