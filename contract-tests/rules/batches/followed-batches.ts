import { fieldsOf, type Fields } from '../../harness/json.ts'
import { onlyHeader, type ObservedExchange } from '../observed-exchange.ts'

const REMEMBERED_MAX = 50_000

export const listIn = (list: unknown): readonly Fields[] => (Array.isArray(list) ? list.map(fieldsOf) : [])
const keyOf = ({ exchange: { request } }: ObservedExchange): string => onlyHeader(request.headers, 'public-key') ?? ''

/** Keeps the rows that a merchant has sent in accepted batches. */
export function followBatches() {
  const batches = new Map<string, readonly Fields[]>()
  const payouts = new Map<string, Fields>()
  return {
    note(seen: ObservedExchange): void {
      const { operation, exchange, requestBody } = seen
      if (operation?.id !== 'createPayoutBatch' || exchange.reply.status !== 202) return
      const rows = listIn(fieldsOf(requestBody).payouts)
      if (payouts.size >= REMEMBERED_MAX) return
      batches.set(`${keyOf(seen)} ${String(fieldsOf(requestBody).batch_reference)}`, rows)
      for (const row of rows) payouts.set(`${keyOf(seen)} ${String(row.merchant_reference)}`, row)
    },
    /** The batch in a reply, and the rows that were sent in it. */
    batchIn(
      seen: ObservedExchange,
    ): { readonly batch: Fields; readonly sent: readonly Fields[] | undefined } | undefined {
      if (seen.operation?.id !== 'getPayoutBatch' || seen.exchange.reply.status !== 200) return undefined
      const { data } = fieldsOf(seen.replyBody)
      const batch = fieldsOf(data)
      return { batch, sent: batches.get(`${keyOf(seen)} ${String(batch.batch_reference)}`) }
    },
    /** The row that a payout of this reference was sent in. */
    rowOf: (seen: ObservedExchange, reference: unknown): Fields | undefined =>
      payouts.get(`${keyOf(seen)} ${String(reference)}`),
  }
}
