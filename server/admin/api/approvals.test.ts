import { expect, test } from 'vitest'
import { payoutBalance } from '../../verification/testing/requests.ts'
import { adminApiTest } from './testing/admin-api-test.ts'

const { gateway, token, client, key } = await adminApiTest()
const [admin, finance, second] = [
  client(await token('admin')),
  client(await token('finance')),
  client(await token('finance')),
]
const at = (approval: string) => ({ path: { approval }, header: key() })
await admin.POST('/approval-rules', {
  params: { header: key() },
  body: { operation: 'deposits', currency: 'UGX', from_amount: '1000', reason: 'The board of today' },
})

/** A deposit that waits. @returns the number of its request */
async function waiting(reference: string, headers = key()): Promise<string> {
  const { data } = await finance.POST('/merchants/{merchant}/deposits', {
    params: { path: { merchant: 'pub_sandbox_demo' }, header: headers },
    body: { currency: 'UGX', amount: '5000', reference, reason: 'Bank transfer of today' },
  })
  expect(data?.code).toBe(202)
  return (data!.data as { approval_id: string }).approval_id
}
const shown = async (of: typeof admin, approval: string) => {
  const { data } = await of.GET('/approvals/{approval}', { params: { path: { approval } } })
  return data!.data
}

test('a covered change waits, shows all that its approver needs, and is executed once', async () => {
  const before = await payoutBalance(gateway.url)
  const headers = key()
  const id = await waiting('FOUR-1', headers)
  expect(await waiting('FOUR-1', headers)).toBe(id)
  const request = await shown(second, id)
  expect(request).toMatchObject({
    operation: 'deposits',
    what: 'wallet deposit pub_sandbox_demo',
    reason: 'Bank transfer of today',
    changes: expect.arrayContaining([{ name: 'amount', new: '5000 UGX' }]) as unknown,
    input: expect.arrayContaining([{ name: 'reference', value: 'FOUR-1' }]) as unknown,
  })
  expect(request).not.toHaveProperty('cannot_approve')
  const body = { digest: request.digest!, reason: 'Seen in the bank' }
  expect(await payoutBalance(gateway.url)).toBe(before)
  const again = { params: at(id), body }
  const both = await Promise.all([1, 2].map(() => second.POST('/approvals/{approval}/approve', again)))
  expect(both.map(({ response }) => response.status)).toEqual([200, 200])
  expect(await payoutBalance(gateway.url)).toBe(before + 5_000)
  expect((await admin.POST('/approvals/{approval}/approve', { params: at(id), body })).error?.message).toBe(
    `request ${id} was not decided: it no longer waits`,
  )
  const { data } = await admin.GET('/audit-log', { params: { query: { command: 'wallet deposit' } } })
  expect(data?.data.items[0]).toMatchObject({
    subject: 'pub_sandbox_demo',
    changes: expect.arrayContaining([{ name: 'approved because', new: 'Seen in the bank' }]) as unknown,
  })
})

test('whoever made a request cannot approve it, and takes it back', async () => {
  const id = await waiting('FOUR-2')
  const { digest = '', ...request } = await shown(finance, id)
  expect(request.cannot_approve).toMatch(/^whoever made a request cannot approve it/)
  expect(request).not.toHaveProperty('cannot_refuse')
  const decided = { params: at(id), body: { digest, reason: 'A mistake of mine' } }
  expect((await finance.POST('/approvals/{approval}/approve', decided)).error?.code).toBe(409)
  expect((await finance.POST('/approvals/{approval}/refuse', decided)).data?.code).toBe(200)
  expect(await shown(finance, id)).toMatchObject({ state: 'refused' })
})

test('nobody approves what they have not read', async () => {
  const id = await waiting('FOUR-3')
  const body = { digest: '0'.repeat(64), reason: 'Without reading' }
  expect((await second.POST('/approvals/{approval}/approve', { params: at(id), body })).error?.message).toBe(
    `request ${id} was not decided: what would be executed differs from what was requested`,
  )
})

test('requests come in pages, and rules are listed until they are removed', async () => {
  const ids = [await waiting('FOUR-4'), await waiting('FOUR-5')]
  const page = async (query: object) =>
    (await admin.GET('/approvals', { params: { query: { limit: 1, ...query } } })).data?.data
  const first = await page({})
  const rest = await page({ after: first?.next })
  expect([first, rest].map((one) => one?.items[0]?.id)).toEqual(ids.toReversed())
  const rules = async () => (await admin.GET('/approval-rules')).data?.data.items
  expect(await rules()).toEqual([
    { operation: 'deposits', currency: 'UGX', from_amount: '1000', approvers: ['admin', 'finance'] },
  ])
  const remove = (currency: string) =>
    admin.POST('/approval-rules/remove', {
      params: { header: key() },
      body: { operation: 'deposits', currency, reason: 'The board of tomorrow' },
    })
  expect((await remove('KES')).error?.message).toBe('there is no rule for deposits KES')
  await remove('UGX')
  expect(await rules()).toEqual([])
})
