import { expect, test } from 'vitest'
import type { WorkItem, WorkQueue } from '../actions/ports/work.ts'
import { handTimers } from '../rails/testing/hand-timers.ts'
import { fixedClock, seededRandom } from '../testing/gateway.ts'
import type { Lane } from './lane.ts'
import { createLanes, type LaneDeps } from './lanes.ts'
import { createWorkLoop } from './loop.ts'

/** A lane whose runs end when a test says so. @param made items that are due from the beginning */
function laneOf(lane: Pick<Lane, 'batchMax' | 'capacity' | 'runsMax' | 'slowAfterMs'>, made = 0) {
  const timers = handTimers()
  const due: WorkItem[] = []
  const runs: { readonly items: number; end(): void }[] = []
  const add = (count: number): void => {
    for (let n = 0; n < count; n += 1)
      due.push({ id: BigInt(n), kind: 'askRail', subjectId: BigInt(n), attempt: 1, token: '0', failures: 0 })
  }
  add(made)
  const queue: Pick<WorkQueue, 'claim'> = { claim: async (_kind, _claim, limit) => due.splice(0, limit) }
  const loop = createWorkLoop({
    lanes: [
      {
        ...lane,
        kind: 'askRail',
        run(items) {
          const { promise, resolve } = Promise.withResolvers<void>()
          runs.push({ items: items.length, end: () => resolve() })
          return [promise]
        },
      },
    ],
    queue: queue as WorkQueue,
    clock: fixedClock(),
    random: seededRandom('batches'),
    timers,
    reasonOf: String,
    onError: () => undefined,
    onPutAside: () => undefined,
  })
  loop.start()
  return { timers, add, runs, sizes: () => runs.map(({ items }) => items), loop }
}

test('one run at a time: what becomes due meanwhile makes the next batch larger', async () => {
  const { timers, add, runs, sizes } = laneOf({ batchMax: 10, capacity: 100, runsMax: 1, slowAfterMs: 1_000 }, 1)
  await timers.pass(100)
  add(2)
  await timers.pass(400)
  add(3)
  await timers.pass(400)
  expect(sizes()).toEqual([1])
  runs[0]?.end()
  await timers.pass(1)
  expect(sizes()).toEqual([1, 5])
})

test('a run that waits for a slow operator holds up the others for a second, and then counts no more', async () => {
  const { timers, add, runs, sizes } = laneOf({ batchMax: 10, capacity: 100, runsMax: 1, slowAfterMs: 1_000 }, 4)
  await timers.pass(100)
  add(1)
  await timers.pass(899)
  expect(sizes()).toEqual([4])
  await timers.pass(101)
  expect(sizes()).toEqual([4, 1])
  // Those that are prompt are still gathered, one run after the other.
  add(2)
  await timers.pass(500)
  expect(sizes()).toEqual([4, 1])
  runs[1]?.end()
  await timers.pass(100)
  expect(sizes()).toEqual([4, 1, 2])
  // That the slow one ends makes no room for a second one beside it.
  add(1)
  runs[0]?.end()
  await timers.pass(100)
  expect(sizes()).toEqual([4, 1, 2])
})

test('slow runs together take no more than the capacity, and without a bound of time each counts until it ends', async () => {
  const slow = laneOf({ batchMax: 10, capacity: 25, runsMax: 1, slowAfterMs: 1_000 }, 100)
  await slow.timers.pass(10_000)
  // Only whole batches are claimed beside others.
  expect(slow.sizes()).toEqual([10, 10])
  const bound = laneOf({ batchMax: 10, capacity: 100, runsMax: 1 }, 20)
  await bound.timers.pass(60_000)
  expect(bound.sizes()).toEqual([10])
})

test('a stop waits for slow runs too', async () => {
  const { timers, runs, loop } = laneOf({ batchMax: 10, capacity: 100, runsMax: 1, slowAfterMs: 1_000 }, 1)
  await timers.pass(2_000)
  let isOver = false
  const stopping = loop.stop(8_000).then(() => (isOver = true))
  await timers.pass(1_000)
  expect(isOver).toBe(false)
  runs[0]?.end()
  await stopping
})

test('all work that waits for operators makes room beside a slow one', () => {
  const lanes = createLanes({ timers: handTimers(), store: { together: () => undefined } } as unknown as LaneDeps)
  const withOperators = lanes.filter(({ kind }) => ['submitToRail', 'askRail', 'findOrder'].includes(kind))
  expect(withOperators).toHaveLength(3)
  // A batch begun a second, each of which waits for 25 s.
  for (const { slowAfterMs = Infinity, capacity, batchMax } of withOperators)
    expect((capacity / batchMax) * slowAfterMs).toBeGreaterThan(25_000)
})
