import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import {
  CHROMIUM,
  desktop,
  KINDS,
  launchBrowser,
  phone,
  phoneWithoutScript,
  type Kind,
  type TestBrowser,
} from '../../payment-page/testing/test-browser.ts'
import { present } from '../../domain/present.ts'
import { oneOfByDefault, testNightly } from '../../verification/testing/nightly.ts'
import { createTestDatabase } from '../../verification/testing/database.ts'
import { forFile } from '../../verification/testing/for-file.ts'
import { DEMO_KEYS, startTestGateway } from '../../verification/testing/gateway.ts'
import { collect, uniqueReference } from '../../verification/testing/requests.ts'
import { until } from '../../verification/testing/served-gateway.ts'
import type { Checks } from './inbox-message.ts'
import { LIVE_SCRIPT, LIVE_SCRIPT_PATH } from './live-script.ts'
import { verdicts } from './testing/signed-callback.ts'

// Clients of the inbox: scripts and people, with everything that they can do there.

if (CHROMIUM === undefined) console.log('No Chromium is installed: the browser tests of the inbox are skipped.')

const { connection } = await forFile(createTestDatabase())
const surroundings = { runJobs: true }
const gateway = await forFile(startTestGateway({ connection, surroundings, env: { MALIPO_SANDBOX_DELAY_MS: '0' } }))
const inbox = `${gateway.url}/sandbox/inbox`
beforeEach(() => gateway.pool.query('delete from sandbox.inbox'))

interface WireMessage {
  readonly id: number
  readonly delivery: number
  readonly merchant_reference: string
  readonly internal_reference: string
  readonly checks: Checks
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
const messages = async (query: string): Promise<readonly WireMessage[]> => {
  const reply = await fetch(`${inbox}?${query}`, { headers: { accept: 'application/json' } })
  return ((await reply.json()) as { readonly messages: readonly WireMessage[] }).messages
}
/** Makes a payment, and returns its callback. */
async function paid(msisdn = '256772000123'): Promise<WireMessage> {
  const reference = uniqueReference()
  await collect(gateway.url, { merchant_reference: reference, msisdn })
  await until(async () => (await messages(`reference=${reference}`)).length > 0, 15_000, 'the callback came')
  return present((await messages(`reference=${reference}`))[0], reference)
}
/** A message that no merchant's keys match. */
const forge = (payload: object, webhookId = 'cb_OF_NOBODY') =>
  fetch(inbox, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'webhook-id': webhookId },
    body: JSON.stringify({ event: 'transaction.completed', payload }),
  })

test('a resend makes Malipo deliver a callback again, under its webhook-id', async () => {
  const first = await paid()
  const resend = (site: string) =>
    fetch(`${inbox}/${first.id}/resend?reference=${first.merchant_reference}`, {
      method: 'POST',
      headers: { 'sec-fetch-site': site },
      redirect: 'manual',
    })
  expect((await resend('cross-site')).status).toBe(403)
  const reply = await resend('same-origin')
  expect([reply.status, reply.headers.get('location')]).toEqual([
    303,
    `/sandbox/inbox?reference=${first.merchant_reference}&sent=${first.id}`,
  ])
  await until(async () => (await messages('')).length === 2, 15_000, 'it came again')
  const second = present((await messages(''))[0], 'the second delivery')
  expect(second).toMatchObject({ delivery: 2, body: first.body })
  expect(verdicts(second.checks)).toEqual(['good', 'good', 'good'])
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
})

test('a message not sent by Malipo cannot be resent', async () => {
  await forge({ merchant_reference: 'OF-NOBODY-1' })
  const [message] = await messages('')
  const resend = (accept: string) => fetch(`${inbox}/${message?.id}/resend`, { method: 'POST', headers: { accept } })
  const reply = await resend('application/json')
  const why = expect.stringContaining('has no callback with this webhook-id') as string
  expect([reply.status, await reply.json()]).toEqual([404, expect.objectContaining({ message: why })])
  const page = await resend('text/html')
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(await page.text()).toContain('<h1>This is no callback of Malipo</h1>')
})

test('selects messages by state and by either reference', async () => {
  const [{ merchant_reference: reference, internal_reference: ours }, failed] = await Promise.all([
    paid(),
    paid('256772000002'),
  ])
  await forge({ merchant_reference: reference, transaction_status: 'COMPLETED' })
  await forge({ merchant_reference: failed.merchant_reference, transaction_status: 'CANCELLED' })
  expect((await messages(`reference=${ours}`)).map(({ merchant_reference }) => merchant_reference)).toEqual([reference])
  const of = async (one: string, state: string) => (await messages(`reference=${one}&state=${state}`)).length
  const states = ['completed', 'failed', 'cancelled', 'bad', 'handshakes']
  expect(await Promise.all(states.map((state) => of(reference, state)))).toEqual([2, 0, 0, 1, 0])
  expect(await Promise.all(states.map((state) => of(failed.merchant_reference, state)))).toEqual([0, 1, 1, 1, 0])
  const page = await (await fetch(`${inbox}?reference=${reference}&state=bad`)).text()
  const count = (state: string) => new RegExp(`id="count-${state}" data-live>(\\d+)<`).exec(page)?.[1]
  expect(['all', ...states].map(count)).toEqual(['2', '2', '0', '0', '1', '0'])
  expect(page).toContain(`<span class="anchor" id="of-${reference}"></span>`)
  expect((await fetch(`${inbox}?state=lost`)).status).toBe(400)
  const refused = await fetch(`${inbox}?state=lost`, { headers: { accept: 'text/html' } })
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('There is no such state</h1>')])
})

test("shows a transaction's events by either reference, without the account", async () => {
  const { merchant_reference: merchants, internal_reference: ours } = await paid()
  const sendRequest = (reference: string, accept: string) =>
    fetch(`${gateway.url}/sandbox/transactions/${reference}`, { headers: { accept } })
  const reported = (await (await sendRequest(merchants, 'application/json')).json()) as {
    readonly transactions: readonly { readonly internal_reference: string; readonly events: { kind: string }[] }[]
  }
  expect(reported.transactions.map(({ internal_reference }) => internal_reference)).toEqual([ours])
  expect(reported.transactions.flatMap(({ events }) => events.map(({ kind }) => kind))).toEqual(
    expect.arrayContaining(['accepted', 'submitted', 'settled', 'booked']),
  )
  const page = await (await sendRequest(ours, 'text/html')).text()
  expect(page).toContain('<strong>settled</strong>')
  expect(page).not.toContain('256772000123')
  expect((await sendRequest('NOBODYS-REFERENCE', 'text/html')).status).toBe(404)
})

test("the stream sends the inbox's content at once, and again when it changes", async () => {
  const stream = await fetch(`${inbox}/stream`)
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const reader = present(stream.body, 'a body').pipeThrough(new TextDecoderStream()).getReader()
  const next = async () => {
    for (let text = ''; ;) {
      text += (await reader.read()).value ?? ''
      const version = /data: (\S+)\n\n/.exec(text)?.[1]
      if (version !== undefined) return version
    }
  }
  const before = await next()
  await forge({})
  expect(await next()).not.toBe(before)
  await reader.cancel()
  const script = await fetch(gateway.url + LIVE_SCRIPT_PATH)
  expect(await script.text()).toBe(LIVE_SCRIPT)
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})

test('shows API requests, without pages, keys, queries and bodies', async () => {
  const requestAfter = async (after: number) => {
    const reply = await fetch(`${gateway.url}/sandbox/requests?after=${after}`)
    return ((await reply.json()) as { readonly requests: readonly { readonly id: number }[] }).requests
  }
  const last = (await requestAfter(0)).at(-1)?.id ?? 0
  const headers = { ...DEMO_KEYS, 'x-api-version': '1' }
  await (await fetch(`${gateway.url}/data/wallet-balances?currency=UGX`, { headers })).text()
  const [request, ...others] = await requestAfter(last)
  expect([request, others]).toEqual([
    {
      id: expect.any(Number) as number,
      at: expect.any(String) as string,
      method: 'GET',
      path: '/data/wallet-balances',
      status: 200,
      ms: expect.any(Number) as number,
    },
    [],
  ])
})

describe.skipIf(CHROMIUM === undefined)('the inbox in a real browser', () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await launchBrowser(process.env.SCREENSHOTS)
  })
  afterEach(() => browser.closeVisits())
  afterAll(() => browser?.close())

  const LIVE = 'Live: what arrives appears here by itself.'
  const messageOf = (page: Page, reference: string) => page.getByRole('article').filter({ hasText: reference })

  test('new messages appear above an opened one, without a reload, and are counted', async () => {
    const { page, complaints } = await browser.open(phone)
    await page.goto(inbox)
    await page.getByText(LIVE).waitFor()
    const first = (await paid()).merchant_reference
    await messageOf(page, first).getByText('Headers').click()
    const second = (await paid('256772000002')).merchant_reference
    await messageOf(page, second).waitFor()
    await page.getByText('1 new message.').waitFor()
    expect(await page.getByRole('article').count()).toBe(2)
    expect(await page.getByRole('article').first().textContent()).toContain(second)
    expect(await messageOf(page, first).locator('details[open]').count()).toBe(1)
    expect(await page.getByRole('link', { name: 'Failed' }).textContent()).toBe('Failed 1')
    expect(complaints).toEqual([])
  })

  test('a button resends a callback, which arrives as its second delivery', async () => {
    const { page, complaints } = await browser.open(desktop)
    const reference = (await paid()).merchant_reference
    await page.goto(`${inbox}?reference=${reference}`)
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('goes out again under its webhook-id').waitFor()
    await page.getByText('2nd delivery').first().waitFor()
    expect(new URL(page.url()).search).toBe(`?reference=${reference}`)
    await page.getByRole('link', { name: 'Events' }).first().click()
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await page.getByText('callback resent').waitFor()
    expect(complaints).toEqual([])
  })

  test('without script a reload shows new messages, and links select states', async () => {
    const { page } = await browser.open(phoneWithoutScript)
    await page.goto(inbox)
    await page.getByText('Nothing has arrived yet').waitFor()
    await forge({ merchant_reference: 'FORGED-0001' })
    await page.getByRole('link', { name: 'Refresh' }).click()
    await messageOf(page, 'FORGED-0001').waitFor()
    await page.getByRole('link', { name: 'Completed' }).click()
    await page.getByText('Only “Completed” is shown.').waitFor()
    await page.getByRole('link', { name: 'Bad signatures' }).click()
    await messageOf(page, 'FORGED-0001').waitFor()
  })

  /** Opens the pages in this kind of browser window and checks them. */
  async function looksRight(kind: Kind, pages: Readonly<Record<string, string>>): Promise<void> {
    const { page, complaints } = await browser.open(kind)
    for (const [name, url] of Object.entries(pages)) {
      await page.goto(url)
      if (kind.script && name.startsWith('inbox')) await page.getByText(LIVE).waitFor()
      await browser.screenshot(page, `${name} ${kind.name}`)
      expect(await browser.faultsOf(page, kind)).toEqual([])
      expect(await browser.widthBeyond(page)).toBe(0)
    }
    expect(complaints).toEqual([])
  }
  const ofKinds = oneOfByDefault('sizes, scripts and schemes')

  test.each(ofKinds(KINDS))('$name: axe finds nothing, and nothing is wider than the screen', async (kind) => {
    const { merchant_reference: reference } = await paid()
    await forge({ merchant_reference: 'FORGED-0002' })
    await looksRight(kind, {
      inbox: `${inbox}?sent=1#of-${reference}`,
      events: `${gateway.url}/sandbox/transactions/${reference}`,
    })
  })

  testNightly.each(KINDS)('$name: axe finds nothing on rarely opened pages, and they fit the screen', async (kind) => {
    const { merchant_reference: reference, id } = await paid()
    await looksRight(kind, {
      message: `${inbox}/${id}`,
      'inbox none': `${inbox}?reference=${reference}&state=failed`,
      'inbox empty': `${inbox}?reference=NOBODYS-0001`,
      missing: `${gateway.url}/sandbox/transactions/NONE`,
    })
  })
})
