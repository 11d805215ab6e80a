import type { Merchant } from '../domain/merchant.ts'
import { Refusal } from '../domain/refusal.ts'
import type { MerchantLists, TransactionPage, TransactionQuery } from './ports/merchant-lists.ts'

export interface ListDeps {
  readonly lists: MerchantLists
}

/**
 * A page of the merchant's transactions.
 * @throws Refusal `archived` when it is to begin in a month that only the archive has
 */
export async function listTransactions(
  { lists }: ListDeps,
  merchant: Merchant,
  query: TransactionQuery,
): Promise<TransactionPage> {
  if (query.from) await refuseArchived(lists, query.from)
  return lists.transactions(merchant.id, query)
}

/** @throws Refusal `archived` when the history of this time is no longer here */
export async function refuseArchived(lists: MerchantLists, from: Date): Promise<void> {
  const archived = await lists.archivedMonth()
  if (archived !== undefined && from.toISOString().slice(0, archived.length) <= archived)
    throw new Refusal('archived', `${archived} has been archived`)
}
