import type { Fields } from '../harness/json.ts'
import { BoundedMap } from './bounded-map.ts'
import { faultIf } from './observed-exchange.ts'
import { isFinal } from './payments/claims.ts'
import { refundFaults, sumFaults } from './refunds/refund-faults.ts'
import type { Judging, Rule } from './rule.ts'

/** Keeps the records of refunds and of completed collections, the final one if it was seen, and judges them at the end. */
function refundsJudging(sandbox: boolean): Judging {
  const collections = new BoundedMap<string, Fields>()
  const refunds = new BoundedMap<string, Fields>()
  const named = new BoundedMap<string, unknown>()
  return {
    each: ({ record, operation, merchant }) => {
      const { internal_reference: reference, transaction_status: status } = record
      if (typeof reference !== 'string') return []
      if (record.transaction_type !== 'REFUND' && status === 'COMPLETED') collections.set(reference, record)
      if (record.transaction_type === 'REFUND' && !isFinal(refunds.get(reference)?.transaction_status))
        refunds.set(reference, record)
      // A wrong reference of a collection would leave the refund without its rules.
      const { collection_merchant_reference: of, collection_internal_reference: own } = record
      if (operation?.id === 'verifyTransaction')
        named.set(`${merchant} ${String(record.merchant_reference)}`, reference)
      const collection = operation?.id === 'retrieveRefund' ? named.get(`${merchant} ${String(of)}`) : undefined
      return faultIf(
        collection !== undefined && collection !== own,
        'refund collection_internal_reference',
        `collection_internal_reference of refund ${String(record.merchant_reference)} is ${String(own)}, and collection ${String(of)} is ${String(collection)}`,
      )
    },
    end: () =>
      [...Map.groupBy(refunds.values(), (each) => String(each.collection_internal_reference))].flatMap(
        ([reference, own]) => {
          const collection = collections.get(reference)
          if (!collection) return []
          return [...own.flatMap((refund) => refundFaults(collection, refund, sandbox)), ...sumFaults(collection, own)]
        },
      ),
  }
}

export const refundsRule: Rule = {
  name: 'refunds',
  reason:
    'A refund goes to the account that paid its collection; all of them are at most the collection in both currencies, at its own rate, and the last takes the rest.',
  plantedFault: 'refund-to-other-account',
  judging: ({ sandbox }) => refundsJudging(sandbox),
}
