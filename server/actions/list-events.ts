import type { Merchant } from '../domain/merchant.ts'
import { Refusal } from '../domain/refusal.ts'
import type { ListDeps } from './list-transactions.ts'
import type { EventQuery, MerchantEvent } from './ports/merchant-lists.ts'

/**
 * The merchant's events after a number.
 * @throws Refusal `archived` when some after that number are no longer here: the reader would miss them
 */
export async function listEvents(
  { lists }: ListDeps,
  merchant: Merchant,
  query: EventQuery,
): Promise<readonly MerchantEvent[]> {
  const { after = 0n } = query
  const archived = after === 0n ? after : await lists.archivedEvents(merchant.id)
  if (after < archived) {
    const month = await lists.archivedMonth()
    throw new Refusal('archived', `Events up to ${archived} have been archived with ${month}`)
  }
  return lists.events(merchant.id, query)
}
