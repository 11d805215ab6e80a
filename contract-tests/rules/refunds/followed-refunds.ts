import type { Fields } from '../../harness/json.ts'
import type { Fault, ObservedExchange } from '../observed-exchange.ts'
import { BoundedMap } from '../bounded-map.ts'
import { isFinal } from '../payments/claims.ts'

/** A completed collection, and its refunds. */
interface RefundedCollection {
  readonly collection: Fields
  readonly refunds: readonly Fields[]
}

/** Keeps the records of refunds and of completed collections, the final one if it was seen. */
export function followRefunds() {
  const collections = new BoundedMap<string, Fields>()
  const refunds = new BoundedMap<string, Fields>()
  return {
    /** @returns no fault: what refunds are together shows at the end */
    note({ record }: ObservedExchange): readonly Fault[] {
      const { internal_reference: reference, transaction_type: type, transaction_status: status } = record
      const kept = type === 'REFUND' ? refunds : collections
      if (typeof reference !== 'string') return []
      const isKept = type === 'REFUND' ? !isFinal(kept.get(reference)?.transaction_status) : status === 'COMPLETED'
      if (isKept) kept.set(reference, record)
      return []
    },
    collections: (): readonly RefundedCollection[] =>
      [...Map.groupBy(refunds.values(), (each) => String(each.collection_internal_reference))].flatMap(
        ([reference, own]) => {
          const collection = collections.get(reference)
          return collection ? [{ collection, refunds: own }] : []
        },
      ),
  }
}
