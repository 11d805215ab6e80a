import { describe, expect, test } from 'vitest'
import type { NextStep } from './callback.ts'
import { deliveryEvent, numberDeliveries, type CallbackState } from './deliveries.ts'

const RETRY: NextStep = { step: 'retry', afterMs: 29_600 }
const DELIVERED: NextStep = { step: 'delivered' }
const callback = { id: 1n, transactionId: 11n, event: 'transaction.completed', resends: 0 } as const

type Attempt = Parameters<typeof numberDeliveries>[0][number] & { readonly isHeld: boolean }
const attempt: Attempt = { callback, attempt: { httpStatus: 503 }, next: RETRY, isHeld: true }
const lost: Attempt = { ...attempt, isHeld: false }
const acknowledged: Attempt = { ...attempt, attempt: { httpStatus: 200 }, next: DELIVERED }

const stored = (...states: readonly [bigint, CallbackState][]) => new Map(states)
const numbered = (deliveries: readonly Attempt[], states = stored([1n, { attempts: 0, resends: 0 }])) =>
  numberDeliveries(deliveries, ({ isHeld }) => isHeld, states).map(({ number, decides }) => [number, decides])

describe('every attempt is numbered, whoever holds its work now', () => {
  test('after those that are stored, each callback for itself', () => {
    const other = { ...attempt, callback: { ...callback, id: 2n } }
    const states = stored([1n, { attempts: 4, resends: 0 }], [2n, { attempts: 0, resends: 0 }])
    expect(numbered([attempt, other, lost, other], states).map(([number]) => number)).toEqual([5, 1, 6, 2])
  })
  test('from 1 where nothing is stored', () => expect(numbered([attempt], stored())).toEqual([[1, true]]))
  test('and is stored as it came otherwise', () => {
    const [first] = numberDeliveries([attempt], () => true, stored())
    expect(first).toEqual({ ...attempt, number: 1, decides: true })
  })
})

describe('of the attempts of one callback one at most decides what comes next', () => {
  const again: Attempt = { ...attempt }
  const lateAcknowledged: Attempt = { ...acknowledged, isHeld: false }
  const sentAgain = stored([1n, { attempts: 3, resends: 1 }])
  test.each([
    ['the one whose work is held', [lost, attempt], [false, true]],
    ['the first of those whose work is held', [attempt, again], [true, false]],
    ['none whose lease was lost', [lost], [false]],
    ['the acknowledged one, though its lease was lost', [lateAcknowledged], [true]],
    ['the acknowledged one before the one that is held', [attempt, lateAcknowledged], [false, true]],
    ['the acknowledged one, also when it came first', [lateAcknowledged, again], [true, false]],
  ])('%s', (_which, deliveries, decide) => {
    expect(numbered(deliveries).map(([, decides]) => decides)).toEqual(decide)
  })
  test('not what was acknowledged before an operator sent it again, unless its work is held', () => {
    expect(numbered([lateAcknowledged], sentAgain)).toEqual([[4, false]])
    expect(numbered([acknowledged], sentAgain)).toEqual([[4, true]])
  })
  test('not what was acknowledged of a callback that is no longer stored', () => {
    expect(numbered([lateAcknowledged], stored())).toEqual([[1, false]])
  })
})

describe('the history says of an attempt', () => {
  const reported = { callback, number: 3, decides: true }
  test.each([
    ['what the merchant answered', { httpStatus: 503 }, RETRY, 'HTTP 503; next attempt in 30 s'],
    ['what went wrong', { error: 'connection refused' }, RETRY, 'connection refused; next attempt in 30 s'],
    ['that nobody answered', {}, RETRY, 'no reply; next attempt in 30 s'],
    ['that it was acknowledged', { httpStatus: 204 }, DELIVERED, 'HTTP 204; acknowledged'],
    ['why it is the last', { httpStatus: 410 }, { step: 'stopped', why: 'Gone' } as const, 'HTTP 410; Gone'],
  ])('%s', (_what, answer, next, detail) => {
    expect(deliveryEvent({ ...reported, attempt: answer, next })).toEqual({
      transactionId: 11n,
      kind: `callback_${next.step}`,
      detail: `transaction.completed, attempt 3: ${detail}`,
    })
  })
  test('that another one decides', () => {
    const { detail } = deliveryEvent({ ...reported, attempt: { httpStatus: 200 }, next: DELIVERED, decides: false })
    expect(detail).toBe('transaction.completed, attempt 3: HTTP 200; another attempt is under way')
  })
})
