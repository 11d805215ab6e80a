import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

const gate = () => Promise.withResolvers<void>()
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

test('so many run at a time, the next ones in their order, and what cannot wait any more is turned away', async () => {
  const turns = createTurns({ runningMax: 2, waitingMax: 2, waitMs: 60_000, awayMs: 0 })
  const gates = Array.from({ length: 5 }, gate)
  const started: number[] = []
  const results = gates.map(({ promise }, n) => turns('host', async () => {
    started.push(n)
    await promise
  }))
  expect(await results[4]).toBe(false)
  expect(started).toEqual([0, 1])
  gates[1]!.resolve()
  await settled()
  expect(started).toEqual([0, 1, 2])
  gates[0]!.resolve()
  await settled()
  expect(started).toEqual([0, 1, 2, 3])
  gates[2]!.resolve()
  gates[3]!.resolve()
  expect(await Promise.all(results.slice(0, 4))).toEqual([true, true, true, true])
})

test('a host that hangs takes no turn of another', async () => {
  const turns = createTurns({ runningMax: 1, waitingMax: 0, waitMs: 60_000, awayMs: 0 })
  void turns('hanging', () => new Promise(() => undefined))
  expect(await turns('hanging', async () => undefined)).toBe(false)
  expect(await turns('other', async () => undefined)).toBe(true)
})

test('a turn ends also when what it ran fails', async () => {
  const turns = createTurns({ runningMax: 1, waitingMax: 0, waitMs: 60_000, awayMs: 0 })
  await expect(turns('host', async () => { throw new Error('reset') })).rejects.toThrow('reset')
  expect(await turns('host', async () => undefined)).toBe(true)
})

test('what waits too long is turned away, and its place in the line is gone', async () => {
  const turns = createTurns({ runningMax: 1, waitingMax: 1, waitMs: 5, awayMs: 0 })
  const first = gate()
  const running = turns('host', () => first.promise)
  expect(await turns('host', async () => undefined)).toBe(false)
  const waiting = turns('host', async () => undefined)
  first.resolve()
  expect(await Promise.all([running, waiting])).toEqual([true, true])
})
