import { describe, expect, test } from 'vitest'
import { CHROMIUM, consoleKinds, launchBrowser, type Kind } from '../../../payment-page/testing/test-browser.ts'
import { forFile } from '../../../verification/testing/for-file.ts'
import { skipReason } from '../../../verification/testing/skip-reason.ts'
import { galleryApp, GALLERY_PAGES } from './testing/gallery.ts'

// Every piece of the console's pages in a real Chromium, in both languages and both schemes.

if (CHROMIUM === undefined) skipReason('no Chromium is installed', 'the look of the console')

const KINDS: readonly Kind[] = [
  ...consoleKinds('fr'),
  { name: 'small desk', viewport: { width: 900, height: 700 }, script: true, scheme: 'light' },
]

describe.skipIf(CHROMIUM === undefined)('in a real browser', async () => {
  if (CHROMIUM === undefined) return
  const browser = await forFile(launchBrowser(process.env.SCREENSHOTS))
  const base = await (await forFile(Promise.resolve(galleryApp()))).listen({ host: '127.0.0.1', port: 0 })

  test.each(KINDS)('$name: every page is clean for axe, fits, and has high targets', async (kind) => {
    await browser.visit(kind, async ({ page, complaints }) => {
      const faults = async (name: string) => {
        await browser.screenshot(page, `console ${kind.name} ${name}`)
        const [axe, cut] = [await browser.faultsOf(page, kind), await browser.cutOff(page)]
        const low = await page.evaluate<string[]>(LOW_TARGETS)
        return [...axe, ...cut, ...low, await browser.widthBeyond(page)]
      }
      for (const name of GALLERY_PAGES) {
        await page.goto(`${base}/${name}`)
        expect([name, await faults(name)]).toEqual([name, [0]])
      }
      if (kind.viewport.width < 900) {
        await page.locator('.menu > summary').click()
        expect(await faults('menu')).toEqual([0])
      }
      expect(complaints).toEqual([])
    })
  })

  test('a printed list fits its sheet', async () => {
    const sheet: Kind = { name: 'print', viewport: { width: 700, height: 900 }, script: false, scheme: 'dark' }
    await browser.visit(sheet, async ({ page }) => {
      await page.emulateMedia({ media: 'print' })
      await page.goto(`${base}/list`)
      await browser.screenshot(page, 'console print')
      expect(await browser.widthBeyond(page)).toBe(0)
    })
  })
})

/** Links and controls that are lower than a finger needs; of a card all of it is one. */
const LOW_TARGETS = `[...document.querySelectorAll('a, button, input, select, textarea, summary')]
  .filter((element) => element.checkVisibility() && !element.closest('.skip, .check, .linked th'))
  .filter((element) => element.getBoundingClientRect().height < 43.9)
  .map((element) => element.outerHTML)`
