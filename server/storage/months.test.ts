import { describe, expect, test } from 'vitest'
import { depositTransfer, holdTransfer } from '../domain/ledger.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { newTransaction, START } from '../verification/testing/transactions.ts'
import { createAcceptance } from './accept-transactions.ts'
import { countMonthsAhead, ensureMonths, HISTORY, monthOf, monthsAhead, partitionOf } from './months.ts'
import { examine } from '../admin/queries/doctor.ts'
import { makeComingMonths } from './owned-months.ts'
import { createStore } from './store.ts'

const { pool, connection } = await databaseTest()

const months = async (): Promise<string[]> =>
  (await pool.query<{ month: string }>('select month from history_months order by 1')).rows.map(({ month }) => month)
const monthsOf2040 = async () => (await months()).filter((month) => month.startsWith('2040'))

test('a month is one of UTC, from its first moment until the first of the next', () => {
  const december = { name: '2026-12', from: new Date('2026-12-01T00:00:00Z'), until: new Date('2027-01-01T00:00:00Z') }
  expect(monthOf(december.from)).toEqual(december)
  expect(monthOf(new Date(december.until.getTime() - 1))).toEqual(december)
  expect(monthOf(new Date('2025-12-31T23:59:59.999Z'))).toBeUndefined()
  expect(monthsAhead(december.from, 2).map(({ name }) => name)).toEqual(['2026-12', '2027-01', '2027-02'])
  expect(monthsAhead(new Date(0), 1).map(({ name }) => name)).toEqual(['2026-01', '2026-02'])
})

describe('the coming months', () => {
  test('exist before they are needed: this one and the next six', async () => {
    await makeComingMonths({ connection, runtimeRole: undefined }, new Date('2040-11-30T23:00:00Z'))
    expect(await monthsOf2040()).toEqual(['2040-11', '2040-12'])
    expect((await months()).filter((month) => month.startsWith('2041'))).toEqual(
      [1, 2, 3, 4, 5].map((n) => `2041-0${n}`),
    )
  })

  test('are counted up to the first that is missing, and up to six', async () => {
    const ahead = (now: string) => countMonthsAhead(pool, new Date(now))
    await makeComingMonths({ connection, runtimeRole: undefined }, new Date('2040-11-30T23:00:00Z'))
    expect([await ahead('2040-11-01T00:00:00Z'), await ahead('2041-01-31T00:00:00Z')]).toEqual([6, 4])
    expect([await ahead('2041-05-01T00:00:00Z'), await ahead('2041-06-01T00:00:00Z')]).toEqual([0, -1])
  })

  test('are created once under concurrency', async () => {
    const wanted = monthsAhead(new Date('2042-05-01T00:00:00Z'), 1)
    await Promise.all(Array.from({ length: 6 }, () => ensureMonths(pool, wanted, START)))
    expect((await months()).filter((month) => month.startsWith('2042'))).toEqual(['2042-05', '2042-06'])
    const { rows } = await pool.query(
      `select count(*)::int as n from pg_inherits where inhrelid::regclass::text like '%2042\\_0_'`,
    )
    expect(rows).toEqual([{ n: 2 * HISTORY.length }])
  })

  test('are created by the first payment and by the first movement of an operator', async () => {
    const acceptance = createAcceptance(pool)
    for (const createdAt of [
      '2050-02-28T23:59:59Z',
      '2050-03-01T00:00:00Z',
      '2050-02-28T23:59:59Z',
      '2026-01-01T00:00:00Z',
    ])
      expect(await acceptance.accept(newTransaction({ createdAt: new Date(createdAt) }))).toBe('accepted')
    const at = new Date('2050-07-01T00:00:00Z')
    await createStore(pool).transaction((unit) => unit.book([depositTransfer(1n, 'UGX', 5n)], at))
    expect((await months()).filter((month) => month.startsWith('2050'))).toEqual(['2050-02', '2050-03', '2050-07'])
    const { rows } = await pool.query('select count(*)::int as n from transactions_2050_02')
    expect(rows).toEqual([{ n: 2 }])
  })

  test('are reported by the doctor when they are missing', async () => {
    const found = async (now: string) =>
      (await examine(pool, new Date(now))).find(({ name }) => name === 'months_ahead')?.examples
    expect(await found('2060-01-15T00:00:00Z')).toEqual([
      'there is no partition for 2060-01',
      'there is no partition for 2060-02',
    ])
    expect(await found('2040-12-15T00:00:00Z')).toEqual([])
  })
})

test('all data of a payment lies in its month, even what comes much later', async () => {
  const transaction = newTransaction({ createdAt: new Date('2070-01-31T12:00:00Z'), type: 'PAYOUT' })
  await createAcceptance(pool).accept(transaction)
  const store = createStore(pool)
  const later = new Date('2070-05-01T00:00:00Z')
  await store.transaction(async (unit) => {
    const [stored] = await unit.lockTransactions({ internalReferences: [transaction.internalReference] })
    if (!stored) throw new Error('it is not there')
    await unit.book([depositTransfer(stored.merchantId, 'UGX', 1_000n)], stored.createdAt)
    await unit.book([holdTransfer(stored)], later)
    await unit.addEvents([{ transactionId: stored.id, kind: 'held', detail: '' }], later)
    const callback = { merchantId: 1n, type: 'COLLECTION' as const, body: '{}', destination: '', webhookId: 'cb_1' }
    await unit.addCallbacks([{ ...callback, transactionId: stored.id, event: 'transaction.failed' }], later)
  })
  for (const table of ['transactions', 'transfers', 'transaction_events', 'callbacks']) {
    const column = table === 'transactions' ? 'id' : 'transaction_id'
    const { rows } = await pool.query<{ n: number }>(
      `select count(${column})::int as n from ${partitionOf(table, '2070-01')}`,
    )
    expect(rows, table).toEqual([{ n: 1 }])
  }
})

test.each(['transfers', 'entries', 'transaction_events'])(
  'a partition of %s refuses changes, as its table does',
  async (table) => {
    await ensureMonths(pool, monthsAhead(START, 0), START)
    for (const name of [table, partitionOf(table, '2026-03')])
      await expect(pool.query(`delete from ${name}`)).rejects.toThrow('append-only')
  },
)
