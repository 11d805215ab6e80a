import { expect, test } from 'vitest'
import { newTransaction } from '../verification/testing/transactions.ts'
import { isWorthReporting, railOrder } from './rail-order.ts'

// 1000 UGX with a charge of 20.
const transaction = { ...newTransaction(), id: 1n, railOrderId: '0b9c1b8e-6f0f-4c55-8a52-2b3a4c5d6e7f' }

test('gives the rail reference, order id, account and amount, and nothing else', () => {
  expect(railOrder({ transaction })).toEqual({
    internalReference: transaction.internalReference,
    orderId: transaction.railOrderId,
    externalIds: {},
    type: 'COLLECTION',
    providerCode: 'mtn_ug',
    account: transaction.account,
    amount: { amountMinor: 1_000n, currency: 'UGX' },
  })
})

test('what goes out can name its merchant to the customer', () => {
  expect(railOrder({ transaction, merchant: 'Duka Langu' }).shown).toEqual({
    merchant: 'Duka Langu',
    reference: transaction.merchantReference,
  })
})

test('a customer who bears the charge pays it on top', () => {
  expect(railOrder({ transaction: { ...transaction, chargeCustomer: true } }).amount.amountMinor).toBe(1_020n)
})

test('the receiver of a payout gets the amount, whoever bears the charge', () => {
  for (const chargeCustomer of [false, true])
    expect(railOrder({ transaction: { ...transaction, type: 'PAYOUT', chargeCustomer } }).amount.amountMinor).toBe(
      1_000n,
    )
})

test('a bank payment names its bank', () => {
  expect(railOrder({ transaction: { ...transaction, bankCode: '044' } }).bankCode).toBe('044')
})

test('logs ten of a thousand attempts: the first, second, fourth, eighth …', () => {
  const reported = Array.from({ length: 1_000 }, (_, n) => n + 1).filter(isWorthReporting)
  expect(reported).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
})
