import type { Transaction } from '../../../domain/transaction.ts'
import { ascending } from './table.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

/** The refunds of a collection, oldest first. */
export const refundsOf = (unit: MemoryUnitOfWork, collectionId: bigint): readonly Transaction[] =>
  [...(unit.refunds.get(collectionId) ?? [])].sort(ascending).map((id) => unit.transactions.existing(id).transaction)

/** Its collection is locked. */
export async function addRefund(unit: MemoryUnitOfWork, collectionId: bigint, id: bigint): Promise<void> {
  await unit.refunds.lock(collectionId)
  unit.refunds.put(collectionId, [...(unit.refunds.get(collectionId) ?? []), id])
}
