import { expect, test } from 'vitest'
import { heldRuns } from './held-runs.ts'

test('answers for a run that takes long, which later requests join', async () => {
  const { join, has } = heldRuns<number>(0)
  const { promise, resolve } = Promise.withResolvers<number>()
  const never = () => Promise.reject<number>(new Error('it was begun twice'))
  expect(await join('a', () => promise)).toBe('running')
  expect(await join('a', never)).toBe('running')
  resolve(7)
  expect(await join('a', never)).toBe(7)
  expect(has('a')).toBe(false)
  expect(await heldRuns<number>().join('b', async () => 8)).toBe(8)
})

test('begins anew after a failure, and no more than four at once', async () => {
  const { join } = heldRuns<number>(0)
  await expect(join('a', () => Promise.reject<number>(new Error('it failed')))).rejects.toThrow('it failed')
  const { promise, resolve } = Promise.withResolvers<number>()
  for (const name of ['a', 'b', 'c', 'd']) expect(await join(name, () => promise)).toBe('running')
  await expect(join('e', () => promise)).rejects.toThrow('4 runs are going on')
  resolve(1)
})
