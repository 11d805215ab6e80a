import { expect, test } from 'vitest'
import type { Merchant } from '../domain/merchant.ts'
import { newTransaction } from '../verification/testing/transactions.ts'
import type { NewTransaction } from './ports/acceptance.ts'
import { refundCollection, type RefundDeps } from './refund-collection.ts'

const collection = {
  ...newTransaction({ status: 'COMPLETED', railAccount: 'mpesa-kenya' }),
  id: 1n,
  railOrderId: '0b9c1b8e-6f0f-4c55-8a52-2b3a4c5d6e7f',
}

test.each([
  ['with its receipt', { receipt: 'R1' }, true, collection.account, ['refund', 'payout']],
  ['without its receipt', {}, true, collection.account, ['payout']],
  ['without its receipt, and without payouts', {}, false, collection.account, ['refund']],
  ['whose payer is hidden', { receipt: 'R1' }, true, '', ['refund']],
  ['whose payer is hidden, without its receipt', {}, true, '', ['refund']],
])(
  'a collection %s is given back by what can do it now',
  async (_case, externalIds, refundsByPayout, account, expected) => {
    const accepted: NewTransaction[] = []
    const merchant = { id: collection.merchantId, refundsByPayout, enabledOptions: { has: () => true } }
    const deps = {
      clock: { now: () => collection.createdAt },
      random: { bytes: (size: number) => new Uint8Array(size) },
      reference: { option: () => ({ isActive: true, hasRail: true }) },
      rail: { traitsOf: () => ({ refund: { partial: false, needsId: 'receipt' } }) },
      lookups: {
        transactionByMerchantReference: async () => ({ ...collection, account }),
        externalIds: async () => externalIds,
      },
      acceptance: { accept: async (given: NewTransaction) => (accepted.push(given), 'accepted') },
    } as unknown as RefundDeps
    const request = { merchantReference: 'REFUND-0001', collectionReference: 'ORDER-1', reason: 'returned' }
    await refundCollection(deps, merchant as unknown as Merchant, request)
    const { refund, payout } = accepted[0]?.refunds?.ways ?? {}
    expect([...(refund ? ['refund'] : []), ...(payout === true ? ['payout'] : [])]).toEqual(expected)
  },
)
