import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newTransaction } from '../verification/testing/transactions.ts'
import { money } from './money.ts'
import { decideRefund, refundedBy, type RefundPart } from './refund.ts'
import type { Transaction } from './transaction.ts'

const ways = { refund: { partial: true }, payout: false }
const collectionOf = (changes: Partial<Transaction> = {}): Transaction => ({
  ...newTransaction(),
  id: 1n,
  status: 'COMPLETED',
  request: money(10_000n, 'USD'),
  amount: money(38_123_457n, 'UGX'),
  chargeMinor: 381_235n,
  ...changes,
})

test('refunds of a collection never exceed it, and together are exactly it', () => {
  const parts = fc.array(fc.bigInt({ min: 1n, max: 10_000n }), { maxLength: 12 })
  fc.assert(
    fc.property(parts, fc.boolean(), fc.boolean(), (wanted, givesChargeBack, chargeCustomer) => {
      const collection = collectionOf({ chargeCustomer })
      const refunds: RefundPart[] = []
      for (const requestedMinor of [...wanted, undefined]) {
        const decided = decideRefund(collection, refundedBy(refunds), {
          collectionId: 1n,
          ...(requestedMinor !== undefined && { requestedMinor }),
          ways,
          givesChargeBack,
        })
        if (typeof decided === 'object' && 'request' in decided) refunds.push({ ...decided, status: 'PENDING' })
      }
      expect(refundedBy(refunds)).toEqual({
        requestMinor: 10_000n,
        amountMinor: 38_123_457n,
        chargeMinor: givesChargeBack ? 381_235n : 0n,
      })
    }),
  )
})

const refund = (changes: Partial<Transaction>, more: object = {}) =>
  decideRefund(collectionOf(changes), refundedBy([]), { collectionId: 1n, ways, givesChargeBack: false, ...more })

test('where an operator moves no cents, refunds move none and stay within the payment', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: 1n, max: 10_000n }), { maxLength: 12 }),
      fc.boolean(),
      (wanted, converted) => {
        const request = money(10_000n, converted ? 'USD' : 'KES')
        const collection = collectionOf({
          request,
          amount: money(77_777n, 'KES'),
          chargeMinor: 723n,
          chargeCustomer: true,
        })
        const refunds: RefundPart[] = []
        for (const requestedMinor of [...wanted, undefined]) {
          const request = { collectionId: 1n, ways, givesChargeBack: true, amountStepMinor: 100n }
          const decided = decideRefund(collection, refundedBy(refunds), {
            ...request,
            ...(requestedMinor !== undefined && { requestedMinor }),
          })
          if (typeof decided !== 'object' || !('request' in decided)) continue
          refunds.push({ ...decided, status: 'PENDING' })
          expect((decided.amount.amountMinor + decided.chargeMinor) % 100n).toBe(0n)
        }
        const { amountMinor, chargeMinor } = refundedBy(refunds)
        expect(amountMinor + chargeMinor <= 78_500n).toBe(true)
      },
    ),
  )
})

test.each([
  ['only a completed one', { status: 'PROCESSING' as const }, {}, 'not_completed'],
  ['no more than is left', {}, { requestedMinor: 10_001n }, { leftMinor: 10_000n }],
  ['not less than its operator can move', { amount: money(9n, 'UGX') }, { requestedMinor: 1n }, 'too_small'],
  ['not where there is no way', {}, { ways: { payout: false } }, 'no_way'],
])('a collection is refunded: %s', (_rule, changes, more, fault) => {
  expect(refund(changes, more)).toEqual(fault)
})

test.each([
  ['the whole by the rail that refunds no parts', {}, 'refund'],
  ['a part by a payout', { requestedMinor: 10n }, 'payout'],
])('a rail that refunds only the whole refunds %s', (_what, more, way) => {
  const only = { ways: { refund: { partial: false }, payout: true } }
  expect(refund({}, { ...only, ...more })).toMatchObject({ way })
})

test.each([
  ['off the charge', { requestedMinor: 3_300n, givesChargeBack: true }, 'KES', { amount: 3_300n, charge: 0n }],
  ['off a larger charge', { requestedMinor: 9_950n, givesChargeBack: true }, 'KES', { amount: 9_950n, charge: 150n }],
  ['off a conversion', { requestedMinor: 3_333n }, 'USD', { amount: 3_300n, charge: 0n }],
  ['off nothing else', { requestedMinor: 3_333n, givesChargeBack: true }, 'KES', 'not_whole'],
])('where the operator moves no cents, they are taken %s', (_what, more, currency, expected) => {
  const collection = { amount: money(10_000n, 'KES'), chargeMinor: 200n, chargeCustomer: true }
  const decided = refund({ ...collection, request: money(10_000n, currency) }, { ...more, amountStepMinor: 100n })
  expect(
    typeof decided === 'object' && 'amount' in decided
      ? { amount: decided.amount.amountMinor, charge: decided.chargeMinor }
      : decided,
  ).toEqual(expected)
})

test('a refund that failed frees its part, unless the rail has paid it all the same', () => {
  const part = { request: money(4n, 'UGX'), amount: money(4n, 'UGX'), chargeMinor: 0n, status: 'FAILED' as const }
  expect(refundedBy([part]).requestMinor).toBe(0n)
  expect(refundedBy([{ ...part, railPaidAt: new Date(0) }]).requestMinor).toBe(4n)
})
