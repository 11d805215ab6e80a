import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { databaseTest } from '../../../verification/testing/database-test.ts'
import type { NewStatementLine } from './import.ts'
import { matchLines, type StatementNames } from './matching.ts'
import { givenOrders, importLines, installed, type OrderFixture } from './testing/installed.ts'

// Lines that carry what the payer saw: a text that the merchant chose, and that others may use too.

const HOUR_MS = 3_600_000
const at = (hours: number): Date => new Date(Date.parse('2026-03-01T00:00:00Z') + hours * HOUR_MS)
const NOW = at(300)
const MINUTE = 1 / 60
const hashOf = (orderId: string): string => `S${orderId.slice(0, 11).toUpperCase()}`
const NAMES: StatementNames = {
  receipt: { COLLECTION: 'MpesaReceiptNumber', PAYOUT: 'TransactionID' },
  ourReference: { name: 'AccountReference', of: hashOf },
}

const { pool } = await databaseTest()
let made = 0

const order = (changes: Partial<OrderFixture> = {}): OrderFixture => {
  made += 1
  return {
    id: BigInt(made),
    orderId: randomUUID(),
    type: 'COLLECTION',
    status: 'PROCESSING',
    amountMinor: 5_000n,
    at: at(100),
    ...changes,
  }
}
const line = (ourReference: string, changes: Partial<NewStatementLine> = {}): NewStatementLine => {
  made += 1
  return {
    lineNumber: BigInt(made),
    source: 0,
    account: '',
    reference: `R${made}`,
    ourReference,
    at: at(100),
    direction: 'in',
    amountMinor: 5_000n,
    feeMinor: 0n,
    ...changes,
  }
}

/** Creates a rail account with these orders, each submitted under its reference. */
async function given(...orders: readonly (readonly [OrderFixture, string | undefined])[]) {
  made += 1
  const railAccount = `kenya-${made}`
  await installed(pool, railAccount)
  await givenOrders(
    pool,
    railAccount,
    orders.map(([one]) => one),
  )
  for (const [{ id }, reference] of orders)
    await pool.query(
      `insert into rail_references select transaction_id, rail_account, 'AccountReference', $2, recorded_at
       from rail_references where transaction_id = $1 and name = 'order' and $2::text is not null`,
      [id, reference],
    )
  /** @returns the orders matched to the lines, in the order of the lines */
  return async (...lines: readonly NewStatementLine[]) => {
    await importLines(pool, railAccount, lines, NOW)
    await matchLines(pool, railAccount, NAMES, NOW)
    const { rows } = await pool.query<{ transaction_id: bigint | null }>(
      'select transaction_id from statement_lines where rail_account = $1 and reference = any($2) order by line_number',
      [railAccount, lines.map(({ reference }) => reference)],
    )
    return rows.map(({ transaction_id }) => transaction_id)
  }
}

test('finds an order by the reference that went out with it, ignoring case', async () => {
  const [one, other] = [order(), order()]
  const matched = await given([one, 'Inv-1001'], [other, 'INV-1001-7K'])
  expect(await matched(line('INV-1001'), line('INV-1001-7K'))).toEqual([one.id, other.id])
})

test('finds an older order by its hash, and never one that has a reference', async () => {
  const [before, after] = [order(), order()]
  const matched = await given([before, undefined], [after, 'INV-1001'])
  expect(await matched(line(hashOf(before.orderId)), line(hashOf(after.orderId)))).toEqual([before.id, null])
  const { rows } = await pool.query<{ reference: string }>(
    `select reference from rail_references where transaction_id = $1 and name = 'AccountReference'`,
    [after.id],
  )
  expect(rows).toEqual([{ reference: 'INV-1001' }])
})

test.each([
  ['another amount', { amountMinor: 4_999n }],
  ['money that went out', { direction: 'out' as const }],
  ['a time days before the order', { at: at(100 - 25) }],
])("a merchant's reference with %s names no order", async (_what, changes) => {
  const matched = await given([order(), 'INV-1001'])
  expect(await matched(line('INV-1001', changes))).toEqual([null])
})

test('a hash with another amount still names its order: the difference is reported', async () => {
  const before = order()
  const matched = await given([before, undefined])
  expect(await matched(line(hashOf(before.orderId), { amountMinor: 4_999n }))).toEqual([before.id])
})

test('a line with only a day matches an order of the same day', async () => {
  const one = order({ at: at(24 + 15) })
  const matched = await given([one, 'INV-1001'])
  expect(await matched(line('INV-1001', { at: at(24) }))).toEqual([one.id])
})

test('a reused reference leads each line to its own order', async () => {
  const [first, second] = [order({ at: at(100) }), order({ at: at(149) })]
  const matched = await given([first, 'INV-1001'], [second, 'INV-1001'])
  const times = [100, 100 + 5 * MINUTE, 130, 148.5, 149, 160]
  expect(await matched(...times.map((hours) => line('INV-1001', { at: at(hours) })))).toEqual([
    first.id,
    first.id,
    first.id,
    second.id,
    second.id,
    second.id,
  ])
})

test("another rail account's order under the same reference is not matched", async () => {
  await given([order(), 'INV-1001'])
  const matched = await given([order(), 'INV-1002'])
  expect(await matched(line('INV-1001'))).toEqual([null])
})

test("a line with a collection's receipt is that of its refund without an outcome", async () => {
  const paid = order({ receipt: 'Q1' })
  const refund = (status: OrderFixture['status']) => order({ type: 'REFUND', status })
  const [byPayout, failed, unknown] = [refund('PROCESSING'), refund('FAILED'), refund('PROCESSING')]
  const matched = await given(...[paid, byPayout, failed, unknown].map((one) => [one, undefined] as const))
  await pool.query(
    `with linked as (insert into refunds select $1, unnest($2::bigint[]))
     update transactions set refund = json_build_object('way', case id when $3 then 'payout' else 'refund' end)
     where id = any($2)`,
    [paid.id, [byPayout.id, failed.id, unknown.id], byPayout.id],
  )
  const back = (amountMinor: bigint) => line('Q1', { direction: 'out', amountMinor })
  expect(await matched(back(5_000n), back(1n), line('Q1'))).toEqual([unknown.id, null, null])
})

test('finds an open expected payment by what was typed, in an amount that fits', async () => {
  const matched = await given()
  const railAccount = `kenya-${made}`
  const expected = async (
    reference: string,
    changes: { readonly maxMinor?: bigint; readonly isOpen?: boolean } = {},
  ) => {
    const one = order()
    await givenOrders(pool, railAccount, [one])
    await pool.query(
      `update transactions set status = 'PENDING', rail_order_id = null, final_at = null where id = $1`,
      [one.id],
    )
    await pool.query('delete from rail_references where transaction_id = $1', [one.id])
    const { maxMinor = 5_000n, isOpen = true } = changes
    await pool.query(`insert into expected_payments values ($1, $2, $2, 'receipt', $3, 1000, $4, 0, 0, $5, $6)`, [
      one.id,
      railAccount,
      reference,
      maxMinor,
      at(200),
      isOpen,
    ])
    return one.id
  }
  const [exact, ended] = [await expected('INV1'), await expected('INV2', { isOpen: false })]
  const found = await matched(
    line('inv - 1', { amountMinor: 5_001n }),
    line('INV1', { direction: 'out' }),
    line('INV1', { at: at(201) }),
    line('inv-1 ', { amountMinor: 4_000n }),
    line('INV2'),
  )
  expect(ended).not.toBe(exact)
  expect(found).toEqual([null, null, null, exact, null])
})
