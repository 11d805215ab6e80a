import { expect, test } from 'vitest'
import type { ReplayOptions } from '../../../client/index.ts'
import { getStatement } from '../../actions/get-statement.ts'
import { numberEvents } from '../../storage/merchant-events.ts'
import { asOwner } from '../testing/database.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { createMerchantLists, LOOKED_AT_MAX } from '../../admin/queries/merchant-lists.ts'
import { searchKey } from '../../storage/search.ts'
import { DEMO_KEYS, DEMO_MERCHANT } from '../testing/gateway.ts'
import { refusal } from '../testing/refusal.ts'
import { mobileMoneyCollection, mobileMoneyPayout, send, uniqueMsisdn } from '../testing/requests.ts'

// What merchants read of their own history, end to end: our client, HTTP, PostgreSQL.

const { database, gateway, after, malipo, clock, receiver } = await gatewayTest({
  toReceiver: ['collection_callback_url', 'payout_callback_url', 'refund_callback_url'],
  env: { MALIPO_RATE_LIMIT: '100000' },
})

type CollectionRequest = Parameters<typeof malipo.collections.initialize>[0]
type BatchRequest = Parameters<typeof malipo.payouts.batch>[0]
type PayoutRequest = Parameters<typeof malipo.payouts.send>[0]

async function collected(changes: object = {}): Promise<string> {
  const request = mobileMoneyCollection({ msisdn: uniqueMsisdn('001'), ...changes })
  await malipo.collections.initialize(request as unknown as CollectionRequest)
  await after(1000)
  return String(request['merchant_reference'])
}
const referencesOf = (list: readonly { readonly merchant_reference: string }[]) =>
  list.map(({ merchant_reference }) => merchant_reference)
const SECRET = DEMO_MERCHANT.keys.webhookSecret
const get = (path: string) => send(gateway.url, 'GET', path, { headers: { 'secret-key': DEMO_KEYS['secret-key'] } })

test('lists transactions by every parameter, page by page, with their own records', async () => {
  const from = clock.now().toISOString()
  const paid = await collected()
  await after(5000)
  const middle = clock.now().toISOString()
  const declined = await collected({ msisdn: uniqueMsisdn('004') })
  const payout = mobileMoneyPayout()
  await malipo.payouts.send(payout as unknown as PayoutRequest)
  const refund = { merchant_reference: `RETURN-${paid}`, collection_reference: paid, amount: 2000, reason: 'Returned' }
  await malipo.collections.refund(refund)
  await after(1000)
  const all = [refund.merchant_reference, payout.merchant_reference, declined, paid]
  const listed = async (query: Parameters<typeof malipo.transactions.list>[0]) =>
    referencesOf((await malipo.transactions.list({ from, ...query })).transactions)

  expect(await listed({})).toEqual(all)
  expect(await listed({ to: middle })).toEqual([paid])
  expect(await listed({ transaction_status: 'FAILED' })).toEqual([declined])
  expect(await listed({ transaction_type: 'REFUND' })).toEqual([refund.merchant_reference])
  expect(await listed({ provider_code: 'airtel_ug' })).toEqual([])
  expect(await listed({ reference: 'RETURN-' })).toEqual([refund.merchant_reference])

  const first = await malipo.transactions.list({ from, limit: 3 })
  const second = await malipo.transactions.list({ from, limit: 3, after: first.next! })
  expect(referencesOf([...first.transactions, ...second.transactions])).toEqual(all)
  expect(second.next).toBeUndefined()
  expect(first.transactions[0]).toEqual(await malipo.collections.retrieveRefund(refund.merchant_reference))
  expect(second.transactions[0]).toEqual(await malipo.transactions.verify(paid))
})

test.each([
  ['/data/transactions?limit=1.0', 'limit must be an integer'],
  ['/data/events?limit=1e1', 'limit must be an integer'],
  ['/data/events?limit=%202', 'limit must be an integer'],
  ['/data/events?after=1.0', 'after must be an integer'],
  ['/data/events?after=0x1', 'after must be an integer'],
  ['/data/events?after=-1', 'after must be between 0 and 9007199254740991'],
])('refuses %s: %s', async (path, message) => {
  expect(await get(path)).toMatchObject({ status: 400, body: { message } })
})

test('nothing happens in the last years that a time may name', async () => {
  const from = '2099-12-31T23:59:59Z'
  expect(await get(`/data/transactions?from=${from}`)).toMatchObject({
    status: 200,
    body: { data: { transactions: [] } },
  })
  const wallet = 'wallet_type=MERCHANT_PAYOUT&currency=UGX'
  const statement = await get(`/data/statement?${wallet}&from=2099-12-01T00:00:00Z&to=${from}`)
  expect(statement).toMatchObject({ status: 200, body: { data: { entries: [] } } })
})

test('a page that few fit ends early, and the next one goes on', async () => {
  const merchant = 2n
  const { rows } = await gateway.pool.query<{ id: bigint }>('select max(id) as id from transactions')
  const lists = createMerchantLists(gateway.pool)
  await gateway.pool.query(
    'insert into search_keys select $1, $2::bigint - 16 * n from generate_series(1, $3::int) n',
    [searchKey.merchant(merchant), rows[0]!.id, LOOKED_AT_MAX + 1],
  )
  const page = await lists.transactions(merchant, { status: 'FAILED', limit: 10 })
  expect(page).toEqual({ transactions: [], next: rows[0]!.id - 16n * BigInt(LOOKED_AT_MAX) })
  expect(await lists.transactions(merchant, { limit: 10, after: page.next })).toEqual({ transactions: [] })
})

test('a program that lost a day of callbacks replays them, each once and verified', async () => {
  await numberEvents(gateway.pool)
  const replayed = async (secret: string, from: ReplayOptions) => {
    const events = []
    for await (const event of malipo.events.replay(secret, { ...from, now: clock.now() })) events.push(event)
    return events
  }
  const lastKnown = (await replayed(SECRET, {})).at(-1)?.number ?? 0
  receiver.answer(500)
  const paid = await collected()
  const declined = await collected({ msisdn: uniqueMsisdn('004') })
  const late = await collected({ msisdn: uniqueMsisdn('007') })
  await malipo.collections.refund({
    merchant_reference: `BACK-${paid}`,
    collection_reference: paid,
    reason: 'Returned',
  })
  const { ...row } = mobileMoneyPayout()
  await malipo.payouts.batch({
    batch_reference: `BATCH-${paid}`,
    payouts: [{ ...row, merchant_reference: `ROW-${paid}` }] as unknown as BatchRequest['payouts'],
  })
  for (let hours = 0; hours < 24; hours += 1) await after(3_600_000)
  expect(receiver.received.length).toBeGreaterThan(6)
  await numberEvents(gateway.pool)

  const events = await replayed(SECRET, { after: lastKnown })
  expect(events.map(({ number }) => number)).toEqual(events.map((_event, n) => lastKnown + n + 1))
  expect(new Set(events.map(({ webhookId }) => webhookId))).toEqual(
    new Set(receiver.received.map(({ headers }) => headers['webhook-id'])),
  )
  const told = events.map(
    ({ event, payload }) =>
      `${event} ${'merchant_reference' in payload ? payload.merchant_reference : payload.batch_reference}`,
  )
  expect(told.toSorted()).toEqual(
    [
      `payout_batch.completed BATCH-${paid}`,
      `refund.completed BACK-${paid}`,
      `transaction.completed ${late}`,
      `transaction.completed ${paid}`,
      `transaction.completed ROW-${paid}`,
      `transaction.failed ${declined}`,
      `transaction.failed ${late}`,
    ].toSorted(),
  )
  expect(await replayed(SECRET, { from: clock.now().toISOString() })).toEqual([])
  await expect(replayed('whsec_b3RoZXI=', { after: lastKnown })).rejects.toMatchObject({ reason: 'wrong_signature' })
})

test('a statement adds up, by page or as a file, wherever the period is cut', async () => {
  const from = clock.now().toISOString()
  const wallet = { wallet_type: 'MERCHANT_COLLECTION', currency: 'UGX' } as const
  const paid = await collected({ amount: 7000 })
  // The very moment of its booking: that is in the second half.
  const middle = clock.now().toISOString()
  // Another wallet moves too.
  await malipo.payouts.send(mobileMoneyPayout() as unknown as PayoutRequest)
  const charged = await collected({ amount: 3000, charge_customer: true })
  await malipo.collections.refund({
    merchant_reference: `PART-${paid}`,
    collection_reference: paid,
    amount: 1500,
    reason: '=1+1',
  })
  await after(60_000)
  await after(1) // what is booked at the end itself is not in the period
  const to = clock.now().toISOString()
  const whole = await malipo.wallets.statement({ ...wallet, from, to })
  expect(whole.entries.map(({ kind, merchant_reference }) => [kind, merchant_reference])).toEqual([
    ['collection', paid],
    ['collection', charged],
    ['refund', `PART-${paid}`],
  ])
  let balance = whole.opening_balance
  for (const entry of whole.entries) expect(entry.balance).toBe((balance += entry.amount))
  expect(whole.closing_balance).toBe(balance)
  const [{ actual_balance } = { actual_balance: NaN }] = (await malipo.wallets.list({ currency: 'UGX' })).filter(
    ({ wallet_type }) => wallet_type === wallet.wallet_type,
  )
  expect(whole.closing_balance).toBe(actual_balance)
  const halves = [
    await malipo.wallets.statement({ ...wallet, from, to: middle }),
    await malipo.wallets.statement({ ...wallet, from: middle, to }),
  ]
  expect(halves.map(({ opening_balance, closing_balance }) => [opening_balance, closing_balance])).toEqual([
    [whole.opening_balance, halves[1]!.opening_balance],
    [halves[0]!.closing_balance, whole.closing_balance],
  ])
  expect(halves.flatMap(({ entries }) => entries)).toEqual(whole.entries)

  const asked = (accept: string) =>
    fetch(`${gateway.url}/data/statement?${String(new URLSearchParams({ ...wallet, from, to }))}`, {
      headers: { ...DEMO_KEYS, 'x-api-version': '1', accept },
    })
  for (const accept of ['text/csv;q=0', 'application/json, text/csv;q=0.5'])
    expect((await asked(accept)).headers.get('content-type')).toBe('application/json; charset=utf-8')
  const file = await asked('text/csv')
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const lines = (await file.text()).trim().split('\r\n')
  expect(lines.at(1)).toBe(`,opening,,${whole.opening_balance},,,,`)
  expect(lines.at(2)).toBe(
    `${whole.entries[0]!.booked_at},collection,6930,${whole.entries[0]!.balance},${paid},7000,70,`,
  )
  expect(lines).toHaveLength(1 + 1 + 3 + 1)

  const period = { purpose: 'collection', currency: 'UGX', from: new Date(from), to: new Date(to) } as const
  const ids = await gateway.pool.query<{ id: bigint }>('select merchant_id as id from transactions limit 1')
  const upTo = (entriesMax: number) =>
    getStatement({ lists: createMerchantLists(gateway.pool) }, ids.rows[0]!, { ...period, entriesMax })
  expect((await upTo(3)).entries).toHaveLength(3)
  await expect(upTo(2)).rejects.toMatchObject({
    code: 'statement_too_long',
    message: refusal('statement_too_long', { '5000': '2' }),
  })

  await asOwner(
    database.connection,
    `alter table transfers disable trigger append_only;
     update transfers set created_at = created_at + interval '2 hours' where kind = 'collection'
       and transaction_id = (select id from transactions where merchant_reference = '${paid}');
     alter table transfers enable trigger append_only`,
  )
  const hours = (count: number) => new Date(clock.now().getTime() + count * 3_600_000).toISOString()
  const late = await malipo.wallets.statement({ ...wallet, from: hours(1.5), to: hours(2.5) })
  expect(late.entries.map((one) => one.merchant_reference)).toEqual([paid])
  expect((await malipo.wallets.statement({ ...wallet, from: hours(2.5), to: hours(3) })).entries).toEqual([])
})

test('an archived month is named, and needs no look at any other', async () => {
  await asOwner(database.connection, `insert into history_months values ('2025-09', 1, 2, now(), now())`)
  expect(await get('/data/transactions?from=2025-08-31T00:00:00Z')).toMatchObject({
    status: 404,
    body: { message: refusal('month_archived') },
  })
  const period = 'from=2025-09-30T00:00:00Z&to=2025-10-02T00:00:00Z'
  expect(await get(`/data/statement?wallet_type=MERCHANT_PAYOUT&currency=UGX&${period}`)).toMatchObject({ status: 404 })
  await expect(malipo.transactions.list({ from: '2025-10-01T00:00:00Z' })).resolves.toBeDefined()
})
