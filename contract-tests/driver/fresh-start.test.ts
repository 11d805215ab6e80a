import { expect, test } from 'vitest'
import { freshStart } from './fresh-start.ts'
import { notEnough, tooLittle } from './payout-funds.ts'

const MINUTE_MS = 60_000

test('runs of a whole day begin apart, the same time of the next day again', () => {
  const starts = Array.from({ length: 480 }, (_, run) => freshStart({}, 1, 30_000, run * 3 * MINUTE_MS))
  const apart = starts.slice(1).map((start, index) => start - (starts[index] ?? 0))
  expect(Math.min(...apart)).toBeGreaterThan(60)
  expect(freshStart({}, 1, 30_000, 24 * 60 * MINUTE_MS)).toBe(starts[0])
})

test('says what a wallet lacks and what is skipped; nothing when it suffices', () => {
  const funds = new Map([['UGX', 503_108]])
  expect(tooLittle(funds, 'UGX', 400_000, 'payouts')).toBeUndefined()
  expect(tooLittle(undefined, 'UGX', 7_000_000, 'payouts')).toBeUndefined()
  expect(tooLittle(funds, 'UGX', 7_000_000, 'the daily limit of payouts')).toBe(
    'not enough in wallet UGX: 503,108 (8,400,000 needed; skipped: the daily limit of payouts)',
  )
  expect(notEnough('KES', 5n, 'skipped: b')).toBe('not enough in wallet KES: 5 (skipped: b)')
})
