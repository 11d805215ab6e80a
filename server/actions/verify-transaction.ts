import type { Merchant } from '../domain/merchant.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Transaction } from '../domain/transaction.ts'
import type { Lookups } from './ports/lookups.ts'

/**
 * Finds the merchant's transaction by the merchant's own reference.
 * @throws Refusal `unknown_reference`, the same for a reference of another merchant as for an unknown one; `archived` if only the archive has it
 */
export async function verifyTransaction(
  { lookups }: { lookups: Lookups },
  merchant: Merchant,
  merchantReference: string,
): Promise<Transaction> {
  const transaction = await lookups.transactionByMerchantReference(merchant.id, merchantReference)
  if (transaction) return transaction
  const isArchived = await lookups.isArchived(merchant.id, merchantReference)
  if (isArchived) throw new Refusal('archived', `Transaction (${merchantReference}) has been archived`)
  throw new Refusal('unknown_reference', `Transaction (${merchantReference}) was not found`)
}
