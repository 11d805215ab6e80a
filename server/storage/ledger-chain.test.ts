import { expect, test } from 'vitest'
import { databaseTest } from '../verification/testing/database-test.ts'
import { CHAIN_BEHIND_MS, createChaining, extendChain, oldestUnchained, readHead } from './ledger-chain.ts'
import { ensureMonths, monthsAhead } from './months.ts'
import { readWarnings } from '../admin/queries/doctor/warnings.ts'

const { pool } = await databaseTest()
const now = new Date('2026-03-01T08:00:00Z')
await ensureMonths(pool, monthsAhead(now, 1), now)
const extend = () => extendChain(pool, () => now)
const count = async (sql: string): Promise<number> =>
  Number((await pool.query<{ n: bigint }>(`select count(*) as n from ${sql}`)).rows[0]!.n)
const waiting = () => count('unchained_transfers')
/** Retries, because running transactions of other databases in the cluster hold the chain back too. */
const allLinked = async (run: () => Promise<unknown> = extend) =>
  expect
    .poll(async () => {
      await run()
      return waiting()
    })
    .toBe(0)
let id = 0
/** Opens a transaction that has inserted transfers but not committed. */
async function book(times = 1) {
  const client = await pool.connect()
  await client.query('begin')
  await client.query(
    `insert into transfers (id, kind, created_at) select ${id} + n, 'deposit', now() from generate_series(1, $1::int) n`,
    [times],
  )
  id += times
  return async (end: 'commit' | 'rollback') => {
    await client.query(end)
    client.release()
  }
}
const linkedIds = async (): Promise<bigint[]> =>
  (await pool.query<{ id: bigint }>('select unnest(transfer_ids) as id from ledger_links order by seq')).rows.map(
    ({ id }) => id,
  )

test('chains existing transfers, and none twice', async () => {
  await allLinked()
  expect(await linkedIds()).toHaveLength(await count('transfers'))
  const head = await readHead(pool)
  await extend()
  expect(await readHead(pool)).toEqual(head)
})

test('holds back what is younger than a running transaction, whichever commits first', async () => {
  const [first, second, third] = [await book(), await book(), await book()]
  await second('commit')
  await extend()
  expect(await waiting()).toBe(1)
  const before = await linkedIds()
  await first('commit')
  await third('rollback')
  await allLinked()
  const after = await linkedIds()
  expect(after.slice(0, before.length)).toEqual(before)
  expect(after).toHaveLength(before.length + 2)
  expect(after).toHaveLength(await count('transfers'))
})

test('several processes add links at once, each transfer to one', async () => {
  await (
    await book(2_300)
  )('commit')
  await Promise.all([extend(), extend(), extend(), extend()])
  await allLinked()
  const ids = await linkedIds()
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toHaveLength(await count('transfers'))
  const { rows } = await pool.query<{ n: number }>('select max(cardinality(transfer_ids)) as n from ledger_links')
  expect(rows[0]!.n).toBe(500)
})

test('makes no link while another process does, and none after its stop', async () => {
  await (
    await book()
  )('commit')
  const other = await pool.connect()
  await other.query('begin; select from ledger_chain_turn for update')
  await extend()
  expect(await waiting()).toBe(1)
  await other.query('rollback')
  other.release()
  const chaining = createChaining(pool, () => now)
  chaining.stop()
  await chaining.run()
  expect(await waiting()).toBe(1)
  await allLinked(() => createChaining(pool, () => now).run())
})

test('chains transfers of a database that was restored from a dump of a busier one', async () => {
  await (
    await book()
  )('commit')
  await pool.query(`update unchained_transfers set xid = '1000000000000'`)
  await allLinked()
})

test('reports the age of the oldest waiting transfer; doctor warns after ten minutes', async () => {
  await allLinked()
  expect(await oldestUnchained(pool)).toBeUndefined()
  const open = await book()
  await (
    await book()
  )('commit')
  await extend()
  const at = await oldestUnchained(pool)
  expect(at).toBeInstanceOf(Date)
  const warned = async (afterMs: number) =>
    (await readWarnings(pool, new Date(at!.getTime() + afterMs))).map(({ name }) => name).includes('chain_behind')
  expect([await warned(CHAIN_BEHIND_MS - 1), await warned(CHAIN_BEHIND_MS)]).toEqual([false, true])
  await open('rollback')
  await allLinked()
  expect(await oldestUnchained(pool)).toBeUndefined()
})
