import { expect, test as testOfBoth } from 'vitest'
import { examine } from '../../admin/queries/doctor.ts'
import { collect, payOut, uniqueMsisdn, verify } from '../../verification/testing/requests.ts'
import { byForm, testOfSimulatedRails } from '../../verification/testing/sandbox-rails.ts'
import { inboxTest } from './testing/inbox-test.ts'

const { gateway, clock, inbox, messages, deliver } = await inboxTest()
const test = testOfSimulatedRails('operators on the wire have phones of their own')

/** A payment whose number ends so, at the moment when its rail has it. @returns its internal reference */
async function waiting(send: typeof collect, change: Readonly<Record<string, unknown>>): Promise<string> {
  const { body } = await send(gateway.url, change)
  await gateway.runDue()
  return String(body.data['internal_reference'])
}

const pageOf = async (reference: string): Promise<string> =>
  (await fetch(`${gateway.url}/sandbox/transactions/${reference}`, { headers: { accept: 'text/html' } })).text()

const press = (reference: string, decision: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${gateway.url}/sandbox/transactions/${reference}/${decision}`, { method: 'POST', headers, redirect: 'manual' })

const stateOf = async (reference: string): Promise<unknown> =>
  (await verify(gateway.url, reference)).body.data['transaction_status']

test('ends a waiting collection by the button pressed, with its callback', async () => {
  for (const [decision, status] of [
    ['approve', 'COMPLETED'],
    ['decline', 'FAILED'],
  ] as const) {
    const reference = await waiting(collect, { msisdn: uniqueMsisdn('006') })
    expect(await pageOf(reference)).toContain(`action="/sandbox/transactions/${reference}/${decision}"`)
    const pressed = await press(reference, decision)
    expect([pressed.status, pressed.headers.get('location')]).toEqual([
      303,
      `/sandbox/transactions/${reference}?decided=${decision}`,
    ])
    await deliver()
    expect((await messages(`reference=${reference}`)).map((one) => one.transaction_status)).toEqual([status])
    expect(await pageOf(reference)).not.toContain('/approve')
    expect((await press(reference, decision)).status).toBe(409)
  }
})

test('declines a waiting payout, and lets a slow customer answer early', async () => {
  const payout = await waiting(payOut, { account_number: uniqueMsisdn('006') })
  const slow = await waiting(collect, { msisdn: uniqueMsisdn('010') })
  await press(payout, 'decline')
  await press(slow, 'approve')
  clock.advance(120_000)
  await deliver()
  const ends = await Promise.all([payout, slow].map((reference) => messages(`reference=${reference}`)))
  expect(ends.map((all) => all.flatMap((one) => one.transaction_status ?? []))).toEqual([['FAILED'], ['COMPLETED']])
  expect((await examine(gateway.pool, clock.now())).filter(({ found }) => found > 0)).toEqual([])
})

test('a customer pays each simulated provider unasked, once each, on suspense', async () => {
  const unasked = (body: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${gateway.url}/sandbox/payments`, {
      method: 'POST',
      body: new URLSearchParams({ account: '256772000123', amount: '5000', reference: 'INV-7', ...body }),
      headers: { accept: 'application/json', ...headers },
      redirect: 'manual',
    })
  expect((await unasked({ provider: 'mtn_ug' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  for (const wrong of [{ provider: 'nobody' }, { amount: '0' }, { amount: '1.5' }, { account: 'me' }])
    expect((await unasked({ provider: 'mtn_ug', ...wrong })).status).toBe(400)
  const page = await unasked({ provider: 'mtn_ug' }, { accept: 'text/html' })
  expect(page.headers.get('location')).toMatch(/^\/sandbox\/inbox\?paid=SIM/)
  const html = await (await fetch(new URL(String(page.headers.get('location')), gateway.url))).text()
  const codes = [...html.matchAll(/<option value="(\w+)"/g)].map(([, code = '']) => code)
  expect(codes.length).toBeGreaterThan(10)
  for (const provider of codes) expect((await unasked({ provider })).status).toBe(200)
  await deliver()
  const { rows } = await gateway.pool.query<{ paid: number; booked: number; suspense: boolean }>(
    `select count(*)::int as paid, count(line_id)::int as booked, sum(amount_minor) = (select sum(suspense_minor)
       from reconciliation_exceptions where kind = 'unclear' and ended_at is null) as suspense from unrequested_payments`,
  )
  expect(rows).toEqual([{ paid: codes.length + 1, booked: codes.length + 1, suspense: true }])
  expect((await examine(gateway.pool, clock.now())).filter(({ found }) => found > 0)).toEqual([])
})

test('takes no decision from the page of another site, of two clicks one', async () => {
  const reference = await waiting(collect, { msisdn: uniqueMsisdn('006') })
  expect((await press(reference, 'approve', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const clicks = await Promise.all([press(reference, 'approve'), press(reference, 'decline')])
  expect(new Set(clicks.map(({ status }) => status))).toEqual(new Set([303, 409]))
  expect((await press('MLPNOBODYS', 'approve')).status).toBe(404)
  await deliver()
  expect(await stateOf(reference)).not.toBe('PROCESSING')
})

test('the inbox lists what has not called back, with the reason', async () => {
  const list = async (query: string): Promise<string> => {
    const page = await (await fetch(`${inbox}?${query}`, { headers: { accept: 'text/html' } })).text()
    return /<div id="waiting"[\s\S]*?<\/section>/.exec(page)?.[0] ?? ''
  }
  const reference = await waiting(collect, { msisdn: uniqueMsisdn('006') })
  expect(await list(`reference=${reference}`)).toMatch(
    /PROCESSING[\s\S]*Waiting for the customer.{1,6}s approval, since/,
  )
  await gateway.pool.query("update merchants set collection_callback_url = $1 || '?answer=503'", [inbox])
  await gateway.refresh()
  await press(reference, 'approve')
  await deliver()
  expect(await list(`reference=${reference}`)).toMatch(
    /COMPLETED[\s\S]*The first attempt failed \(HTTP 503\); the next/,
  )
  expect(await list('reference=NOBODYS-0001')).toBe('')
  await gateway.pool.query('update merchants set collection_callback_url = $1', [inbox])
  await gateway.refresh()
  clock.advance(60_000)
  await deliver()
  expect(await list(`reference=${reference}`)).toBe('')
})

testOfBoth('leads to the phones of an operator on the wire', async () => {
  const page = await pageOf(await waiting(collect, { msisdn: uniqueMsisdn('006') }))
  expect([page.includes('/phone">The operator'), page.includes('/approve"')]).toEqual(
    byForm([false, true], [true, false]),
  )
})
