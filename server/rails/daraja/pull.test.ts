import { expect, test } from 'vitest'
import type { Adapter, StatementLine } from '../rail-kind.ts'
import { darajaAtTest, NOW, PULL, refused } from './testing/daraja-at-test.ts'

const HOUR_MS = 60 * 60 * 1000
const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * HOUR_MS)
async function lines({ statement }: Adapter, from: Date, to: Date): Promise<readonly StatementLine[]> {
  const read: StatementLine[] = []
  for await (const line of statement?.(from, to) ?? []) read.push(line)
  return read
}
const withPull = { settings: { pull: 'yes' } }

const listed = (...transactions: readonly object[]) => ({
  status: 200,
  body: { ResponseCode: '1000', Response: [transactions] },
})
const NOTHING = { status: 200, body: { ResponseCode: '1001', Response: [[]] } }

const first = {
  transactionId: 'UC23ABC4DE',
  trxDate: '2026-03-02T09:30:15+03:00',
  msisdn: 254_712_345_678,
  billreference: 'MLPRQZVFYDQT',
  amount: '500.00',
}
const second = { transactionId: 'UC23ABC5FG', trxDate: '2026-03-02 09:41:02', amount: 1200.5, billreference: '' }

test('reads a statement page by page, and its lines say what the operator booked', async () => {
  const { operator, adapter, records } = await darajaAtTest(withPull)
  operator.on(PULL, listed(first), listed(second), NOTHING)
  expect(await lines(adapter, hoursAgo(2), NOW)).toEqual([
    {
      reference: 'UC23ABC4DE',
      ourReference: 'MLPRQZVFYDQT',
      at: new Date('2026-03-02T06:30:15Z'),
      direction: 'in',
      amount: { amountMinor: 50_000n, currency: 'KES' },
      account: '254712345678',
    },
    {
      reference: 'UC23ABC5FG',
      at: new Date('2026-03-02T06:41:02Z'),
      direction: 'in',
      amount: { amountMinor: 120_050n, currency: 'KES' },
    },
  ])
  const queried = operator.requestsTo(PULL).map((request) => request.json())
  expect(queried).toEqual(
    ['0', '1', '2'].map((OffSetValue) => ({
      ShortCode: '174379',
      StartDate: '2026-03-02 08:30:00',
      EndDate: '2026-03-02 10:30:00',
      OffSetValue,
    })),
  )
  expect(records.at(-1)).toMatchObject({ purpose: 'statement' })
})

test('stops paging when the operator ignores the offset', async () => {
  const { operator, adapter } = await darajaAtTest(withPull)
  operator.on(PULL, listed(first, second))
  expect(await lines(adapter, hoursAgo(2), NOW)).toHaveLength(2)
  expect(operator.requestsTo(PULL)).toHaveLength(2)
})

test('gives up a list that never ends', async () => {
  const { operator, adapter } = await darajaAtTest(withPull)
  let number = 0
  operator.on(PULL, () => listed({ ...first, transactionId: `UC${(number += 1)}` }))
  await expect(lines(adapter, hoursAgo(2), NOW)).rejects.toThrow('did not come whole')
})

test.each([
  ['a page that is refused', refused(500, '500.003.02')],
  ['a page that is lost', 'close_after_reading'],
  ['an amount that cannot be read', listed({ ...second, amount: 'lots' })],
  ['an amount below zero', listed({ ...second, amount: '-5' })],
  ['null as amount', listed({ ...second, amount: null })],
  ['a payment without a receipt', listed({ ...second, transactionId: null })],
] as const)('%s: no statement, and not half of one', async (_what, answer) => {
  const { operator, adapter } = await darajaAtTest(withPull)
  operator.on(PULL, listed(first), answer, NOTHING)
  await expect(lines(adapter, hoursAgo(2), NOW)).rejects.toThrow(/list of payments/)
})

test('queries nothing further back than 48 hours', async () => {
  const { operator, adapter } = await darajaAtTest(withPull)
  operator.on(PULL, NOTHING)
  await expect(lines(adapter, hoursAgo(48.01), NOW)).rejects.toThrow('48 hours')
  expect(await lines(adapter, hoursAgo(48), NOW)).toEqual([])
})

test('a payment with an unreadable time counts to the end of the queried period', async () => {
  const { operator, adapter } = await darajaAtTest(withPull)
  operator.on(PULL, listed({ ...first, trxDate: '02/03/2026' }), NOTHING)
  expect(await lines(adapter, hoursAgo(2), hoursAgo(1))).toMatchObject([{ at: hoursAgo(1) }])
})

test('an unregistered account has no statement', async () => {
  const { adapter } = await darajaAtTest()
  expect(adapter.statement).toBeUndefined()
})
