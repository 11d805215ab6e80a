import { expect, test } from 'vitest'
import { csvOf, plantedStatement } from '../queries/statements/testing/planted-statement.ts'
import { headingOf } from '../sign-in/testing/sign-in-test.ts'
import { controlTest, RAIL } from './testing/control-test.ts'

// Reconciliation, rails, reports and statements, as a person without script uses them.

const { gateway, person, setUp, clock, baseUrl } = await controlTest()
const { browser } = await setUp(await person('Amina Finance', 'finance'))
const texts = (body: string) => body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

test('ends a difference after a note, and keeps what was typed when refused', async () => {
  const list = await browser.get('/reconciliation')
  const paths = [...new Set([...list.body.matchAll(/href="(\/reconciliation\/\d+)"/g)].map(([, path = '']) => path))]
  expect(paths.length).toBeGreaterThan(2)
  expect(list.body).toMatch(/Reconciliation<span class="count"><span aria-hidden="true">\d+</)
  const [path = ''] = paths
  await browser.get(path)
  const refused = await browser.post(`${path}/note`, { idempotency_key: 'a', note: 'password: hunter2' })
  expect(refused.body).toContain('value="password: hunter2"')
  expect(refused.body).toContain('note must hold no password')
  expect((await browser.post(`${path}/note`, { idempotency_key: 'b', note: 'Asked MTN' })).location).toBe(path)
  expect((await browser.post(`${path}/assign`, { idempotency_key: 'c', who: 'me', to: '' })).location).toBe(path)
  const shown = texts((await browser.get(path)).body)
  expect(shown).toContain('Asked MTN')
  expect(shown).toContain('Assigned to Amina Finance')
  const end = { idempotency_key: 'd', reason: 'Our own top-up', move_to: 'outside' }
  for (const _twice of [1, 2]) expect((await browser.post(`${path}/end`, end)).location).toBe(path)
  expect(texts((await browser.get(path)).body)).toContain('Our own top-up')
  const { rows } = await gateway.pool.query(`select from audit_log where command = 'reconcile end'`)
  expect(rows).toHaveLength(1)
})

test('shows a rail account, and says why its balance cannot be read', async () => {
  expect((await browser.get('/rails')).body).toContain(`href="/rails/${RAIL}"`)
  const shown = texts((await browser.get(`/rails/${RAIL}`)).body)
  expect(shown).toContain('payer.partyId')
  const read = await browser.post(`/rails/${RAIL}/balance`)
  expect(read.body).toMatch(/cannot be asked now|Read just now/)
})

test('a statement of the page and its file close with the same balance', async () => {
  const month = clock.now().toISOString().slice(0, 7)
  const { body } = await browser.get(`/reports/statements?merchant=pub_sandbox_demo&month=${month}`)
  expect(texts(body)).toContain('Closing balance')
  const file = await browser.get(`/reports/statements.csv?merchant=pub_sandbox_demo&month=${month}`)
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="statement-${month}.csv"`)
  expect(file.body).toMatch(/^wallet,currency,at,what,/)
})

test('people of a merchant see their own statement and no page of staff', async () => {
  const owner = await setUp(await person('Otieno Owner', 'owner', 1n))
  const own = await owner.browser.get('/statement')
  expect([own.status, headingOf(own)]).toEqual([200, expect.stringContaining('Statement of')])
  expect(texts((await owner.browser.get('/statement?merchant=2')).body)).toContain('Duka la Mfano')
  for (const path of ['/reconciliation', `/rails/${RAIL}`, '/reports', '/reports/balances.csv'])
    expect((await owner.browser.get(path)).status).toBe(404)
})

test('connects an operator, changes and removes it; what is wrong keeps no secret', async () => {
  const { browser: devi } = await setUp(await person('Devi', 'developer'))
  expect(await devi.get('/connect/nothing')).toMatchObject({ status: 404 })
  const secret = 'a-password-of-nobody'
  const typed = {
    rail_account: 'mtn-form',
    currency: 'ugx',
    base_url: 'http://127.0.0.1:9191',
    target_environment: '',
    collection_subscription_key: secret,
    collection_api_user: '00000000-0000-4000-8000-000000000001',
    collection_api_key: secret,
    reason: 'A new country',
  }
  expect((await devi.get('/connect')).body).toContain('href="/connect/mtn-momo"')
  await devi.get('/connect/mtn-momo')
  const refused = await devi.post('/connect/mtn-momo', { idempotency_key: 'a', ...typed })
  expect(refused.body).toContain('<a href="#target_environment">target_environment is missing')
  expect(refused.body).toContain('value="mtn-form"')
  expect(refused.body).not.toContain(secret)
  const whole = { idempotency_key: 'b', ...typed, target_environment: 'sandbox' }
  expect((await devi.post('/connect/mtn-momo', whole)).location).toBe('/rails/mtn-form')
  const path = '/rails/mtn-form/settings'
  expect((await devi.get(path)).body).toContain('Now: set, not shown')
  const change = { idempotency_key: 'c', requests_per_second: '20', tokens: 'new', reason: 'MTN allows more' }
  expect((await devi.post(path, change)).location).toBe('/rails/mtn-form')
  expect(texts((await devi.get('/rails/mtn-form')).body)).toMatch(/requests_per_second 20 /)
  const removal = { idempotency_key: 'd', reason: 'It was a test' }
  expect((await devi.post('/rails/mtn-form/remove', removal)).location).toBe('/rails')
})

test('imports the file of a form without script, and asks for one', async () => {
  const { body } = await browser.get('/reconciliation/import')
  const hidden = [...body.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const send = async (content: string) => {
    const form = new FormData()
    for (const [, name = '', value = ''] of hidden) form.set(name, value)
    form.set('rail_account', RAIL)
    form.set('content', new Blob([content]), 'day-3.csv')
    const headers = { origin: baseUrl, cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; ') }
    return fetch(`${baseUrl}/reconciliation/import`, { method: 'POST', body: form, headers, redirect: 'manual' })
  }
  expect(await (await send('')).text()).toContain('Choose the file.')
  const [header = '', line = ''] = [...csvOf(plantedStatement(9, 1, 0, clock.now()).lines)]
  const large = await send(`${header}${line}${'\n'.repeat(1_200_000)}`)
  expect([large.status, large.headers.get('location')]).toEqual([303, '/reconciliation/statements'])
  expect((await send('x'.repeat(4_300_000))).status).toBe(413)
  expect(texts((await browser.get('/reconciliation/statements')).body)).toContain('day-3.csv')
  expect((await browser.get('/reconciliation/claims')).body).toContain('None waits')
  expect((await browser.get('/reconciliation/pull')).body).toContain('type="date"')
})
