import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

// Layout and accessibility problems of the docs, measured in the browser.

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Pages with the widest content: tables, code, tabs, names of fields. */
export const PAGES_MEASURED = [
  '',
  '/callbacks-and-signatures',
  '/errors',
  '/rails',
  '/rehearsal',
  '/sandbox',
  '/redirect',
  '/initialize-collection',
  '/list-payment-providers',
  '/payout-callback',
  '/customer-redirect',
  '/changelog',
] as const

/** What axe-core finds in a part of the page. The script is injected once per page, because it is half a megabyte. */
export async function faultsIn(page: Page, part: string): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`(() => { ${axe} })()`)
  return page.evaluate(
    `axe.run('${part}', { resultTypes: ['violations'] }).then(({ violations, passes }) => [
      ...(passes.length === 0 ? ['nothing was checked'] : []),
      ...violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html).join(' | ')),
    ])`,
  )
}

/** By how many pixels the page is wider than the screen. */
export const widerThanScreen = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/** Tables wider than their container: a column would be out of sight until the reader scrolls. */
const tablesCutOff = (page: Page): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('table')].filter((table) => table.scrollWidth > table.parentElement.clientWidth)
      .map((table) => table.textContent.slice(0, 80))`,
  )

/** Code that overflows its block: the end of a line would be out of sight until the reader scrolls. */
const codeCutOff = (page: Page): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('.code pre')].filter((block) => block.scrollWidth > block.clientWidth)
      .map((block) => block.textContent.slice(0, 80))`,
  )

/** Buttons that do nothing without a script. */
const deadButtons = (page: Page): Promise<string[]> =>
  page.evaluate(
    `!matchMedia('(scripting: none)').matches ? []
      : [...document.querySelectorAll('button')].filter((each) => each.checkVisibility()).map((each) => each.outerHTML)`,
  )

/** Touch targets that are too small or too close, on a phone. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(
    `!matchMedia('(max-width: 30rem)').matches ? []
      : [...document.querySelectorAll('button, summary, .to-pages, .side a, .way a, .tabs label')].filter((each) => {
          const { height } = each.getBoundingClientRect()
          return height > 0 && height < 44
        }).map((each) => each.outerHTML.slice(0, 80))`,
  )

/** All measures above; each should be empty. */
export const measured = async (page: Page) => ({
  widerThanScreen: await widerThanScreen(page),
  tablesCutOff: await tablesCutOff(page),
  codeCutOff: await codeCutOff(page),
  deadButtons: await deadButtons(page),
  smallTargets: await smallTargets(page),
})
/** Asserts that a page has none of these problems. */
export const NOTHING_WRONG = {
  widerThanScreen: 0,
  tablesCutOff: [],
  codeCutOff: [],
  deadButtons: [],
  smallTargets: [],
} satisfies Awaited<ReturnType<typeof measured>>
