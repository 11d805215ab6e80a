import { sumsOfAttempt } from './attempts.ts'
import { paidMinor } from '../../domain/refund.ts'
import { isReturn, type Transaction } from '../../domain/transaction.ts'

/** Sums by account kind, once nothing is uncleared or reserved any more. */
export function expectedSums(transaction: Transaction): Map<string, bigint> {
  const {
    status,
    type,
    amount: { amountMinor },
    chargeMinor,
    totalMinor,
  } = transaction
  if (status !== 'COMPLETED') return new Map()
  if (transaction.isAttempt) return sumsOfAttempt(transaction)
  if (isReturn(transaction))
    return new Map([
      ['suspense', -totalMinor],
      ['rail', totalMinor],
    ])
  if (type === 'REFUND')
    return new Map([
      ['collection_available', -totalMinor],
      ['rail', paidMinor(transaction)],
      ['charges', -chargeMinor],
    ])
  if (type === 'PAYOUT')
    return new Map([
      ['payout_available', -totalMinor],
      ['rail', amountMinor],
      ['charges', chargeMinor],
    ])
  const customerMinor = paidMinor(transaction)
  return new Map([
    ['rail', -customerMinor],
    ['collection_available', totalMinor],
    ['charges', customerMinor - totalMinor],
  ])
}
