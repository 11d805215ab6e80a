import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { CHROMIUM, consoleKinds, launchBrowser } from '../../payment-page/testing/test-browser.ts'
import { forFile } from '../../verification/testing/for-file.ts'
import { sampledByDefault } from '../../verification/testing/nightly.ts'
import { skipReason } from '../../verification/testing/skip-reason.ts'
import { PASSWORD, signInTest } from './testing/sign-in-test.ts'

// The pages in a real Chromium: without script, and with a passkey of its virtual authenticator.

if (CHROMIUM === undefined) skipReason('no Chromium is installed', 'the sign-in in a browser')

const { baseUrl, clock, person, link } = await signInTest()

const kinds = consoleKinds()
const lookedAt = sampledByDefault('kinds of browsers for the sign-in', kinds, 2)

describe.skipIf(CHROMIUM === undefined)('in a real browser', async () => {
  if (CHROMIUM === undefined) return
  const browser = await forFile(launchBrowser(process.env.SCREENSHOTS))

  /** On a phone it stands in the menu. */
  const signOut = async (page: Page) => {
    const menu = page.locator('.menu > summary')
    if (await menu.isVisible()) await menu.click()
    await page.getByRole('button', { name: 'Sign out' }).click()
  }
  /** Chromium resolves localhost itself. */
  const open = async (page: Page, path: string) => page.goto(`${baseUrl}${path}`)

  test.each(lookedAt)('$name: every page is clean for axe, fits, and works', async (kind) => {
    const someone = await person(`Wanjiru wa Mwangi ${kind.name}`, 'support')
    await browser.visit(kind, async ({ page, complaints }) => {
      const looked = async (name: string) => {
        await browser.screenshot(page, `sign-in ${kind.name} ${name}`)
        expect({ name, faults: await browser.faultsOf(page, kind), beyond: await browser.widthBeyond(page) }).toEqual({
          name,
          faults: [],
          beyond: 0,
        })
        expect(await browser.cutOff(page)).toEqual([])
      }
      await open(page, await link(someone))
      await looked('link')
      const secret = (await page.locator('.secret').textContent()) ?? ''
      const { Secret, TOTP } = await import('otpauth')
      const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() })
      await page.getByLabel('New password').fill('password1234')
      await page.getByLabel('The six digits that it shows').fill(code())
      await page.getByRole('button', { name: 'Finish' }).click()
      await page.getByText('easy to guess').waitFor()
      await looked('weak password')
      await page.getByLabel('New password').fill(PASSWORD)
      await page.getByLabel('The six digits that it shows').fill(code())
      await page.getByRole('button', { name: 'Finish' }).click()
      await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
      await looked('recovery codes')
      await page.getByRole('link', { name: 'I have stored them' }).click()
      await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
      await looked('home')
      await page.goto(`${baseUrl}/account`)
      await looked('account')
      clock.advance(6 * 60_000)
      await page.getByRole('button', { name: 'Set up password' }).click()
      await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
      await looked('again')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByLabel('Code from').fill(code())
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('button', { name: 'Set up password' }).click()
      await page.getByLabel('Current password').waitFor()
      await looked('renew')
      await signOut(page)
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await looked('sign-in')
      await page.getByLabel('E-mail address').fill(someone.email)
      await page.getByLabel('Password').fill('not the password')
      await page.getByLabel('Code from').fill('000000')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('alert').first().waitFor()
      await looked('refused')
      await open(page, '/link/none')
      await looked('link over')
      expect(complaints).toEqual([])
    })
  })

  test('a passkey is set up by a link, signs in, and confirms the person', async () => {
    const someone = await person('Zawadi')
    await browser.visit(kinds[1]!, async ({ page, context, complaints }) => {
      const session = await context.newCDPSession(page)
      await session.send('WebAuthn.enable')
      await session.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
      await open(page, await link(someone))
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
      await page.goto(`${baseUrl}/account`)
      await signOut(page)
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
      await page.goto(`${baseUrl}/account`)
      await page.getByText('Chrome on').first().waitFor()
      await browser.screenshot(page, 'sign-in phone dark account with passkey')
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByText('This device has a passkey for you already.').waitFor()
      clock.advance(6 * 60_000)
      await page.getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      await page.getByRole('heading', { name: 'Your sign-in' }).waitFor()
      await page.getByRole('button', { name: 'Remove' }).click()
      await expect.poll(() => page.getByRole('button', { name: 'Remove' }).count(), { timeout: 60_000 }).toBe(0)
      expect(complaints).toEqual([])
    })
  })
})
