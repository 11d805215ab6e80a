import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

// What a reader of the docs would complain of, measured in the browser.

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Pages with the widest of everything: tables, code, tabs, names of fields. */
export const PAGES_MEASURED = [
  '',
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

/** What axe-core finds in a part of the page. */
export const faultsIn = (page: Page, part: string): Promise<string[]> =>
  page.evaluate(
    `(() => { ${axe}; return axe.run('${part}') })().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html).join(' | ')))`,
  )

/** By how many pixels the page is wider than the screen. */
export const widerThanScreen = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/** Tables wider than the room that they have: a column would be out of sight until it is pushed there. */
export const tablesCutOff = (page: Page): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('table')].filter((table) => table.scrollWidth > table.parentElement.clientWidth)
      .map((table) => table.textContent.slice(0, 80))`,
  )

/** What a finger would miss, on a phone. */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(
    `!matchMedia('(max-width: 30rem)').matches ? []
      : [...document.querySelectorAll('button, .to-pages, .side a, .contents a, .way a, .tabs label')].filter((each) => {
          const { height } = each.getBoundingClientRect()
          return height > 0 && height < 44
        }).map((each) => each.outerHTML.slice(0, 80))`,
  )
