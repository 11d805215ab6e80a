import { expect, test } from 'vitest'
import { newTransaction } from '../verification/testing/transactions.ts'
import { isWorthTelling, railOrder } from './rail-order.ts'

// 1000 UGX with a charge of 20.
const transaction = { ...newTransaction(), id: 1n, railOrderId: '0b9c1b8e-6f0f-4c55-8a52-2b3a4c5d6e7f' }

test('the rail hears our reference, the id of the order, whom to ask and the amount, and nothing else of a transaction', () => {
  expect(railOrder(transaction)).toEqual({
    internalReference: transaction.internalReference,
    orderId: transaction.railOrderId,
    externalIds: {},
    type: 'COLLECTION',
    providerCode: 'mtn_ug',
    account: transaction.account,
    amount: { amountMinor: 1_000n, currency: 'UGX' },
  })
})

test('what goes out can tell its customer whose it is', () => {
  expect(railOrder(transaction, { externalIds: {} }, 'Duka Langu').shown).toEqual({
    merchant: 'Duka Langu',
    reference: transaction.merchantReference,
  })
})

test('a customer who bears the charge pays it on top', () => {
  expect(railOrder({ ...transaction, chargeCustomer: true }).amount.amountMinor).toBe(1_020n)
})

test('of a payout the receiver gets the amount, whoever bears the charge', () => {
  for (const chargeCustomer of [false, true])
    expect(railOrder({ ...transaction, type: 'PAYOUT', chargeCustomer }).amount.amountMinor).toBe(1_000n)
})

test('a bank payment names its bank', () => {
  expect(railOrder({ ...transaction, bankCode: '044' }).bankCode).toBe('044')
})

test('of a thousand attempts ten are told: the first, the second, the fourth, the eighth', () => {
  const reported = Array.from({ length: 1_000 }, (_, n) => n + 1).filter(isWorthTelling)
  expect(reported).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
})
