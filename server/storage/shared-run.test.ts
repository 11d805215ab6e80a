import { expect, test } from 'vitest'
import { sharedRun } from './shared-run.ts'

/** A shared run whose runs end only when the test resolves them. */
function controlledRuns() {
  const ends: PromiseWithResolvers<number>[] = []
  const query = sharedRun(() => {
    ends.push(Promise.withResolvers<number>())
    return ends.at(-1)!.promise
  })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return { ask: query, ends, settled }
}

test('all callers before it begins share one run', async () => {
  const { ask: query, ends, settled } = controlledRuns()
  const queried = Array.from({ length: 10_000 }, () => query())
  await settled()
  expect(ends).toHaveLength(1)
  ends[0]!.resolve(1)
  expect(new Set(await Promise.all(queried))).toEqual(new Set([1]))
})

test('a caller during a run gets the next run, which begins when this one has ended', async () => {
  const { ask: request, ends, settled } = controlledRuns()
  const first = request()
  await settled()
  const later = [request(), request()]
  await settled()
  expect(ends).toHaveLength(1)
  ends[0]!.resolve(1)
  expect(await first).toBe(1)
  await settled()
  expect(ends).toHaveLength(2)
  ends[1]!.resolve(2)
  expect(await Promise.all(later)).toEqual([2, 2])
})

test('reports a failure to all who shared the run, and still makes the next run', async () => {
  const { ask: request, ends, settled } = controlledRuns()
  const failed = Promise.allSettled([request(), request()])
  await settled()
  const later = request()
  ends[0]!.reject(new Error('away'))
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await settled()
  ends[1]!.resolve(2)
  expect(await later).toBe(2)
})

test('spaces two runs, and starts the first at once', async () => {
  let now = 0
  const beganAt: number[] = []
  const query = sharedRun(async () => void beganAt.push(now), {
    spacingMs: 100,
    nowMs: () => now,
    pause: async (ms) => void (now += ms),
  })
  for (const passedMs of [0, 0, 30, 99, 100, 500]) {
    now += passedMs
    await query()
  }
  expect(beganAt).toEqual([0, 100, 200, 300, 400, 900])
})
