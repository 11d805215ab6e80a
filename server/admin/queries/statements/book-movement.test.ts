import { expect, test } from 'vitest'
import { databaseTest } from '../../../verification/testing/database-test.ts'
import { bookedMoney } from '../../../storage/rail-balances.ts'
import { examine } from '../doctor.ts'
import { bookMovement, type OwnMovement } from './book-movement.ts'
import { reconcileRailAccount } from './reconcile.ts'
import { importLines, installed } from './testing/installed.ts'

const { pool } = await databaseTest()
const NOW = new Date('2026-03-02T08:00:00Z')
const HOUR_MS = 3_600_000
const later = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR_MS)
await installed(pool, 'mtn-uganda')
const MOVED = { railAccount: 'mtn-uganda', currency: 'UGX', reason: 'Top-up from our bank', by: 'Ada' } as const

const book = (changes: Partial<OwnMovement> & Pick<OwnMovement, 'reference'>) =>
  bookMovement(pool, { ...MOVED, direction: 'in', amountMinor: 5_000n, ...changes }, NOW)
const atOperator = async () => (await bookedMoney(pool, 'mtn-uganda', 'UGX')).ledgerMinor
const balances = async () => {
  const { rows } = await pool.query<{ kind: string; balance_minor: bigint }>(
    `select kind, sum(balance_minor)::bigint as balance_minor from accounts where balance_minor <> 0 group by 1 order by 1`,
  )
  return Object.fromEntries(rows.map(({ kind, balance_minor }) => [kind, balance_minor]))
}
const unclean = async () =>
  (await examine(pool, later(72))).filter(({ found }) => found > 0).map(({ name, examples }) => [name, examples])

/** Imports the operator's statement of that day and reconciles it two days later. */
async function stated(reference: string, amountMinor: bigint, feeMinor = 0n) {
  const place = { source: 0, account: '', direction: 'in' }
  const before = { lineNumber: 1n, reference: 'BEFORE', at: later(-96), bookedOn: '2026-02-26' }
  const itself = { lineNumber: 2n, reference, at: later(-1), bookedOn: '2026-03-02' }
  const lines = [
    { ...place, ...before, amountMinor: 0n, feeMinor: 0n },
    { ...place, ...itself, amountMinor, feeMinor },
  ]
  const imported = await importLines(pool, 'mtn-uganda', lines, later(1))
  const request = { ...MOVED, windowMs: 24 * HOUR_MS, until: later(48) }
  return { imported, reconciled: await reconcileRailAccount(pool, request, later(48)) }
}

// It is a movement between the operator and the outside world.
test('books a top-up or withdrawal with no wallet and nothing in suspense', async () => {
  const [held, before] = [await atOperator(), await balances()]
  expect(await book({ reference: 'IN-1' })).toEqual({ result: 'booked' })
  expect(await atOperator()).toBe(held + 5_000n)
  expect(await book({ reference: 'OUT-1', direction: 'out', amountMinor: 2_000n })).toEqual({ result: 'booked' })
  expect(await atOperator()).toBe(held + 3_000n)
  const { rail = 0n, operator = 0n, ...others } = before
  expect(await balances()).toEqual({ ...others, rail: rail - 3_000n, operator: operator + 3_000n })
  expect(await unclean()).toEqual([])
})

test('books one reference once, also concurrently, and stores who and why', async () => {
  const held = await atOperator()
  const results = await Promise.all([1, 2, 3].map(() => book({ reference: 'ONCE' })))
  expect(results.map(({ result }) => result).sort()).toEqual(['booked', 'booked_before', 'booked_before'])
  expect(await book({ reference: 'ONCE', reason: 'Another one', by: 'Eve' })).toEqual({
    result: 'booked_before',
    at: NOW,
    by: 'Ada',
    reason: 'Top-up from our bank',
  })
  expect(await book({ reference: 'ONCE', amountMinor: 5_001n })).toEqual({
    result: 'reference_used',
    direction: 'in',
    amountMinor: 5_000n,
  })
  expect(await atOperator()).toBe(held + 5_000n)
})

test("the statement's own line of it changes nothing", async () => {
  await book({ reference: 'EARLY' })
  const before = await balances()
  const { imported, reconciled } = await stated('EARLY', 5_000n)
  expect(imported).toMatchObject({ lines: 2n, newLines: 1n })
  expect(reconciled).toMatchObject({ opened: 0, ended: 0 })
  expect(await balances()).toEqual(before)
  expect(await unclean()).toEqual([])
})

test('books the fee of a line once and changes nothing else', async () => {
  await book({ reference: 'COSTS' })
  const { rail = 0n, fee = 0n, ...others } = await balances()
  for (const feesMinor of [40n, 0n])
    expect(await stated('COSTS', 5_000n, 40n)).toMatchObject({
      imported: { newLines: 0n },
      reconciled: { opened: 0, ended: 0, feesMinor },
    })
  expect(await balances()).toEqual({ ...others, rail: rail + 40n, fee: fee - 40n })
  expect(await unclean()).toEqual([])
})

test('ends what a reconciliation has found already, without booking it again', async () => {
  expect((await stated('FOUND', 700n)).reconciled).toMatchObject({ opened: 1 })
  const before = await balances()
  expect(await book({ reference: 'FOUND', amountMinor: 700n })).toMatchObject({ result: 'open_exception' })
  expect(await balances()).toEqual(before)
})
