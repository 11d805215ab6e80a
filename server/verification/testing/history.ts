import type { Gateway } from '../../main.ts'
import { findTransactions, transactionEvents, type HistoryEvent } from '../../admin/queries/transactions.ts'
import { present } from '../../domain/present.ts'

/** The history of a transaction in its order, by the merchant's reference or ours. */
export async function eventsOf({ pool }: Pick<Gateway, 'pool'>, reference: string): Promise<readonly HistoryEvent[]> {
  const [transaction] = await findTransactions(pool, reference, undefined)
  return transactionEvents(pool, present(transaction, `the transaction ${reference}`).id)
}
