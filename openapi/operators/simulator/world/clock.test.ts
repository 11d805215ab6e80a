import { expect, test } from 'vitest'
import { createClock } from './clock.ts'

test('runs due tasks in order at their own times, including tasks that they set', () => {
  const clock = createClock({ frozen: true, realNow: () => 1_000 })
  const happened: string[] = []
  const note = (what: string) => happened.push(`${what} at ${clock.now().getTime()}`)
  clock.after(200, () => note('second'))
  clock.after(100, () => {
    note('first')
    clock.after(50, () => note('between'))
    clock.after(1_000, () => note('later'))
  })
  clock.advance(300)
  expect(happened).toEqual(['first at 1100', 'between at 1150', 'second at 1200'])
  expect(clock.now().getTime()).toBe(1_300)
  clock.advance(800)
  expect(happened.at(-1)).toBe('later at 2100')
})

test('the real time runs on after it was advanced, and is never set back', () => {
  let real = 5_000
  const clock = createClock({ realNow: () => real })
  clock.advance(60_000)
  real += 7
  expect(clock.now().getTime()).toBe(65_007)
  expect(() => clock.advance(-1)).toThrow(RangeError)
  expect(() => clock.advance(Number.NaN)).toThrow(RangeError)
  clock.stop()
})

test('runs tasks without being advanced', async () => {
  const clock = createClock()
  await new Promise<void>((resolve) => clock.after(5, resolve))
  clock.stop()
})

test('never runs a task that was stopped', () => {
  const clock = createClock({ frozen: true })
  clock.after(1, () => expect.unreachable())
  clock.stop()
  clock.advance(10)
})
