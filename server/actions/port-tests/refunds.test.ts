import { expect, test } from 'vitest'
import type { AcceptResult } from '../../domain/acceptance.ts'
import { refundReference } from '../../domain/refund.ts'
import { onBothStores } from '../../verification/testing/stores.ts'
import { accepted, newTransaction, START, unique } from '../../verification/testing/transactions.ts'

onBothStores((under) => {
  test('refunds take no more than their collection, at once and later', async () => {
    const collection = await accepted(under(), { status: 'COMPLETED' })
    const { merchantId, id: collectionId, merchantReference } = collection
    const refund = (requestedMinor?: bigint, reference = `refund-${unique()}`): Promise<AcceptResult> => {
      const { dailyLimit: _none, ...unlimited } = newTransaction({ merchantId, merchantReference: reference })
      const refunds = { collectionId, ways: { refund: { partial: true }, payout: false }, givesChargeBack: false }
      return under().acceptance.accept({
        ...unlimited,
        type: 'REFUND',
        refund: {
          way: 'refund',
          reason: 'returned',
          collection: { internalReference: collection.internalReference, merchantReference },
          paidMinor: '1000',
          externalIds: { receipt: 'R1' },
        },
        refunds: { ...refunds, ...(requestedMinor !== undefined && { requestedMinor }) },
        firstJob: { kind: 'holdRefund', dueAt: START },
      })
    }
    const results = await Promise.all(Array.from({ length: 5 }, () => refund(300n)))
    expect(results.filter((result) => result === 'accepted')).toHaveLength(3)
    expect(results).toContainEqual({ refundFault: { leftMinor: 100n } })
    // References of refunds are apart from those of payments.
    expect(await refund(undefined, merchantReference)).toBe('accepted')
    expect(await refund()).toEqual({ refundFault: 'nothing_left' })
    const stored = await under().store.transaction((unit) => unit.refundsOf([collectionId]))
    expect(stored.get(collectionId)?.map(({ amount }) => amount.amountMinor)).toEqual([300n, 300n, 300n, 100n])
    expect(await under().lookups.transactionByMerchantReference(merchantId, merchantReference)).toEqual(collection)
    expect(
      await under().lookups.transactionByMerchantReference(merchantId, refundReference(merchantReference)),
    ).toMatchObject({ type: 'REFUND', refund: { externalIds: { receipt: 'R1' } } })
  })
})
