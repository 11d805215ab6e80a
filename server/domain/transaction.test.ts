import fc from 'fast-check'
import { expect, test } from 'vitest'
import { money } from './money.ts'
import { handToRail, isFinal, LATE_RESULT_WINDOW_MS, settle, type RailOutcome, type Transaction, unreachableRetryMs } from './transaction.ts'

const now = new Date('2026-03-01T08:00:00Z')
const pending: Transaction = {
  id: 1n, merchantId: 1n, merchantReference: 'ORDER-0001', internalReference: 'MLP0123456789ABCDEFGHJKMN', type: 'COLLECTION', method: 'MOBILE_MONEY', providerCode: 'mtn_ug',
  account: '256772000123', request: money(5000n, 'UGX'), amount: money(5000n, 'UGX'), chargeMinor: 50n, totalMinor: 4950n, chargeCustomer: false, allowFinalStatusChange: true,
  status: 'PENDING', statusMessage: 'Transaction Pending', createdAt: now,
}
const processing = handToRail(pending)
const completed: RailOutcome = { status: 'COMPLETED' }
const failed: RailOutcome = { status: 'FAILED', reason: 'The customer declined the request' }
const settled = (transaction: Transaction, outcome: RailOutcome, at = now): Transaction => {
  const settlement = settle(transaction, outcome, at)
  if (settlement.effect !== 'settled') throw new Error(settlement.why)
  return settlement.transaction
}

test('a result ends what is processing', () => {
  expect(settled(processing, completed)).toMatchObject({ status: 'COMPLETED', finalAt: now })
  expect(settled(processing, failed)).toMatchObject({ status: 'FAILED', statusMessage: failed.reason })
})

test('a result for what was never sent has no effect', () => expect(settle(pending, completed, now).effect).toBe('recorded'))

test('COMPLETED never changes again', () => {
  const done = settled(processing, completed)
  for (const outcome of [completed, failed]) expect(settle(done, outcome, now).effect).toBe('recorded')
})

test('a late COMPLETED replaces FAILED within 72 hours, not after, and not without leave', () => {
  const lost = settled(processing, failed)
  const late = (ms: number) => new Date(now.getTime() + ms)
  expect(settled(lost, completed, late(LATE_RESULT_WINDOW_MS)).status).toBe('COMPLETED')
  expect(settle(lost, completed, late(LATE_RESULT_WINDOW_MS + 1)).effect).toBe('recorded')
  expect(settle({ ...lost, allowFinalStatusChange: false }, completed, now).effect).toBe('recorded')
})

test('whatever a rail reports, in whatever order: at most one completion, and a final state is left only from FAILED to COMPLETED', () => {
  fc.assert(fc.property(fc.array(fc.constantFrom(completed, failed), { maxLength: 12 }), fc.boolean(), (outcomes, allowFinalStatusChange) => {
    let current: Transaction = { ...processing, allowFinalStatusChange }
    let completions = 0
    for (const outcome of outcomes) {
      const settlement = settle(current, outcome, now)
      if (settlement.effect === 'recorded') continue
      if (isFinal(current.status)) expect([current.status, settlement.transaction.status, allowFinalStatusChange]).toEqual(['FAILED', 'COMPLETED', true])
      if (settlement.transaction.status === 'COMPLETED') completions += 1
      current = settlement.transaction
    }
    expect(completions).toBeLessThanOrEqual(1)
    expect(current.status).toBe(outcomes.length === 0 ? 'PROCESSING' : completions > 0 ? 'COMPLETED' : 'FAILED')
  }))
})

test('an unreachable rail is tried after 1 s, 2 s, 4 s … at most 5 min', () => {
  expect([1, 2, 3, 9, 10, 1000].map(unreachableRetryMs)).toEqual([1000, 2000, 4000, 256_000, 300_000, 300_000])
})
