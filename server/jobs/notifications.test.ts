import { expect, test } from 'vitest'
import { StorageUnavailable } from '../actions/ports/store.ts'
import type { JobKind } from '../actions/ports/jobs.ts'
import { handTimers } from '../rails/testing/hand-timers.ts'
import { createDelayReport, createDueWatch } from './notifications.ts'

const KINDS: readonly JobKind[] = ['submitToRail', 'pollRail']

/** A watch over due times that the test sets, in milliseconds of its timers. */
function watched({ pollMsMax = 100 } = {}) {
  const timers = handTimers()
  const next = new Map<JobKind, number>()
  const requested: number[] = []
  const reported: [number, readonly JobKind[]][] = []
  const state = { isAway: false }
  const watch = createDueWatch({
    kinds: KINDS,
    timers,
    clock: { now: () => new Date(timers.elapsedMs()) },
    pollMsMax: () => pollMsMax,
    queue: {
      async nextDue() {
        requested.push(timers.elapsedMs())
        if (state.isAway) throw new StorageUnavailable(new Error('away'))
        return new Map([...next].map(([kind, at]) => [kind, new Date(at)]))
      },
    },
    onOldest: () => undefined,
    onDue: (kinds) => void reported.push([timers.elapsedMs(), kinds]),
  })
  watch.start()
  return { timers, next, requested, reported, state, watch }
}

test('one query for all queues every 100 ms wakes only those with due jobs', async () => {
  const { timers, next, requested, reported } = watched()
  next.set('pollRail', 250)
  await timers.pass(400)
  expect(requested).toEqual([100, 200, 300, 400])
  expect(reported).toEqual([
    [300, ['pollRail']],
    [400, ['pollRail']],
  ])
})

test('a notified process polls less, and polls when a job becomes due', async () => {
  const { timers, next, requested, reported, watch } = watched({ pollMsMax: 500 })
  next.set('pollRail', 830)
  await timers.pass(900)
  expect(requested).toEqual([100, 600, 830])
  expect(reported).toEqual([[830, ['pollRail']]])
  next.clear()
  await timers.pass(100)
  next.set('submitToRail', 0)
  watch.poll()
  await timers.pass(1)
  expect(reported.at(-1)).toEqual([1_000, ['submitToRail']])
})

test('a query that is requested during another runs after it', async () => {
  const { timers, requested, watch } = watched({ pollMsMax: 500 })
  watch.poll()
  watch.poll()
  watch.poll()
  await timers.pass(50)
  expect(requested).toEqual([0, 0])
})

test('while the database is away every queue polls on its own, half a second apart', async () => {
  const { timers, state, reported, requested } = watched()
  state.isAway = true
  await timers.pass(1_200)
  expect(requested).toEqual([100, 600, 1_100])
  expect(reported.map(([, kinds]) => kinds)).toEqual([KINDS, KINDS, KINDS])
})

test('nothing is queried after a stop', async () => {
  const { timers, requested: queried, watch } = watched()
  await timers.pass(100)
  await watch.stop()
  watch.poll()
  await timers.pass(1_000)
  expect(queried).toEqual([100])
})

test('reports a delay that stands for half a second, its end once, and no burst', async () => {
  const timers = handTimers()
  const reports: [number, number][] = []
  const delayed = createDelayReport(timers, (delayMs) => reports.push([timers.elapsedMs(), delayMs]))
  const observe = async (...delays: number[]) => {
    for (const delayMs of delays) {
      await timers.pass(100)
      delayed(delayMs)
    }
  }
  await observe(0, 0, 900, 900, 0)
  expect(reports).toEqual([])
  await observe(...Array<number>(15).fill(3_600_000))
  await observe(...Array<number>(15).fill(0))
  expect(reports).toEqual([
    [1_500, 500],
    [2_000, 1_000],
    [2_500, 0],
  ])
})
