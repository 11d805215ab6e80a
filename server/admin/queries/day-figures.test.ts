import { beforeEach, expect, test } from 'vitest'
import { createAcceptance } from '../../storage/accept-transactions.ts'
import { ensureMonths, monthsAhead } from '../../storage/months.ts'
import { inTransaction } from '../../storage/pool.ts'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { newTransaction } from '../../verification/testing/transactions.ts'
import { countDays, countFigures, readFigures, readLong } from './day-figures.ts'

// Days of the database's clock: whether a day is over is not the gateway's to say.

const { pool } = await databaseTest()
const acceptance = createAcceptance(pool)
const [{ today } = { today: new Date(0) }] = (
  await pool.query<{ today: Date }>(
    `select date_trunc('day', clock_timestamp() - interval '5 minutes', 'UTC') as today`,
  )
).rows
const DAY_MS = 86_400_000
const before = (days: number): Date => new Date(today.getTime() - days * DAY_MS)
const at = (days: number): Date => new Date(before(days).getTime() + DAY_MS / 2)
const [SINCE, UNTIL] = [new Date(before(5).getTime() + 3_600_000), new Date(before(1).getTime() + DAY_MS - 3_600_000)]
await ensureMonths(pool, monthsAhead(before(40), 3), before(40))

const BY = ['day', 'status'] as const
const MERCHANT = 1n
const sum = async (reading = readFigures, merchantId?: bigint): Promise<Record<string, unknown>> =>
  Object.fromEntries(
    (await inTransaction(pool, (client) => reading(readLong(client), SINCE, UNTIL, { merchantId, by: BY })))
      .map(({ day, status, payments, amount_minor: amount }) => [`${day} ${status}`, [payments, amount]] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
const settle = (day: number) =>
  `update transactions set status = 'COMPLETED' where created_at = '${at(day).toISOString()}'`
/** How many payments a reading counts. */
const counted = async (merchantId?: bigint): Promise<number> => {
  let rows = 0
  await inTransaction(pool, (client) =>
    readFigures(
      async <Row extends object>(text: string, values: readonly unknown[]) => {
        const { rows: read } = await client.query<Row>(text, [...values])
        if (/from transactions/.test(text)) rows += read.length
        return read
      },
      SINCE,
      UNTIL,
      { merchantId, by: BY },
    ),
  )
  return rows
}

/** Counts until nothing is left: transactions of other test files may run, and delay it. */
const countAll = () =>
  expect
    .poll(async () => {
      await countDays(pool)
      const left =
        'select from day_figures where figures is null or by_merchant is null or day in (select day from day_changes)'
      return (await pool.query(left)).rowCount
    })
    .toBe(0)

beforeEach(async () => {
  // Of these days alone: the other ones of a year would take seconds.
  await pool.query('truncate transactions, day_figures, day_changes')
  await pool.query('insert into day_figures (day) select unnest($1::date[])', [[6, 5, 4, 3, 2, 1].map(before)])
  for (const day of [5, 4, 4, 3, 2, 1])
    await acceptance.accept(newTransaction({ createdAt: at(day), merchantId: MERCHANT }))
  await countAll()
})

test('days that are over are read from their figures, parts of days from payments', async () => {
  expect(await sum()).toEqual(await sum(countFigures))
  expect(Object.values(await sum())).toEqual([1, 2, 1, 1, 1].map((n) => [n, BigInt(n) * 1_000n]))
  // The period begins and ends within a day.
  expect(await counted()).toBe(2)
})

test('the figures of a merchant are its own, and not those of an older count', async () => {
  const createdAt = at(3)
  await acceptance.accept(newTransaction({ createdAt, merchantId: 2n }))
  await countAll()
  expect(Object.keys(await sum(readFigures, 2n))).toHaveLength(1)
  expect(await sum(readFigures, 2n)).toEqual(await sum(countFigures, 2n))
  expect(await counted(MERCHANT)).toBe(2)
  await pool.query('update day_figures set figures = figures')
  expect(await sum(readFigures, MERCHANT)).toEqual(await sum(countFigures, MERCHANT))
  expect(await counted(MERCHANT)).toBe(5)
  await countAll()
  expect(await counted(MERCHANT)).toBe(2)
})

test('a payment that changes or comes after its day is counted at once', async () => {
  await pool.query(settle(4))
  await acceptance.accept(newTransaction({ createdAt: at(3) }))
  expect(await sum()).toEqual(await sum(countFigures))
  expect(await counted()).toBe(4)
  await countAll()
  expect(await sum()).toEqual(await sum(countFigures))
  expect(await counted()).toBe(2)
})

test('a change that commits while its day is counted is not lost', async () => {
  await inTransaction(pool, async (client) => {
    await client.query(settle(2))
    await countDays(pool)
  })
  expect(await sum()).toEqual(await sum(countFigures))
  await inTransaction(pool, async (client) => {
    await client.query(`${settle(3)}; select 1`)
    await pool.query(`insert into day_changes values ('${at(3).toISOString().slice(0, 10)}')`)
    await countAll()
  })
  expect(await sum()).toEqual(await sum(countFigures))
})

test('a day is counted once nothing runs that began before its mark', async () => {
  await inTransaction(pool, async (client) => {
    await client.query('select pg_current_xact_id()')
    await pool.query('update day_figures set figures = null, after_xid = pg_current_xact_id()')
    await countDays(pool)
    const { rows } = await pool.query('select from day_figures where figures is not null')
    expect(rows).toEqual([])
  })
  await countAll()
})
