import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NotSent } from '../operator-errors.ts'
import { handTimers } from '../testing/hand-timers.ts'
import { CALL_LIMITS, createCallLimiter, type CallLimits, type Purpose } from './call-limits.ts'

function given(limits: Partial<CallLimits> = {}) {
  const timers = handTimers()
  const limiter = createCallLimiter({ ...CALL_LIMITS, concurrency: 2, ...limits }, timers)
  const begun: { readonly name: string; readonly at: number }[] = []
  const ends = new Map<string, () => void>()
  let running = 0
  let runningMost = 0
  /** Runs until the test ends it, or for `takesMs`. */
  const call = (name: string, purpose: Purpose = 'submit', takesMs?: number) =>
    limiter.take(purpose, async () => {
      begun.push({ name, at: timers.elapsedMs() })
      runningMost = Math.max(runningMost, (running += 1))
      await new Promise<void>((resolve) => {
        ends.set(name, resolve)
        if (takesMs !== undefined) timers.after(takesMs, resolve)
      })
      running -= 1
      return name
    })
  return {
    timers,
    limiter,
    begun,
    call,
    end: (name: string) => ends.get(name)?.(),
    names: () => begun.map(({ name }) => name),
    runningMost: () => runningMost,
  }
}

test('runs calls up to the limit, and the next begins when one has ended', async () => {
  const { timers, call, end, names } = given()
  const calls = ['a', 'b', 'c'].map((name) => call(name))
  await timers.pass(0)
  expect(names()).toEqual(['a', 'b'])
  end('b')
  await timers.pass(0)
  expect(names()).toEqual(['a', 'b', 'c'])
  end('a')
  end('c')
  expect(await Promise.all(calls)).toEqual(['a', 'b', 'c'])
})

test('a failed call frees its slot and reports its error to its caller', async () => {
  const { limiter, call, end } = given({ concurrency: 1 })
  await expect(limiter.take('ask', () => Promise.reject(new Error('x')))).rejects.toThrow('x')
  const next = call('a')
  await Promise.resolve()
  end('a')
  expect(await next).toBe('a')
})

test('spaces calls of one purpose evenly, without delaying those of others', async () => {
  const { timers, call, begun } = given({ concurrency: 100, perSecond: { ask: 10 } })
  for (let n = 0; n < 5; n += 1) void call(`ask ${n}`, 'ask')
  void call('submit')
  await timers.pass(1_000)
  expect(begun).toEqual([
    { name: 'ask 0', at: 0 },
    { name: 'submit', at: 0 },
    ...[1, 2, 3, 4].map((n) => ({ name: `ask ${n}`, at: n * 100 })),
  ])
})

test('a full queue rejects more calls of its purpose only', async () => {
  const { call } = given({ concurrency: 1, waitingMax: 2 })
  for (const name of ['running', 'one', 'two']) void call(name)
  await expect(call('three')).rejects.toThrow(new NotSent('too many calls wait for their turn'))
  void call('other', 'ask')
})

test('does not send a call that waited too long, also later', async () => {
  const { timers, call, end, names } = given({ concurrency: 1, waitMs: 1_000 })
  void call('slow')
  const late = call('late')
  const reported = expect(late).rejects.toThrow(new NotSent('no turn within 1 s'))
  await timers.pass(1_000)
  await reported
  end('slow')
  await timers.pass(10_000)
  expect(names()).toEqual(['slow'])
})

const arrival = fc.record({
  afterMs: fc.nat(400),
  takesMs: fc.nat(500),
  purpose: fc.constantFrom<Purpose>('ask', 'submit', 'token'),
})

test('any sequence: rate and concurrency stay within limits, and every call ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(arrival, { maxLength: 30 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 4 }),
      async (arrivals, perSecond, concurrency) => {
        const { timers, call, begun, runningMost } = given({
          concurrency,
          perSecond: { ask: perSecond },
          waitMs: 2_000,
        })
        const outcomes: Promise<string>[] = []
        for (const { afterMs, takesMs, purpose } of arrivals) {
          await timers.pass(afterMs)
          outcomes.push(call(purpose, purpose, takesMs).catch((error: Error) => error.name))
        }
        await timers.pass(20_000)
        const queries = begun.filter(({ name }) => name === 'ask').map(({ at }) => at)
        for (const at of queries)
          expect(queries.filter((other) => other >= at && other < at + 1_000).length).toBeLessThanOrEqual(perSecond)
        expect(runningMost()).toBeLessThanOrEqual(concurrency)
        const named = await Promise.all(outcomes)
        expect(named.filter((name) => name !== 'NotSent')).toHaveLength(begun.length)
      },
    ),
    { numRuns: 60 },
  )
})
