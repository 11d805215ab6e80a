import { expect, test } from 'vitest'
import { createAdmin } from '../../../client/admin.ts'
import { present } from '../../domain/present.ts'
import { payoutBalance, uniqueReference } from '../../verification/testing/requests.ts'
import { adminApiTest } from './testing/admin-api-test.ts'

const { gateway, clock, merchantsUrl, token, client, key } = await adminApiTest()
const DEMO = 'pub_sandbox_demo'
const ofDemo = { path: { merchant: DEMO } }
const people = async (role: string) => createAdmin({ baseUrl: merchantsUrl, token: await token(role, 1n) })
const finance = await people('finance')
const TITLES = 'merchant_reference,account_number,amount,currency,provider_code,customer_name,description'
const row = (account: string, reference = uniqueReference()) =>
  `${reference},${account},20000,UGX,mtn_ug,Amina Nakato,Salary of March`
const fileOf = (...rows: readonly string[]) => Buffer.from([TITLES, ...rows].join('\r\n')).toString('base64')
const send = (content: string, body: object = {}) =>
  finance.POST('/merchants/{merchant}/payout-batches', {
    params: { ...ofDemo, header: key() },
    body: { content, ...body },
  })
const preview = (content: string) =>
  finance.POST('/merchants/{merchant}/payout-batches/preview', { params: ofDemo, body: { content } })
const show = (batch: string) =>
  finance.GET('/merchants/{merchant}/payout-batches/{batch}', { params: { path: { merchant: DEMO, batch } } })
const retry = (batch: string) =>
  finance.POST('/merchants/{merchant}/payout-batches/{batch}/retry', {
    params: { path: { merchant: DEMO, batch }, header: key() },
    body: { reason: 'The operator is back' },
  })
async function settle() {
  for (let round = 0; round < 4; round += 1) {
    await gateway.runDue()
    clock.advance(20_000)
  }
}

test('previews a file, accepts it once, and pays each of its rows', async () => {
  const content = fileOf(row('256772000123'), row('0772000124'))
  const before = await payoutBalance(gateway.url)
  const { data } = await preview(content)
  expect(data?.data).toMatchObject({
    payouts: 2,
    totals: [{ currency: 'UGX', payouts: 2, amount: 40_000, charge: 200, available: before, waits: false }],
    faults: [],
  })
  const reference = present(data, 'the preview').data.batch_reference
  const sent = await send(content)
  expect(sent.data?.data).toEqual({ batch_reference: reference, payouts: 2 })
  expect((await send(content)).error?.message).toBe(`batch_reference (${reference}) has already been used`)
  // Under another name its rows are used all the same.
  const again = await send(content, { batch_reference: uniqueReference() })
  expect(again.error?.message).toContain('Nothing was accepted: 2 of 2 payouts are faulty. Line 2: merchant_reference')
  await settle()
  expect(await payoutBalance(gateway.url)).toBe(before - 40_200)
  expect((await show(reference)).data?.data).toMatchObject({
    batch: { payouts: 2, finished_at: expect.any(String) as string },
    totals: [{ currency: 'UGX', payouts: 2, amount: 40_000, completed: 2, failed: 0 }],
    retryable: 0,
  })
  expect((await retry(reference)).error?.message).toContain('failed and can be tried again')
})

test('tells every faulty row with its line, and accepts nothing', async () => {
  const content = fileOf(row('256772000123'), row('2.56772E+11'), row('772000123'), row('123'))
  const { data } = await preview(content)
  expect(data?.data.faults.map(({ line }) => line)).toEqual([3, 4, 5])
  expect((await send(content)).error).toMatchObject({
    code: 409,
    message: expect.stringContaining('3 of 4 payouts are faulty. Line 3: account_number was rounded') as string,
  })
  expect((await show(data?.data.batch_reference ?? '')).response.status).toBe(404)
  expect((await preview(Buffer.from('x\n1').toString('base64'))).error?.message).toContain('its first line lacks')
})

test('tries what failed again once, and never what may have been paid', async () => {
  // 004 is declined, 006 stays with the operator.
  const content = fileOf(row('256772000123'), row('256772000004'), row('256772000006'))
  const reference = uniqueReference()
  await send(content, { batch_reference: reference })
  await settle()
  const first = await show(reference)
  expect(first.data?.data).toMatchObject({ retryable: 1, items: [{}, { line: 3, retryable: true }, {}] })
  expect(first.data?.data.items.map(({ transaction_status: status }) => status)).toEqual([
    'COMPLETED',
    'FAILED',
    'PROCESSING',
  ])
  const [one, other] = await Promise.all([retry(reference), retry(reference)])
  expect([one, other].map(({ response }) => response.status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const made = (one.data ?? other.data)?.data as { batch_reference: string; payouts: number }
  expect(made.payouts).toBe(1)
  const { data: second } = await show(made.batch_reference)
  const failed = present(first.data?.data.items[1], 'the failed payout').merchant_reference
  expect(second?.data).toMatchObject({ batch: { retry_of: reference }, items: [{ line: 3 }] })
  expect(second?.data.items[0]?.merchant_reference).toMatch(new RegExp(`^${failed.slice(0, 22)}-[0-9A-Z]{6}3$`))
  expect((await show(reference)).data?.data).toMatchObject({ retryable: 0 })
})

test('waits for one decision of somebody else, whose sum is that of the batch', async () => {
  await gateway.pool.query(
    `insert into approval_rules (operation, merchant_id, currency, from_minor, created_at) values ('payouts', 1, 'UGX', 30000, $1)`,
    [clock.now()],
  )
  const content = fileOf(row('256772000123'), row('256772000124'))
  expect((await preview(content)).data?.data.totals).toMatchObject([{ waits: true }])
  const reference = uniqueReference()
  await send(content, { batch_reference: reference })
  const owner = await people('owner')
  const { data } = await owner.GET('/approvals')
  expect(data?.data.items).toMatchObject([
    { what: `batch ${reference}: 2 payouts, 40,000 UGX`, batch: { payouts: 2, amount: '40000', total: '40200' } },
  ])
  const { id = '' } = data?.data.items[0] ?? {}
  const decide = async (api: typeof owner) => {
    const path = { approval: id }
    const { digest = '' } = (await api.GET('/approvals/{approval}', { params: { path } })).data?.data ?? {}
    const params = { path, header: key() }
    return api.POST('/approvals/{approval}/approve', { params, body: { digest, reason: 'Compared with the payroll' } })
  }
  expect((await decide(finance)).error?.message).toContain('was not decided')
  expect((await decide(owner)).error).toBeUndefined()
  expect((await owner.GET('/approvals')).data?.data.items).toEqual([])
  await settle()
  expect((await show(reference)).data?.data.totals).toMatchObject([{ completed: 2 }])
  await gateway.pool.query('delete from approval_rules')
})

test('lists batches to all people of the merchant, and lets few of them send one', async () => {
  const reader = await people('read-only')
  const { data } = await reader.GET('/merchants/{merchant}/payout-batches', {
    params: { ...ofDemo, query: { limit: 1 } },
  })
  expect(data?.data).toMatchObject({
    items: [{ payouts: 2 }],
    next: expect.any(String) as string,
  })
  const asSupport = client(await token('support'))
  for (const api of [reader, asSupport]) {
    const params = { ...ofDemo, header: key() }
    const body = { content: fileOf(row('256772000123')) }
    expect((await api.POST('/merchants/{merchant}/payout-batches', { params, body })).response.status).toBe(403)
  }
  expect((await show('BATCH-NOBODY-MADE')).error?.message).toBe('there is no batch BATCH-NOBODY-MADE')
})
