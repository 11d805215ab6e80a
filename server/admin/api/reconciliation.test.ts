import { expect, test } from 'vitest'
import { money } from '../../domain/money.ts'
import { unrequestedPayments } from '../queries/statements/book-unrequested.ts'
import { csvOf, plantedStatement } from '../queries/statements/testing/planted-statement.ts'
import { importLines, installed } from '../queries/statements/testing/installed.ts'
import { adminApiTest } from './testing/admin-api-test.ts'

const DAY_MS = 86_400_000
const { gateway, clock, token, client, key } = await adminApiTest()
const finance = client(await token('finance'))
const { pool } = gateway
const SECRETS = { secrets: { collection_subscription_key: 'a key that nobody sees' } }
await installed(pool, 'mtn-recon', { statement_window_hours: '0', statement_account: 'KE123456789' }, SECRETS)

/** Lines that no payment explains, and one that ends the statement two days later. */
const lines = [1, 2, 3].map((n) => ({
  source: 0,
  account: '',
  lineNumber: BigInt(n),
  reference: `LINE-${n}`,
  bookedOn: '2026-01-01',
  at: new Date(clock.now().getTime() - (n === 3 ? 1 : 3) * DAY_MS),
  direction: 'in' as const,
  amountMinor: 5_000n,
  feeMinor: 0n,
}))
await importLines(pool, 'mtn-recon', lines, clock.now(), { name: 'day.csv' })

const at = (exception: string) => ({ path: { exception }, header: key() })
const openOnes = async (query: object = {}) =>
  (await finance.GET('/exceptions', { params: { query: { rail_account: 'mtn-recon', ...query } } })).data?.data

test('runs a reconciliation and lists its differences page by page', async () => {
  const params = { path: { rail_account: 'mtn-recon' }, header: key() }
  const run = (reason = 'The statement of yesterday') =>
    finance.POST('/rail-accounts/{rail_account}/reconcile', { params, body: { reason } })
  const both = await Promise.all([run(), run()])
  for (const { data } of [...both, await run()])
    expect(data?.data).toMatchObject({ state: 'done', currency: 'UGX', opened: 3, ended: 0 })
  expect((await run('Another')).error?.message).toBe('this Idempotency-Key was used for another request')
  expect((await pool.query(`select from audit_log where command = 'reconcile run'`)).rowCount).toBe(1)
  const first = await openOnes({ limit: 2 })
  expect(first?.items).toMatchObject([
    { kind: 'missing_with_us', found: 5_000, suspense: 5_000, line_reference: 'LINE-1' },
    { line_reference: 'LINE-2' },
  ])
  expect((await openOnes({ limit: 2, after: first?.next }))?.items).toMatchObject([{ line_reference: 'LINE-3' }])
  const { data } = await finance.GET('/statements', { params: { query: { rail_account: 'mtn-recon' } } })
  expect(data?.data.items).toMatchObject([{ name: 'day.csv', lines: '3', new_lines: '3' }])
  const { error } = await finance.POST('/rail-accounts/{rail_account}/reconcile', {
    params: { path: { rail_account: 'nobody' }, header: key() },
    body: { reason: 'The statement of yesterday' },
  })
  expect(error).toMatchObject({ code: 404, message: 'there is no rail account nobody' })
})

test('lists payments that only a message claims, masked, and what each waits for', async () => {
  const unrequested = unrequestedPayments(pool)
  const now = clock.now().getTime()
  const claimed = (receipt: string, agoMs: number) =>
    unrequested.claim(
      'mtn-recon',
      { receipt, amount: money(700n, 'UGX'), account: '256772000126', paidAt: new Date(now - agoMs) },
      new Date(now - agoMs),
    )
  for (const [receipt, agoMs] of [
    ['NEW', 60_000],
    ['OLD', DAY_MS],
    ['LINE-1', DAY_MS],
  ] as const)
    await claimed(receipt, agoMs)
  const page = async (query: object = {}) => (await finance.GET('/claims', { params: { query } })).data?.data
  const first = await page({ limit: 1 })
  expect(first?.items).toMatchObject([
    { receipt: 'OLD', amount: 700, payer: '***126', age_seconds: 86_400, waits_for: 'statement' },
  ])
  expect((await page({ after: first?.next }))?.items).toMatchObject([{ receipt: 'NEW', waits_for: 'operator' }])
  expect((await page({ rail_account: 'another' }))?.items).toEqual([])
  expect((await finance.GET('/claims', { params: { query: { after: '17' } } })).error?.code).toBe(400)
})

test('imports a file once, all of it or nothing, and names what it cannot read', async () => {
  const send = (text: string, more: object = {}, header = key()) =>
    finance.POST('/rail-accounts/{rail_account}/statements', {
      params: { path: { rail_account: 'mtn-recon' }, header },
      body: { file: 'day-2.csv', content: Buffer.from(text).toString('base64'), ...more },
    })
  const [header, line] = csvOf(plantedStatement(7, 1, 0, new Date(clock.now().getTime() - DAY_MS)).lines)
  const { error } = await send(`${header}${line}nonsense`)
  expect(error).toMatchObject({ code: 409, message: expect.stringMatching(/cannot be read.*line 3/) as string })
  const headers = key()
  const brought = async () => (await send(`${header}${line}nonsense`, { skip_unreadable: true }, headers)).data?.data
  expect(await brought()).toMatchObject({ form: 'csv', new_lines: 1, skipped: 1 })
  expect(await brought()).toMatchObject({ new_lines: 1 })
  expect((await send('x', { account: 'KE1234' })).error?.message).toMatch(/^account is set already/)
  const pulled = await finance.POST('/rail-accounts/{rail_account}/statements/pull', {
    params: { path: { rail_account: 'mtn-recon' }, header: key() },
    body: { since: clock.now().toISOString() },
  })
  expect(pulled.error?.message).toMatch(/it is not connected here|offers no statement/)
})

test('follows a difference: a note once, an assignee, and its end', async () => {
  const id = (await openOnes())?.items[0]?.id ?? ''
  const support = client(await token('support'))
  const sent = { params: at(id), body: { note: 'Asked MTN, ticket 88213' } }
  for (const _twice of [1, 2])
    expect((await support.POST('/exceptions/{exception}/notes', sent)).response.status).toBe(200)
  await support.POST('/exceptions/{exception}/assignee', { params: at(id), body: { to: 'me' } })
  const shown = async () =>
    (await finance.GET('/exceptions/{exception}', { params: { path: { exception: id } } })).data?.data
  expect(await shown()).toMatchObject({
    exception: { assigned_to: expect.stringMatching(/^support/) as string },
    theirs: { amount: 5_000, fee: 0, import_name: 'day.csv' },
    notes: [{ note: 'Asked MTN, ticket 88213' }],
  })
  expect((await openOnes({ assigned_to: 'me' }))?.items).toEqual([])
  const end = { params: at(id), body: { reason: 'Our own top-up', move_to: 'outside' as const } }
  expect((await support.POST('/exceptions/{exception}/end', end)).response.status).toBe(403)
  expect((await finance.POST('/exceptions/{exception}/end', end)).data?.data).toEqual({ exception_id: id })
  const again = await finance.POST('/exceptions/{exception}/end', { ...end, params: at(id) })
  expect(again.error?.message).toMatch(new RegExp(`^exception ${id} was ended before, by .*: Our own top-up$`))
  expect((await shown())?.exception).toMatchObject({ moved_to: 'outside', reason: 'Our own top-up' })
  expect((await openOnes({ state: 'ended' }))?.items).toHaveLength(1)
  const { rows } = await pool.query<{ command: string }>(
    'select command from audit_log where subject = $1 order by id',
    [`exception ${id}`],
  )
  expect(rows.map(({ command }) => command)).toEqual(['reconcile note', 'reconcile assign', 'reconcile end'])
})

test.each([
  [{ note: 'password: hunter2' }, /^note must hold no password/],
  [{ note: 'no' }, /^note must/],
])('refuses the note %j', async (body, message) => {
  const id = (await openOnes())?.items[0]?.id ?? ''
  const { error } = await finance.POST('/exceptions/{exception}/notes', { params: at(id), body })
  expect(error?.message).toMatch(message)
})

test('assigns to members of staff only', async () => {
  const id = (await openOnes())?.items[0]?.id ?? ''
  await token('owner', 1n)
  const { rows } = await pool.query<{ email: string }>('select email from people where merchant_id = 1')
  const to = rows[0]?.email ?? ''
  const { error } = await finance.POST('/exceptions/{exception}/assignee', { params: at(id), body: { to } })
  expect(error).toMatchObject({ code: 404, message: `there is no member of staff ${to}` })
})

test('shows rail accounts with their circuit, and never a secret or a whole account', async () => {
  const { data } = await finance.GET('/rail-accounts')
  expect(data?.data.items.map(({ name }) => name)).toContain('mtn-recon')
  const shown = await finance.GET('/rail-accounts/{rail_account}', {
    params: { path: { rail_account: 'mtn-recon' } },
  })
  expect(shown.data?.data.settings).toContainEqual({ name: 'statement_account', value: '…789' })
  expect(shown.data?.data.settings).toContainEqual({ name: 'collection_subscription_key', value: 'set, not shown' })
  expect(JSON.stringify(shown.data)).not.toMatch(/KE123456789|a key that nobody sees/)
  const asked = await finance.POST('/rail-accounts/{rail_account}/balance', {
    params: { path: { rail_account: 'mtn-recon' } },
  })
  expect(asked.error?.code ?? asked.data?.code).toBeOneOf([200, 409])
})

test('books a movement of our own once', async () => {
  const book = (reference: string) =>
    finance.POST('/rail-accounts/{rail_account}/movements', {
      params: { path: { rail_account: 'mtn-recon' }, header: key() },
      body: { direction: 'in', amount: '700', reference, reason: 'Top-up from the bank' },
    })
  expect((await book('TOP-UP-1')).data?.data).toMatchObject({ amount: '700', booked_before: false })
  expect((await book('TOP-UP-1 ')).data?.data).toMatchObject({ amount: '700', booked_before: true })
})
