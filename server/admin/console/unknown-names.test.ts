import { expect, test } from 'vitest'
import { controlTest } from './testing/control-test.ts'

const { person, setUp } = await controlTest()
const { browser } = await setUp(await person('Amina Admin', 'admin'))

/** No name of anything, no text that PostgreSQL stores, and no number that fits a column. */
const UNKNOWN = ['none-such', '%00', '99999999999999999999'] as const
const PAGES_MIN = 40

/** Pages that differ in numbers only are one. */
const kindOf = (path: string): string => path.replaceAll(/\d+/g, 'N')

async function linkedPages(): Promise<readonly string[]> {
  const found = new Map<string, string>()
  const left = ['/']
  for (let path = left.shift(); path !== undefined; path = left.shift()) {
    if (found.has(kindOf(path))) continue
    found.set(kindOf(path), path)
    const { body } = await browser.get(path)
    left.push(...[...body.matchAll(/href="(\/[^"?#]*)/g)].flatMap(([, link]) => link ?? []))
  }
  return [...found.values()]
}

test('no name in an address of the console is a fault of the server', async () => {
  const pages = await linkedPages()
  expect(pages.length).toBeGreaterThan(PAGES_MIN)
  const asked = pages.flatMap((page) => {
    const [root = '', ...names] = page.slice(1).split('/')
    return names.flatMap((_, at) => UNKNOWN.map((name) => `/${[root, ...names.with(at, name)].join('/')}`))
  })
  const faults: string[] = []
  for (const path of new Set(asked)) if ((await browser.get(path)).status >= 500) faults.push(path)
  expect(faults).toEqual([])
})
