import { expect, test } from 'vitest'
import type { RailAccount } from '../domain/rail-account.ts'
import { money } from '../domain/money.ts'
import { examine } from '../admin/queries/doctor.ts'
import { givenOrders, installed, type OrderFixture } from '../admin/queries/statements/testing/installed.ts'
import { railBalanceFigures } from '../storage/rail-balances.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { fixedClock } from '../verification/testing/gateway.ts'
import { railFloats } from '../admin/queries/rail-floats.ts'
import { createStore } from '../storage/store.ts'
import {
  BALANCE_POLL_MS,
  createReportedBalances,
  QUERIED_AT_ONCE_MAX,
  TOP_UP_POLL_MS,
  watchBalances,
} from './rail-balances.ts'

const { pool } = await databaseTest()
const clock = fixedClock()
await installed(pool, 'mtn-uganda')

const railAccount = {
  currency: 'UGX',
  settings: { balance_tolerance: '10' },
} as Partial<RailAccount>
const operator = { available: 100_000n, asked: 0, isDown: false }
const errors: unknown[] = []

/** Polls rail accounts of these names. */
const watching = (
  names: readonly string[],
  adapterOf: (name: string) => object,
  changes: Pick<Partial<RailAccount>, 'settings'> = {},
) =>
  watchBalances({
    pool,
    clock,
    railAccounts: () => new Map(names.map((name) => [name, { ...railAccount, ...changes, name } as RailAccount])),
    connect: (name) => ({ adapter: adapterOf(name) as never }),
    onError: (error) => errors.push(error),
  })

/** Five minutes later all balances are polled again. */
async function poll(): Promise<void> {
  clock.advance(BALANCE_POLL_MS)
  const balances = async () => {
    operator.asked += 1
    if (operator.isDown) throw new Error('no answer')
    return [
      { account: 'collections', available: money(operator.available, 'UGX') },
      { account: 'elsewhere', available: money(7n, 'EUR') },
    ]
  }
  await watching(['mtn-uganda'], () => ({ balances }))
}

const figures = async () =>
  (await railBalanceFigures(pool)).map(({ differenceMinor, unexplainedMinor }) => [differenceMinor, unexplainedMinor])
const reported = async () =>
  (await examine(pool, clock.now())).find(({ name }) => name === 'rail_balances_agree')?.examples

let orders = 0n
async function paid(status: OrderFixture['status'], amountMinor: bigint): Promise<void> {
  orders += 1n
  const orderId = `00000000-0000-4000-8000-${String(orders).padStart(12, '0')}`
  await givenOrders(pool, 'mtn-uganda', [
    { id: orders, orderId, type: 'COLLECTION', status, amountMinor, at: clock.now() },
  ])
}

test("compares an operator's balance with the ledger from the first poll on", async () => {
  await poll()
  expect(await figures()).toEqual([[0n, 0n]]) // the balance before the first poll is not a difference
  await paid('COMPLETED', 5_000n)
  operator.available += 5_000n
  await poll()
  expect(await figures()).toEqual([[0n, 0n]])
  await paid('PROCESSING', 3_000n)
  operator.available += 3_000n
  await poll()
  expect(await figures()).toEqual([[3_000n, 0n]]) // its order is still in progress
  operator.available -= 10n
  await poll()
  expect(await figures()).toEqual([[2_990n, 0n]])
  operator.available -= 5_000n
  await poll()
  expect(await figures()).toEqual([[-2_010n, -2_010n]])
})

test('the doctor reports it after an hour, until it is explained', async () => {
  expect(await reported()).toEqual([])
  clock.advance(60 * 60_000)
  await poll()
  expect(await reported()).toEqual([
    expect.stringMatching(/^rail account mtn-uganda has -2010 UGX \(minor units\) that nothing explains, since 2026-/),
  ])
  operator.available += 5_000n
  await poll()
  expect(await reported()).toEqual([])
})

test('all processes share one query; no reply leaves the known balance', async () => {
  operator.asked = 0
  await poll()
  clock.advance(-BALANCE_POLL_MS)
  await poll()
  expect(operator.asked).toBe(1)
  const before = await figures()
  operator.isDown = true
  await poll()
  expect(errors).toEqual([new Error('no answer')])
  expect(await figures()).toEqual(before)
})

test('queries a few operators at a time; a hanging one delays no other', async () => {
  const { promise: spoken, resolve: speak } = Promise.withResolvers<void>()
  const hanging = Array.from({ length: QUERIED_AT_ONCE_MAX + 1 }, (_, n) => `slow-${n}`)
  const names = hanging.toSpliced(QUERIED_AT_ONCE_MAX - 1, 0, 'prompt')
  const queried: string[] = []
  const balances = async (name: string) => {
    queried.push(name)
    if (name !== 'prompt') await spoken
    return []
  }
  const polled = watching(names, (name) => ({ balances: () => balances(name) }))
  await expect.poll(() => queried.toSorted()).toEqual(names.slice(0, -1).toSorted())
  speak()
  await polled
  expect(queried.toSorted()).toEqual(names.toSorted())
})

test('knows the float without what may not be paid yet, and reads a top-up soon', async () => {
  await installed(pool, 'payouts')
  const held = { minor: 900n, asked: 0 }
  const watch = async (afterMs: number) => {
    clock.advance(afterMs)
    await watching(['payouts'], () => ({ balances }), { settings: { float_low: '500' } })
    const { float_minor: float, float_low_minor: low, days_left: days } = (await railFloats(pool)).get('payouts') ?? {}
    return { float, low, days }
  }
  const balances = async () => {
    held.asked += 1
    return [
      { account: 'collections', available: money(5_000n, 'UGX') },
      { account: 'payouts', isFloat: true, available: money(held.minor, 'UGX') },
    ]
  }
  const take = (minor: bigint) => taken('payouts', minor)
  expect(await watch(0)).toEqual({ float: 900n, low: 500n, days: undefined })
  const [order] = [{ id: 900n, orderId: '00000000-0000-4000-8000-000000000900', type: 'PAYOUT' }] as const
  await givenOrders(pool, 'payouts', [{ ...order, status: 'PROCESSING', amountMinor: 150n, at: clock.now() }])
  await take(150n)
  held.minor = 880n
  expect((await watch(24 * 3_600_000)).float).toBe(730n)
  await take(30n)
  // 150 in a day: it lasts for less than five days.
  expect(await watch(TOP_UP_POLL_MS)).toEqual({ float: 700n, low: 500n, days: expect.closeTo(4.6, 1) })
  expect(held.asked).toBe(2)
  const wait = {
    transactionId: 900n,
    railAccount: 'payouts',
    merchantId: 1n,
    amountMinor: 1n,
    reason: 'float',
  } as const
  await createStore(pool).transaction((unit) =>
    unit.savePayoutWaits([{ ...wait, createdAt: clock.now(), since: clock.now() }]),
  )
  await watch(TOP_UP_POLL_MS)
  expect(held.asked).toBe(3)
})

const taken = (name: string, minor: bigint) =>
  createStore(pool).transaction(async (unit) => {
    await unit.lockFloats([name], new Date(0))
    await unit.takeFloats(new Map([[name, minor]]))
  })

test('a float that a message reports lacks what was handed over since the question', async () => {
  await installed(pool, 'by-message')
  const railAccounts = () => new Map([['by-message', { ...railAccount, name: 'by-message' } as RailAccount]])
  const reportedBalances = createReportedBalances(pool, railAccounts)
  const answered = async (minor: bigint, handedOver = 0n) => {
    clock.advance(BALANCE_POLL_MS)
    await watching(['by-message'], () => ({ askBalances: async () => `Q-${minor}` }))
    await taken('by-message', handedOver)
    const balances = [{ account: 'utility', isFloat: true, available: money(minor, 'UGX') }] as const
    expect(await reportedBalances.take('by-message', `Q-${minor}`, balances, clock.now())).toBe(true)
    expect(await reportedBalances.take('by-message', `Q-${minor}`, balances, clock.now())).toBe(false)
    return (await railFloats(pool)).get('by-message')?.float_minor
  }
  expect(await answered(900n)).toBe(900n)
  expect(await answered(1_000n, 120n)).toBe(880n)
})
