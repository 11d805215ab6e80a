import type { Page } from 'playwright-core'
import { present } from '../../../domain/present.ts'
import type { Audience } from '../../../domain/people/audience.ts'
import { MERCHANT_ROLES, STAFF_ROLES } from '../../../domain/people/roles.ts'
import { createTestDatabase } from '../../../verification/testing/database.ts'
import { forFile } from '../../../verification/testing/for-file.ts'
import type { TestBrowser } from '../../sign-in/testing/sign-in-test.ts'
import { controlTest } from './control-test.ts'

// For tests: the console of a new sandbox. Its demo merchant has a month of payments, its people every role, and the
// statements differ from the ledger.

/** Every role with its listener. */
export const EVERYBODY: readonly { readonly audience: Audience; readonly role: string }[] = [
  ...STAFF_ROLES.map((role) => ({ audience: 'staff', role }) as const),
  ...MERCHANT_ROLES.map((role) => ({ audience: 'merchants', role }) as const),
]

export async function demoConsole() {
  const database = await forFile(createTestDatabase('template0'))
  const api = await controlTest({ MALIPO_SANDBOX_HISTORY: 'month' }, database)
  await api.person('Sifa Admin', 'admin')
  const urlOf = (audience: Audience): string => (audience === 'staff' ? api.baseUrl : api.merchantsUrl)
  return {
    ...api,
    /** Enters as the first person of a role, in a browser without script. */
    async entered(role: string, audience: Audience = 'staff'): Promise<TestBrowser> {
      const browser = api.browser(undefined, audience)
      const { body } = await browser.get('/sign-in')
      const [, id] =
        new RegExp(`name="id" value="(\\d+)"><button aria-label="Enter as [^"]*, ${role}"`).exec(body) ?? []
      await browser.post('/try', { id: present(id, `somebody with the role ${role}`) })
      return browser
    },
    /** Enters as the first person of a role, in a real browser. */
    async enter(page: Page, role: string, audience: Audience = 'staff'): Promise<void> {
      await page.goto(`${urlOf(audience)}/sign-in`)
      await page
        .getByRole('button', { name: new RegExp(`^(Enter as|Entrer comme) .*, ${role}$`) })
        .first()
        .click()
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
    urlOf,
  }
}

/** As a browser reads an attribute. */
const unescaped = (text: string): string =>
  text.replaceAll(/&#(\d+);/g, (_whole, code: string) => String.fromCodePoint(Number(code)))

/** Links of a page on this site with their texts, those to its other language aside. */
export const linksOf = (body: string): readonly { readonly href: string; readonly text: string }[] =>
  [...body.matchAll(/<a [^>]*href="(\/[^"]*)"[^>]*>([^<]*)/g)]
    .map(([, href = '', text = '']) => ({ href: unescaped(href), text }))
    .filter(({ href }) => !/[?&]lang=/.test(href))

/** Addresses of one page have one kind: it leaves out ids, and what filters ask for. */
function kindOf(href: string): string {
  const [path = '', query] = href.split('?', 2)
  const names = [...new URLSearchParams(query).keys()].sort()
  return `${path.replaceAll(/\/[^/]*\d[^/]*/g, '/:id').replace(/providers\/\w+/, 'providers/:id')} ${names.join(' ')}`
}

/** Follows links from page to page, one of a kind. @returns the address of each page, and what leads nowhere */
export async function followLinks(browser: TestBrowser, from: readonly string[]) {
  const known = new Set(from.map(kindOf))
  const pages = [...from]
  const dead: string[] = []
  for (const page of pages) {
    const { status, body, location } = await browser.get(page)
    if (status !== 200 && location === undefined) dead.push(`${page}: ${status}`)
    for (const { href } of linksOf(body))
      if (!known.has(kindOf(href))) {
        known.add(kindOf(href))
        pages.push(href)
      }
  }
  return { pages, dead }
}
