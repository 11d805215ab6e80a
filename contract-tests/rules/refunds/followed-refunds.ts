import type { Fields } from '../../harness/json.ts'
import type { Fault, ObservedExchange } from '../observed-exchange.ts'
import { isFinal } from '../payments/claims.ts'
import { recordIn } from '../record-in.ts'

export const REMEMBERED_MAX = 100_000

/** A completed collection, and its refunds. */
interface RefundedCollection {
  readonly collection: Fields
  readonly refunds: readonly Fields[]
}

/** Keeps the records of refunds and of completed collections, the final one if it was seen. */
export function followRefunds() {
  const collections = new Map<string, Fields>()
  const refunds = new Map<string, Fields>()
  return {
    /** @returns no fault: what refunds are together shows at the end */
    note(seen: ObservedExchange): readonly Fault[] {
      const record = recordIn(seen)
      const { internal_reference: reference, transaction_type: type, transaction_status: status } = record
      const kept = type === 'REFUND' ? refunds : collections
      if (typeof reference !== 'string' || kept.size >= REMEMBERED_MAX) return []
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
