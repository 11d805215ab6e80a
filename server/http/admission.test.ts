import { expect, test } from 'vitest'
import { OverloadControl } from './admission.ts'
import { RequestFault } from './failures.ts'

const STEP_MS = 10
const OBSERVED_MS = 250

/** Workers that finish `carried` payments a second, each in its turn, while `offered` arrive. */
function overload(options: { readonly offered: number; readonly carried: number }) {
  let now = 0
  const refusals: number[] = []
  const control = new OverloadControl({ elapsedMs: () => now }, 1_000, (delayMs) => refusals.push(delayMs))
  const waiting: number[] = []
  let [arrived, finished, finishing] = [0, 0, 0]
  const isAccepted = (): boolean => {
    if (control.turnAway()) return false
    try {
      control.admit()
      return true
    } catch (error) {
      if (error instanceof RequestFault) return false
      throw error
    }
  }
  const delayMs = (): number => (waiting[0] === undefined || now - waiting[0] < OBSERVED_MS ? 0 : now - waiting[0])
  return {
    control,
    refusals,
    delayMs,
    /** @returns what was finished and refused meanwhile, and the longest delay */
    run(seconds: number, { offered, carried } = options) {
      const before = { finished, refused: refusals.length }
      let longestMs = 0
      for (const end = now + seconds * 1_000; now < end; now += STEP_MS) {
        for (arrived += (offered * STEP_MS) / 1_000; arrived >= 1; arrived -= 1) if (isAccepted()) waiting.push(now)
        finishing = Math.min(finishing + (carried * STEP_MS) / 1_000, waiting.length)
        for (; finishing >= 1; finishing -= 1, finished += 1) waiting.shift()
        longestMs = Math.max(longestMs, delayMs())
        if (now % OBSERVED_MS === 0) control.observe(delayMs())
      }
      return { finished: finished - before.finished, refused: refusals.length - before.refused, longestMs }
    },
  }
}

test('accepts everything while the workers carry it', () => {
  expect(overload({ offered: 90, carried: 100 }).run(60).refused).toBe(0)
})

test.each([1.5, 2, 4])('keeps the workers busy and the delay short at %s times what they carry', (times) => {
  const under = overload({ offered: 100 * times, carried: 100 })
  under.run(30)
  const { finished, longestMs } = under.run(60)
  expect(finished).toBeGreaterThan(5_900)
  expect(longestMs).toBeLessThan(2_000)
})

test('accepts everything again soon after the overload', () => {
  const under = overload({ offered: 200, carried: 100 })
  under.run(60)
  under.run(10, { offered: 50, carried: 100 })
  expect(under.run(30, { offered: 90, carried: 100 }).refused).toBe(0)
})

test('accepts a little while nothing is finished, and more and more after that', () => {
  const under = overload({ offered: 200, carried: 100 })
  under.run(10)
  const away = under.run(120, { offered: 200, carried: 0 })
  expect(away.refused).toBeLessThan(24_000)
  under.run(30, { offered: 50, carried: 100 })
  expect(under.run(30, { offered: 90, carried: 100 }).refused).toBe(0)
})

test('a process that starts during the overload accepts its part', () => {
  let now = 0
  const control = new OverloadControl({ elapsedMs: () => now }, 1_000)
  let accepted = 0
  for (; now < 3_000; now += STEP_MS) {
    try {
      control.admit()
      accepted += 1
    } catch {}
    if (now % OBSERVED_MS === 0) control.observe(2_000)
  }
  expect(accepted).toBeGreaterThan(150)
})

test('accepts a payment that comes alone while jobs are late', () => {
  let now = 0
  const control = new OverloadControl({ elapsedMs: () => now }, 1_000)
  now = 60_000
  control.observe(3_000)
  expect(() => control.admit()).not.toThrow()
  expect(() => control.admit()).toThrow(RequestFault)
})

test('refuses with 503 and Retry-After, and reports the delay', () => {
  const under = overload({ offered: 200, carried: 10 })
  under.run(10)
  const refusal = { status: 503, headers: { 'retry-after': '1' } }
  const flood = () => {
    for (let n = 0; n < 100; n += 1) under.control.admit()
  }
  expect(flood).toThrow(expect.objectContaining({ reply: expect.objectContaining(refusal) as object }) as Error)
  expect(under.refusals.at(-1)).toBeGreaterThan(1_000)
})
