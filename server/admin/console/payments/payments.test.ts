import { beforeAll, expect, test } from 'vitest'
import { present } from '../../../domain/present.ts'
import { faultsInBooks } from '../../../verification/testing/books.ts'
import { addMerchant } from '../../../verification/testing/another-merchant.ts'
import { DEMO_KEYS } from '../../../verification/testing/gateway.ts'
import { collect, payOut, uniqueReference } from '../../../verification/testing/requests.ts'
import { alertOf, headingOf, signInTest } from '../../sign-in/testing/sign-in-test.ts'

// People look for payments, see what happened, and act, with a browser without script.

const { gateway, clock, after, person, setUp, browser, receiver } = await signInTest()
const { pool } = gateway
const [demo = { id: 0n }] = (
  await pool.query<{ id: bigint }>(`select id from merchants where public_key = 'pub_sandbox_demo'`)
).rows
const other = await addMerchant(gateway, { name: 'Another shop' }, clock.now())
const { browser: finance } = await setUp(await person('Amina', 'finance'))
const { browser: reader } = await setUp(await person('Rita', 'read-only'))
const { browser: owner } = await setUp(await person('Owen', 'owner', demo.id), browser(undefined, 'merchants'))
const { browser: stranger } = await setUp(await person('Sara', 'owner', other.id), browser(undefined, 'merchants'))

const ACCOUNT = '256772888123'
const [PAID, OPEN, FAILED, ASKED] = [uniqueReference(), uniqueReference(), uniqueReference(), uniqueReference()]
const attemptsOf = async (path: string): Promise<number> =>
  present(
    (await pool.query<{ attempts: number }>('select attempts from callbacks where id = $1', [path.split('/')[2]]))
      .rows[0],
    'the callback',
  ).attempts
const idOf = async (reference: string): Promise<string> =>
  String(
    present(
      (await pool.query<{ id: bigint }>('select id from transactions where merchant_reference = $1', [reference]))
        .rows[0],
      'the payment',
    ).id,
  )

beforeAll(async () => {
  await pool.query('update merchants set collection_callback_url = $1 where id = $2', [receiver.url, demo.id])
  await gateway.refresh()
  receiver.answer(500)
  await collect(gateway.url, { merchant_reference: PAID, msisdn: ACCOUNT, customer_name: '<b>Akello</b> Nakato' })
  await collect(gateway.url, { merchant_reference: OPEN, msisdn: '256772888006' })
  await collect(gateway.url, { merchant_reference: ASKED, msisdn: '256772888006' })
  await payOut(gateway.url, { merchant_reference: FAILED, account_number: '256772888002' })
  for (let n = 0; n < 3; n += 1) await after(3_000)
})

test('a search with one hit leads straight to the payment', async () => {
  for (const q of [PAID, '0772 888 123'])
    expect((await finance.get(`/payments?q=${encodeURIComponent(q)}`)).location).toBe(`/payments/${await idOf(PAID)}`)
  const { body } = await finance.get('/payments?q=nothing')
  expect(body).toContain('No payment matches')
})

test('filters in the address select, and a wrong one keeps what was typed', async () => {
  const { body } = await finance.get('/payments?status=FAILED')
  expect(body).toContain(FAILED)
  expect(body).not.toContain(PAID)
  const wrong = (await finance.get('/payments?amount=much')).body
  expect(wrong).toContain('value="much"')
  expect(wrong).toContain('amount must be an amount')
  const csv = await finance.get('/payments.csv?status=FAILED')
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(csv.body.split('\r\n').filter((line) => line.includes('TEST-'))).toHaveLength(1)
})

test('a person saves a view, and another does not see it', async () => {
  await finance.get('/payments?type=PAYOUT')
  const saved = await finance.post('/payments/views', { name: 'My payouts', query: 'type=PAYOUT' })
  expect(saved.location).toBe('/payments?type=PAYOUT')
  expect((await finance.get('/payments')).body).toContain('>My payouts</a>')
  expect((await reader.get('/payments')).body).not.toContain('My payouts')
  expect((await finance.post('/payments/views', { remove: 'My payouts' })).location).toBe('/payments')
  expect((await finance.get('/payments')).body).not.toContain('>My payouts</a>')
})

test('a payment stands in one sentence, with its course and what may be done', async () => {
  const path = `/payments/${await idOf(PAID)}`
  const { body } = await finance.get(path)
  expect(body).toContain('The customer paid UGX')
  expect(body).toContain('HTTP 500')
  expect(body).toContain(`action="${path}/resend"`)
  expect(body).not.toContain(ACCOUNT)
  expect(body).not.toContain('<b>Akello')
  const theirs = (await reader.get(path)).body
  expect(theirs).not.toContain(`action="${path}/resend"`)
  expect(theirs).toContain('For admin, finance, support, developer only.')
  for (const form of ['full', 'resolve']) expect((await reader.get(`${path}/${form}`)).status).toBe(403)
})

test('a whole account is shown for a reason, once', async () => {
  const path = `/payments/${await idOf(PAID)}/full`
  await finance.get(path)
  const refused = await finance.post(path, { reason: 'x' })
  expect(refused.body).toContain('value="x"')
  const { body } = await finance.post(path, { reason: 'The customer asks' })
  expect(body).toContain(ACCOUNT)
  expect(body).toContain('b&#62;Akello')
})

test('an open payment is decided, and a wrong form keeps what was typed', async () => {
  const path = `/payments/${await idOf(OPEN)}`
  await finance.get(`${path}/resolve`)
  const refused = await finance.post(`${path}/resolve`, { status: 'FAILED', reason: 'Ticket 4711' })
  expect(refused.body).toContain('value="Ticket 4711"')
  expect(refused.body).toContain('message is required')
  const fields = { status: 'FAILED', message: 'No transfer', reason: 'Ticket 4711', idempotency_key: 'once' }
  for (const _twice of [1, 2]) expect((await finance.post(`${path}/resolve`, fields)).location).toBe(path)
  expect((await finance.get(path)).body).toContain('The payment was decided.')
})

test('in the sandbox the page has the buttons of the phone', async () => {
  const path = `/payments/${await idOf(ASKED)}`
  expect((await owner.get(path)).body).toContain('Approve on the customer’s phone')
  await stranger.get('/payments')
  expect((await stranger.post(`${path}/phone`, { decision: 'approve' })).status).toBe(404)
  expect((await owner.post(`${path}/phone`, { decision: 'approve' })).location).toBe(path)
  await after(3_000)
  const { body } = await owner.get(path)
  expect(body).toContain('The customer paid')
  expect(body).not.toContain('customer’s phone')
})

test('callbacks are listed, shown with attempts, and sent again', async () => {
  const { body } = await owner.get('/callbacks?state=retrying')
  const path = /href="(\/callbacks\/\d+)"/.exec(body)?.[1] ?? ''
  const shown = (await owner.get(path)).body
  expect(shown).toContain('HTTP 500')
  expect(shown).toContain('*********')
  expect((await owner.post(`${path}/resend`, { idempotency_key: 'again' })).location).toBe(path)
  expect((await owner.get(path)).body).toContain('1 callback goes out within seconds.')
  await owner.get('/callbacks/resend')
  expect((await owner.post('/callbacks/resend', { since: 'x', reason: 'Shop was down' })).body).toContain(
    'since must be',
  )
  expect((await owner.post('/callbacks/resend', { since: '2026-01-01', reason: 'Shop was down' })).location).toBe(
    '/callbacks',
  )
})

test('a button gives money back once, and the page says what is left', async () => {
  await pool.query('update merchants set refund_callback_url = null where id = $1', [demo.id])
  const path = `/payments/${await idOf(PAID)}`
  expect((await owner.get(path)).body).toContain(`href="${path}/refund"`)
  expect((await reader.get(path)).body).not.toContain(`href="${path}/refund"`)
  const form = (await owner.get(`${path}/refund`)).body
  expect(form).toContain('••• 123')
  const refused = await owner.post(`${path}/refund`, { amount: '9999999', reason: 'Returned' })
  expect(refused.body).toContain('amount must be at most')
  const fields = { amount: '100', reason: 'Returned', idempotency_key: 'back' }
  const [first, second] = [await owner.post(`${path}/refund`, fields), await owner.post(`${path}/refund`, fields)]
  expect(first.location).toMatch(/^\/payments\/MLP/)
  expect(second.location).toBe(first.location)
  await after(3_000)
  const refund = (await owner.get(first.location ?? '')).body
  expect(refund).toContain('went back to the customer on')
  expect(refund).toMatch(/class="badge calm"[^>]*>no refund URL is set/)
  expect(refund).toContain('No callback sent')
  const { body } = await owner.get(path)
  expect(body).toContain('Left to refund')
  expect(body).toContain(`href="${first.location}"`)
})

test('what a customer has paid twice goes back with a reason, and no wallet changes', async () => {
  await pool.query('update merchants set page_retries = true where id = $1', [demo.id])
  await gateway.refresh()
  const reference = uniqueReference()
  const hosted = { mobile_money_hpp: true, redirect_url: 'https://shop.example/back' }
  await collect(gateway.url, { merchant_reference: reference, msisdn: '256772888007', ...hosted })
  const { rows } = await pool.query<{ internal_reference: string }>(
    'select internal_reference from transactions where merchant_reference = $1',
    [reference],
  )
  const [collection = ''] = rows.map(({ internal_reference: of }) => of)
  await gateway.paymentSteps.confirm(collection)
  await after(1_000)
  expect(await gateway.paymentSteps.retry(collection, { phone: '0752 888 010' })).toBe('done')
  for (let n = 0; n < 3; n += 1) await after(30_000)
  const wallets = async () =>
    (await pool.query<object>('select id, balance_minor from accounts where merchant_id <> 0 order by id')).rows
  const [page, before] = [(await finance.get('/suspense')).body, await wallets()]
  const path = /href="(\/suspense\/MLP\w+)"/.exec(page)?.[1] ?? ''
  expect(page).toContain(reference)
  expect((await reader.get('/suspense')).body).not.toContain(path)
  expect((await owner.get('/suspense')).status).toBe(404)
  expect((await finance.get('/')).body).toContain('href="/suspense"')
  expect((await finance.get(path)).body).toContain('••• 010')
  await pool.query(`insert into approval_rules (operation, created_at) values ('manual-resolution', $1)`, [clock.now()])
  expect((await finance.post(path, { reason: 'Paid twice' })).location).toBe('/suspense')
  expect((await finance.get('/approvals')).body).toContain('suspense return')
  await pool.query(`delete from approval_rules where operation = 'manual-resolution'`)
  await finance.get(path)
  expect((await finance.post(path, { reason: 'Paid twice, ticket 88213' })).location).toBe('/suspense')
  await finance.get(path)
  expect((await finance.post(path, { reason: 'Once more' })).body).toContain('is given back, or on its way back')
  for (let n = 0; n < 3; n += 1) await after(30_000)
  expect((await finance.get('/suspense')).body).toContain('Nothing is on suspense')
  expect((await finance.get(`/payments/${collection}`)).body).toContain('has paid too, as MLP')
  expect(await wallets()).toEqual(before)
  const entries = await pool.query<object>(`select reason from audit_log where command = 'suspense return'`)
  expect(entries.rows).toContainEqual({ reason: 'Paid twice, ticket 88213' })
  expect(await faultsInBooks(gateway, clock.now())).toEqual([])
})

test('a payout that waits is cancelled, and the page says why it waits', async () => {
  await pool.query(`insert into approval_rules (operation, created_at) values ('payouts', $1)`, [clock.now()])
  const reference = uniqueReference()
  await payOut(gateway.url, { merchant_reference: reference })
  const path = `/payments/${await idOf(reference)}`
  expect((await owner.get(path)).body).toContain('Waiting for the merchant&#39;s approver.')
  await owner.get(`${path}/cancel`)
  expect((await owner.post(`${path}/cancel`, { reason: 'Paid in cash' })).location).toBe(path)
  expect((await owner.get(path)).body).toContain('Payout cancelled by the merchant')
})

test('a real callback arrives at the test receiver, signed, and nowhere else', async () => {
  const path = /href="(\/callbacks\/\d+)"/.exec((await owner.get('/callbacks')).body)?.[1] ?? ''
  const [received, attempts] = [receiver.received.length, await attemptsOf(path)]
  await owner.get(path)
  expect((await owner.post(`${path}/test`, {})).location).toBe('/received')
  const { body } = await owner.get('/received?watch=1')
  const newest = body.slice(body.indexOf('<article'), body.indexOf('</article>'))
  expect(newest).toContain('POST /callbacks HTTP/1.1')
  expect(newest.match(/-signature is good/g)).toHaveLength(3)
  expect(newest).toMatch(/Checked with your key \d+\./)
  expect(body).toContain('http-equiv="refresh"')
  expect(body).toContain(`/sandbox/inbox?merchant&#61;${demo.id}`)
  expect(body).not.toContain(ACCOUNT)
  expect(body).not.toContain('Nakato')
  expect([receiver.received.length, await attemptsOf(path)]).toEqual([received, attempts])
  const { rows } = await pool.query('select 1 from sandbox.inbox where position($1 in encode(body, $2)) > 0', [
    ACCOUNT,
    'escape',
  ])
  expect(rows).toEqual([])
  expect((await stranger.get('/received')).body).toContain('Nothing has arrived yet')
  await stranger.get('/callbacks')
  expect((await stranger.post(`${path}/test`, {})).status).toBe(404)
  expect((await finance.get('/received')).status).toBe(404)
})

test('a test receiver says what is wrong with a message to its URL', async () => {
  const headers = { 'content-type': 'application/json', 'webhook-id': 'msg_1' }
  const url = `${gateway.url}/sandbox/inbox?merchant=${other.id}`
  await fetch(url, { method: 'POST', headers, body: '{"payload":{"transaction_account":"256772888123"}}' })
  const { body } = await stranger.get('/received')
  expect(body).toContain('3 signatures are bad.')
  expect(body).toContain('The header webhook-timestamp is missing.')
  expect(body).toContain('*********123')
})

test('people of another merchant find nothing of it', async () => {
  const id = await idOf(PAID)
  expect((await owner.get(`/payments/${id}`)).body).toContain(PAID)
  expect(headingOf(await stranger.get(`/payments/${id}`))).toBe('Not found')
  expect((await stranger.get(`/payments/${id}`)).status).toBe(404)
  expect((await stranger.get(`/payments?q=${PAID}`)).body).toContain('No payment matches')
  expect((await stranger.post(`/payments/${id}/full`, { reason: 'To see it' })).body).not.toContain(ACCOUNT)
  expect(alertOf(await stranger.get(`/payments/${id}`))).toMatch(/^there is no transaction/)
})

test('the frame names the merchant, and damaged cookies change nothing', async () => {
  owner.cookies.set('malipo_zone', '%').set('malipo_flash', '%E0%A4%A')
  const { status, body } = await owner.get('/payments')
  expect(status).toBe(200)
  expect(body).toContain('owner, Duka la Mfano')
  expect(body).not.toContain('class="flash')
})

const expected = async (reference: string) => {
  const body = { provider_code: 'mtn_ug', currency: 'UGX', amount: 5000, description: 'Invoice of May' }
  const headers = { ...DEMO_KEYS, 'x-api-version': '1', 'content-type': 'application/json' }
  const reply = await fetch(`${gateway.url}/collections/expect`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...body, merchant_reference: uniqueReference(), customer_reference: reference }),
  })
  const { data } = (await reply.json()) as { data: { merchant_reference: string } }
  return data.merchant_reference
}
const payUnder = async (reference: string) => {
  const body = new URLSearchParams({ provider: 'mtn_ug', account: '256772777001', amount: '4000', reference })
  await fetch(`${gateway.url}/sandbox/payments`, { method: 'POST', body })
  await after(1_000)
}
const pathOfSuspense = async () => /href="(\/suspense\/MLP\w+)"/.exec((await finance.get('/suspense')).body)?.[1] ?? ''

test('takes what was paid wrongly, or under no reference, for a collection', async () => {
  const [one, two] = [await expected('INV-1'), await expected('INV-2')]
  await payUnder('inv 1')
  await payUnder('nobody knows')
  const path = `${await pathOfSuspense()}/take`
  const unexpected = /\/reconciliation\/(\d+)/.exec((await finance.get('/reconciliation')).body)?.[1]
  expect((await finance.get(`/reconciliation/${unexpected}`)).body).toContain(`/suspense/${unexpected}/take`)
  await finance.get(path)
  const refused = await finance.post(path, { collection: PAID, reason: 'Paid 1000 too little' })
  expect(refused.body).toContain('takes no payment')
  for (const [from, collection] of [
    [path, one],
    [`/suspense/${unexpected}/take`, two],
  ] as const) {
    await finance.get(from)
    expect((await finance.post(from, { collection, reason: 'Paid 1000 too little' })).location).toBe('/suspense')
    const { body } = await finance.get(`/payments/${await idOf(collection)}`)
    expect(body).toMatch(/The customer paid UGX\s4,000/)
  }
  const { rows } = await pool.query(`select sum(balance_minor) from accounts where kind = 'suspense'`)
  expect(rows).toEqual([{ sum: '0' }])
  expect((await finance.get(`/reconciliation/${unexpected}`)).body).toContain('Paid 1000 too little')
  expect(await faultsInBooks(gateway, clock.now())).toEqual([])
})

test('takes nothing for a collection that it does not fit, and nothing that goes back', async () => {
  await expected('INV-3')
  await payUnder('inv 3')
  const [amount, provider] = [uniqueReference(), uniqueReference()]
  await collect(gateway.url, { merchant_reference: amount, msisdn: '256772888002' })
  await collect(gateway.url, { merchant_reference: provider, provider_code: 'airtel_ug', msisdn: '256752888002' })
  for (let n = 0; n < 3; n += 1) await after(3_000)
  const path = await pathOfSuspense()
  const take = async (collection: string) => {
    await finance.get(`${path}/take`)
    return (await finance.post(`${path}/take`, { collection, reason: 'Paid 1000 too little' })).body
  }
  expect(await take(amount)).toContain('is of another amount than')
  expect(await take(provider)).toContain('is of another provider, or in another currency')
  await finance.get(path)
  expect((await finance.post(path, { reason: 'Paid by mistake' })).location).toBe('/suspense')
  expect(await take(await expected('INV-4'))).toContain('is given back, or on its way back')
  expect(await faultsInBooks(gateway, clock.now())).toEqual([])
})
