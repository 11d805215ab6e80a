import { describe, expect, test } from 'vitest'
import type { NextStep } from './callback.ts'
import {
  deliveryEvent,
  deliveryState,
  numberDeliveries,
  resentEvent,
  urlKnownAt,
  WITHHELD_STATUS,
  withheldEvent,
  type CallbackState,
} from './deliveries.ts'

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

describe('every attempt is numbered, whoever holds its job now', () => {
  test('after the stored ones, each callback for itself', () => {
    const other = { ...attempt, callback: { ...callback, id: 2n } }
    const states = stored([1n, { attempts: 4, resends: 0 }], [2n, { attempts: 0, resends: 0 }])
    expect(numbered([attempt, other, lost, other], states).map(([number]) => number)).toEqual([5, 1, 6, 2])
  })
  test('from 1 where nothing is stored', () => expect(numbered([attempt], stored())).toEqual([[1, true]]))
  test('and is stored otherwise unchanged', () => {
    const [first] = numberDeliveries([attempt], () => true, stored())
    expect(first).toEqual({ ...attempt, number: 1, decides: true })
  })
})

describe('at most one attempt of a callback decides the next step', () => {
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
  test('not the attempt acknowledged before staff resent it, unless its job is held', () => {
    expect(numbered([lateAcknowledged], sentAgain)).toEqual([[4, false]])
    expect(numbered([acknowledged], sentAgain)).toEqual([[4, true]])
  })
  test('not the acknowledgement of a callback that is no longer stored', () => {
    expect(numbered([lateAcknowledged], stored())).toEqual([[1, false]])
  })
})

describe('the history says of an attempt', () => {
  const reported = { callback, number: 3, decides: true }
  test.each([
    ['what the merchant answered', { httpStatus: 503 }, RETRY, 'HTTP 503; next attempt in 30 s'],
    ['what went wrong', { error: 'connection refused' }, RETRY, 'connection refused; next attempt in 30 s'],
    ['that there was no reply', {}, RETRY, 'no reply; next attempt in 30 s'],
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

describe('the state after an attempt', () => {
  const made = { at: new Date('2026-03-01T08:00:00Z'), durationMs: 400 }
  test('a retry is due after the delay, counted from the end of the attempt', () =>
    expect(deliveryState(made, RETRY)).toEqual({ status: 'PENDING', nextAt: new Date('2026-03-01T08:00:30Z') }))
  test('an acknowledgement and an end have no next attempt', () => {
    expect(deliveryState(made, DELIVERED)).toEqual({ status: 'DELIVERED' })
    expect(deliveryState(made, { step: 'stopped', why: 'gone' })).toEqual({ status: 'STOPPED' })
  })
})

test('a withheld callback is stopped until staff resend it', () => {
  expect(WITHHELD_STATUS).toBe('STOPPED')
  expect(withheldEvent(callback)).toEqual({
    transactionId: 11n,
    kind: 'callback_withheld',
    detail: 'transaction.completed: no callback URL is set; it goes out when one is set and it is resent',
  })
  expect(withheldEvent({ ...callback, event: 'refund.failed' }).detail).toMatch('refund.failed: no refund URL is set;')
  expect(resentEvent(callback)).toMatchObject({ transactionId: 11n, kind: 'callback_resent' })
})

test('a callback with a new URL is due when every process knows the URL', () =>
  expect(urlKnownAt(new Date('2026-03-01T08:00:00Z'))).toEqual(new Date('2026-03-01T08:00:01Z')))
