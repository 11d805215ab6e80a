import { expect, test } from 'vitest'
import { darajaAtTest } from './testing/daraja-at-test.ts'

// Only the repeat says whether a payout has arrived.
test('never repeats a prompt, but repeats a payout to learn whether it arrived', async () => {
  const { adapter } = await darajaAtTest()
  expect(adapter.traitsOf('COLLECTION').repeat).toBe('never')
  expect(adapter.traitsOf('PAYOUT')).toMatchObject({ repeat: 'safe', unanswered: 'repeat' })
})

test('polls come at growing intervals, which the rail account sets', async () => {
  const waits = async (settings: Readonly<Record<string, string>>) => {
    const { adapter } = await darajaAtTest({ settings })
    const secondsOf = (type: 'COLLECTION' | 'PAYOUT') =>
      [0, 1, 2, 50].map((queried) => adapter.traitsOf(type).pollAfterMs(queried) / 1000)
    return [secondsOf('COLLECTION'), secondsOf('PAYOUT')]
  }
  expect(await waits({})).toEqual([
    [20, 40, 80, 600],
    [120, 240, 480, 3600],
  ])
  expect(await waits({ collection_ask_after_seconds: '30', payout_ask_after_seconds: '600' })).toEqual([
    [30, 60, 120, 600],
    [600, 1200, 2400, 3600],
  ])
})
