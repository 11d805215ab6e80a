import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  MERCHANT_CANCELLED,
  POLL_RAIL_AFTER_MS,
  asShown,
  bookAfterAll,
  endPending,
  gaveUp,
  handToRail,
  isFinal,
  LATE_RESULT_WINDOW_MS,
  neverPaid,
  neverSent,
  nothingMoved,
  reportedChargeMinor,
  reportedTotalMinor,
  settle,
  TIMED_OUT,
  UNCOVERED,
  unreachableRetryMs,
  type RailOutcome,
  type Transaction,
  type TransactionStatus,
} from './transaction.ts'
import { MADE_AT as now, PENDING as pending } from './testing/samples.ts'

const ORDER_ID = '0b9c1b8e-6f0f-4c55-8a52-2b3a4c5d6e7f'
const HANDOVER = { orderId: ORDER_ID, railAccount: undefined }
const processing = handToRail(pending, HANDOVER)
const completed: RailOutcome = { status: 'COMPLETED' }
const failed = {
  status: 'FAILED',
  reason: 'The customer declined the request',
  code: 'declined',
} as const satisfies RailOutcome
const settled = (transaction: Transaction, outcome: RailOutcome, at = now): Transaction => {
  const settlement = settle(transaction, outcome, at)
  if (settlement.effect !== 'settled') throw new Error(settlement.why)
  return settlement.transaction
}

/** The history's text about a result without effect. */
const recorded = (transaction: Transaction, outcome: RailOutcome, at = now): string | undefined => {
  const settlement = settle(transaction, outcome, at)
  return settlement.effect === 'recorded' ? settlement.why : undefined
}

test('a result ends a PROCESSING payment with its reason', () => {
  expect(settled(processing, completed)).toEqual({
    ...processing,
    status: 'COMPLETED',
    statusMessage: 'Transaction Completed Successfully',
    finalAt: now,
  })
  expect(settled(processing, failed)).toEqual({
    ...processing,
    status: 'FAILED',
    statusMessage: failed.reason,
    failureCode: 'declined',
    finalAt: now,
  })
})

test('a failure without a code has none', () => {
  const { code: _unknown, ...reasonOnly } = failed
  const { failureCode: _known, ...rest } = settled(processing, failed)
  expect(settled(processing, reasonOnly)).toStrictEqual(rest)
})

test('a completion after a failure clears the failure code, late or by staff', () => {
  const lost = settled(processing, failed)
  expect(settled(lost, completed)).toStrictEqual(settled(processing, completed))
  const paid = { ...lost, type: 'PAYOUT', railPaidAt: now } as const
  expect(paid.failureCode).toBe('declined')
  expect(bookAfterAll(paid, now)).toStrictEqual({ ...settled(processing, completed), type: 'PAYOUT', railPaidAt: now })
})

test('a result for what was never sent has no effect', () => {
  expect([completed, failed].map((outcome) => recorded(pending, outcome))).toEqual(
    ['COMPLETED', 'FAILED'].map((status) => `The rail reported ${status} for what was never sent to it`),
  )
})

test('COMPLETED never changes again', () => {
  const done = settled(processing, completed)
  expect(recorded(done, completed)).toBe('The rail repeated COMPLETED')
  expect(recorded(done, failed)).toBe('The rail reported FAILED after COMPLETED: the state stays')
})

test('CANCELLED never changes again', () => {
  const cancelled = endPending(pending, 'CANCELLED', { reason: 'The customer cancelled the payment' }, now)
  expect([completed, failed].map((outcome) => recorded(cancelled, outcome))).toEqual(
    ['COMPLETED', 'FAILED'].map((status) => `The rail reported ${status} after CANCELLED: the state stays`),
  )
})

test('FAILED does not fail twice', () =>
  expect(recorded(settled(processing, failed), failed)).toBe('The rail repeated FAILED'))

test.each([
  ['PENDING', false],
  ['PROCESSING', false],
  ['COMPLETED', true],
  ['FAILED', true],
  ['CANCELLED', true],
] as const)('%s is final: %s', (status: TransactionStatus, final) => expect(isFinal(status)).toBe(final))

test('an order on its way says nothing of the customer before the rail has it', () => {
  for (const type of ['COLLECTION', 'PAYOUT'] as const) {
    expect(handToRail({ ...pending, type }, HANDOVER)).toEqual({
      ...pending,
      type,
      status: 'PROCESSING',
      statusMessage: 'Transaction Processing',
      railOrderId: ORDER_ID,
    })
  }
})

// Neither an order id nor a rail account.
test('records the rail account of an order; without an operator there is neither', () => {
  const sent = handToRail(pending, { orderId: ORDER_ID, railAccount: 'mtn-uganda' })
  expect(sent).toStrictEqual({ ...processing, railAccount: 'mtn-uganda' })
  expect(neverSent(sent)).toStrictEqual(handToRail(pending, undefined))
})

test('an order that certainly never arrived loses its id and may get another', () => {
  const { railOrderId: _unused, ...rest } = processing
  expect(processing.railOrderId).toBe(ORDER_ID)
  expect(neverSent(processing)).toEqual(rest)
})

// A payout waits for the rail.
test('a collection at its rail waits for the customer; other states show as they are', () => {
  expect(asShown(processing, true)).toEqual({ ...processing, statusMessage: "Waiting for the customer's approval" })
  expect(asShown(processing, false)).toEqual(processing)
  const others = [
    pending,
    handToRail({ ...pending, type: 'PAYOUT' }, HANDOVER),
    settled(processing, completed),
    settled(processing, failed),
  ]
  expect(others.map((other) => asShown(other, true))).toEqual(others)
})

test('only an order that no rail has received can be ended', () => {
  expect(endPending(pending, 'FAILED', { reason: 'Payment page expired', code: 'expired' }, now)).toEqual({
    ...pending,
    status: 'FAILED',
    statusMessage: 'Payment page expired',
    failureCode: 'expired',
    finalAt: now,
  })
  const { railOrderId: _none, ...held } = { ...processing, type: 'PAYOUT' as const }
  expect(endPending(held, 'FAILED', MERCHANT_CANCELLED, now)).toMatchObject({ status: 'FAILED' })
  expect(() => endPending(processing, 'FAILED', MERCHANT_CANCELLED, now)).toThrow(
    'MLP0123456789ABCDEFGHJKMN may have been sent',
  )
})

test('polls a rail after 10 minutes and gives up after 24 hours', () => {
  expect(POLL_RAIL_AFTER_MS).toBe(600_000)
  const age = (ms: number) => gaveUp(processing, new Date(now.getTime() + ms))
  expect([age(86_400_000 - 1), age(86_400_000)]).toEqual([false, true])
})

test('a payment that did not move shows neither charge nor total', () => {
  const stateOf = (status: TransactionStatus) => [
    nothingMoved({ ...pending, status }),
    reportedChargeMinor({ ...pending, status }),
    reportedTotalMinor({ ...pending, status }),
  ]
  for (const status of ['FAILED', 'CANCELLED'] as const) expect(stateOf(status), status).toEqual([true, 0n, 0n])
  for (const status of ['PENDING', 'PROCESSING', 'COMPLETED'] as const)
    expect(stateOf(status), status).toEqual([false, 50n, 4950n])
})

test('merchants read these reasons of failure, and their programs these codes', () => {
  expect(TIMED_OUT).toEqual({ status: 'FAILED', reason: 'The request timed out without a transfer', code: 'expired' })
  expect(UNCOVERED).toEqual({ reason: 'Insufficient balance for the transaction', code: 'insufficient_funds' })
})

test('a late COMPLETED replaces FAILED within 72 hours and with permission only', () => {
  const lost = settled(processing, failed)
  const late = (ms: number) => new Date(now.getTime() + ms)
  expect(settled(lost, completed, late(LATE_RESULT_WINDOW_MS)).status).toBe('COMPLETED')
  expect(LATE_RESULT_WINDOW_MS).toBe(72 * 3_600_000)
  expect(recorded(lost, completed, late(LATE_RESULT_WINDOW_MS + 1))).toBe(
    'Late COMPLETED after more than 72 hours: the state stays',
  )
  expect(recorded({ ...lost, allowFinalStatusChange: false }, completed)).toBe(
    'Late COMPLETED: allow_final_status_change is false, the state stays',
  )
})

test('a payout paid too late to be booked is a state of its own until staff end it', () => {
  const lost: Transaction = { ...settled(processing, failed), type: 'PAYOUT' }
  const later = new Date(now.getTime() + LATE_RESULT_WINDOW_MS + 1)
  const paid: Transaction = { ...lost, railPaidAt: later }
  expect(settle(lost, completed, later)).toEqual({
    effect: 'not_booked',
    transaction: paid,
    why: 'Late COMPLETED after more than 72 hours: the state stays, staff must settle it',
  })
  expect(recorded(paid, completed, later)).toBe('The rail repeated its late COMPLETED: staff must settle it')
  expect(neverPaid(paid)).toStrictEqual(lost)
})

test('only what the rail has paid and nobody booked can be booked after all', () => {
  const lost = settled(processing, failed)
  const booked = bookAfterAll({ ...lost, railPaidAt: now }, now)
  for (const other of [lost, booked, processing])
    expect(() => bookAfterAll(other, now)).toThrow('MLP0123456789ABCDEFGHJKMN is no payment that waits to be booked')
})

test('any sequence of reports completes once and leaves only FAILED for COMPLETED', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(completed, failed), { maxLength: 12 }),
      fc.boolean(),
      (outcomes, allowFinalStatusChange) => {
        let current: Transaction = { ...processing, allowFinalStatusChange }
        let completions = 0
        for (const outcome of outcomes) {
          const settlement = settle(current, outcome, now)
          if (settlement.effect === 'recorded') continue
          if (isFinal(current.status))
            expect([current.status, settlement.transaction.status, allowFinalStatusChange]).toEqual([
              'FAILED',
              'COMPLETED',
              true,
            ])
          if (settlement.transaction.status === 'COMPLETED') completions += 1
          current = settlement.transaction
        }
        expect(completions).toBeLessThanOrEqual(1)
        const final = completions > 0 ? 'COMPLETED' : 'FAILED'
        expect(current.status).toBe(outcomes.length === 0 ? 'PROCESSING' : final)
        expect(current.failureCode).toBe(current.status === 'FAILED' ? failed.code : undefined)
      },
    ),
  )
})

test('retries an unreachable rail after 1 s, 2 s, 4 s … at most 5 min', () => {
  expect([1, 2, 3, 9, 10, 1000].map(unreachableRetryMs)).toEqual([1000, 2000, 4000, 256_000, 300_000, 300_000])
})
