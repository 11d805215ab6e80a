import { parse } from 'csv-parse/sync'
import createClient from 'openapi-fetch'
import { beforeAll, expect, test } from 'vitest'
import type { paths } from '../../../generated/admin.d.ts'
import { present } from '../../domain/present.ts'
import { addMerchant } from '../../verification/testing/another-merchant.ts'
import { collect, payOut, uniqueReference } from '../../verification/testing/requests.ts'
import { adminApiTest } from './testing/admin-api-test.ts'

const { gateway, clock, after, token, client, key, baseUrl, merchantsUrl, receiver } = await adminApiTest()
const { pool } = gateway
const finance = client(await token('finance'))
const other = await addMerchant(gateway, { name: 'Another shop' }, clock.now())
const ownClient = (bearer: string) =>
  createClient<paths>({ baseUrl: `${merchantsUrl}/api`, headers: { authorization: `Bearer ${bearer}` } })
const [demo = { id: 0n }] = (
  await pool.query<{ id: bigint }>(`select id from merchants where public_key = 'pub_sandbox_demo'`)
).rows
const ownerOfDemo = ownClient(await token('owner', demo.id))
const ownerOfOther = ownClient(await token('owner', other.id))

const ACCOUNT = '256772888123'
const [FAILING, PAID] = [uniqueReference(), uniqueReference()]

beforeAll(async () => {
  await pool.query('update merchants set collection_callback_url = $1 where id = $2', [receiver.url, demo.id])
  await gateway.refresh()
  receiver.answer(500)
  await collect(gateway.url, { merchant_reference: PAID, msisdn: ACCOUNT, amount: 71_300 })
  await collect(gateway.url, { merchant_reference: FAILING, amount: 9_100, customer_name: 'John Okello Peter' })
  await payOut(gateway.url, { merchant_reference: uniqueReference(), customer_name: 'Amina Nakato' })
  await collect(
    gateway.url,
    { merchant_reference: uniqueReference(), amount: 9_100 },
    { 'public-key': other.publicKey },
  )
  for (let n = 0; n < 4; n += 1) await after(3_000)
})

const found = async (query: Readonly<Record<string, string | boolean>>, by = finance) => {
  const { data, error } = await by.GET('/payments', { params: { query } })
  return error ? error.message : present(data, 'payments').data.items.map((one) => one.merchant_reference)
}
const shown = async (payment: string, by = finance) =>
  (await by.GET('/payments/{payment}', { params: { path: { payment } } })).data?.data

test('one field finds a payment by whatever somebody knows of it', async () => {
  const { payment } = present(await shown(PAID), 'the payment')
  const operatorId = (await shown(PAID))?.operator_references[0]?.reference
  const known = [PAID, payment.internal_reference, payment.id, '0772 888 123', '+256 772-888123', '71,300', 'UGX 71300']
  for (const q of [...known, ...(operatorId === undefined ? [] : [operatorId])])
    expect([q, await found({ q })]).toEqual([q, [PAID]])
  for (const q of ['john', 'PETER', 'John Okello', 'okello peter', 'John Okello Peter'])
    expect([q, await found({ q })]).toEqual([q, [FAILING]])
  for (const q of ['John Nakato', '0772 888 124', '71,301', 'nothing at all']) expect(await found({ q })).toEqual([])
  expect(await found({ q: PAID, status: 'FAILED' })).toEqual([])
})

test('filters and pages, each naming the next one; a wrong cursor is refused', async () => {
  const all = (await found({ merchant: 'pub_sandbox_demo' })) as string[]
  expect(all).toHaveLength(3)
  const pages: string[] = []
  for (let next: string | undefined = ''; next !== undefined;) {
    const query: { merchant: string; limit: number; after?: string } = { merchant: 'pub_sandbox_demo', limit: 2 }
    if (next !== '') query.after = next
    const { data } = await finance.GET('/payments', { params: { query } })
    pages.push(...present(data, 'a page').data.items.map((one) => one.merchant_reference))
    next = data?.data.next
  }
  expect(pages).toEqual(all)
  expect(await found({ amount: '9,100', merchant: 'pub_sandbox_demo' })).toEqual([FAILING])
  expect(await found({ type: 'PAYOUT', provider: 'mtn_ug' })).toHaveLength(1)
  expect(await found({ amount: 'much' })).toMatch(/^amount must be an amount/)
  expect(await found({ after: 'amount:12' })).toBe('after must be the next of a previous page')
  expect(await found({ stuck: true, q: 'x' })).toBe('stuck goes with merchant, after and limit only')
})

test('shows a payment with what can be done by whom, and its course, masked', async () => {
  const { payment, actions } = present(await shown(PAID), 'the payment')
  expect(payment).toMatchObject({ transaction_status: 'COMPLETED', transaction_account: '*********123' })
  expect(actions).toContainEqual({
    operation: 'callback resend',
    allowed: true,
    roles: ['admin', 'finance', 'support', 'developer'],
  })
  const { data } = await finance.GET('/payments/{payment}/timeline', { params: { path: { payment: PAID } } })
  const { events, callbacks } = present(data, 'the course').data
  expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['accepted', 'submitted', 'booked']))
  expect(callbacks).toMatchObject([
    { event: 'transaction.completed', attempts_made: [{ http_status: 500 }, { http_status: 500 }] },
  ])
  expect(callbacks[0]?.body).toContain('*********123')
  expect(JSON.stringify(data)).not.toContain(ACCOUNT)
})

test('shows the whole account for a reason, which the audit log has', async () => {
  const full = (reason: string, by = finance) =>
    by.POST('/payments/{payment}/full', { params: { path: { payment: PAID } }, body: { reason } })
  expect((await full('The customer asks')).data?.data.transaction_account).toBe(ACCOUNT)
  expect((await full('no')).response.status).toBe(400)
  const { rows } = await pool.query(
    `select reason, merchant_id from audit_log where command = 'transaction show --full'`,
  )
  expect(rows).toEqual([{ reason: 'The customer asks', merchant_id: demo.id }])
})

test('decides a payment once, and only one that is open', async () => {
  const reference = uniqueReference()
  await collect(gateway.url, { merchant_reference: reference, msisdn: '256772888006' })
  await after(3_000)
  type Outcome = { status: 'COMPLETED' } | { status: 'FAILED'; message: string }
  const resolve = (payment: string, body: Outcome, headers = key()) =>
    finance.POST('/payments/{payment}/resolve', {
      params: { path: { payment }, header: headers },
      body: { reason: 'Ticket 4711', ...body },
    })
  const unexplained = await resolve(reference, { status: 'FAILED' } as Outcome)
  expect(unexplained.error?.message).toBe('message is required')
  const headers = key()
  for (const _twice of [1, 2])
    expect((await resolve(reference, { status: 'FAILED', message: 'No transfer' }, headers)).data?.data).toMatchObject({
      resolution: 'resolved',
    })
  expect((await shown(reference))?.payment.status_message).toBe('No transfer')
  expect((await resolve(PAID, { status: 'COMPLETED' })).response.status).toBe(409)
})

test('lists callbacks that failed or wait, and sends them again', async () => {
  const listed = async (query: object, by = finance) =>
    (await by.GET('/callbacks', { params: { query } })).data?.data.items.map((one) => one.merchant_reference)
  expect(await listed({ state: 'retrying' })).toEqual(expect.arrayContaining([PAID, FAILING]))
  expect(await listed({ state: 'failed' })).toEqual([])
  expect(await listed({ payment: PAID })).toEqual([PAID])
  const [callback] = (await finance.GET('/callbacks', { params: { query: { payment: PAID } } })).data?.data.items ?? []
  const { id } = present(callback, 'the callback')
  const path = { callback: id }
  const sent = await finance.POST('/callbacks/{callback}/resend', { params: { path, header: key() }, body: {} })
  expect(sent.data?.data).toEqual({ callbacks: 1, first: id, last: id, more: false })
  await after(10_000)
  expect((await finance.GET('/callbacks/{callback}', { params: { path } })).data?.data.status).toBe('DELIVERED')
  const many = (body: { since: string; merchant?: string }, by = finance) =>
    by.POST('/callbacks/resend', { params: { header: key() }, body })
  expect((await many({ since: '2026-01-01T00:00:00Z', merchant: 'pub_sandbox_demo' })).data?.data).toMatchObject({
    callbacks: 4,
    more: false,
  })
  expect((await many({} as { since: string })).error?.message).toBe('since is required')
})

test('exports what matches as a CSV file', async () => {
  const bearer = await token('read-only')
  const reply = await fetch(`${baseUrl}/api/payments/export?q=71300`, {
    headers: { authorization: `Bearer ${bearer}` },
  })
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(parse(await reply.text(), { columns: true })).toMatchObject([
    { merchant_reference: PAID, transaction_account: '*********123' },
  ])
})

test('people of a merchant see and do nothing with what another has', async () => {
  expect(await found({}, ownerOfDemo)).toContain(PAID)
  expect(await found({}, ownerOfOther)).toHaveLength(1)
  expect(await found({ q: '9100' }, ownerOfOther)).not.toContain(FAILING)
  expect(await found({ merchant: 'pub_sandbox_demo' }, ownerOfOther)).toBe('there is no merchant pub_sandbox_demo')
  const params = { path: { payment: PAID } }
  await pool.query(
    `insert into operator_exchanges (rail_account, purpose, order_id, at, duration_ms, method, path, request)
     select 'mtn', 'submit', rail_order_id, created_at, 40, 'POST', '/pay', '{}' from transactions
     where merchant_reference = $1`,
    [PAID],
  )
  const course = async (by: typeof finance) => {
    const { data } = await by.GET('/payments/{payment}/timeline', { params })
    const { events, exchanges } = present(data, 'the course').data
    return {
      exchanges: exchanges.length,
      accounts: events.flatMap(({ entries = [] }) => entries.map((one) => one.account)),
    }
  }
  const accounts = ['charges', 'collection_available', 'rail of mtn_ug']
  expect(await course(finance)).toEqual({ exchanges: 1, accounts: expect.arrayContaining(accounts) })
  expect(await course(ownerOfDemo)).toEqual({ exchanges: 0, accounts: ['collection_available'] })
  expect((await shown(PAID, ownerOfDemo))?.payment.rail_account).toBeUndefined()
  expect((await ownerOfDemo.GET('/callbacks')).data?.data.items.length).toBeGreaterThan(1)
  expect((await ownerOfOther.GET('/callbacks')).data?.data.items).toMatchObject([
    { merchant_public_key: other.publicKey },
  ])
})

const refund = (payment: string, body: { amount?: string; reference?: string }, by = finance, headers = key()) =>
  by.POST('/payments/{payment}/refund', {
    params: { path: { payment }, header: headers },
    body: { reason: 'One of two returned', ...body },
  })

test('refunds a part once, then the rest, and says what is left', async () => {
  const headers = key()
  const [{ data }, again] = [
    await refund(PAID, { amount: '1300' }, finance, headers),
    await refund(PAID, { amount: '1300' }, finance, headers),
  ]
  expect(again.data).toEqual(data)
  expect((await refund(PAID, { amount: '70001' })).error?.message).toBe(
    'amount must be at most 70000 UGX: that is left to refund',
  )
  for (const [by, status] of [
    [client(await token('support')), 403],
    [ownerOfOther, 404],
  ] as const)
    expect((await refund(PAID, {}, by)).response.status).toBe(status)
  expect((await refund(PAID, { reference: 'BACK-2026-0001' }, ownerOfDemo)).response.status).toBe(200)
  expect((await refund(PAID, {})).error?.message).toMatch(/is refunded: nothing is left of it$/)
  await after(3_000)
  const { refunds, actions } = present(await shown(PAID), 'the payment')
  expect(refunds).toMatchObject({
    items: [
      { transaction_status: 'COMPLETED', request_amount: 1_300 },
      { merchant_reference: 'BACK-2026-0001', transaction_status: 'COMPLETED', request_amount: 70_000 },
    ],
    refunded_amount: 71_300,
    left_amount: 0,
  })
  expect(actions.map(({ operation }) => operation)).not.toContain('transaction refund')
})

test('cancels a payout that waits, and none that has ended', async () => {
  await pool.query(`insert into approval_rules (operation, created_at) values ('payouts', $1)`, [clock.now()])
  const payment = uniqueReference()
  await payOut(gateway.url, { merchant_reference: payment })
  const cancel = (by: typeof finance) =>
    by.POST('/payments/{payment}/cancel', {
      params: { path: { payment }, header: key() },
      body: { reason: 'Paid in cash' },
    })
  expect((await cancel(ownerOfOther)).response.status).toBe(404)
  expect((await shown(payment, ownerOfDemo))?.actions).toContainEqual({
    operation: 'transaction cancel',
    allowed: true,
    roles: ['owner', 'finance'],
  })
  expect((await cancel(ownerOfDemo)).response.status).toBe(200)
  expect((await shown(payment))?.payment.status_message).toBe('Payout cancelled by the merchant')
  expect((await cancel(finance)).error?.message).toMatch(/is FAILED: it cannot be cancelled any more$/)
})
