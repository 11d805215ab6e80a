import { expect, test } from 'vitest'
import { StorageUnavailable } from '../actions/ports/store.ts'
import type { JobKind } from '../actions/ports/jobs.ts'
import { handTimers } from '../rails/testing/hand-timers.ts'
import { createDueWatch } from './due-watch.ts'

const KINDS: readonly JobKind[] = ['submitToRail', 'askRail']

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
    onDue: (kinds) => void reported.push([timers.elapsedMs(), kinds]),
  })
  watch.start()
  return { timers, next, asked: requested, told: reported, state, watch }
}

test('one question for all lanes every 100 ms, and only the lanes hear that have something due', async () => {
  const { timers, next, asked: requested, told: reported } = watched()
  next.set('askRail', 250)
  await timers.pass(400)
  expect(requested).toEqual([100, 200, 300, 400])
  expect(reported).toEqual([
    [300, ['askRail']],
    [400, ['askRail']],
  ])
})

test('who is told of what others add asks less, and again when something becomes due', async () => {
  const { timers, next, asked: requested, told: reported, watch } = watched({ pollMsMax: 500 })
  next.set('askRail', 830)
  await timers.pass(900)
  expect(requested).toEqual([100, 600, 830])
  expect(reported).toEqual([[830, ['askRail']]])
  next.clear()
  await timers.pass(100)
  next.set('submitToRail', 0)
  watch.ask()
  await timers.pass(1)
  expect(reported.at(-1)).toEqual([1_000, ['submitToRail']])
})

test('a question that comes while one is under way is asked after it', async () => {
  const { timers, asked: requested, watch } = watched({ pollMsMax: 500 })
  watch.ask()
  watch.ask()
  watch.ask()
  await timers.pass(50)
  expect(requested).toEqual([0, 0])
})

test('while the database is away every lane looks by itself, half a second apart', async () => {
  const { timers, state, told: reported, asked: requested } = watched()
  state.isAway = true
  await timers.pass(1_200)
  expect(requested).toEqual([100, 600, 1_100])
  expect(reported.map(([, kinds]) => kinds)).toEqual([KINDS, KINDS, KINDS])
})

test('after a stop nothing is asked any more', async () => {
  const { timers, asked, watch } = watched()
  await timers.pass(100)
  await watch.stop()
  watch.ask()
  await timers.pass(1_000)
  expect(asked).toEqual([100])
})
