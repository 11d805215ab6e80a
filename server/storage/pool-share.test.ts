import { expect, test } from 'vitest'
import { StorageBusy } from '../actions/ports/store.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { jobShares, shareOf } from './pool-share.ts'
import { inTransaction, type Connections } from './pool.ts'

const { pool } = await databaseTest({ connectionsMax: 10 })
const inUse = (): number => pool.totalCount - pool.idleCount

/** Starts transactions that all hold their connection until the gate opens. */
function burst(connections: Connections, count: number) {
  const gate = Promise.withResolvers<void>()
  let begun = 0
  const all = Promise.all(
    Array.from({ length: count }, () =>
      inTransaction(connections, async (client) => {
        begun += 1
        await client.query('select')
        await gate.promise
      }),
    ),
  )
  return { all, open: gate.resolve, begun: () => begun }
}

test('keeps a burst of one kind of job to its share of the pool', async () => {
  const { of } = jobShares(pool, 10)
  const messages = burst(of('readRailCallback'), 64)
  await expect.poll(messages.begun).toBe(3)
  expect(inUse()).toBe(3)
  // Jobs of other kinds and requests continue meanwhile.
  await inTransaction(of('submitToRail'), (client) => client.query('select'))
  await pool.query('select')
  expect(messages.begun()).toBe(3)
  messages.open()
  await messages.all
  expect(messages.begun()).toBe(64)
  expect(inUse()).toBe(0)
})

test.each([4, 5, 10, 16, 100])('leaves a quarter of %i connections to requests whatever jobs are due', async (max) => {
  let held = 0
  const releases: (() => void)[] = []
  const counted = {
    connect: async () => {
      held += 1
      const client = { release: () => void (held -= 1) }
      releases.push(() => client.release())
      return client
    },
  } as unknown as Connections
  const { of } = jobShares(counted, max)
  const waits = ['submitToRail', 'pollRail', 'readRailCallback', 'deliverCallback', 'sendOtp'].flatMap((kind) =>
    Array.from({ length: max }, () =>
      of(kind)
        .connect()
        .catch(() => undefined),
    ),
  )
  await Promise.resolve()
  await expect.poll(() => held).toBeGreaterThan(0)
  for (let n = 0; n < 10; n += 1) await Promise.resolve()
  expect(held).toBeLessThanOrEqual(Math.floor(max * 0.75))
  while (releases.length > 0) {
    releases.shift()?.()
    for (let n = 0; n < 10; n += 1) await Promise.resolve()
  }
  await Promise.all(waits)
})

test('serves waiters in the order of arrival, and frees what a failure held', async () => {
  const share = shareOf(pool, 1)
  const order: number[] = []
  await Promise.allSettled(
    [1, 2, 3].map((n) =>
      inTransaction(share, async () => {
        order.push(n)
        if (n === 2) throw new Error('a fault of ours')
      }),
    ),
  )
  expect(order).toEqual([1, 2, 3])
  await expect(share.query('select no_such_column')).rejects.toThrow('no_such_column')
  await share.query('select')
})

test('ends a wait that takes too long as busy, and goes on for the others', async () => {
  const share = shareOf(pool, 1, 50)
  const held = await share.connect()
  await expect(share.connect()).rejects.toBeInstanceOf(StorageBusy)
  held.release()
  await share.query('select')
  expect(inUse()).toBe(0)
})
