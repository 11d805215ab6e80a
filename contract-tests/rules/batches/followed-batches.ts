import { listOf, type Fields } from '../../harness/json.ts'
import { BoundedMap } from '../bounded-map.ts'
import type { ObservedExchange } from '../observed-exchange.ts'

/** Keeps the rows that a merchant has sent in accepted batches. */
export function followBatches() {
  const batches = new BoundedMap<string, readonly Fields[]>()
  const payouts = new BoundedMap<string, Fields>()
  return {
    note({ operation, exchange, sent, merchant }: ObservedExchange): void {
      if (operation?.id !== 'createPayoutBatch' || exchange.reply.status !== 202) return
      const rows = listOf(sent.payouts)
      batches.set(`${merchant} ${String(sent.batch_reference)}`, rows)
      for (const row of rows) payouts.set(`${merchant} ${String(row.merchant_reference)}`, row)
    },
    /** The batch in a reply, and the rows that were sent in it. */
    batchIn({ operation, exchange, data: batch, merchant }: ObservedExchange) {
      if (operation?.id !== 'getPayoutBatch' || exchange.reply.status !== 200) return undefined
      return { batch, sent: batches.get(`${merchant} ${String(batch.batch_reference)}`) }
    },
    /** The row that a payout of this reference was sent in. */
    rowOf: ({ merchant }: ObservedExchange, reference: unknown): Fields | undefined =>
      payouts.get(`${merchant} ${String(reference)}`),
  }
}
