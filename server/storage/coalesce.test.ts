import { expect, test } from 'vitest'
import { StorageUnavailable } from '../actions/ports/store.ts'
import { coalesce } from './coalesce.ts'

function recorder(options: {
  batchMax: number
  runsMax: number
  fail?: (items: readonly number[]) => boolean
  splitOn?: boolean
}) {
  const batches: number[][] = []
  let running = 0
  let runningMost = 0
  const call = coalesce<number, number>({
    batchMax: options.batchMax,
    runsMax: options.runsMax,
    waitingMax: 40,
    splitOn: () => options.splitOn ?? true,
    run: async (items) => {
      batches.push([...items])
      running += 1
      runningMost = Math.max(runningMost, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      if (options.fail?.(items)) throw new Error(`bad: ${items.join()}`)
      return items.map((item) => item * 10)
    },
  })
  return { call, batches, runningMost: () => runningMost }
}

test('calls of one tick share a run, and each gets its own result', async () => {
  const { call, batches } = recorder({ batchMax: 64, runsMax: 1 })
  expect(await Promise.all([1, 2, 3].map(call))).toEqual([10, 20, 30])
  expect(batches).toEqual([[1, 2, 3]])
})

test('keeps to the maximum batch size and the maximum number of runs', async () => {
  const { call, batches, runningMost } = recorder({ batchMax: 4, runsMax: 2 })
  const items = Array.from({ length: 30 }, (_, n) => n)
  expect(await Promise.all(items.map(call))).toEqual(items.map((n) => n * 10))
  expect(Math.max(...batches.map(({ length }) => length))).toBe(4)
  expect(runningMost()).toBe(2)
})

test('rejects at once what cannot wait', async () => {
  const { call } = recorder({ batchMax: 4, runsMax: 1 })
  const results = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => call(n)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(40)
  expect(
    results.slice(40).every((result) => result.status === 'rejected' && result.reason instanceof StorageUnavailable),
  ).toBe(true)
})

test('a bad item never fails its neighbours', async () => {
  const { call } = recorder({ batchMax: 64, runsMax: 1, fail: (items) => items.includes(2) })
  const results = await Promise.allSettled([1, 2, 3].map(call))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('all fail at once without a database: retrying singly would only take longer', async () => {
  const { call, batches } = recorder({ batchMax: 64, runsMax: 1, fail: () => true, splitOn: false })
  const results = await Promise.allSettled([1, 2, 3].map(call))
  expect(results.every(({ status }) => status === 'rejected')).toBe(true)
  expect(batches).toHaveLength(1)
})

test('reports a missed deadline, and never runs what had not begun', async () => {
  const batches: (readonly number[])[] = []
  const { promise: hangs, resolve: goOn } = Promise.withResolvers<void>()
  const call = coalesce<number, number>({
    batchMax: 1,
    runsMax: 1,
    waitMs: 300,
    splitOn: () => false,
    run: async (items) => {
      batches.push(items)
      await hangs
      return items
    },
  })
  const results = await Promise.allSettled([1, 2, 3].map(call))
  expect(results.every((result) => result.status === 'rejected' && result.reason instanceof StorageUnavailable)).toBe(
    true,
  )
  goOn()
  expect(await call(4)).toBe(4)
  expect(batches).toEqual([[1], [4]])
})

test('starts at once after a pause, then gathers until the batch is full or time is up', async () => {
  const batches: number[][] = []
  const together = coalesce<number, number>({
    batchMax: 3,
    runsMax: 9,
    everyMs: 60_000,
    splitOn: () => false,
    run: async (items) => (batches.push([...items]), items),
  })
  await together(1)
  void together(2)
  void together(3)
  await new Promise((resolve) => setImmediate(resolve))
  expect(batches).toEqual([[1]])
  await together(4)
  expect(batches).toEqual([[1], [2, 3, 4]])
  const soon = coalesce<number, number>({
    batchMax: 3,
    runsMax: 9,
    everyMs: 5,
    splitOn: () => false,
    run: async (items) => items,
  })
  expect([await soon(1), await soon(2)]).toEqual([1, 2])
})

test('gathers longer with more calls pending, until there are enough', async () => {
  const batches: number[][] = []
  const ends: (() => void)[] = []
  const queried: number[] = []
  const call = coalesce<number, number>({
    batchMax: 9,
    runsMax: 9,
    enough: 2,
    everyMs: (unanswered) => (queried.push(unanswered), unanswered === 1 ? 0 : 60_000),
    splitOn: () => false,
    run: async (items) => {
      batches.push([...items])
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.push(resolve)
      await promise
      return items
    },
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const results = [call(1)]
  await turn()
  expect(batches).toEqual([[1]]) // alone: does not wait
  results.push(call(2))
  await turn()
  expect(batches).toEqual([[1]]) // the first is in flight
  results.push(call(3))
  await turn()
  expect(batches).toEqual([[1], [2, 3]])
  expect(queried).toEqual([1, 2, 3])
  for (const end of ends) end()
  expect(await Promise.all(results)).toEqual([1, 2, 3])
  const last = call(4)
  await turn()
  expect(batches).toEqual([[1], [2, 3], [4]]) // alone again
  ends.at(-1)?.()
  expect(await last).toBe(4)
})
