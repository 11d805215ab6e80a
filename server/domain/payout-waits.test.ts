import { expect, test } from 'vitest'
import { decidePayouts, OVERTAKEN_MS_MAX, WAITED_IN_VAIN, type QueuedPayout } from './payout-waits.ts'

const NOW = new Date('2026-05-04T12:00:00Z')
const WAIT_MS = 60 * 60_000
const before = (ms: number): Date => new Date(NOW.getTime() - ms)

/** Accepted in the order of the ids. */
const payout = (id: number, amount: number, more: Partial<QueuedPayout> = {}): QueuedPayout => ({
  id: BigInt(id),
  merchantId: 1n,
  amountMinor: BigInt(amount),
  createdAt: before(1_000_000 - id),
  since: NOW,
  ...more,
})

/** In words, by id. */
function decided(
  here: readonly QueuedPayout[],
  floatMinor: bigint | undefined,
  { elsewhere = [], operator = 'there', waitMs = WAIT_MS }: DecidedWith = {},
): Record<string, string> {
  const state = { operator, waitMs, ...(floatMinor !== undefined && { floatMinor }) }
  return Object.fromEntries(
    [...decidePayouts(here, elsewhere, state, NOW)].map(([id, decision]): [string, string] => {
      if (decision.step === 'go') return [String(id), 'go']
      return [String(id), decision.step === 'wait' ? decision.reason : `failed ${decision.failure.code}`]
    }),
  )
}
interface DecidedWith {
  elsewhere?: readonly QueuedPayout[]
  operator?: 'there' | 'trying' | 'away'
  waitMs?: number
}

test('a payout goes as far as the float reaches, the oldest first', () => {
  const three = [payout(3, 400), payout(1, 400), payout(2, 300)]
  expect(decided(three, 700n)).toEqual({ 1: 'go', 2: 'go', 3: 'float' })
  expect(decided(three, 699n)).toEqual({ 1: 'go', 2: 'float', 3: 'float' })
  expect(decided(three, -5n)).toEqual({ 1: 'float', 2: 'float', 3: 'float' })
  expect(decided(three, undefined)).toEqual({ 1: 'go', 2: 'go', 3: 'go' })
})

test('a payout waits while its operator is away, and one goes when it may be back', () => {
  const two = [payout(1, 10), payout(2, 10)]
  expect(decided(two, undefined, { operator: 'away' })).toEqual({ 1: 'operator', 2: 'operator' })
  expect(decided(two, 0n, { operator: 'away' })).toEqual({ 1: 'operator', 2: 'operator' })
  expect(decided(two, 100n, { operator: 'trying' })).toEqual({ 1: 'go', 2: 'operator' })
  expect(decided(two, 0n, { operator: 'trying' })).toEqual({ 1: 'float', 2: 'float' })
})

test('a payout fails when its time is over, by what is in its way then', () => {
  const late = [payout(1, 10, { since: before(WAIT_MS) }), payout(2, 10, { since: before(WAIT_MS - 1) })]
  expect(decided(late, 0n)).toEqual({ 1: 'failed no_float', 2: 'float' })
  expect(decided(late, 100n, { operator: 'away' })).toEqual({ 1: 'failed operator_unreachable', 2: 'operator' })
  expect(decided(late, 10n)).toEqual({ 1: 'go', 2: 'float' })
  expect(decided([payout(1, 10, { isTooOld: true })], 0n)).toEqual({ 1: 'failed no_float' })
  expect(decided([payout(1, 10, { isTooOld: true })], 10n)).toEqual({ 1: 'go' })
  expect(Object.values(WAITED_IN_VAIN).map(({ reason }) => reason)).toEqual([
    'The operator has no float for this payout',
    'The operator could not be reached',
  ])
})

test('nothing waits where waiting is off', () => {
  expect(decided([payout(1, 10)], 0n, { waitMs: 0, operator: 'away' })).toEqual({ 1: 'go' })
})

test('small payouts overtake a large one until it has waited too long', () => {
  const large = (waitedMs: number) => payout(1, 500, { since: before(waitedMs) })
  expect(decided([large(OVERTAKEN_MS_MAX - 1), payout(2, 100)], 400n)).toEqual({ 1: 'float', 2: 'go' })
  expect(decided([large(OVERTAKEN_MS_MAX), payout(2, 100)], 400n)).toEqual({ 1: 'float', 2: 'float' })
  expect(decided([payout(2, 100)], 400n, { elsewhere: [large(OVERTAKEN_MS_MAX)] })).toEqual({ 2: 'float' })
  expect(decided([large(OVERTAKEN_MS_MAX), payout(2, 100)], 550n)).toEqual({ 1: 'go', 2: 'float' })
})

test('merchants share what is left, whoever came first', () => {
  const many = Array.from({ length: 10 }, (_, n) => payout(n + 1, 100))
  const other = { merchantId: 2n }
  const shared = decided([...many, payout(11, 100, other), payout(12, 150, other)], 600n)
  expect(Object.keys(shared).filter((id) => shared[id] === 'go')).toEqual(['1', '2', '3', '11', '12'])
  const aside = decided(many, 600n, { elsewhere: [payout(11, 250, other)] })
  expect(Object.values(aside).filter((step) => step === 'go')).toHaveLength(3)
})
