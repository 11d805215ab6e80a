import { expect, test } from 'vitest'
import { headingOf } from '../sign-in/testing/sign-in-test.ts'
import { controlTest, RAIL } from './testing/control-test.ts'

// Reconciliation, rails, reports and statements, as a person without script uses them.

const { gateway, person, setUp, clock } = await controlTest()
const { browser } = await setUp(await person('Amina Finance', 'finance'))
const texts = (body: string) => body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

test('ends a difference after a note, and keeps what was typed when refused', async () => {
  const list = await browser.get('/reconciliation')
  const paths = [...new Set([...list.body.matchAll(/href="(\/reconciliation\/\d+)"/g)].map(([, path = '']) => path))]
  expect(paths.length).toBeGreaterThan(2)
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
