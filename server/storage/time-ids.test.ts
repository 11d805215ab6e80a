import { describe, expect, test } from 'vitest'
import { depositTransfer, holdTransfer, releaseTransfer } from '../domain/ledger.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { newTransaction, START } from '../verification/testing/transactions.ts'
import { createAcceptance } from './accept-transactions.ts'
import { createLookups } from './lookups.ts'
import { inTransaction } from './pool.ts'
import { createStore } from './store.ts'
import { callbackIdOf, FIRST_MONTH, FIRST_TIME_ID, idBase, idBound, transferIdOf } from './time-ids.ts'
import { nextTransferIds } from './transfer-ids.ts'

const { pool } = await databaseTest()
const acceptance = createAcceptance(pool)
const store = createStore(pool)
const lookups = createLookups(pool)

async function accept(createdAt: Date, type: 'COLLECTION' | 'PAYOUT' = 'COLLECTION') {
  const transaction = newTransaction({ createdAt, type })
  expect(await acceptance.accept(transaction)).toBe('accepted')
  const stored = await lookups.transactionByMerchantReference(transaction.merchantId, transaction.merchantReference)
  if (!stored) throw new Error('it is not there')
  return stored
}

describe('ids of transactions', () => {
  test('rise with time, lie within their second, and are numbers that JSON has', async () => {
    const second = (n: number): Date => new Date(START.getTime() + n * 1000)
    for (const n of [0, 1, 2]) {
      const { id } = await accept(second(n))
      expect(id >= idBound(second(n)) && id < idBound(second(n + 1))).toBe(true)
    }
    expect(idBound(new Date('2088-01-19T03:14:07Z'))).toBeLessThan(BigInt(Number.MAX_SAFE_INTEGER))
    expect(() => idBound(new Date('2088-01-19T03:14:08Z'))).toThrow(RangeError)
  })

  test('leave a gap for related ids: 16 apart in a second, even on a sequence restart', async () => {
    await pool.query(`select setval('transaction_ids', (1 << 18) - 2)`)
    const ids = []
    for (let n = 0; n < 4; n += 1) ids.push((await accept(START)).id - idBound(START))
    expect(ids).toEqual([(2n ** 18n - 1n) << 4n, 0n, 16n, 32n])
  })

  test('before the first month contain no time, and are lower than any that do', async () => {
    const { id } = await accept(new Date(FIRST_MONTH.getTime() - 1))
    expect(id).toBeLessThan(FIRST_TIME_ID)
    expect(idBase(FIRST_MONTH)).toBe(FIRST_TIME_ID)
    expect(idBase(new Date(0))).toBe(0n)
  })
})

describe('the id of what belongs to a transaction', () => {
  test('is derived from its kind: a second transfer of a kind is refused', async () => {
    const payout = await accept(START, 'PAYOUT')
    const book = () => store.transaction((unit) => unit.book([holdTransfer(payout)], START))
    await store.transaction((unit) => unit.book([depositTransfer(payout.merchantId, 'UGX', 100_000n)], START))
    await book()
    const { rows } = await pool.query('select id, kind from transfers where transaction_id = $1', [payout.id])
    expect(rows).toEqual([{ id: transferIdOf(payout.id, 'payout_hold'), kind: 'payout_hold' }])
    await expect(book()).rejects.toMatchObject({ code: '23505' })
    await store.transaction((unit) => unit.book([releaseTransfer(payout)], START))
  })

  test('counts on in its own sequence for an older transaction', async () => {
    expect(transferIdOf(17n, 'collection')).toBeUndefined()
    expect(callbackIdOf(17n, 'transaction.completed')).toBeUndefined()
    const payout = { ...(await accept(new Date(0), 'PAYOUT')) }
    await store.transaction((unit) => unit.book([depositTransfer(payout.merchantId, 'UGX', 100_000n)], START))
    await store.transaction((unit) => unit.book([holdTransfer(payout), releaseTransfer(payout)], START))
    const { rows } = await pool.query<{ id: bigint }>('select id from transfers where transaction_id = $1', [payout.id])
    expect(rows.map(({ id }) => id < FIRST_TIME_ID)).toEqual([true, true])
  })
})

const idsAt = (now: Date) => inTransaction(pool, (client) => nextTransferIds(client, 3, now))

test('of a transfer without a transaction contains its own time', async () => {
  const ids = await idsAt(START)
  expect(new Set(ids.map((id) => id & 15n))).toEqual(new Set([0n]))
  expect(new Set(ids).size).toBe(3)
  expect(ids.every((id) => id >= idBound(START) && id < idBound(new Date(START.getTime() + 1000)))).toBe(true)
  expect((await idsAt(new Date(0))).every((id) => id < FIRST_TIME_ID)).toBe(true)
})
